import type { Bytes, Ticks } from '../../../base/brand.ts'
import { formatCount } from '../../../base/text/format.ts'
import type { Ledger } from '../../../capture/worker/gap-log.ts'
import type { Gap, GapReason, SourceId } from '../../../capture/client/state.ts'
import { RING_BATCHES } from './limits.ts'
import { allIndexesLane } from '../contract/batches.ts'
import type { BatchLoss, BatchStore, IngestResult } from './table.ts'

const WHY_UNLOADED: ReadonlySet<GapReason> = new Set(['database-disabled', 'database-deleted'])

/**
 * Times at which the batches of a source were not heard of. The server keeps the last 25 of each index, so a pause need not
 * be a loss: the first whole answer after it tells.
 */
export class BlindTimes {
  readonly #open = new Map<SourceId, number>()
  readonly #store: BatchStore

  constructor(store: BatchStore) {
    this.#store = store
  }

  /** Does nothing while the source was never heard of; of one that is blind already, a reason that says more is taken. */
  begin(ledger: Ledger, source: SourceId, reason: GapReason, startTicks: Ticks, detail: string): void {
    const id = this.#open.get(source)
    if (id !== undefined) {
      // A database that is being disabled or deleted is unloaded first.
      if (ledger.get(id)?.reason === 'database-unloaded' && WHY_UNLOADED.has(reason))
        ledger.learn(id, { reason, detail })
      return
    }
    if (![...this.#store.indexes.values()].some((index) => index.source === source && index.length > 0)) return
    this.#open.set(source, ledger.open(source, reason, startTicks, detail, allIndexesLane(source)))
  }

  /**
   * Called with what the first whole answer after the pause brought; its losses are recorded by `recordLosses`. Whether
   * it was a pause by the overhead limit.
   */
  settle(ledger: Ledger, source: SourceId, result: IngestResult): boolean {
    const id = this.#open.get(source)
    const gap = id === undefined ? undefined : ledger.get(id)
    this.#open.delete(source)
    if (id === undefined || gap === undefined) return false
    if (result.newLoad) this.#closeAtLoad(ledger, source, id, gap)
    else ledger.remove(id)
    return gap.reason === 'paused-by-rookery'
  }

  #closeAtLoad(ledger: Ledger, source: SourceId, id: number, gap: Gap): void {
    const starts = this.#store.loadsOf(source).starts
    const endTicks = (starts.find((start) => start > gap.startTicks) ?? gap.startTicks) as Ticks
    const restarted = !gap.reason.startsWith('database-') && gap.reason !== 'server-stopped'
    const detail = `${gap.detail} The database was reloaded, so what its indexes did in between is unknown.`
    ledger.close(id, { endTicks, detail, ...(restarted ? { reason: 'database-restarted' } : {}) })
  }
}

/** Stretches that a ring moved on over: each is a gap of its index. `byLimit`: the overhead limit kept us from asking in time. */
export function recordLosses(ledger: Ledger, source: SourceId, { losses }: IngestResult, byLimit = false): void {
  for (const loss of losses)
    ledger.add({
      source,
      lane: loss.index.key,
      kind: null,
      reason: byLimit ? 'paused-by-rookery' : 'ring-lapped',
      startTicks: loss.startTicks as Ticks,
      endTicks: loss.endTicks as Ticks,
      missingCount: Number.isNaN(loss.mostMissing) ? null : loss.mostMissing,
      missingBytes: null as Bytes | null,
      detail: detailOf(loss),
    })
}

/**
 * What a worker that is gone had recorded from `startTicks` on is known again as far back as the server's lists of batches
 * reach: of all indexes up to the first batch of any, and of each up to its own first.
 */
export function recordLostRecording(ledger: Ledger, source: SourceId, store: BatchStore, startTicks: Ticks): void {
  const known = [...store.indexes.values()].filter(
    (index) => index.source === source && !Number.isNaN(index.firstTicks),
  )
  const firstTicks = Math.min(...known.map((index) => index.firstTicks))
  const add = (lane: string, fromTicks: number, toTicks: number): void => {
    if (toTicks <= fromTicks) return
    ledger.add({
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

function detailOf({ index, mostMissing, isNewRing }: BatchLoss): string {
  const most = `at most ${formatCount(mostMissing)} of them were not seen.`
  if (isNewRing) return `The index ${index.name} was reset or created again, with its list of batches: ${most}`
  const passed = `More than the ${RING_BATCHES} batches that the server keeps of ${index.name} passed;`
  return Number.isNaN(mostMissing)
    ? `${passed} how many is unknown, because the database was reloaded.`
    : `${passed} ${most}`
}
