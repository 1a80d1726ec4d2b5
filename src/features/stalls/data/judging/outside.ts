import { groupBy } from '../../../../base/columns/group-by.ts'
import type { Lane, Stall } from './events.ts'
import { poissonTail } from './statistics.ts'

const SHIFTS = 100
const ENOUGH = 3
const SURE = 0.0005
/** Neighbourhood of a shift, ms. */
const NEAR_MS = 30_000

export interface Outside {
  /** Stalls that overlap one on another volume, as indices. */
  readonly together: ReadonlySet<number>
  readonly expected: number
  readonly isMoreThanChance: boolean
}

/** Whether stalls of volumes that share nothing come together more often than chance: something outside of all of them. */
export function findOutside(
  lanes: readonly Lane[],
  all: readonly Stall[],
  stalls: readonly number[],
  random: () => number,
): Outside {
  const volumes = groupBy(stalls, (at) => lanes[(all[at] as Stall).lane]?.volume ?? '').map(([, ids]) => ids)
  if (volumes.length < 2) return { together: new Set(), expected: 0, isMoreThanChance: false }
  const together = overlapping(volumes.map((ids) => ids.map((at) => ({ ...(all[at] as Stall), at }))))
  let sum = 0
  for (let shift = 0; shift < SHIFTS; shift++) {
    const moved = volumes.map((ids, i) =>
      i === 0
        ? ids.map((at) => ({ ...(all[at] as Stall), at }))
        : ids.map((at) => {
            const stall = all[at] as Stall
            const offset = (random() < 0.5 ? -1 : 1) * (stall.end - stall.start + random() * NEAR_MS)
            return { ...stall, at, start: stall.start + offset, end: stall.end + offset }
          }),
    )
    sum += overlapping(moved).size
  }
  const expected = sum / SHIFTS
  const isMoreThanChance =
    together.size >= 2 * ENOUGH && poissonTail(Math.floor(together.size / 2), expected / 2 + 0.05) < SURE
  return { together, expected, isMoreThanChance }
}

type Placed = Stall & { readonly at: number }

/** Stalls that overlap one of another volume by most of the shorter one. */
function overlapping(volumes: readonly (readonly Placed[])[]): Set<number> {
  const all = volumes
    .flatMap((stalls, volume) => stalls.map((stall) => ({ ...stall, volume })))
    .toSorted((a, b) => a.start - b.start)
  const found = new Set<number>()
  for (const [i, stall] of all.entries())
    for (let j = i + 1; j < all.length; j++) {
      const other = all[j]
      if (other === undefined || other.start >= stall.end) break
      if (other.volume === stall.volume) continue
      const shared = Math.min(stall.end, other.end) - other.start
      if (shared < 0.5 * Math.min(stall.end - stall.start, other.end - other.start)) continue
      found.add(stall.at)
      found.add(other.at)
    }
  return found
}
