/**
 * The promise as a plan: what each poll and socket may cost, so that all of them together cost no more than is promised.
 * The cheap ones go on as they would; the dear ones share what is left evenly.
 */

/** What polls and sockets would cost if nothing held them back, as shares of one core. */
export interface Wants {
  readonly polls: readonly number[]
  readonly sockets: readonly SocketWant[]
}

export interface SocketWant {
  readonly share: number
  /** It is held back last: each time that it opens it sends all that it remembers, or the others would rather be missed. */
  readonly isKept: boolean
}

/** The most that one of each kind may cost, as a share of one core. One that wants less goes on. */
export interface Parts {
  readonly kept: number
  readonly others: number
}

/** Of what is allowed so much at most is for sockets that are held back last, where others want the rest. */
const KEPT_PART = 0.85

export function planParts({ polls, sockets }: Wants, allowedShare: number): Parts {
  const kept = sockets.filter(({ isKept }) => isKept).map(({ share }) => share)
  const others = [...polls, ...sockets.filter(({ isKept }) => !isKept).map(({ share }) => share)]
  // What the others do not want is there for those that are kept.
  const forKept = Math.max(allowedShare * KEPT_PART, allowedShare - sumOf(others))
  const left = allowedShare - Math.min(forKept, sumOf(kept))
  return { kept: partOfEach(kept, forKept), others: partOfEach(others, left) }
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

const sumOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0)
