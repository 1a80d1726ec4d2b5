import { bisectNumbers } from '../../../../base/columns/bisect.ts'
import { groupBy } from '../../../../base/columns/group-by.ts'
import type { Lane, Stall } from './events.ts'
import { endInSteps } from './regular-ends.ts'
import { poissonTail } from './statistics.ts'

const SHIFTS = 100
const ENOUGH = 3
const SURE = 0.0005
/** What is held up by one thing goes on at one time: ends are within this, ms, beside what a write takes. */
const TOGETHER_MS = 15
/** So many of those that merely overlap may be there by chance. */
const BY_CHANCE = 0.1

/** Neighbourhood of a stall: its own length so many times. */
const NEAR = { times: 2, leastMs: 300 }

export interface Outside {
  /** Stalls with one on another volume, as indices. */
  readonly together: ReadonlySet<number>
  /** Those that end together by chance, from local shifts. */
  readonly expected: number
  readonly isMoreThanChance: boolean
  /** Whether volumes are known that share nothing. */
  readonly isTried: boolean
}

const NOTHING: Outside = { together: new Set(), expected: 0, isMoreThanChance: false, isTried: false }

/**
 * Whether stalls of volumes that share nothing come and end together more often than chance: something outside of all of
 * them. Only known volumes: two that are not named may be one.
 */
export function findOutside(
  lanes: readonly Lane[],
  all: readonly Stall[],
  stalls: readonly number[],
  medians: readonly number[],
  random: () => number,
): Outside {
  const isKnown = (at: number): boolean => lanes[(all[at] as Stall).lane]?.isVolumeKnown === true
  const volumes = groupBy(stalls.filter(isKnown), (at) => lanes[(all[at] as Stall).lane]?.volume ?? '')
    .map(([, ids]) =>
      ids.map((at): Placed => ({ ...(all[at] as Stall), at, medianMs: medians[(all[at] as Stall).lane] ?? 0 })),
    )
    .filter((placed) => !endInSteps(placed))
  const named = new Set(lanes.filter(({ isVolumeKnown }) => isVolumeKnown).map(({ volume }) => volume))
  if (volumes.length < 2) return { ...NOTHING, isTried: named.size > 1 }
  const ofVolume = new Map(groupBy(lanes, ({ volume }) => volume))
  const lanesBeside = ({ lane }: Placed): readonly Lane[] => ofVolume.get(lanes[lane]?.volume ?? '') ?? []
  const found = overlapping(volumes, (one, other) => isStandstill([one, other], [one, other].flatMap(lanesBeside)))
  let [ended, overlaps] = [0, 0]
  for (let shift = 0; shift < SHIFTS; shift++) {
    const moved = overlapping(
      volumes.map((placed, i) => (i === 0 ? placed : placed.map((each) => moveOf(each, random)))),
    )
    ended += moved.ended.size
    overlaps += moved.overlap.size
  }
  const expected = ended / SHIFTS
  const isMoreThanChance =
    found.ended.size >= 2 * ENOUGH && poissonTail(Math.floor(found.ended.size / 2), expected / 2 + 0.05) < SURE
  const isOverlapSure = overlaps / SHIFTS <= BY_CHANCE * found.overlap.size
  return { together: isOverlapSure ? found.overlap : found.ended, expected, isMoreThanChance, isTried: true }
}

type Placed = Stall & { readonly at: number; readonly medianMs: number }

/** Elsewhere so near that volumes are as busy there, as they are together where clients send to both. */
function moveOf(placed: Placed, random: () => number): Placed {
  const ownMs = placed.end - placed.start
  const offset = (random() < 0.5 ? -1 : 1) * (ownMs + random() * Math.max(NEAR.leastMs, NEAR.times * ownMs))
  return { ...placed, start: placed.start + offset, end: placed.end + offset }
}

/**
 * Whether nothing was complete on the lanes of two volumes while both stalls lasted: volumes that are merely slow at the same time complete
 * what they have.
 */
function isStandstill(stalls: readonly [Placed, Placed], lanes: readonly Lane[]): boolean {
  const aroundMs = TOGETHER_MS + 2 * Math.max(...stalls.map(({ medianMs }) => medianMs))
  const from = Math.max(...stalls.map(({ start }) => start)) + aroundMs
  const to = Math.min(...stalls.map(({ end }) => end)) - aroundMs
  return lanes.every(({ writes: { end } }) => (end[bisectNumbers(end, from)] ?? Number.POSITIVE_INFINITY) >= to)
}

/** Stalls that overlap one of another volume by most of the shorter one, and of these the ones that end together. */
function overlapping(
  volumes: readonly (readonly Placed[])[],
  isOne: (one: Placed, other: Placed) => boolean = () => true,
): { overlap: Set<number>; ended: Set<number> } {
  const all = volumes
    .flatMap((stalls, volume) => stalls.map((stall) => ({ ...stall, volume })))
    .toSorted((a, b) => a.start - b.start)
  const [overlap, ended] = [new Set<number>(), new Set<number>()]
  for (const [i, stall] of all.entries())
    for (let j = i + 1; j < all.length; j++) {
      const other = all[j]
      if (other === undefined || other.start >= stall.end) break
      if (other.volume === stall.volume) continue
      const shared = Math.min(stall.end, other.end) - other.start
      if (shared < 0.5 * Math.min(stall.end - stall.start, other.end - other.start)) continue
      if (!isOne(stall, other)) continue
      for (const { at } of [stall, other]) overlap.add(at)
      if (Math.abs(stall.end - other.end) > TOGETHER_MS + 2 * Math.max(stall.medianMs, other.medianMs)) continue
      for (const { at } of [stall, other]) ended.add(at)
    }
  return { overlap, ended }
}
