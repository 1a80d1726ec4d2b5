import { BYTES, completedBefore, rateOf, volumeOf, type Served, type VolumeWrites } from './completions.ts'
import { durationOf, rowsWithin, type Lane, type Stall } from './events.ts'
import { servedWhile } from './in-line.ts'
import { durationMsOf, isWithin, NEAR } from './rates.ts'
import { unionOf } from './spans.ts'
import { medianOf } from './statistics.ts'

/** Writes that begin so much before or after a stall are beside it, ms. */
const BESIDE_MS = 2000
/** Smaller writes than this share of a stall may cost what any write costs. */
const LEAST_SHARE = 1 / 16
/** Fewer beside the stalls tell nothing. */
const ENOUGH = 10
/** So many of the others are served at the rate of the stalls. */
const SAME_SHARE = 0.6
/** In a pause of a write's own length the volume served at most so much of its bytes. */
const IDLE_SHARE = 0.3
/** So many that took as long after a pause show that the device does no more. */
const ENOUGH_AFTER_PAUSE = 3
/** After a pause of so much of its own length, and a write that took so much of it; of so many of the stalls. */
const CHAIN = { pause: 0.1, before: 0.3, share: 0.5 }
/** Stalls that are looked at, and writes of a lane beside each. */
const MOST_STALLS = 200
const MOST_BESIDE = 1000

/**
 * Whether all that is written beside the stalls `sized` follows one after the other at one rate: then nothing tells what the device does
 * from what a limit lets through. After a pause it would tell: a limit lets a write through at once for which the device takes its time.
 * `ids`: lanes of the volume.
 */
export function isOneRate(lanes: readonly Lane[], ids: readonly number[], sized: readonly Stall[]): boolean {
  if (sized.length === 0) return false
  const volume = volumeOf(lanes, ids)
  const rate = medianOf(sized.map((stall) => stall.bytes / durationMsOf(stall)))
  const leastBytes = LEAST_SHARE * medianOf(sized.map(({ bytes }) => bytes))
  const stalls = new Set(sized.map(({ lane, row }) => `${lane} ${row}`))
  const atRate = (of: number): boolean => isWithin(of, rate, NEAR)
  let [others, same, afterPause] = [0, 0, 0]
  for (const { id, row, start, end, bytes } of writesBeside(volume, sized)) {
    const before = bytes < leastBytes ? null : completedBefore(volume, end)
    const pauseMs = before === null ? Number.POSITIVE_INFINITY : start - before.end
    // Writes that were not reported one by one leave gaps that were no pauses.
    if (pauseMs > BESIDE_MS) continue
    const fromMs = start - bytes / rate
    if (servedWhile(BYTES, volume, { start: fromMs, end: start }, IDLE_SHARE * bytes) <= IDLE_SHARE * bytes) {
      if (atRate(bytes / durationMsOf({ start, end }))) afterPause++
    } else if (!stalls.has(`${id} ${row}`)) {
      others++
      if (atRate(rateOf(BYTES, volume, { start, end, bytes }))) same++
    }
  }
  return others >= ENOUGH && same >= SAME_SHARE * others && afterPause < ENOUGH_AFTER_PAUSE
}

/**
 * Whether most of the stalls follow at once a write of their lane that took about as long: what waited is written with the next one, and
 * its size follows from the time rather than the time from its size. Long data tell which.
 */
export function areInChains(lanes: readonly Lane[], sized: readonly Stall[]): boolean {
  const chained = sized.filter((stall) => {
    const { writes } = lanes[stall.lane] as Lane
    const before = stall.row - 1
    const durationMs = durationMsOf(stall)
    const pauseMs = stall.start - (writes.end[before] ?? Number.NEGATIVE_INFINITY)
    return pauseMs <= CHAIN.pause * durationMs && durationOf(writes, before) >= CHAIN.before * durationMs
  })
  return chained.length >= CHAIN.share * sized.length
}

interface WriteBeside extends Served {
  readonly id: number
  readonly row: number
}

/** Writes beside some of the stalls, evenly. */
function writesBeside(volume: VolumeWrites, stalls: readonly Stall[]): WriteBeside[] {
  const step = Math.ceil(stalls.length / MOST_STALLS)
  const some = stalls.filter((_, at) => at % step === 0)
  const near = unionOf(some.map(({ start, end }) => ({ start: start - BESIDE_MS, end: end + BESIDE_MS })))
  const found: WriteBeside[] = []
  for (const { id, writes } of volume)
    for (const span of near) {
      const [first, last] = rowsWithin(writes, span.start, span.end)
      for (let row = first; row < Math.min(last, first + MOST_BESIDE); row++)
        found.push({
          id,
          row,
          start: writes.start[row] as number,
          end: writes.end[row] as number,
          bytes: writes.bytes[row] as number,
        })
    }
  return found
}
