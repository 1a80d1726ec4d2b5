import { START } from '../../../base/columns/event-chunk.ts'
import { LoadHistogram, type AtLoad } from '../../../base/statistics/at-load.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import { blockOf, type EventSeries } from '../../../base/statistics/quantile-estimates.ts'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { Pace } from '../../../capture/worker/turns.ts'
import { SHARES, type LineEvents, type UnknownSpan } from '../contract.ts'
import { countsIn } from './event-series.ts'
import { knownBlocks } from './known-blocks.ts'

/** Load in each of the `BLOCKS` parts of the range. */
export interface Loads {
  readonly range: TimeRange
  /** Events of all lines per second of covered time; NaN: too little of the part is covered. */
  readonly perSecond: Float64Array
}

/** Spans with data of the sources, and the unknown times within them. */
export interface KnownTime {
  readonly spans: ReadonlyMap<SourceId, TimeRange>
  readonly unknown: readonly UnknownSpan[]
}

/** Minimum covered share of a part for an estimate of its load. */
const LEAST_KNOWN = 0.5

/** Estimates the load of the lines over time; null: no events. */
export async function loadsOf(lines: readonly LineEvents[], known: KnownTime, pace: Pace): Promise<Loads | null> {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { events, from, to } of lines.flatMap(({ parts }) => parts)) {
    if (to <= from) continue
    first = Math.min(first, events.read(START, from))
    last = Math.max(last, events.read(START, to - 1))
  }
  if (!(last > first)) return null
  const range = { startTicks: first as Ticks, endTicks: (last + 1) as Ticks }
  const events = new Float64Array(BLOCKS)
  // Lines are weighted by their share of all events, since their events are missing where they are not covered.
  const knownTicks = new Float64Array(BLOCKS)
  let rates = 0
  for (const line of lines) {
    const ownTicks = knownBlocks(range, unknownOf(line, range, known))
    const counts = await countsIn(line, range, pace)
    const allTicks = sumOf(ownTicks)
    if (allTicks === 0) continue
    const rate = sumOf(counts) / allTicks
    rates += rate
    for (let block = 0; block < BLOCKS; block++) {
      events[block] = (events[block] as number) + (counts[block] as number)
      knownTicks[block] = (knownTicks[block] as number) + rate * (ownTicks[block] as number)
    }
  }
  const leastTicks = (LEAST_KNOWN * (range.endTicks - range.startTicks)) / BLOCKS
  const perSecond = events.map((count, block) => {
    const ticks = (knownTicks[block] as number) / rates
    return ticks >= leastTicks ? (count * TICKS_PER_SECOND) / ticks : Number.NaN
  })
  return { range, perSecond }
}

/** Unknown parts of a range: gaps of the line, and times outside of its source's data. */
function unknownOf(line: LineEvents, { startTicks, endTicks }: TimeRange, { spans, unknown }: KnownTime): TimeRange[] {
  const span = spans.get(line.source)
  const gaps = unknown.filter((each) => concerns(each, line))
  if (span === undefined) return gaps
  return [...gaps, { startTicks, endTicks: span.startTicks }, { startTicks: span.endTicks, endTicks }]
}

export const concerns = ({ source, lane, kind }: UnknownSpan, line: LineEvents): boolean =>
  source === line.source && (lane === null || lane === line.lane) && (kind === null || kind === line.kind)

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

/**
 * Estimates durations at equal load; null: not possible. Leaves out events that start where the load is not known.
 * O(events).
 */
export async function atLoadOf(
  series: EventSeries,
  { range, perSecond }: Loads,
  tests: number,
): Promise<AtLoad | null> {
  if (series.count === 0) return null
  const histogram = new LoadHistogram()
  const inBlock = blockOf({ firstTicks: range.startTicks, lastTicks: range.endTicks })
  await series.visit((start, duration) => {
    const block = Math.min(BLOCKS - 1, inBlock(start))
    if ((perSecond[block] as number) > 0) histogram.add(block, duration)
  }, 0)
  return histogram.estimate(perSecond, SHARES, tests)
}
