/**
 * Distributes the CPU budget over polls and sockets, so that together they stay within the overhead limit. Cheap ones
 * are not slowed down; expensive ones share the rest evenly. The panel in front of an attentive user has a limit of its
 * own.
 */

/** Shares of one core of the server, for all pages of a browser together. */
export interface OverheadLimits {
  /** For the panel in front of an attentive user. */
  readonly attended: number
  /** For everything else, including vital polls and sockets. */
  readonly background: number
}

export const DEFAULT_LIMITS: OverheadLimits = { attended: 0.02, background: 0.005 }
const LEAST_LIMIT = 0.0005
const MOST_LIMIT = 0.2
/**
 * Part of a limit that is planned; the rest is for requests on demand and for other work of the server for each call.
 */
const PLANNED = 0.9

const clip = (share: number, otherwise: number): number =>
  Number.isFinite(share) ? Math.min(MOST_LIMIT, Math.max(LEAST_LIMIT, share)) : otherwise

/** Clips to 0.0005–0.2; a value that is not a number becomes the default. */
export const clipLimits = ({ attended, background }: OverheadLimits): OverheadLimits => ({
  attended: clip(attended, DEFAULT_LIMITS.attended),
  background: clip(background, DEFAULT_LIMITS.background),
})

/**
 * Feed that a poll or socket serves. While a panel that shows this feed is in front of an attentive user, the higher
 * limit applies.
 */
export interface Audience {
  /** Feed by the name that panels use (`shows`); null: none. */
  readonly feed: string | null
  /** The other pages of the browser get the data from this page. */
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
  /** Part of `share` that is granted first: without it, a visible page would show wrong figures. */
  readonly least: number
  /** Part of `share` that is never reduced. */
  readonly vital: number
  /** Whether the panel in front of an attentive user shows it. */
  readonly isFront: boolean
}

export interface SocketWant {
  readonly share: number
  /** Whether it is reduced last: each opening sends the whole history, or users need it most. */
  readonly isKept: boolean
  /** Whether it is never reduced. */
  readonly isVital: boolean
  /** Whether the panel in front of an attentive user shows it. */
  readonly isFront: boolean
}

/** Maximum cost of a poll or socket of each kind, as a share of one core. Those that need less are not limited. */
export interface Parts {
  readonly kept: number
  readonly others: number
  /** Part of `least` that is granted, 0–1; below 1 the limit is too small for all of it. */
  readonly ofLeast: number
}

/** Maximum part of the budget for sockets that are reduced last, if others want the rest. */
const KEPT_PART = 0.85
/** Maximum part of the budget for what comes first (`least`). */
const LEAST_PART = 0.5
/** Part of the limit that the others get if vital ones alone exceed it, so that the studio stays usable. */
const BESIDE_VITAL = 0.2

/** The distribution of each limit. */
export interface Plan {
  readonly front: Parts
  readonly background: Parts
}

/** Vital ones always count towards the background limit, so that they take nothing from the panel in front. */
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
  // Kept sockets get what the others do not need.
  const forKept = Math.max(allowedShare * KEPT_PART, allowedShare - sumOf(others))
  const left = allowedShare - Math.min(forKept, sumOf(kept))
  return { kept: partOfEach(kept, forKept), others: partOfEach(others, left), ofLeast }
}

/** Limit of a poll, as a share of one core. */
export function pollPart(want: PollWant, { others, ofLeast }: Parts): number {
  return Math.min(want.share, want.vital + leastBesideVital(want) * ofLeast + others)
}

const leastBesideVital = ({ least, vital }: PollWant): number => Math.max(0, least - vital)

/** The level up to which shares are granted in full; larger ones share the rest evenly. */
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
