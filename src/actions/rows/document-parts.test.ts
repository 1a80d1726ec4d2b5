import { expect, it } from 'vitest'
import { actionById } from '../table.ts'
import type { Beforehand } from '../model.ts'

it.each([
  ['1.7e308, -1.7e308', null],
  ['1, x', 'Values are numbers, with commas between them.'],
  ['1, 1e400', 'A time series holds doubles, up to 1.8e308: 1e400 is beyond.'],
])('values %j of an entry: %s', async (values, problem) => {
  const inputs = { series: 'Air', at: '2026-11-27T02:00:00Z', values, tag: '' }
  const target = { kind: 'document', database: 'Shop', name: 'rooms/1' } as const
  const call = { action: 'document.append', target, inputs, facts: {} }
  expect(await actionById('document.append')?.refuses?.read({ call } as unknown as Beforehand)).toBe(problem)
})
