/**
 * The promise as a plan: what each poll and socket may cost, so that all of them together cost no more than is promised.
 * The cheap ones go on as they would; the dear ones share what is left evenly.
 */

/** What polls and sockets would cost if nothing held them back, as shares of one core. */
export interface Wants {
  readonly polls: readonly PollWant[]
  readonly sockets: readonly SocketWant[]
}

export interface PollWant {
  readonly share: number
  /** Of `share`, what comes first: a page in sight would not be true without it. */
  readonly least: number
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
  /** Of what comes first so much is granted, 0–1: below 1 the promise has no room for all of it. */
  readonly ofLeast: number
}

/** Of what is allowed so much at most is for sockets that are held back last, where others want the rest. */
const KEPT_PART = 0.85
/** What comes first takes so much of it at most. */
const LEAST_PART = 0.5

export function planParts({ polls, sockets }: Wants, promisedShare: number): Parts {
  const first = sumOf(polls.map(({ least }) => least))
  const ofLeast = first === 0 ? 1 : Math.min(1, (promisedShare * LEAST_PART) / first)
  const allowedShare = promisedShare - first * ofLeast
  const kept = sockets.filter(({ isKept }) => isKept).map(({ share }) => share)
  const others = [
    ...polls.map(({ share, least }) => share - least * ofLeast),
    ...sockets.filter(({ isKept }) => !isKept).map(({ share }) => share),
  ]
  // What the others do not want is there for those that are kept.
  const forKept = Math.max(allowedShare * KEPT_PART, allowedShare - sumOf(others))
  const left = allowedShare - Math.min(forKept, sumOf(kept))
  return { kept: partOfEach(kept, forKept), others: partOfEach(others, left), ofLeast }
}

/** What a poll may cost, as a share of one core. */
export function pollPart({ share, least }: PollWant, { others, ofLeast }: Parts): number {
  return Math.min(share, least * ofLeast + others)
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
