/**
 * The CPU budget as a plan: what each poll and socket may cost, so that all of them together stay within the overhead
 * limit. The cheap ones are not slowed down; the expensive ones share what is left evenly. What the panel in front of an
 * attentive user shows has a limit of its own.
 */

/** Shares of one core of the server, for all pages of a browser together. */
export interface OverheadLimits {
  /** For what the panel in front shows, while the user is attentive. */
  readonly attended: number
  /** For everything else, vital polls and sockets among it. */
  readonly background: number
}

export const DEFAULT_LIMITS: OverheadLimits = { attended: 0.02, background: 0.005 }
const LEAST_LIMIT = 0.0005
const MOST_LIMIT = 0.2
/** Part of a limit that is planned: requests on demand, and the server's other work for each call, come on top. */
const PLANNED = 0.9

const clip = (share: number, otherwise: number): number =>
  Number.isFinite(share) ? Math.min(MOST_LIMIT, Math.max(LEAST_LIMIT, share)) : otherwise

/** Within 0.0005–0.2; what is no number becomes the default. */
export const clipLimits = ({ attended, background }: OverheadLimits): OverheadLimits => ({
  attended: clip(attended, DEFAULT_LIMITS.attended),
  background: clip(background, DEFAULT_LIMITS.background),
})

/** Who sees what a poll or socket brings: while a panel that shows this feed is in front of an attentive user, it has that limit. */
export interface Audience {
  /** As panels name it (`shows`); null: it is of no feed. */
  readonly feed: string | null
  /** Other pages of the browser get it from this page. */
  readonly ofAllPages?: boolean
}

export const NO_AUDIENCE: Audience = { feed: null }

/** Cost of polls and sockets without any limit, as shares of one core. */
interface Wants {
  readonly polls: readonly PollWant[]
  readonly sockets: readonly SocketWant[]
}

export interface PollWant {
  readonly share: number
  /** Part of `share` that comes first: a page in sight would not be true without it. */
  readonly least: number
  /** Part of `share` that is never held back. */
  readonly vital: number
  /** The panel in front of an attentive user shows it. */
  readonly isFront: boolean
}

export interface SocketWant {
  readonly share: number
  /** Held back last: each opening sends the whole history, or the user would rather miss the others. */
  readonly isKept: boolean
  /** Never held back. */
  readonly isVital: boolean
  /** The panel in front of an attentive user shows it. */
  readonly isFront: boolean
}

/** The most that one of each kind may cost, as a share of one core. One that wants less continues. */
export interface Parts {
  readonly kept: number
  readonly others: number
  /** Part of `least` that is granted, 0–1: below 1 the limit has no room for all of it. */
  readonly ofLeast: number
}

/** Largest part of the budget for sockets that are held back last, where others want the rest. */
const KEPT_PART = 0.85
/** Largest part of the budget for what comes first (`least`). */
const LEAST_PART = 0.5
/** Where vital ones alone cost more than the limit, the others get this part of it: the studio stays usable. */
const BESIDE_VITAL = 0.2

/** The parts of each limit. */
export interface Plan {
  readonly front: Parts
  readonly background: Parts
}

/** Vital ones are always paid from the limit of the background: what the panel in front shows is never less for them. */
export function planAll({ polls, sockets }: Wants, { attended, background }: OverheadLimits): Plan {
  const isFrontPoll = ({ isFront, vital }: PollWant): boolean => isFront && vital === 0
  const isFrontSocket = ({ isFront, isVital }: SocketWant): boolean => isFront && !isVital
  return {
    front: planParts({ polls: polls.filter(isFrontPoll), sockets: sockets.filter(isFrontSocket) }, attended * PLANNED),
    background: planParts(
      {
        polls: polls.filter((want) => !isFrontPoll(want)),
        sockets: sockets.filter((want) => !isFrontSocket(want)),
      },
      background * PLANNED,
    ),
  }
}

export function planParts({ polls, sockets }: Wants, limit: number): Parts {
  const vital = sumOf([
    ...polls.map((want) => want.vital),
    ...sockets.filter(({ isVital }) => isVital).map(({ share }) => share),
  ])
  const budget = Math.max(limit - vital, limit * BESIDE_VITAL)
  const first = sumOf(polls.map(leastBesideVital))
  const ofLeast = first === 0 ? 1 : Math.min(1, (budget * LEAST_PART) / first)
  const allowedShare = budget - first * ofLeast
  const held = sockets.filter(({ isVital }) => !isVital)
  const kept = held.filter(({ isKept }) => isKept).map(({ share }) => share)
  const others = [
    ...polls.map((want) => want.share - want.vital - leastBesideVital(want) * ofLeast),
    ...held.filter(({ isKept }) => !isKept).map(({ share }) => share),
  ]
  // The kept ones get what the others do not want.
  const forKept = Math.max(allowedShare * KEPT_PART, allowedShare - sumOf(others))
  const left = allowedShare - Math.min(forKept, sumOf(kept))
  return { kept: partOfEach(kept, forKept), others: partOfEach(others, left), ofLeast }
}

/** Limit of a poll, as a share of one core. */
export function pollPart(want: PollWant, { others, ofLeast }: Parts): number {
  return Math.min(want.share, want.vital + leastBesideVital(want) * ofLeast + others)
}

const leastBesideVital = ({ least, vital }: PollWant): number => Math.max(0, least - vital)

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
