import { START } from '../../../base/columns/event-chunk.ts'
import { LoadHistogram, type AtLoad } from '../../../base/statistics/at-load.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import { blockOf, type EventSeries } from '../../../base/statistics/quantile-estimates.ts'
import type { Ticks } from '../../../base/brand.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { Pace } from '../../../capture/worker/turns.ts'
import { SHARES, type LineEvents } from '../contract.ts'
import { countsIn } from './event-series.ts'

/** How many events of all lines each of the `BLOCKS` parts of the range has. */
export interface Loads {
  readonly range: TimeRange
  readonly events: Float64Array
}

/** Null: no events. What is not known of a part lowers its load: it has as few events of each line as it has of all. */
export async function loadsOf(lines: readonly LineEvents[], pace: Pace): Promise<Loads | null> {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { events, from, to } of lines.flatMap(({ parts }) => parts)) {
    if (to <= from) continue
    first = Math.min(first, events.read(START, from))
    last = Math.max(last, events.read(START, to - 1))
  }
  if (!(last > first)) return null
  const range = { startTicks: first as Ticks, endTicks: (last + 1) as Ticks }
  const events = new Float64Array(BLOCKS)
  for (const line of lines)
    for (const [block, count] of (await countsIn(line, range, pace)).entries())
      events[block] = (events[block] as number) + count
  return { range, events }
}

/** Null: it cannot be estimated. O(events). */
export async function atLoadOf(series: EventSeries, { range, events }: Loads, tests: number): Promise<AtLoad | null> {
  if (series.count === 0) return null
  const histogram = new LoadHistogram()
  const inBlock = blockOf({ firstTicks: range.startTicks, lastTicks: range.endTicks })
  await series.visit((start, duration) => histogram.add(Math.min(BLOCKS - 1, inBlock(start)), duration), 0)
  return histogram.estimate(events, SHARES, tests)
}
