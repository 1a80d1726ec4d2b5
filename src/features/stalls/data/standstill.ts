import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { groupBy } from '../../../base/columns/group-by.ts'
import { sharedLength, unionOf } from '../../../base/spans.ts'
import type { Lane, Stall } from './lanes.ts'
import { begunIn, bytesWithin } from './rate.ts'
import {
  CHANCE,
  DRAWS,
  LEAST_STORAGES,
  MOVING_SHARE,
  NEIGHBOURHOOD,
  STALLED_SHARE,
  STANDSTILL_SHARE,
  TIMES_TOGETHER,
  WRITES_ON,
} from './tolerances.ts'

interface Standstill {
  /** Indices of stalls that occurred together. */
  readonly together: ReadonlySet<number>
  /** Share of the common time that chance alone would produce. */
  readonly chance: number
}

/**
 * Finds stalls that occurred together, among those that nothing else explains, which are given by start. Null: no
 * evidence.
 */
export async function standstills(
  lanes: readonly Lane[],
  stalls: readonly Stall[],
  random: () => number,
  step: () => Promise<void>,
): Promise<Standstill | null> {
  const together = new Set(episodesOf(stalls).flatMap((episode) => slowIn(lanes, stalls, episode)))
  const unions = groupBy(stalls, ({ lane }) => (lanes[lane] as Lane).volume).map(([, own]) => unionOf(own))
  if (together.size === 0) return null
  const longest = stalls.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  const overlapMs = sharedLength(unions, () => 0)
  let [sum, asMuch] = [0, 0]
  for (let draw = 0; draw < DRAWS; draw++) {
    await step()
    // The first volume is not moved.
    const moved = sharedLength(unions, (volume) => {
      const move = volume === 0 ? 0 : (1 + random() * (NEIGHBOURHOOD - 1)) * longest
      return random() < 0.5 ? -move : move
    })
    sum += moved
    if (moved >= overlapMs) asMuch++
    if (asMuch + 1 >= CHANCE * (DRAWS + 1)) return null
  }
  const chance = sum / DRAWS / overlapMs
  return chance * TIMES_TOGETHER > 1 ? null : { together, chance }
}

interface Episode {
  readonly start: number
  end: number
  readonly members: number[]
}

/** Groups of stalls that overlap in time, of any volume. */
function episodesOf(stalls: readonly Stall[]): Episode[] {
  const found: Episode[] = []
  for (const [i, { start, end }] of stalls.entries()) {
    const last = found.at(-1)
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end)
      last.members.push(i)
    } else found.push({ start, end, members: [i] })
  }
  return found
}

/**
 * Members of the episode whose environments are slow for most of it, if these are at least `LEAST_STORAGES`, on several
 * volumes, none of which writes on; otherwise none.
 */
function slowIn(lanes: readonly Lane[], stalls: readonly Stall[], { start, end, members }: Episode): readonly number[] {
  if (members.length < 2) return []
  const begunIn = ({ writes }: Lane): number => bisectNumbers(writes.start, end) - bisectNumbers(writes.start, start)
  const byLane = groupBy(members, (i) => (stalls[i] as Stall).lane)
  const slow = byLane.filter(([lane, own]) => {
    const slowMs = own.reduce((sum, i) => sum + (stalls[i] as Stall).end - (stalls[i] as Stall).start, 0)
    return slowMs >= STANDSTILL_SHARE * (end - start) && own.length >= STALLED_SHARE * begunIn(lanes[lane] as Lane)
  })
  const volumes = new Set(slow.map(([lane]) => (lanes[lane] as Lane).volume))
  const several = Math.min(LEAST_STORAGES, lanes.length)
  if (volumes.size < 2 || slow.length < several) return []
  const writesOn = [...volumes].some((volume) =>
    isWritingOn(
      lanes.filter((lane) => lane.volume === volume),
      start,
      end,
    ),
  )
  return writesOn ? [] : slow.flatMap(([, own]) => own)
}

/**
 * Whether the lanes of a volume write on: more than one write each, and nearly as many bytes as in the same time before and
 * after (`MOVING_SHARE`). Where writes are rare, those that a standstill holds back are all there are.
 */
function isWritingOn(lanes: readonly Lane[], start: number, end: number): boolean {
  const within = (from: number): number => bytesWithin(lanes, { start: from, end: from + end - start })
  return (
    begunIn(lanes, { start, end }) > WRITES_ON * lanes.length &&
    2 * within(start) >= MOVING_SHARE * (within(start - (end - start)) + within(end))
  )
}
