import { TICKS_PER_MS } from '../../../base/ticks.ts'
import type { IoLaneColumns } from '../../io/contract.ts'
import type { StallsResponse, UnknownTime } from '../contract.ts'
import { lengthOf, unionOf, type Span } from './judging/spans.ts'
import type { JudgedStall } from './judging/events.ts'

/** How much of the time of which its writes are known each environment stalled. Gaps and sums are no known time. */
export function sharesOf(
  columns: readonly IoLaneColumns[],
  stalls: readonly JudgedStall[],
  unknown: readonly UnknownTime[],
): StallsResponse['lanes'] {
  const counts = columns.map(() => 0)
  const stalledMs = columns.map(() => 0)
  for (const { lane, start, end } of stalls) {
    counts[lane] = (counts[lane] ?? 0) + 1
    stalledMs[lane] = (stalledMs[lane] ?? 0) + end - start
  }
  const shares = columns.map((lane, i) => {
    const knownMs = knownTicksOf(lane, unknown) / TICKS_PER_MS
    const stalledShare = knownMs > 0 ? Math.min(1, (stalledMs[i] ?? 0) / knownMs) : 0
    const { source, label, path } = lane
    return { source, label, environment: path, stalls: counts[i] ?? 0, stalledShare }
  })
  return shares.filter((share) => share.stalls > 0).toSorted((a, b) => b.stalledShare - a.stalledShare)
}

/** From its first write to the end of its last one, less gaps and what is known only as a sum. */
export function knownTicksOf(
  { source, lane, writes, sums }: Pick<IoLaneColumns, 'source' | 'lane' | 'writes' | 'sums'>,
  unknown: readonly UnknownTime[],
): number {
  const first = writes.startTicks[0]
  const last = writes.startTicks.at(-1)
  if (first === undefined || last === undefined) return 0
  const end = last + (writes.durationTicks.at(-1) ?? 0)
  const gaps = unknown.filter((gap) => gap.source === source && (gap.lane === null || gap.lane === lane))
  const within = [...gaps, ...sums].map(({ startTicks, endTicks }): Span => ({
    start: Math.max(first, startTicks),
    end: Math.min(end, endTicks),
  }))
  return end - first - lengthOf(unionOf(within.filter((span) => span.end > span.start)))
}
