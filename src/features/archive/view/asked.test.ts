import { expect, test } from 'vitest'
import { parseTicks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { rangeOfRow, textOf } from './asked.ts'

const AT = parseTicks('2026-11-26T02:00:01.5000000Z')

test('a row with a time leads to that time, with half a minute around it', () => {
  const columns = [
    { name: 'node', type: 'VARCHAR' },
    { name: 'start', type: 'TIMESTAMP' },
    { name: 'end', type: 'TIMESTAMP' },
  ]
  expect(rangeOfRow({ columns }, ['a', '2026-11-26 02:00:01.5', '2026-11-26 02:00:03.5'])).toEqual({
    startTicks: AT - 30 * TICKS_PER_SECOND,
    endTicks: AT + 32 * TICKS_PER_SECOND,
  })
  expect(rangeOfRow({ columns }, ['a', null, null])).toBeNull()
  expect(rangeOfRow({ columns: columns.slice(0, 1) }, ['2026-11-26 02:00:01'])).toBeNull()
})

test('values are shown as text: nothing for null, JSON for lists', () => {
  expect([null, 1.5, 'x', [1, null], { a: 1 }].map(textOf)).toEqual(['', '1.5', 'x', '[1,null]', '{"a":1}'])
})
