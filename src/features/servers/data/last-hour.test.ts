import { expect, it } from 'vitest'
import { TICKS_PER_SECOND, type Ticks, type TickSpan } from '../../../base/ticks.ts'
import type { SeriesRows, ServerSeriesResponse } from '../../../feeds/server/contract.ts'
import { lastHourOf, paramsOfHour } from './last-hour.ts'

type ServerGap = ServerSeriesResponse['gaps'][number]
const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const hour = paramsOfHour(at(10_000))
const rows = (...maxMs: readonly number[]): SeriesRows => ({
  key: 'traffic.averageMs',
  bucketTicks: at(30) as number as TickSpan,
  tierSeconds: 1,
  length: maxMs.length,
  startTicks: Float64Array.from(maxMs, (_, i) => at(7000 + i * 30)),
  mean: Float64Array.from(maxMs, (ms) => ms / 2),
  min: Float64Array.from(maxMs, () => 0),
  max: Float64Array.from(maxMs),
  count: Float64Array.from(maxMs, (ms) => (Number.isNaN(ms) ? 0 : 3)),
})
const gap = (reason: ServerGap['reason'], from: number, to: number): ServerGap => ({
  reason,
  startTicks: at(from),
  endTicks: at(to),
  detail: '',
})
const response = (latency: SeriesRows, gaps: readonly ServerGap[] = []): ServerSeriesResponse => ({
  available: [],
  series: [latency],
  gaps,
})

it('is the hour before now, with the highest latency in it', () => {
  expect([hour.startTicks, hour.endTicks]).toEqual([at(6400), at(10_000)])
  expect(lastHourOf(response(rows(3, 1200, Number.NaN, 40)), hour)?.worst).toEqual({
    kind: 'latency',
    atTicks: at(7030),
    forTicks: 1.2 * TICKS_PER_SECOND,
  })
})

it('has a silence of the server as its worst stall where that was longer, and counts only what lies in the hour', () => {
  const gaps = [
    gap('server-unresponsive', 6000, 6420),
    gap('tab-hidden', 8000, 9000),
    gap('server-unresponsive', 9000, 9012),
  ]
  expect(lastHourOf(response(rows(1200), gaps), hour)?.worst).toEqual({
    kind: 'unresponsive',
    atTicks: at(6400),
    forTicks: at(20),
  })
})

it('names no stall where there were no requests, and is unknown where nothing is known', () => {
  expect(lastHourOf(response(rows(Number.NaN)), hour)).toMatchObject({ worst: null })
  expect(lastHourOf(response(rows()), hour)).toBeNull()
})
