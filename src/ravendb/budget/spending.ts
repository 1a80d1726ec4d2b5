/** Cost of an open socket for the server, ms of its CPU. */
export interface Spent {
  readonly openMs: number
  readonly spentMs: number
  /** Part of it for opening the socket, with all that it sends at first. */
  readonly openingMs: number
  /** Share of one core that it costs while it is open: without its first frame, which is history. */
  readonly share: number
  /** A frame came, or a heartbeat. */
  readonly isReceived: boolean
}

/** Until a socket was open for so long, its cost is the expected one, ms. */
const MEASURED_AFTER_MS = 4000

/** The mean covers two spans of this length, ms: older values say little about the present cost. */
const SPAN_MS = 15_000

export class Spending {
  readonly #openedMs: number
  readonly #expectedShare: number
  #spentMs = 0
  #openingMs = 0
  /** When the first frame came. */
  #firstMs = Number.NaN
  #spanMs = 0
  #before = 0
  #now = 0

  constructor(openedMs: number, expectedShare: number, openingMs: number) {
    this.#openedMs = openedMs
    this.#expectedShare = expectedShare
    this.open(openingMs)
  }

  /** Counts the cost of having the socket open at all. */
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

/** A socket is open at least this long between two pauses, ms. */
const OPEN_AT_LEAST_MS = 5000
const REST_AT_LEAST_MS = 5000
/** The longest pause, however expensive the socket, ms. */
const REST_AT_MOST_MS = 300_000
/** Opening one that costs less than this costs more than its pause saves. */
const CHEAP_SHARE = 0.0002
/** In progress costs so many times what opening did, before it is paused: or it would do little else than open. */
const OPENINGS = 3
/** So much above its part is measuring. */
const TOLERATED = 1.15

/** A snapshot is read at least this often, however little may be spent: each costs some 8 ms. */
const LOOK_EVERY_MS = 60_000

/**
 * How long a socket is paused now that may cost `part` of a core, ms: until its mean since it opened is that part. 0: it continues.
 * A socket whose frames are snapshots (`isSnapshot`) is paused after its first frame.
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
