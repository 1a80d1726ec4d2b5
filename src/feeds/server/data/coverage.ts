import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { GapReason } from '../../../capture/client/state.ts'
import type { ServerGap } from '../contract/series.ts'

/** Interval in which figures arrived, and the reason for its end. */
export interface SeenSpan extends TimeRange {
  readonly reason: GapReason
  readonly detail: string
}

/** End of an interval for which no other reason is known. */
const UNWATCHED = { reason: 'not-watched', detail: 'The page was closed, or showed nothing of the server.' } as const
/**
 * Reason that makes no statement about the server: nothing arrived on an open connection, and there is no evidence why.
 */
const UNKNOWN = { reason: 'not-watched', detail: 'No figures arrived, for an unknown reason.' } as const
const UNRESPONSIVE = 'The server sent nothing, and a request to it was not answered.'
const REFUSED = 'The server could not be reached.'
const LOST = {
  reason: 'worker-restarted',
  detail: 'The worker of this page that collected the figures stopped; those of its last minute were not kept.',
} as const
/** Maximum number of intervals; the oldest ones are dropped. */
const MOST_SPANS = 1000

/** Replaces the names of reasons that earlier versions stored. */
const withReason = (span: SeenSpan): SeenSpan =>
  (span.reason as string) === 'server-stalled' ? { ...span, reason: 'server-unresponsive' } : span

/** Intervals in which figures of the server arrived. The time between two of them is a gap, with its reason. */
export class Coverage {
  readonly #leastGapTicks: number
  #spans: SeenSpan[] = []
  #isOpen = false
  /** See {@link lost}. */
  #lost: { readonly sinceTicks: Ticks; readonly isCertain: boolean } | null = null

  /** Intervals without figures of up to `leastGapTicks` are not gaps. */
  constructor(leastGapTicks: number) {
    this.#leastGapTicks = leastGapTicks
  }

  /** Notes that a figure with this time arrived. */
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

  /** Begins a gap for this reason. A second reason for the same gap is ignored. */
  ended(reason: GapReason, detail: string): void {
    const last = this.#spans.at(-1)
    if (last === undefined || !this.#isOpen) return
    this.#spans[this.#spans.length - 1] = { ...last, reason, detail }
    this.#isOpen = false
  }

  /**
   * Notes that there is evidence that the server did not respond in this time. Gaps that overlap it get that reason.
   */
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

  /** Called when the clock was set back to `ticks`: removes what is recorded after that time. */
  dropFrom(ticks: Ticks): void {
    const before = this.#spans.filter((span) => span.startTicks < ticks)
    const last = before.at(-1)
    if (last !== undefined && last.endTicks > ticks) before[before.length - 1] = { ...last, endTicks: ticks }
    this.#spans = before
    this.#isOpen = false
  }

  /**
   * Gaps inside the range, clipped to it, ascending. Time before the first interval is not a gap. A gap that has not
   * ended extends to `nowTicks`; without `nowTicks` it is left out. Time since the last figure on an open connection is
   * not a gap.
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
   * Adds intervals of earlier visits; those of this visit are kept. If the server was gone when the last visit ended
   * (`leftTicks`), that reason applies until `leftTicks`; what the server did after that is not known.
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
   * Records the loss of a worker that had collected since `sinceTicks`. Figures that it did not store are lost, up to the
   * first figure of this worker. `isCertain`: it collected during all that time; otherwise this applies only if the last
   * interval of an earlier visit shows it. Called before any figure is received.
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

/** Whether an interval only marks the time at which a lost worker began: no figures are known for it. */
const isMark = ({ startTicks, endTicks, reason }: SeenSpan): boolean =>
  startTicks === endTicks && reason === LOST.reason
