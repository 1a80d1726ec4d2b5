import { TICKS_PER_MS, TICKS_PER_SECOND, type Ticks, type TickSpan, type TimeRange } from '../../../base/ticks.ts'
import type { ServerSeriesParams, ServerSeriesResponse } from '../../../feeds/server/contract.ts'
import type { LastHour, WorstStall } from '../contract.ts'

const HOUR_TICKS = 3600 * TICKS_PER_SECOND
/** Number of points of the line, about its width in px. */
const POINTS = 120
const KEY = 'traffic.averageMs'

/** Parameters of the request for the hour before a moment, in the time of the server. */
export const paramsOfHour = (nowTicks: Ticks): ServerSeriesParams => ({
  startTicks: (nowTicks - HOUR_TICKS) as Ticks,
  endTicks: nowTicks,
  keys: [KEY],
  maxPoints: POINTS,
})

/** The last hour of a server from its vital signs; null: no data. */
export function lastHourOf({ series, gaps }: ServerSeriesResponse, range: TimeRange): LastHour | null {
  const latency = series.find(({ key }) => key === KEY)
  if (latency === undefined || latency.length === 0) return null
  const silences = gaps
    .filter(({ reason }) => reason === 'server-unresponsive')
    .map((gap): WorstStall => {
      const startTicks = Math.max(gap.startTicks, range.startTicks) as Ticks
      return { kind: 'unresponsive', atTicks: startTicks, forTicks: (gap.endTicks - startTicks) as TickSpan }
    })
  const slowest = Array.from({ length: latency.length }, (_, row): WorstStall => ({
    kind: 'latency',
    atTicks: (latency.startTicks[row] ?? Number.NaN) as Ticks,
    forTicks: ((latency.max[row] ?? Number.NaN) * TICKS_PER_MS) as TickSpan,
  }))
  const worst = [...silences, ...slowest].reduce<WorstStall | null>(
    (most, each) => (Number.isFinite(each.forTicks) && each.forTicks > (most?.forTicks ?? -1) ? each : most),
    null,
  )
  return { latency, range, worst }
}
