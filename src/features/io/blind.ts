import type { Bytes, Ticks } from '../../base/brand.ts'
import { formatTicks } from '../../base/ticks.ts'
import type { Ledger } from '../../capture/ledger.ts'
import type { Gap, GapReason, SourceId } from '../../capture/state.ts'
import type { IoIngest, IoStore, RingMark } from './table.ts'
import { forgottenMarks, ringMarks } from './table.ts'
import type { IoDocument } from './wire.ts'

/** The server's ring moved on while no page asked, or while the overhead limit kept one from asking. */
export type LossReason = Extract<GapReason, 'ring-lapped' | 'paused-by-rookery'>

const MAY_BE_RESTART: ReadonlySet<GapReason> = new Set(['socket-closed', 'server-stalled', 'tab-hidden'])

/**
 * Times at which a source was not heard. The server keeps rings of its last events, so a pause need not be a loss:
 * whether it was one is found out from the first whole document after it.
 */
export class BlindTimes {
  readonly #open = new Map<SourceId, number>()
  readonly #store: IoStore

  constructor(store: IoStore) {
    this.#store = store
  }

  /** The source is not heard from `startTicks` on. Does nothing while it was never heard or is blind already. */
  begin(ledger: Ledger, source: SourceId, reason: GapReason, startTicks: Ticks, detail: string): void {
    if (this.#open.has(source) || ringMarks(this.#store, source).length === 0) return
    this.#open.set(source, ledger.open(source, reason, startTicks, detail))
  }

  /**
   * Called with the first whole document after the pause, before it is ingested; `nowTicks` is when it came. The reason
   * of events that passed unseen.
   */
  settle(ledger: Ledger, source: SourceId, document: IoDocument, nowTicks: Ticks): LossReason {
    const id = this.#open.get(source)
    const gap = id === undefined ? undefined : ledger.get(id)
    if (id === undefined || gap === undefined) return 'ring-lapped'
    this.#settle(ledger, source, document, nowTicks, id, gap)
    return gap.reason === 'paused-by-rookery' ? gap.reason : 'ring-lapped'
  }

  #settle(ledger: Ledger, source: SourceId, document: IoDocument, nowTicks: Ticks, id: number, gap: Gap): void {
    this.#open.delete(source)
    const marks = ringMarks(this.#store, source)
    const forgotten = forgottenMarks(source, document, marks)
    if (forgotten.length === 0) {
      ledger.remove(id)
      return
    }
    const endTicks = firstAfter(document, gap.startTicks) ?? nowTicks
    if (forgotten.length === marks.length) {
      const restarted = MAY_BE_RESTART.has(gap.reason)
      const detail = `${gap.detail} The server's rings started anew, so what happened in between is not known.`
      ledger.close(id, { endTicks, detail, ...(restarted ? { reason: 'database-restarted' } : {}) })
      return
    }
    ledger.remove(id)
    for (const mark of forgotten) this.#loseLane(ledger, source, mark, gap.reason, gap.startTicks, endTicks)
  }

  /** No whole document will tell: the pause stays as it is. */
  giveUp(ledger: Ledger, source: SourceId, endTicks: Ticks): void {
    const id = this.#open.get(source)
    if (id === undefined) return
    this.#open.delete(source)
    ledger.close(id, { endTicks })
  }

  #loseLane(
    ledger: Ledger,
    source: SourceId,
    mark: RingMark,
    reason: GapReason,
    startTicks: Ticks,
    endTicks: Ticks,
  ): void {
    ledger.add({
      source,
      lane: mark.lane,
      kind: mark.kind,
      reason,
      startTicks,
      endTicks,
      missingCount: null,
      missingBytes: null,
      detail: `The server no longer has the ring of ${mark.file}, in which the event of ${formatTicks(mark.startTicks as Ticks)} was the last one seen.`,
    })
  }
}

/** Folds of which some events were seen and some never will be: each is a gap with the count that is missing. */
export function recordLosses(
  ledger: Ledger,
  source: SourceId,
  ingest: IoIngest,
  reason: LossReason = 'ring-lapped',
): void {
  for (const loss of ingest.losses)
    ledger.add({
      source,
      lane: loss.lane,
      kind: loss.kind,
      reason,
      startTicks: loss.startTicks as Ticks,
      endTicks: loss.endTicks as Ticks,
      missingCount: loss.missingCount,
      missingBytes: loss.missingBytes as Bytes,
      detail: 'The server folded its ring of single events into a roll-up while it was not watched.',
    })
}

function firstAfter(document: IoDocument, ticks: Ticks): Ticks | null {
  let first = Number.POSITIVE_INFINITY
  for (const environment of document.environments)
    for (const file of environment.files)
      for (const { events, rollUps } of file.kinds) {
        for (let row = 0; row < events.length; row++) {
          const start = events.columns[0]?.[row] as number
          if (start > ticks) first = Math.min(first, start)
        }
        for (const { startTicks } of rollUps) if (startTicks > ticks) first = Math.min(first, startTicks)
      }
  return Number.isFinite(first) ? (first as Ticks) : null
}
