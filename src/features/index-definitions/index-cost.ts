import {
  formatCount,
  formatDuration,
  formatLeastShare,
  formatPlural,
  formatShare,
  formatTime,
  type Clock,
} from '../../base/text/format.ts'
import { TICKS_PER_SECOND, type Ticks, type TickSpan, type TimeRange } from '../../base/ticks.ts'
import { allIndexesLane, type Gap, type SourceId } from '../../capture/client/state.ts'
import type { ResponseOf } from '../../capture/client/requests/requests.ts'
import type {} from '../../feeds/indexing/contract.ts'

type IndexInfo = Pick<ResponseOf<'indexing.indexes'>['indexes'][number], 'key' | 'name' | 'firstTicks' | 'running'>
type IndexSummary = Pick<
  ResponseOf<'indexing.summary'>['indexes'][number],
  'index' | 'busyShare' | 'knownTicks' | 'counts' | 'running' | 'documentsIn'
>

/** Maximum time over which the cost of indexes is compared. */
const MOST_TICKS = 15 * 60 * TICKS_PER_SECOND
/** Minimum time for a meaningful result. */
const LEAST_TICKS = 10 * TICKS_PER_SECOND
/** Delay after which batches count as received: they arrive some seconds after they ran. */
const LATE_TICKS = 4 * TICKS_PER_SECOND
/** Step by which the range moves, so that it is not requested at each frame. */
const STEP_TICKS = 3 * TICKS_PER_SECOND

/** Cost of an index, from its batches. */
export interface IndexCost {
  /** Busy time as a share of the covered time; above 1 if batches of the index ran at the same time. */
  readonly share: number
  readonly busyTicks: TickSpan
  readonly batches: number
  readonly documents: number
  /** Whether the busy time includes a running batch. */
  readonly isRunning: boolean
  /** Start of the covered time of this index. */
  readonly sinceTicks: Ticks
  /** Whether some of its batches are missing, so that its real cost is higher. */
  readonly isPartial: boolean
}

/**
 * Most recent time for which all batches of a source were received, at most a quarter of an hour; null: too short, or
 * the clock is not known yet.
 */
export function costRange(nowTicks: Ticks | null, source: SourceId, gaps: readonly Gap[]): TimeRange | null {
  if (nowTicks === null) return null
  const endTicks = Math.floor((nowTicks - LATE_TICKS) / STEP_TICKS) * STEP_TICKS
  const lane = allIndexesLane(source)
  const own = gaps.filter((gap) => gap.lane === lane)
  if (own.some(({ isOpen }) => isOpen === true)) return null
  const startTicks = Math.max(endTicks - MOST_TICKS, ...own.map((gap) => gap.endTicks))
  return endTicks - startTicks < LEAST_TICKS ? null : { startTicks: startTicks as Ticks, endTicks: endTicks as Ticks }
}

/**
 * Costs by index name. Omits indexes with too little data. `knownTicks`: time since which all batches of the source were
 * received as they ran; undefined: unknown.
 */
export function indexCosts(
  indexes: readonly IndexInfo[],
  summaries: readonly IndexSummary[],
  { startTicks, endTicks }: TimeRange,
  gaps: readonly Gap[],
  knownTicks: Ticks | undefined,
): ReadonlyMap<string, IndexCost> {
  const byKey = new Map(summaries.map((summary) => [summary.index, summary]))
  const costs = new Map<string, IndexCost>()
  for (const { key, name, firstTicks, running } of indexes) {
    const summary = byKey.get(key)
    // Before the first response and the first known batch there were no batches, or the server dropped them.
    const knownOfIndex = Math.min(firstTicks, knownTicks ?? firstTicks)
    const sinceTicks = Math.max(startTicks, Number.isNaN(firstTicks) ? startTicks : knownOfIndex) as Ticks
    if (summary === undefined || endTicks - sinceTicks < LEAST_TICKS) continue
    // The list of indexes may be older than the summary, which then has the batch as completed.
    const isRunning = running !== null && (running.startTicks < startTicks || summary.running > 0)
    const completedTicks = summary.busyShare * summary.knownTicks
    const runningTicks = isRunning ? Math.max(0, endTicks - Math.max(running.startTicks, sinceTicks)) : 0
    const mostTicks = Math.max(completedTicks, endTicks - sinceTicks)
    const busyTicks = Math.min(completedTicks + runningTicks, mostTicks) as TickSpan
    costs.set(name, {
      share: busyTicks / (endTicks - sinceTicks),
      busyTicks,
      batches: summary.counts.batches - summary.counts.empty,
      documents: summary.documentsIn,
      isRunning,
      sinceTicks,
      isPartial: gaps.some((gap) => gap.lane === key && gap.endTicks > sinceTicks && gap.startTicks < endTicks),
    })
  }
  return costs
}

/** `≥ 3.2 %` stands for a lower bound. */
export const costText = ({ share, isPartial }: IndexCost): string =>
  isPartial ? `≥ ${formatLeastShare(share)}` : formatShare(share)

export function costWords(cost: IndexCost, clock: Clock): string {
  const { busyTicks, batches, documents, isRunning, sinceTicks, isPartial } = cost
  const completed = `${formatPlural(batches, 'batch', 'batches')}${isRunning ? ' and one that is running' : ''}`
  return `${formatDuration(busyTicks)} in ${completed} since ${formatTime(sinceTicks, clock, 0)}, ${formatCount(documents)} documents read${isPartial ? '; more batches that were not received' : ''}`
}
