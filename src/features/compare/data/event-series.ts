import { DURATION, START, type EventChunk } from '../../../base/columns/event-chunk.ts'
import { LEAF_ROWS } from '../../../base/columns/pyramid.ts'
import { BLOCKS } from '../../../base/statistics/block-error.ts'
import type { EventSeries } from '../../../base/statistics/quantile-estimates.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { Pace } from '../../../capture/worker/turns.ts'
import type { LineEvents } from '../contract.ts'

/** Number of rows between two checks of the clock. */
const SLICE_ROWS = 1 << 16

/** Durations of the line in 1/`scale` of a tick, and the largest value if a column divides them. */
export async function seriesOf(
  { parts, per }: LineEvents,
  scale: number,
  pace: Pace,
): Promise<{ readonly series: EventSeries; readonly max: number | null }> {
  const used = parts.filter(({ from, to }) => to > from)
  const visit =
    (eachRow: (chunk: EventChunk, from: number, to: number, each: Visit, least: number) => void) =>
    async (each: Visit, least: number): Promise<void> => {
      for (const { events, from, to } of used)
        for (let at = from; at < to; at += SLICE_ROWS) {
          events.forEachPart(at, Math.min(to, at + SLICE_ROWS), (chunk, partFrom, partTo) =>
            eachRow(chunk, partFrom, partTo, each, least),
          )
          await pace.step()
        }
    }
  if (per === null) {
    const series = {
      count: used.reduce((sum, { from, to }) => sum + to - from, 0),
      firstTicks: Math.min(...used.map(({ events, from }) => events.read(START, from))),
      lastTicks: Math.max(...used.map(({ events, to }) => events.read(START, to - 1))),
      visit: visit(visitDurations),
    }
    return { series, max: null }
  }
  const visitAll = visit((chunk, from, to, each) => {
    for (let row = from; row < to; row++) {
      const by = chunk.read(per, row)
      if (by > 0) each(chunk.read(START, row), Math.round((chunk.read(DURATION, row) * scale) / by))
    }
  })
  let [count, first, last, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]
  await visitAll((start, value) => {
    count++
    first = Math.min(first, start)
    last = Math.max(last, start)
    max = Math.max(value, Number.isNaN(max) ? value : max)
  }, 0)
  return { series: { count, firstTicks: first, lastTicks: last, visit: visitAll }, max: max / scale }
}

type Visit = (start: number, value: number) => void

/** Skips leaves whose durations are all too short. */
function visitDurations(chunk: EventChunk, from: number, to: number, each: Visit, least: number): void {
  if (chunk.totals.slowestDuration < least) return
  const leaves = chunk.pyramid.levels[0]
  for (let row = from; row < to; row++) {
    if (leaves !== undefined && row % LEAF_ROWS === 0) {
      const slowest = chunk.read(DURATION, leaves.slowest[row / LEAF_ROWS] as number)
      if (slowest < least) {
        row += LEAF_ROWS - 1
        continue
      }
    }
    each(chunk.read(START, row), chunk.read(DURATION, row))
  }
}

/** Number of events, or sum of the column `per`, in each of the `BLOCKS` parts of the range. */
export async function countsIn(
  { parts, per }: LineEvents,
  { startTicks, endTicks }: TimeRange,
  pace: Pace,
): Promise<Float64Array> {
  const counts = new Float64Array(BLOCKS)
  for (const { events, from, to } of parts) {
    let last = from
    for (let i = 0; i < BLOCKS; i++) {
      const edge = i + 1 === BLOCKS ? to : events.lowerBound(startTicks + ((endTicks - startTicks) * (i + 1)) / BLOCKS)
      const next = Math.max(last, Math.min(to, edge))
      let own = next - last
      if (per !== null) {
        own = 0
        events.forEachPart(last, next, (chunk, partFrom, partTo) => {
          for (let row = partFrom; row < partTo; row++) own += Math.max(0, chunk.read(per, row))
        })
        await pace.step()
      }
      counts[i] = (counts[i] as number) + own
      last = next
    }
  }
  return counts
}
