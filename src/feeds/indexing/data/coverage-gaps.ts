import type { Bytes } from '../../../base/brand.ts'
import { formatCount } from '../../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import { uncovered } from '../../../base/uncovered.ts'
import type { GapLog } from '../../../capture/worker/gap-log.ts'
import type { Gap, GapReason, SourceId } from '../../../capture/client/state.ts'
import { RING_BATCHES } from '../contract/limits.ts'
import { allIndexesLane } from '../contract/batches.ts'
import type { BatchLoss, LossCause } from './losses.ts'
import type { BatchStore, IngestResult } from './table.ts'

const WHY_UNLOADED: ReadonlySet<GapReason> = new Set(['database-disabled', 'database-deleted'])

/**
 * Records the times at which the batches of a source were not observed. The server keeps the last 25 batches of each
 * index, so a pause is not necessarily a loss: the first whole response after it decides.
 */
export class CoverageGaps {
  readonly #open = new Map<SourceId, number>()
  readonly #store: BatchStore

  constructor(store: BatchStore) {
    this.#store = store
  }

  /**
   * Opens a gap, unless the source had no batches yet. Within an open gap, a more specific reason replaces the earlier
   * one.
   */
  begin(gapLog: GapLog, source: SourceId, reason: GapReason, startTicks: Ticks, detail: string): void {
    const id = this.#open.get(source)
    if (id !== undefined) {
      // A database that is disabled or deleted is unloaded first.
      if (gapLog.get(id)?.reason === 'database-unloaded' && WHY_UNLOADED.has(reason))
        gapLog.learn(id, { reason, detail })
      return
    }
    if (![...this.#store.indexes.values()].some((index) => index.source === source && index.length > 0)) return
    this.#open.set(source, gapLog.open(source, reason, startTicks, detail, allIndexesLane(source)))
  }

  /**
   * Closes the open gap with the result of the first whole response after the pause; `recordLosses` records the losses.
   * Returns whether the overhead limit caused the pause.
   */
  settle(gapLog: GapLog, source: SourceId, result: IngestResult): boolean {
    const id = this.#open.get(source)
    const gap = id === undefined ? undefined : gapLog.get(id)
    this.#open.delete(source)
    if (id === undefined || gap === undefined) return false
    const starts = this.#store.loadsOf(source).starts
    const { startTicks } = gap
    if (result.newLoad)
      closeAtLoad(gapLog, gap, { startTicks, endTicks: starts.find((start) => start > startTicks) ?? startTicks })
    else if (areAllGone(result))
      closeAtLoad(gapLog, gap, {
        startTicks: Math.min(startTicks, ...result.losses.map((loss) => loss.startTicks)),
        endTicks: Math.max(...result.losses.map((loss) => loss.endTicks)),
      })
    else gapLog.remove(id)
    return gap.reason === 'paused-by-rookery'
  }
}

/** Whether no index has batches any more: all rings restarted with their database. */
const areAllGone = ({ indexes, losses }: IngestResult): boolean =>
  indexes.length === 0 && losses.some(({ cause }) => cause === 'gone')

function closeAtLoad(
  gapLog: GapLog,
  gap: Gap,
  { startTicks, endTicks }: Readonly<Record<keyof TimeRange, number>>,
): void {
  const restarted = !gap.reason.startsWith('database-') && gap.reason !== 'server-stopped'
  gapLog.close(gap.id, {
    startTicks: startTicks as Ticks,
    endTicks: endTicks as Ticks,
    detail: `${gap.detail} The database was reloaded, so what its indexes did in between is unknown.`,
    ...(restarted ? { reason: 'database-restarted' } : {}),
  })
}

const REASON_OF: Readonly<Record<LossCause, GapReason>> = {
  lapped: 'ring-lapped',
  restarted: 'index-changed',
  gone: 'index-changed',
  replaced: 'index-changed',
}

/**
 * Records each loss as a gap of its index, except for the part that another gap covers. `byLimit`: the overhead limit
 * delayed the request.
 */
export function recordLosses(
  gapLog: GapLog,
  source: SourceId,
  { losses }: Pick<IngestResult, 'losses'>,
  byLimit = false,
): void {
  for (const loss of losses) {
    const { index, cause, mostMissing } = loss
    const others = gapLog.snapshot(null).filter(({ lane }) => lane === index.key || lane === allIndexesLane(source))
    const span = uncovered({ startTicks: loss.startTicks as Ticks, endTicks: loss.endTicks as Ticks }, others)
    if (span === null) continue
    gapLog.add({
      source,
      lane: index.key,
      kind: null,
      reason: cause === 'lapped' && byLimit ? 'paused-by-rookery' : REASON_OF[cause],
      ...span,
      missingCount: Number.isNaN(mostMissing) ? null : mostMissing,
      missingBytes: null as Bytes | null,
      detail: detailOf(loss),
    })
  }
}

/**
 * Records the gap of a lost recording from `startTicks` on. The server's lists of batches fill the end of the gap. One
 * gap for all indexes ends at the first batch of any index; then one gap per index ends at its own first batch.
 */
export function recordLostRecording(gapLog: GapLog, source: SourceId, store: BatchStore, startTicks: Ticks): void {
  const known = [...store.indexes.values()].filter(
    (index) => index.source === source && !Number.isNaN(index.firstTicks),
  )
  const firstTicks = Math.min(...known.map((index) => index.firstTicks))
  const add = (lane: string, fromTicks: number, toTicks: number): void => {
    if (toTicks <= fromTicks) return
    gapLog.add({
      source,
      lane,
      kind: null,
      reason: 'worker-restarted',
      startTicks: fromTicks as Ticks,
      endTicks: toTicks as Ticks,
      missingCount: null,
      missingBytes: null,
      detail: 'The worker of this page that held the recording stopped, and the server keeps only the last batches.',
    })
  }
  if (known.length === 0) return
  add(allIndexesLane(source), startTicks, firstTicks)
  for (const index of known) add(index.key, Math.max(startTicks, firstTicks), index.firstTicks)
}

function detailOf({ index: { name }, mostMissing, cause }: BatchLoss): string {
  const most = Number.isNaN(mostMissing)
    ? 'what it did just before is unknown.'
    : `at most ${formatCount(mostMissing)} of them were not seen.`
  if (cause === 'gone') return `The index ${name} was deleted or reset: what it did just before is unknown.`
  if (cause === 'replaced')
    return `The index that was built beside ${name} took its place: what ${name} did just before is unknown.`
  if (cause === 'restarted') return `The index ${name} was reset or created again, with its list of batches: ${most}`
  const passed = `More than the ${RING_BATCHES} batches that the server keeps of ${name} passed;`
  return Number.isNaN(mostMissing) ? `${passed} how many is unknown.` : `${passed} ${most}`
}
