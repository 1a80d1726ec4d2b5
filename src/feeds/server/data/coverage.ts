import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { GapReason } from '../../../capture/client/state.ts'
import type { ServerGap } from '../contract/series.ts'

/** A stretch in which figures arrived, and why it ended. */
export interface SeenSpan extends TimeRange {
  readonly reason: GapReason
  readonly detail: string
}

/** How a span ends of which nothing else is known. */
const UNWATCHED = { reason: 'not-watched', detail: 'The page was closed, or showed nothing of the server.' } as const
/** Reason without a verdict on the server: nothing arrived on an open connection, and there is no evidence why. */
const UNKNOWN = { reason: 'not-watched', detail: 'No figures arrived, for an unknown reason.' } as const
const UNRESPONSIVE = 'The server sent nothing, and a request to it was not answered.'
const REFUSED = 'The server could not be reached.'
const LOST = {
  reason: 'worker-restarted',
  detail: 'The worker of this page that collected the figures stopped; those of its last minute were not kept.',
} as const
/** The oldest make way. */
const MOST_SPANS = 1000

/** Reasons as earlier versions stored them, with the names they had then. */
const withReason = (span: SeenSpan): SeenSpan =>
  (span.reason as string) === 'server-stalled' ? { ...span, reason: 'server-unresponsive' } : span

/** When figures of the server arrived: what lies between is a gap, with its reason. */
export class Coverage {
  readonly #leastGapTicks: number
  #spans: SeenSpan[] = []
  #isOpen = false
  /** See {@link lost}. */
  #lost: { readonly sinceTicks: Ticks; readonly isCertain: boolean } | null = null

  /** A silence of up to `leastGapTicks` is none. */
  constructor(leastGapTicks: number) {
    this.#leastGapTicks = leastGapTicks
  }

  /** Something of this moment arrived. */
  received(atTicks: Ticks): void {
    const last = this.#spans.at(-1)
    if (last !== undefined && atTicks <= last.endTicks) {
      this.#isOpen = true
      return
    }
    if (last !== undefined && this.#isOpen) {
      const silentTicks = atTicks - last.endTicks
      if (silentTicks <= this.#leastGapTicks) {
        this.#spans[this.#spans.length - 1] = { ...last, endTicks: atTicks }
        return
      }
      this.ended(UNKNOWN.reason, UNKNOWN.detail)
    }
    this.#spans.push({ startTicks: atTicks, endTicks: atTicks, ...UNWATCHED })
    if (this.#spans.length > MOST_SPANS) this.#spans.shift()
    this.#isOpen = true
  }

  /** Begins a silence for this reason. A second reason for the same silence does not count. */
  ended(reason: GapReason, detail: string): void {
    const last = this.#spans.at(-1)
    if (last === undefined || !this.#isOpen) return
    this.#spans[this.#spans.length - 1] = { ...last, reason, detail }
    this.#isOpen = false
  }

  /** Notes that the server did not answer in this time, by evidence: so were the silences that it overlaps. */
  unresponsive({ startTicks, endTicks }: TimeRange, isRefused: boolean): void {
    const [reason, detail] = isRefused
      ? (['server-stopped', REFUSED] as const)
      : (['server-unresponsive', UNRESPONSIVE] as const)
    for (const [row, span] of this.#spans.entries()) {
      const next = this.#spans[row + 1]
      const silentUntil = next?.startTicks ?? Number.POSITIVE_INFINITY
      if (span.endTicks >= endTicks || silentUntil <= startTicks) continue
      this.#spans[row] = { ...span, reason, detail }
      if (next === undefined) this.#isOpen = false
    }
  }

  /** The clock was set back to this moment: what was "seen" after it was not. */
  dropFrom(ticks: Ticks): void {
    const before = this.#spans.filter((span) => span.startTicks < ticks)
    const last = before.at(-1)
    if (last !== undefined && last.endTicks > ticks) before[before.length - 1] = { ...last, endTicks: ticks }
    this.#spans = before
    this.#isOpen = false
  }

  /**
   * Inside the range, ascending, clipped to it; nothing is known before the first span. One that goes on is there up to
   * `nowTicks`; left out, it is not. What an open connection has not brought yet is no gap.
   */
  gaps({ startTicks, endTicks }: TimeRange, isOfDetails = false, nowTicks: Ticks | null = null): ServerGap[] {
    const gaps: ServerGap[] = []
    for (const [row, span] of this.#spans.entries()) {
      const next = this.#spans[row + 1]
      const untilTicks = next?.startTicks ?? (this.#isOpen ? null : nowTicks)
      if (untilTicks === null || untilTicks <= startTicks || untilTicks <= span.endTicks || span.endTicks >= endTicks)
        continue
      gaps.push({
        startTicks: Math.max(span.endTicks, startTicks) as Ticks,
        endTicks: Math.min(untilTicks, endTicks) as Ticks,
        reason: span.reason,
        detail: span.detail,
        ...(isOfDetails ? { isOfDetails } : {}),
      })
    }
    return gaps
  }

  get spans(): readonly SeenSpan[] {
    return this.#spans
  }

  /**
   * Adds spans of earlier visits; what this one saw already is kept. A server that was gone when the last visit ended
   * (`leftTicks`) was gone until then: what it did meanwhile is not known.
   */
  restore(spans: readonly SeenSpan[], leftTicks: Ticks): void {
    const own = this.#spans.filter((span) => !isMark(span))
    const firstTicks = own[0]?.startTicks ?? Number.POSITIVE_INFINITY
    const before = spans.filter((span) => span.endTicks <= firstTicks).map(withReason)
    const last = before.at(-1)
    if (last !== undefined && last.reason !== UNWATCHED.reason && last.endTicks < leftTicks && leftTicks < firstTicks)
      before.push({ startTicks: leftTicks, endTicks: leftTicks, ...UNWATCHED })
    this.#spans = [...this.#withLost(before), ...own].slice(-MOST_SPANS)
  }

  /**
   * A worker that is gone collected from `sinceTicks` on: what it did not store is lost, until the first data of this one.
   * `isCertain`: it had collected all that time; else only where the last span of an earlier visit says so. Called before
   * anything was received.
   */
  lost(sinceTicks: Ticks, isCertain: boolean): void {
    this.#lost = { sinceTicks, isCertain }
    this.#spans = this.#withLost(this.#spans)
  }

  #withLost(before: readonly SeenSpan[]): SeenSpan[] {
    if (this.#lost === null) return [...before]
    const { sinceTicks, isCertain } = this.#lost
    const last = before.at(-1)
    if (last !== undefined && last.endTicks >= sinceTicks)
      return last.reason === UNWATCHED.reason ? [...before.slice(0, -1), { ...last, ...LOST }] : [...before]
    return isCertain ? [...before, { startTicks: sinceTicks, endTicks: sinceTicks, ...LOST }] : [...before]
  }
}

/** Whether a span marks a moment in which a lost worker began: nothing is known of it. */
const isMark = ({ startTicks, endTicks, reason }: SeenSpan): boolean =>
  startTicks === endTicks && reason === LOST.reason
