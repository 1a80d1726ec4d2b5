import type { Bytes } from '../../../base/brand.ts'
import { formatTicks, type Ticks, type TimeRange } from '../../../base/ticks.ts'
import { uncovered } from '../../../base/uncovered.ts'
import { addUnknown, type GapLog } from '../../../capture/worker/gap-log.ts'
import type { Gap, GapReason, SourceId } from '../../../capture/client/state.ts'
import { KNOWN_KINDS, type LaneId } from '../contract/lanes.ts'
import { laneId } from './lane-table.ts'
import { forgottenMarks, ringMarks, type RingMark } from './ring-marks.ts'
import type { IoIngest, IoLoss, IoStore } from './table.ts'
import { trackKind, type IoDocument } from './reading/wire.ts'

/**
 * Reason of a loss: the server's ring was overwritten while no page polled it, or while the overhead limit kept a page
 * from polling.
 */
export type LossReason = Extract<GapReason, 'ring-lapped' | 'paused-by-rookery'>

const MAY_BE_RESTART: ReadonlySet<GapReason> = new Set(['socket-closed', 'server-unresponsive', 'tab-hidden'])

/**
 * Times without data of a source. The server keeps its last events in rings, so a pause need not be a loss; the first
 * whole document after the pause shows whether it was.
 */
export class CoverageGaps {
  readonly #open = new Map<SourceId, number>()
  /**
   * Start of the newest event of rings that the server no longer has, by lane and kind; each such loss is recorded
   * once.
   */
  readonly #gone = new Map<string, number>()
  readonly #store: IoStore

  constructor(store: IoStore) {
    this.#store = store
  }

  /**
   * Opens a gap: the source sends nothing from `startTicks` on. False: it never sent anything, or a gap is open
   * already.
   */
  begin(gapLog: GapLog, source: SourceId, reason: GapReason, startTicks: Ticks, detail: string): boolean {
    if (this.#open.has(source) || ringMarks(this.#store, source).length === 0) return false
    this.#open.set(source, gapLog.open(source, reason, startTicks, detail))
    return true
  }

  /**
   * Called with the first whole document after the pause, before it is ingested; `nowTicks` is its arrival. Returns the
   * reason for events that were missed.
   */
  settle(gapLog: GapLog, source: SourceId, document: IoDocument, nowTicks: Ticks): LossReason {
    const id = this.#open.get(source)
    const gap = id === undefined ? undefined : gapLog.get(id)
    if (id === undefined || gap === undefined) return 'ring-lapped'
    this.#settle(gapLog, source, document, nowTicks, id, gap)
    return gap.reason === 'paused-by-rookery' ? gap.reason : 'ring-lapped'
  }

  #settle(gapLog: GapLog, source: SourceId, document: IoDocument, nowTicks: Ticks, id: number, gap: Gap): void {
    this.#open.delete(source)
    // A ring that was gone before and has had no event since was not lost by this pause.
    const marks = ringMarks(this.#store, source).filter((mark) => this.#gone.get(keyOf(mark)) !== mark.startTicks)
    const forgotten = forgottenMarks(source, document, marks)
    for (const mark of forgotten) this.#gone.set(keyOf(mark), mark.startTicks)
    if (forgotten.length === 0) {
      gapLog.remove(id)
      return
    }
    if (forgotten.length === marks.length) {
      const endTicks = firstAfter(source, document, gap.startTicks, () => true) ?? nowTicks
      const restarted = MAY_BE_RESTART.has(gap.reason)
      const detail = `${gap.detail} The server's rings restarted, so what happened in between is not known.`
      gapLog.close(id, { endTicks, detail, ...(restarted ? { reason: 'database-restarted' } : {}) })
      return
    }
    gapLog.remove(id)
    for (const mark of forgotten) {
      const isOfMark = (lane: LaneId, kind: string): boolean => lane === mark.lane && kind === mark.kind
      const endTicks = firstAfter(source, document, gap.startTicks, isOfMark) ?? nowTicks
      loseLane(gapLog, source, mark, { reason: gap.reason, startTicks: gap.startTicks, endTicks })
    }
  }

  /** Called if no whole document will follow: the pause remains a gap as it is. */
  giveUp(gapLog: GapLog, source: SourceId, endTicks: Ticks): void {
    const id = this.#open.get(source)
    if (id === undefined) return
    this.#open.delete(source)
    gapLog.close(id, { endTicks })
  }
}

const keyOf = ({ lane, kind }: RingMark): string => `${lane}|${kind}`

function loseLane(
  gapLog: GapLog,
  source: SourceId,
  mark: RingMark,
  { reason, startTicks, endTicks }: TimeRange & { readonly reason: GapReason },
): void {
  gapLog.add({
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

/**
 * Records folds whose events were not seen individually: one gap per lane and kind, with the number and bytes of the
 * missing events. It begins no earlier than `knownTicks`, the time up to which everything was received (null: nothing
 * was), and leaves out times that another gap covers.
 */
export function recordLosses(
  gapLog: GapLog,
  source: SourceId,
  ingest: IoIngest,
  { reason = 'ring-lapped', knownTicks = null }: { reason?: LossReason; knownTicks?: Ticks | null } = {},
): void {
  const joined = new Map<string, IoLoss>()
  for (const loss of ingest.losses) {
    const key = `${loss.lane}|${loss.kind}`
    joined.set(key, joinLosses(joined.get(key), loss))
  }
  if (joined.size === 0) return
  const gaps = gapLog.snapshot(null).filter((gap) => gap.source === source)
  for (const { lane, kind, startTicks, endTicks, missingCount, missingBytes } of joined.values()) {
    const fromTicks = knownTicks !== null && knownTicks < endTicks ? Math.max(startTicks, knownTicks) : startTicks
    const others = gaps.filter(
      (gap) => gap.lane === null || (gap.lane === lane && (gap.kind === null || gap.kind === kind)),
    )
    const span = uncovered({ startTicks: fromTicks as Ticks, endTicks: endTicks as Ticks }, others)
    if (span === null) continue
    gapLog.add({
      source,
      lane,
      kind,
      reason,
      ...span,
      missingCount,
      missingBytes: missingBytes as Bytes,
      detail: 'The server folded its ring of single events into a roll-up while it was not watched.',
    })
  }
}

/** Joins two losses. Rings fill in order, so missed folds are consecutive. */
const joinLosses = (a: IoLoss | undefined, b: IoLoss): IoLoss =>
  a === undefined
    ? b
    : {
        ...a,
        startTicks: Math.min(a.startTicks, b.startTicks),
        endTicks: Math.max(a.endTicks, b.endTicks),
        missingCount: addUnknown(a.missingCount, b.missingCount),
        missingBytes: a.missingBytes + b.missingBytes,
      }

/**
 * Narrows a gap that a lost worker left (`lost`) to the time that the server's rings no longer cover: for the whole
 * source, up to the first event of any ring; for each lane and kind, up to its own first event.
 */
export function recordLostRecording(gapLog: GapLog, source: SourceId, document: IoDocument, lost: TimeRange): void {
  const firstTicks = firstAfter(source, document, Number.NEGATIVE_INFINITY as Ticks, () => true) ?? lost.endTicks
  const knownTicks = Math.max(firstTicks, lost.startTicks) as Ticks
  const add = (startTicks: Ticks, endTicks: Ticks, lane: LaneId | null, kind: string | null): void => {
    if (endTicks > startTicks) gapLog.add({ ...LOST_RECORDING, source, lane, kind, startTicks, endTicks })
  }
  add(lost.startTicks, knownTicks, null, null)
  for (const { path } of document.environments)
    for (const kind of KNOWN_KINDS) {
      const lane = laneId(source, path)
      const isOfIt = (of: LaneId, ofKind: string): boolean => of === lane && ofKind === kind
      const ownTicks = firstAfter(source, document, Number.NEGATIVE_INFINITY as Ticks, isOfIt)
      // A ring belongs to its file, so a ring without events has no data about the time before.
      add(knownTicks, ownTicks ?? lost.endTicks, lane, kind)
    }
}

const LOST_RECORDING = {
  reason: 'worker-restarted',
  missingCount: null,
  missingBytes: null,
  detail: 'The worker of this page that held the recording stopped, and the server no longer knows of this time.',
} as const

/** First start after `ticks` in the document, over matching lanes and kinds; null: there is none. */
function firstAfter(
  source: SourceId,
  document: IoDocument,
  ticks: Ticks,
  matches: (lane: LaneId, kind: string) => boolean,
): Ticks | null {
  let first = Number.POSITIVE_INFINITY
  for (const environment of document.environments)
    for (const file of environment.files)
      for (const { kind, events, rollUps } of file.kinds) {
        if (!matches(laneId(source, environment.path), trackKind(file.name, kind))) continue
        for (let row = 0; row < events.length; row++) {
          const start = events.columns[0]?.[row] as number
          if (start > ticks) first = Math.min(first, start)
        }
        for (const { startTicks } of rollUps) if (startTicks > ticks) first = Math.min(first, startTicks)
      }
  return Number.isFinite(first) ? (first as Ticks) : null
}
