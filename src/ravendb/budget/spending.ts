/** Cost of an open socket for the server, ms of its CPU. */
export interface Spent {
  readonly openMs: number
  readonly spentMs: number
  /** Part for opening the socket, with its first data. */
  readonly openingMs: number
  /** Share of one core while it is open, without its first frame, which is history. */
  readonly share: number
  /** Whether a frame or heartbeat has arrived. */
  readonly isReceived: boolean
}

/** Time, ms, that a socket must be open before its measured cost replaces the expected one. */
const MEASURED_AFTER_MS = 4000

/** The mean covers two periods of this length, ms: older values say little about the present cost. */
const SPAN_MS = 15_000

export class Spending {
  readonly #openedMs: number
  readonly #expectedShare: number
  #spentMs = 0
  #openingMs = 0
  /** Time of the first frame. */
  #firstMs = Number.NaN
  #spanMs = 0
  #before = 0
  #now = 0

  constructor(openedMs: number, expectedShare: number, openingMs: number) {
    this.#openedMs = openedMs
    this.#expectedShare = expectedShare
    this.open(openingMs)
  }

  /** Adds the cost of keeping the socket open. */
  open(costMs: number): void {
    this.#openingMs += costMs
    this.#spentMs += costMs
  }

  add(nowMs: number, costMs: number): void {
    this.#spentMs += costMs
    if (Number.isNaN(this.#firstMs)) {
      this.#firstMs = nowMs
      this.#spanMs = nowMs
      this.#openingMs += costMs
      return
    }
    this.#turn(nowMs)
    this.#now += costMs
  }

  at(nowMs: number): Spent {
    const openMs = nowMs - this.#openedMs
    const all = { openMs, spentMs: this.#spentMs, openingMs: this.#openingMs, isReceived: !Number.isNaN(this.#firstMs) }
    if (!(nowMs - this.#firstMs >= MEASURED_AFTER_MS)) return { ...all, share: this.#expectedShare }
    this.#turn(nowMs)
    const seenMs = Math.min(nowMs - this.#firstMs, SPAN_MS + nowMs - this.#spanMs)
    return { ...all, share: (this.#before + this.#now) / seenMs }
  }

  #turn(nowMs: number): void {
    const passed = Math.floor((nowMs - this.#spanMs) / SPAN_MS)
    if (passed <= 0) return
    this.#before = passed === 1 ? this.#now : 0
    this.#now = 0
    this.#spanMs += passed * SPAN_MS
  }
}

/** Minimum open time between two pauses, ms. */
const OPEN_AT_LEAST_MS = 5000
const REST_AT_LEAST_MS = 5000
/** Maximum pause, ms, however expensive the socket is. */
const REST_AT_MOST_MS = 300_000
/** Below this share, reopening costs more than a pause saves. */
const CHEAP_SHARE = 0.0002
/**
 * A socket is paused only when its data cost this many times what opening did; otherwise it would do little but open.
 */
const OPENINGS = 3
/** Tolerance above its part, for errors of measurement. */
const TOLERATED = 1.15

/** Maximum time between snapshots, whatever the budget; each costs some 8 ms. */
const LOOK_EVERY_MS = 60_000

/**
 * Length, ms, of a pause after which the socket's mean cost since it opened is `part` of a core; 0: no pause. A socket
 * whose frames are snapshots (`isSnapshot`) is paused after its first frame.
 */
export function pauseMs(
  { share, openMs, spentMs, openingMs, isReceived }: Spent,
  part: number,
  isSnapshot = false,
): number {
  if (share <= Math.max(CHEAP_SHARE, part * TOLERATED)) return 0
  const isSeen = isSnapshot ? isReceived : openMs >= Math.max(OPEN_AT_LEAST_MS, (OPENINGS * openingMs) / share)
  if (!isSeen) return 0
  const mostMs = isSnapshot ? LOOK_EVERY_MS : REST_AT_MOST_MS
  return Math.min(mostMs, Math.max(REST_AT_LEAST_MS, spentMs / part - openMs))
}
