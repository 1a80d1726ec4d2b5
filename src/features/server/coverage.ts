import type { Ticks } from '../../base/brand.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'
import type { GapReason } from '../../capture/state.ts'
import type { ServerGap } from './queries.ts'

/** A stretch in which the server was heard, and why it ended. */
export interface SeenSpan extends TimeRange {
  readonly reason: GapReason
  readonly detail: string
}

/** The dashboard tells something every second. By the server's own times nothing happened in it for longer than this. */
const STALLED_TICKS = 5 * TICKS_PER_SECOND
/** And nothing for longer than this, although nobody said why: this computer may have slept, or the page was stopped. */
const SILENT_TICKS = 15 * TICKS_PER_SECOND
const STALLED = 'It told nothing, although it tells its figures every second: it stood still, or the way to it did.'
/** How a span ends of which nothing else is said. */
const UNWATCHED = { reason: 'not-watched', detail: 'The page was closed, or showed nothing of the server.' } as const
/** The oldest make way. */
const MOST_SPANS = 1000

/** When the server was looked at: what lies between is a gap, with its reason. */
export class Coverage {
  #spans: SeenSpan[] = []
  #isOpen = false

  /** Something of this moment arrived. */
  heard(atTicks: Ticks): void {
    const last = this.#spans.at(-1)
    if (last !== undefined && atTicks <= last.endTicks) {
      this.#isOpen = true
      return
    }
    if (last !== undefined && this.#isOpen) {
      const silentTicks = atTicks - last.endTicks
      if (silentTicks <= STALLED_TICKS) {
        this.#spans[this.#spans.length - 1] = { ...last, endTicks: atTicks }
        return
      }
      if (silentTicks <= SILENT_TICKS) this.ended('server-stalled', STALLED)
      else this.ended('socket-closed', 'Nothing was heard.')
    }
    this.#spans.push({ startTicks: atTicks, endTicks: atTicks, ...UNWATCHED })
    if (this.#spans.length > MOST_SPANS) this.#spans.shift()
    this.#isOpen = true
  }

  /** From now on nothing is heard, for this reason. A second reason for the same silence does not count. */
  ended(reason: GapReason, detail: string): void {
    const last = this.#spans.at(-1)
    if (last === undefined || !this.#isOpen) return
    this.#spans[this.#spans.length - 1] = { ...last, reason, detail }
    this.#isOpen = false
  }

  /** The silence that goes on was the server's, which answers again now. */
  stalled(): void {
    const last = this.#spans.at(-1)
    if (last === undefined || this.#isOpen) return
    this.#spans[this.#spans.length - 1] = { ...last, reason: 'server-stalled', detail: STALLED }
  }

  /** The clock was set back to this moment: what was "seen" after it was not. */
  dropFrom(ticks: Ticks): void {
    const before = this.#spans.filter((span) => span.startTicks < ticks)
    const last = before.at(-1)
    if (last !== undefined && last.endTicks > ticks) before[before.length - 1] = { ...last, endTicks: ticks }
    this.#spans = before
    this.#isOpen = false
  }

  /** Inside the range, ascending, clipped to it; before the first and after the last span nothing is said. */
  gaps({ startTicks, endTicks }: TimeRange): ServerGap[] {
    const gaps: ServerGap[] = []
    for (const [row, span] of this.#spans.entries()) {
      const next = this.#spans[row + 1]
      if (next === undefined || next.startTicks <= startTicks || span.endTicks >= endTicks) continue
      gaps.push({
        startTicks: Math.max(span.endTicks, startTicks) as Ticks,
        endTicks: Math.min(next.startTicks, endTicks) as Ticks,
        reason: span.reason,
        detail: span.detail,
      })
    }
    return gaps
  }

  get spans(): readonly SeenSpan[] {
    return this.#spans
  }

  /**
   * Of earlier visits; what this one saw already is kept. A server that was gone when the last visit ended (`leftTicks`)
   * was gone until then: what it did while nobody looked is not known.
   */
  restore(spans: readonly SeenSpan[], leftTicks: Ticks): void {
    const firstTicks = this.#spans[0]?.startTicks ?? Number.POSITIVE_INFINITY
    const before = spans.filter((span) => span.endTicks <= firstTicks)
    const last = before.at(-1)
    if (last !== undefined && last.reason !== UNWATCHED.reason && last.endTicks < leftTicks && leftTicks < firstTicks)
      before.push({ startTicks: leftTicks, endTicks: leftTicks, ...UNWATCHED })
    this.#spans = [...before, ...this.#spans].slice(-MOST_SPANS)
  }
}
