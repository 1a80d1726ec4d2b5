import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { parseTicks, ticksFromMs } from '../../base/ticks.ts'
import { exportFileName } from './file-name.ts'
import { TickText } from './tick-text.ts'
import { formatTicks } from '../../base/ticks.ts'

const at = parseTicks('2026-11-20T04:01:59.9999999Z')

describe('file names', () => {
  test.each([
    ['', at, 'rookery-io-2026-11-20T0401Z.csv'],
    ['shop', at, 'rookery-io-shop-2026-11-20T0401Z.csv'],
    ['../../etc/passwd', at, 'rookery-io-etc-passwd-2026-11-20T0401Z.csv'],
    ['Zürich 北京', null, 'rookery-io-Zürich-北京.csv'],
    ['CON:<>|"?*\\', null, 'rookery-io-CON.csv'],
    ['\u202Egpj.exe', null, 'rookery-io-gpj.exe.csv'],
  ])('%j', (of, time, wanted) => expect(exportFileName({ what: 'io', of, at: time, extension: 'csv' })).toBe(wanted))

  law('are harmless and of bounded length for any name', [fc.string({ unit: 'binary', maxLength: 300 })], (of) => {
    const name = exportFileName({ what: 'io', of, at, extension: 'json' })
    expect(name).toMatch(/^rookery-io-[\p{L}\p{N}._-]*2026-11-20T0401Z\.json$/u)
    expect(name).not.toContain('..')
    expect(Array.from(name).length).toBeLessThan(80)
  })
})

law('times in order are the same texts as one by one', [fc.array(fc.integer({ min: 0, max: 2e15 }))], (ticks) => {
  const text = new TickText()
  for (const each of ticks) expect(text.of(each)).toBe(formatTicks(each as never))
  const near = ticksFromMs(Date.UTC(2019, 11, 31, 23, 59, 59))
  expect(text.of(near + 12)).toBe('2019-12-31T23:59:59.0000012Z')
})
