/** What an open socket has cost the server, ms of its CPU. */
export interface Spent {
  readonly openMs: number
  readonly spentMs: number
  /** Share of one core that it costs as it goes on: without its first frame, which is history. */
  readonly share: number
}

/** Two spans of this length are looked back on, ms: what was long ago says little about what goes on. */
const SPAN_MS = 15_000

export class Spending {
  readonly #openedMs: number
  #spentMs = 0
  /** When the first frame came. */
  #firstMs = Number.NaN
  #spanMs = 0
  #before = 0
  #now = 0

  constructor(openedMs: number) {
    this.#openedMs = openedMs
  }

  add(nowMs: number, costMs: number): void {
    this.#spentMs += costMs
    if (Number.isNaN(this.#firstMs)) {
      this.#firstMs = nowMs
      this.#spanMs = nowMs
      return
    }
    this.#turn(nowMs)
    this.#now += costMs
  }

  at(nowMs: number): Spent {
    const openMs = nowMs - this.#openedMs
    if (Number.isNaN(this.#firstMs)) return { openMs, spentMs: 0, share: 0 }
    this.#turn(nowMs)
    const seenMs = Math.max(1, Math.min(nowMs - this.#firstMs, SPAN_MS + nowMs - this.#spanMs))
    return { openMs, spentMs: this.#spentMs, share: (this.#before + this.#now) / seenMs }
  }

  #turn(nowMs: number): void {
    const passed = Math.floor((nowMs - this.#spanMs) / SPAN_MS)
    if (passed <= 0) return
    this.#before = passed === 1 ? this.#now : 0
    this.#now = 0
    this.#spanMs += passed * SPAN_MS
  }
}

/** A socket is open at least this long between two rests, ms. */
const OPEN_AT_LEAST_MS = 5000
const REST_AT_LEAST_MS = 5000
/** However dear: no rest is longer, as no poll is slower. */
const REST_AT_MOST_MS = 60_000
/** So much above its part is measuring. */
const TOLERATED = 1.2

/** Of what is allowed so much is for sockets with a history, where there are others. */
const HISTORY_PART = 0.75

export interface Planned extends Spent {
  /** Each time that it opens it sends all that it remembers: the others rest first. */
  readonly hasHistory: boolean
}

/**
 * How long each socket rests now, ms; 0: it goes on. `allowedShare` of a core is divided so that the cheap ones go on and
 * the dear ones get the same part each; one that is above its part rests until its mean since it opened is that part.
 */
export function planRests(sockets: readonly Planned[], allowedShare: number): number[] {
  const told = sockets.filter(({ hasHistory }) => hasHistory).map(({ share }) => share)
  const seen = sockets.filter(({ hasHistory }) => !hasHistory).map(({ share }) => share)
  const mayTell = seen.length === 0 ? allowedShare : allowedShare * HISTORY_PART
  const tells = Math.min(
    mayTell,
    told.reduce((sum, share) => sum + share, 0),
  )
  const parts = { told: partOfEach(told, mayTell), seen: partOfEach(seen, allowedShare - tells) }
  return sockets.map(({ share, openMs, spentMs, hasHistory }) => {
    const part = hasHistory ? parts.told : parts.seen
    if (share <= part * TOLERATED || openMs < OPEN_AT_LEAST_MS) return 0
    return Math.min(REST_AT_MOST_MS, Math.max(REST_AT_LEAST_MS, spentMs / part - openMs))
  })
}

/** The level at which the smaller ones fit whole, and the larger ones share what is left evenly. */
function partOfEach(shares: readonly number[], allowed: number): number {
  let left = allowed
  let many = shares.length
  for (const share of shares.toSorted((a, b) => a - b)) {
    if (share > left / many) break
    left -= share
    many--
  }
  return many === 0 ? Number.POSITIVE_INFINITY : left / many
}
