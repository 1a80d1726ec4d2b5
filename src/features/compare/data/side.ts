import type { Bytes } from '../../../base/brand.ts'
import { emptyAggregate } from '../../../base/columns/pyramid.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import {
  canEstimate,
  estimateQuantiles,
  estimateRate,
  type EventSeries,
} from '../../../base/statistics/quantile-estimates.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND, type TickSpan, type TimeRange } from '../../../base/ticks.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import {
  LINE_LIMIT,
  MOST_SLOW,
  SHARES,
  SLOW_MS,
  type CompareSideParams,
  type FeedLines,
  type LineEvents,
  type LineFigures,
  type LineSamples,
  type SideFigures,
  type SlowWrites,
} from '../contract.ts'
import { countsIn, seriesOf } from './event-series.ts'
import { atLoadOf, concerns, loadsOf, type Loads } from './loads.ts'
import { knownBlocks } from './known-blocks.ts'
import { sampleFigures } from './sample-figures.ts'
import { scaled } from './scaled.ts'

/** Durations per document are far shorter than a tick. */
const PER_SCALE = 1000

/** Figures of one side. An abort stops the work. */
export async function sideFigures(
  { lines, spans }: FeedLines,
  params: CompareSideParams,
  signal: AbortSignal,
): Promise<SideFigures> {
  const pace = new Pace(signal)
  const counted = lines
    .filter(({ lane }) => params.lane === null || lane === params.lane)
    .map((line) => ({ line, count: countOf(line) }))
    .filter(({ count, line }) => count > 0 || ('rollUps' in line && line.rollUps > 0))
    .toSorted((a, b) => b.count - a.count)
  const listed = counted.slice(0, LINE_LIMIT)
  // The number of tested quantiles depends on the counts alone, never on the durations.
  const tests = listed.reduce(
    (sum, { line, count }) =>
      sum + SHARES.filter((share) => canEstimate(count, share)).length + ('values' in line ? 1 : 0),
    0,
  )
  const loads =
    params.feed === 'io'
      ? await loadsOf(
          listed.flatMap(({ line }) => ('parts' in line ? [line] : [])),
          { spans, unknown: params.unknown },
          pace,
        )
      : null
  const figures: LineFigures[] = []
  for (const { line, count } of listed)
    figures.push(
      'values' in line
        ? await sampleFigures(line, tests)
        : await lineFigures(line, count, tests, {
            params,
            span: spans.get(line.source),
            pace,
            lines: listed.length,
            loads,
          }),
    )
  const { feed, startTicks, endTicks } = params
  return { feed, startTicks, endTicks, lines: figures, left: counted.length - listed.length }
}

const countOf = (line: LineEvents | LineSamples): number =>
  'values' in line ? line.values.length : line.parts.reduce((sum, { from, to }) => sum + to - from, 0)

interface Scope {
  readonly params: CompareSideParams
  /** Range of the source's data; undefined: none. */
  readonly span: TimeRange | undefined
  readonly pace: Pace
  readonly lines: number
  /** Load of all lines; null: their events are not a load. */
  readonly loads: Loads | null
}

async function lineFigures(
  line: LineEvents,
  rows: number,
  tests: number,
  { params, span, pace, lines, loads }: Scope,
): Promise<LineFigures> {
  const sums = emptyAggregate()
  for (const { events, from, to } of line.parts) events.addTo(sums, from, to)
  const whole = {
    startTicks: Math.max(params.startTicks, span?.startTicks ?? params.startTicks) as TimeRange['startTicks'],
    endTicks: Math.min(params.endTicks, span?.endTicks ?? params.endTicks) as TimeRange['endTicks'],
  }
  const unknown = params.unknown.filter((each) => concerns(each, line))
  const known = whole.endTicks > whole.startTicks ? knownBlocks(whole, unknown) : new Float64Array(BLOCKS)
  const knownTicks = known.reduce((sum, ticks) => sum + ticks, 0)
  const { path, name, kind, rollUps, per } = line
  const scale = per === null ? 1 : PER_SCALE
  const { series, max } = await seriesOf(line, scale, pace)
  const { count } = series
  return {
    path,
    name,
    kind,
    count,
    bytes: sums.bytes as Bytes,
    knownTicks: knownTicks as TickSpan,
    unit: 'ticks',
    role: 'duration',
    rate:
      knownTicks > 0
        ? estimateRate(
            await countsIn(line, whole, pace),
            known.map((ticks) => ticks / TICKS_PER_SECOND),
            lines,
          )
        : null,
    mean: null,
    quantiles:
      count === 0 ? null : (await estimateQuantiles(series, SHARES, tests)).map((each) => scaled(each, 1 / scale)),
    atLoad: loads === null ? null : await atLoadOf(series, loads, tests),
    max: max ?? (rows === 0 ? Number.NaN : sums.slowestDuration),
    sampleTicks: 0 as TickSpan,
    rollUps,
    ...(kind === 'JournalWrite' && per === null ? { slow: await slowOf(series, params) } : {}),
  }
}

/** Collects the writes among which stalls are counted. */
async function slowOf({ visit }: EventSeries, { startTicks }: TimeRange): Promise<SlowWrites> {
  const leastTicks = SLOW_MS * TICKS_PER_MS
  const found: { readonly sinceTicks: number; readonly ticks: number }[] = []
  await visit((start, ticks) => {
    if (ticks >= leastTicks) found.push({ sinceTicks: start - startTicks, ticks })
  }, leastTicks)
  const longest = found.toSorted((a, b) => b.ticks - a.ticks).slice(0, MOST_SLOW)
  return {
    count: found.length,
    sinceTicks: longest.map(({ sinceTicks }) => sinceTicks),
    durationTicks: longest.map(({ ticks }) => ticks),
  }
}
