import { expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import type { IoKindThroughput } from '../../../../feeds/io/contract/density.ts'
import {
  describeLeftOut,
  describeMost,
  mostOf,
  MULTIPLES,
  unknownColumns,
  valuesOf,
  type Multiple,
} from './multiples.ts'

const multiple = (title: string): Multiple => MULTIPLES.find((each) => each.title === title)!
const kindOf = (summedUp: readonly number[]): IoKindThroughput => ({
  kind: 'JournalWrite',
  count: Float64Array.of(5, 6, 7, 8),
  bytes: new Float64Array(4),
  slowestTicks: new Float64Array(4),
  busyTicks: new Float64Array(4),
  deepest: Float64Array.of(1, 2, 3, 4),
  summedUp: Uint8Array.from(summedUp),
})
const span = (startTicks: number, endTicks: number, kind: string | null = null) => ({
  startTicks: startTicks as Ticks,
  endTicks: endTicks as Ticks,
  kind,
})
const VIEW = { startTicks: 100 as Ticks, endTicks: 140 as Ticks }

it('knows nothing of a column that meets a coverage gap of the kind', () => {
  const columnsOf = (kind: string | null, gap: ReturnType<typeof span>) => unknownColumns([gap], VIEW, 10, 4, kind)
  expect(columnsOf('JournalWrite', span(115, 120))).toEqual([false, true, false, false])
  expect(columnsOf('JournalWrite', span(0, 101))).toEqual([true, false, false, false])
  expect(columnsOf('JournalWrite', span(115, 120, 'DataSync'))).not.toContain(true)
  expect(columnsOf(null, span(115, 120, 'DataSync'))).toEqual([false, true, false, false])
  const deepest = multiple('In flight, most at once')
  const values = valuesOf(deepest, kindOf([1, 0, 0, 0]), 10, [false, false, true, false])
  expect(values).toEqual([Number.NaN, 2, Number.NaN, 4])
  expect(describeMost(deepest, mostOf(values))).toBe('at most 4')
})

it('names no most of what is not known at all', () => {
  const deepest = multiple('In flight, most at once')
  expect(describeMost(deepest, mostOf(valuesOf(deepest, kindOf([1, 1, 1, 1]), 10, [])))).toBe('not known')
})

it('writes means without an exponent', () => {
  const { format } = multiple('In flight, mean')
  expect([0, 0.000_012_3, 0.05, 1.26, 9.96, 123.4, 1234].map(format)).toEqual([
    '0',
    '0.000012',
    '0.05',
    '1.3',
    '10',
    '123',
    '1,234',
  ])
})

it('says that all is counted only of a response that is not out of date, without roll-ups and gaps', () => {
  const all = 'No event is known only from a roll-up: all are counted.'
  const [whole, summed] = [{ kinds: [kindOf([0, 0, 0, 0])] }, { kinds: [kindOf([0, 1, 0, 0])] }]
  expect(describeLeftOut(whole, false, true)).toBe(all)
  expect(describeLeftOut(null, false, false)).toBe('')
  expect(describeLeftOut(whole, false, false)).toBe('')
  expect(describeLeftOut(whole, true, true)).toMatch(/^Shaded without a line: coverage gaps/)
  expect(describeLeftOut(summed, false, true)).toMatch(/^Shaded: also events/)
  expect(describeLeftOut(summed, true, true)).toMatch(/^Shaded: also events .* coverage gaps/)
})
