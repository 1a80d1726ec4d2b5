import { lengthOf, unionOf, type Span } from '../../../base/spans.ts'
import { TICKS_PER_MS, type TimeRange } from '../../../base/ticks.ts'
import type { IoLaneColumns } from '../../../feeds/io/contract.ts'
import type { StallsResponse, UnknownTime } from '../contract.ts'
import type { Stall } from './lanes.ts'

/**
 * Stall time of each environment as a share of the time for which its writes are known. Gaps and sums do not count as
 * known. `range` null: all time.
 */
export function sharesOf(
  columns: readonly IoLaneColumns[],
  stalls: readonly Pick<Stall, 'lane' | 'start' | 'end'>[],
  unknown: readonly UnknownTime[],
  range: TimeRange | null,
): StallsResponse['lanes'] {
  const counts = columns.map(() => 0)
  const stalledMs = columns.map(() => 0)
  for (const { lane, start, end } of stalls) {
    counts[lane] = (counts[lane] ?? 0) + 1
    stalledMs[lane] = (stalledMs[lane] ?? 0) + end - start
  }
  const shares = columns.map((lane, i) => {
    const knownMs = knownTicksOf(lane, unknown, range) / TICKS_PER_MS
    const stalledShare = knownMs > 0 ? Math.min(1, (stalledMs[i] ?? 0) / knownMs) : 0
    const { source, label, path } = lane
    return { source, label, environment: path, stalls: counts[i] ?? 0, stalledShare }
  })
  return shares.filter((share) => share.stalls > 0).toSorted((a, b) => b.stalledShare - a.stalledShare)
}

/** Known time of a lane within the range: from its first write to the end of its last one, without gaps and sums. */
export function knownTicksOf(
  { source, lane, writes, sums }: Pick<IoLaneColumns, 'source' | 'lane' | 'writes' | 'sums'>,
  unknown: readonly UnknownTime[],
  range: TimeRange | null = null,
): number {
  const first = writes.startTicks[0]
  const last = writes.startTicks.at(-1)
  if (first === undefined || last === undefined) return 0
  const start = Math.max(first, range?.startTicks ?? first)
  const end = Math.min(last + (writes.durationTicks.at(-1) ?? 0), range?.endTicks ?? Number.POSITIVE_INFINITY)
  const gaps = unknown.filter((gap) => gap.source === source && (gap.lane === null || gap.lane === lane))
  const within = [...gaps, ...sums].map(({ startTicks, endTicks }): Span => ({
    start: Math.max(start, startTicks),
    end: Math.min(end, endTicks),
  }))
  return Math.max(0, end - start - lengthOf(unionOf(within.filter((span) => span.end > span.start))))
}
