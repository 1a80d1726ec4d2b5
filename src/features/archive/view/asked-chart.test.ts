import { expect, test } from 'vitest'
import type { Asked } from './asked.ts'
import { barsOf, firstValueOf, linesOf, MOST_BARS, runsOf, shapeOf } from './asked-chart.ts'

function asked(columns: Record<string, string>, rows: readonly (readonly unknown[])[]): Asked {
  return { columns: Object.entries(columns).map(([name, type]) => ({ name, type })), rows, hasMore: false, ms: 1 }
}

const HOURS = asked({ hour: 'TIMESTAMP', node: 'VARCHAR', writes: 'BIGINT', p50_ms: 'DOUBLE', p99_ms: 'DOUBLE' }, [
  ['2026-11-26 04:00:00', 'a', 5, 1, 9],
  ['2026-11-26 01:00:00', 'a', 5, 1, 8],
  ['2026-11-26 02:00:00', 'a', 5, 1, null],
  ['2026-11-26 01:00:00', 'b', 5, 1, '12'],
  ['2026-11-26 05:00:00', 'a', 5, 1, 3],
])

test('a time before the first number is the axis; one after it is not', () => {
  const shape = shapeOf(HOURS)
  expect(shape).toEqual({ time: 0, names: [1], values: [2, 3, 4] })
  expect(firstValueOf(HOURS, shape!)).toBe(4)
  const log = asked({ level: 'VARCHAR', lines: 'BIGINT', first: 'TIMESTAMP', example: 'VARCHAR' }, [])
  expect(shapeOf(log)).toEqual({ time: null, names: [0], values: [1] })
  expect(shapeOf(asked({ at: 'TIMESTAMP', id: 'BIGINT', start_ticks: 'BIGINT', kind: 'VARCHAR' }, []))).toBeNull()
  expect(shapeOf(asked({ day: 'DATE', bytes: 'HUGEINT' }, []))).toEqual({ time: 0, names: [], values: [1] })
})

test.each([
  ['BIGINT', true],
  ['INTEGER', true],
  ['UTINYINT', true],
  ['HUGEINT', true],
  ['DECIMAL(18,3)', true],
  ['DOUBLE', true],
  ['FLOAT', true],
  ['INTERVAL', false],
  ['BIGINT[]', false],
  ['DOUBLE[3]', false],
  ['DECIMAL(18,3)[]', false],
])('a column of %s has numbers: %s', (type, isNumber) => {
  expect(shapeOf(asked({ of: type }, []))).toEqual(isNumber ? { time: null, names: [], values: [0] } : null)
})

test.each([
  ['TIMESTAMP', true],
  ['TIMESTAMP_NS', true],
  ['TIMESTAMP WITH TIME ZONE', true],
  ['DATE', true],
  ['TIMESTAMP[]', false],
  ['TIMESTAMP_NS[]', false],
  ['TIMESTAMP[3]', false],
  ['DATE[]', false],
])('a column of %s is an axis of time: %s', (type, isTime) => {
  expect(shapeOf(asked({ of: type, writes: 'BIGINT' }, []))?.time).toBe(isTime ? 0 : null)
})

test('a series has a line for each name, the highest first, and no line across hours that are missing or unknown', () => {
  const { series, all, unknown, stepTicks, range, most, least } = linesOf(HOURS, shapeOf(HOURS)!, 4)
  expect(series.map(({ name, points }) => [name, points.map(({ value, row }) => [value, row])])).toEqual([
    ['b', [[12, 3]]],
    [
      'a',
      [
        [8, 1],
        [9, 0],
        [3, 4],
      ],
    ],
  ])
  expect([all, unknown, most, least]).toEqual([2, 1, 12, 0])
  expect((range?.endTicks ?? 0) - (range?.startTicks ?? 0)).toBe(4 * 36_000_000_000)
  expect(runsOf(series[1]!, stepTicks).map((run) => run.map(({ row }) => row))).toEqual([[1], [0, 4]])
})

test('single events are not connected, and months are', () => {
  const at = (...times: readonly string[]) =>
    asked(
      { at: 'TIMESTAMP', ms: 'DOUBLE' },
      times.map((time) => [time, 1]),
    )
  const lengths = (of: Asked): number[] => {
    const { series, stepTicks } = linesOf(of, shapeOf(of)!, 1)
    return runsOf(series[0]!, stepTicks).map((run) => run.length)
  }
  expect(lengths(at('2026-11-26 01:00:00', '2026-11-26 01:00:00.1', '2026-11-26 01:00:07.123'))).toEqual([1, 1, 1])
  expect(lengths(at('2026-01-01 00:00:00', '2026-02-01 00:00:00', '2026-03-01 00:00:00'))).toEqual([3])
  expect(lengths(at('2026-11-26 01:00:00'))).toEqual([1])
})

test('bars are the first rows in their order; a row without a value has none', () => {
  const rows = Array.from({ length: MOST_BARS + 5 }, (_, at) => [`i${String(at)}`, at === 1 ? null : 100 - at])
  const result = asked({ index: 'VARCHAR', seconds: 'DOUBLE' }, rows)
  const { bars, all, unknown } = barsOf(result, shapeOf(result)!, 1)
  expect(bars.slice(0, 2)).toEqual([
    { name: 'i0', value: 100, row: 0 },
    { name: 'i2', value: 98, row: 2 },
  ])
  expect([bars.length, all, unknown]).toEqual([MOST_BARS, MOST_BARS + 4, 1])
})

test('names leave out what all rows have in common', () => {
  const result = asked({ node: 'VARCHAR', kind: 'VARCHAR', seconds: 'DOUBLE' }, [
    ['a', 'DataSync', 3],
    ['a', 'JournalWrite', 2],
  ])
  const names = (of: Asked): string[] => barsOf(of, shapeOf(of)!, 2).bars.map(({ name }) => name)
  expect(names(result)).toEqual(['DataSync', 'JournalWrite'])
  expect(names({ ...result, rows: result.rows.slice(0, 1) })).toEqual(['a · DataSync'])
})
