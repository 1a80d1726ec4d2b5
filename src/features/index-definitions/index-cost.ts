import {
  formatCount,
  formatDuration,
  formatPlural,
  formatShare,
  formatTime,
  type Clock,
} from '../../base/text/format.ts'
import { TICKS_PER_SECOND, type Ticks, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import { allIndexesLane, type Gap, type SourceId } from '../../capture/client/state.ts'
import type { ResponseOf } from '../../capture/client/requests/requests.ts'
import type {} from '../../feeds/indexing/contract.ts'

type IndexInfo = Pick<ResponseOf<'indexing.indexes'>['indexes'][number], 'key' | 'name' | 'firstTicks'>
type IndexSummary = Pick<
  ResponseOf<'indexing.summary'>['indexes'][number],
  'index' | 'busyShare' | 'counts' | 'documentsIn'
>

/** Time over which the cost of indexes is compared, at most. */
const MOST_TICKS = 15 * 60 * TICKS_PER_SECOND
/** A shorter time says nothing yet. */
const LEAST_TICKS = 10 * TICKS_PER_SECOND
/** Batches are received some seconds after they happened. */
const LATE_TICKS = 4 * TICKS_PER_SECOND
/** The range moves in steps, so that it is not requested with each frame. */
const STEP_TICKS = 3 * TICKS_PER_SECOND

/** Cost of an index by its batches. */
export interface IndexCost {
  /** Busy time over the time that is known; of an index with several batches at once it may exceed 1. */
  readonly share: number
  readonly busyTicks: TickSpan
  readonly batches: number
  readonly documents: number
  /** Beginning of the time that is known of this index. */
  readonly sinceTicks: Ticks
  /** Some of its batches are not known: it cost more. */
  readonly isPartial: boolean
}

/** Time in which all batches of a source are known: the newest, up to a quarter of an hour; null: too short, or no clock yet. */
export function costRange(nowTicks: Ticks | null, source: SourceId, gaps: readonly Gap[]): TimeRange | null {
  if (nowTicks === null) return null
  const endTicks = Math.floor((nowTicks - LATE_TICKS) / STEP_TICKS) * STEP_TICKS
  const lane = allIndexesLane(source)
  const own = gaps.filter((gap) => gap.lane === lane)
  if (own.some(({ isOpen }) => isOpen === true)) return null
  const startTicks = Math.max(endTicks - MOST_TICKS, ...own.map((gap) => gap.endTicks))
  return endTicks - startTicks < LEAST_TICKS ? null : { startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
}

/** Costs by name of the index; an index of which too little is known has none. */
export function indexCosts(
  indexes: readonly IndexInfo[],
  summaries: readonly IndexSummary[],
  { startTicks, endTicks }: TimeRange,
  gaps: readonly Gap[],
): ReadonlyMap<string, IndexCost> {
  const byKey = new Map(summaries.map((summary) => [summary.index, summary]))
  const costs = new Map<string, IndexCost>()
  for (const { key, name, firstTicks } of indexes) {
    const summary = byKey.get(key)
    // Batches before the first that is known were dropped by the server, or there were none.
    const sinceTicks = Math.max(startTicks, Number.isNaN(firstTicks) ? startTicks : firstTicks) as Ticks
    if (summary === undefined || endTicks - sinceTicks < LEAST_TICKS) continue
    const busyTicks = (summary.busyShare * (endTicks - startTicks)) as TickSpan
    costs.set(name, {
      share: busyTicks / (endTicks - sinceTicks),
      busyTicks,
      batches: summary.counts.batches - summary.counts.empty,
      documents: summary.documentsIn,
      sinceTicks,
      isPartial: gaps.some((gap) => gap.lane === key && gap.endTicks > sinceTicks && gap.startTicks < endTicks),
    })
  }
  return costs
}

/** `≥ 3.2 %`: the least that it can be. */
export const costText = ({ share, isPartial }: IndexCost): string => `${isPartial ? '≥ ' : ''}${formatShare(share)}`

export const costWords = ({ busyTicks, batches, documents, sinceTicks, isPartial }: IndexCost, clock: Clock): string =>
  `${formatDuration(busyTicks)} in ${formatPlural(batches, 'batch', 'batches')} since ${formatTime(sinceTicks, clock, 0)}, ${formatCount(documents)} documents read${isPartial ? '; more batches that were not received' : ''}`
