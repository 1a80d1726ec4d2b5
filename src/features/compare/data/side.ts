import type { Bytes, TickSpan } from '../../../base/brand.ts'
import { DURATION, START } from '../../../base/columns/event-chunk.ts'
import { LEAF_ROWS, emptyAggregate } from '../../../base/columns/pyramid.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import {
  canEstimate,
  estimateQuantiles,
  estimateRate,
  type EventSeries,
} from '../../../base/statistics/quantile-estimates.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import {
  LINE_LIMIT,
  SHARES,
  type CompareSideParams,
  type FeedLines,
  type LineEvents,
  type LineFigures,
  type SideFigures,
} from '../contract.ts'
import { knownBlocks } from './known-blocks.ts'

/** Rows visited between two looks at the clock. */
const SLICE_ROWS = 1 << 16

/** Figures of one side. Aborting stops the work. */
export async function sideFigures(
  { lines, spans }: FeedLines,
  ask: CompareSideParams,
  signal: AbortSignal,
): Promise<SideFigures> {
  const pace = new Pace(signal)
  const counted = lines
    .filter(({ lane }) => ask.lane === null || lane === ask.lane)
    .map((line) => ({ line, count: line.parts.reduce((sum, { from, to }) => sum + to - from, 0) }))
    .filter(({ count, line }) => count > 0 || line.rollUps > 0)
    .toSorted((a, b) => b.count - a.count)
  const listed = counted.slice(0, LINE_LIMIT)
  // Which quantiles are tested follows from the counts alone, never from the durations.
  const tests = listed.reduce((sum, { count }) => sum + SHARES.filter((share) => canEstimate(count, share)).length, 0)
  const figures: LineFigures[] = []
  for (const { line, count } of listed)
    figures.push(
      await lineFigures(line, count, tests, { ask, span: spans.get(line.source), pace, lines: listed.length }),
    )
  const { feed, startTicks, endTicks } = ask
  return { feed, startTicks, endTicks, lines: figures, left: counted.length - listed.length }
}

interface Scope {
  readonly ask: CompareSideParams
  /** Of which the source is known; undefined: of none. */
  readonly span: TimeRange | undefined
  readonly pace: Pace
  readonly lines: number
}

async function lineFigures(
  line: LineEvents,
  count: number,
  tests: number,
  { ask, span, pace, lines }: Scope,
): Promise<LineFigures> {
  const sums = emptyAggregate()
  for (const { events, from, to } of line.parts) events.addTo(sums, from, to)
  const whole = {
    startTicks: Math.max(ask.startTicks, span?.startTicks ?? ask.startTicks) as TimeRange['startTicks'],
    endTicks: Math.min(ask.endTicks, span?.endTicks ?? ask.endTicks) as TimeRange['endTicks'],
  }
  const unknown = ask.unknown.filter(
    ({ source, lane, kind }) =>
      source === line.source && (lane === null || lane === line.lane) && (kind === null || kind === line.kind),
  )
  const known = whole.endTicks > whole.startTicks ? knownBlocks(whole, unknown) : new Float64Array(BLOCKS)
  const knownTicks = known.reduce((sum, ticks) => sum + ticks, 0)
  const { path, name, kind, rollUps } = line
  return {
    path,
    name,
    kind,
    count,
    bytes: sums.bytes as Bytes,
    knownTicks: knownTicks as TickSpan,
    rate:
      knownTicks > 0
        ? estimateRate(
            countsIn(line, whole),
            known.map((ticks) => ticks / TICKS_PER_SECOND),
            lines,
          )
        : null,
    quantiles: count === 0 ? null : await estimateQuantiles(seriesOf(line, count, pace), SHARES, tests),
    maxTicks: count === 0 ? Number.NaN : sums.slowestDuration,
    rollUps,
  }
}

/** Events of each of the `BLOCKS` parts of the range. */
function countsIn({ parts }: LineEvents, { startTicks, endTicks }: TimeRange): Float64Array {
  const counts = new Float64Array(BLOCKS)
  for (const { events, from, to } of parts) {
    let last = from
    for (let i = 0; i < BLOCKS; i++) {
      const edge = i + 1 === BLOCKS ? to : events.lowerBound(startTicks + ((endTicks - startTicks) * (i + 1)) / BLOCKS)
      const next = Math.max(last, Math.min(to, edge))
      counts[i] = (counts[i] as number) + next - last
      last = next
    }
  }
  return counts
}

function seriesOf({ parts }: LineEvents, count: number, pace: Pace): EventSeries {
  const used = parts.filter(({ from, to }) => to > from)
  return {
    count,
    firstTicks: Math.min(...used.map(({ events, from }) => events.read(START, from))),
    lastTicks: Math.max(...used.map(({ events, to }) => events.read(START, to - 1))),
    visit: async (each, least) => {
      for (const { events, from, to } of used)
        for (let at = from; at < to; at += SLICE_ROWS) {
          events.forEachPart(at, Math.min(to, at + SLICE_ROWS), (chunk, partFrom, partTo) => {
            if (chunk.totals.slowestDuration < least) return
            const leaves = chunk.pyramid.levels[0]
            for (let row = partFrom; row < partTo; row++) {
              if (leaves !== undefined && row % LEAF_ROWS === 0) {
                const slowest = chunk.read(DURATION, leaves.slowest[row / LEAF_ROWS] as number)
                if (slowest < least) {
                  row += LEAF_ROWS - 1
                  continue
                }
              }
              each(chunk.read(START, row), chunk.read(DURATION, row))
            }
          })
          await pace.step()
        }
    },
  }
}
