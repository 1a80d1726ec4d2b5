import type { Measure, VolumeWrites } from './completions.ts'
import { durationOf, type Stall } from './events.ts'
import { APART_MS, durationMsOf } from './rates.ts'
import { covers, unionOf, type Span } from './spans.ts'
import { medianOf, quantileOf } from './statistics.ts'

/** At other times the same bytes go so many times as fast, or it is the device's own speed. */
const FASTER = 2.5
const ENOUGH_FASTER = 5
/** So many of the others, at least; what waits in a short queue is no stall, but slow. */
const FASTER_SHARE = 0.25
/** Few writes that are far faster tell enough of bytes, whose rate is steady whatever the size; a handful where it is exact. */
const FASTER_SHARE_OF = { bytes: 0.005, operations: FASTER_SHARE }
/** At the limit a write that shows the speed of the device would take so long, ms: clocks are no more exact than a ms. */
const TELLING_MS = 10
/** Shorter durations may be this long, ms, where times are whole ms. */
const CLOCK_MS = 1
/** Sizes within this factor are about the same. */
const SIMILAR = 1.5
/** In windows of this length, ms, so many times the limit is more than it lets through. */
const WINDOW_MS = 1000
const EXCEEDED = 1.25
/** Of a write that lasted for longer only the last ones count: as long as a file may say that one lasted, none of them would exceed anything. */
const MOST_WINDOWS = 3600

/**
 * Whether the device can do more: writes of about the same size that are not at the ceiling take much less time; or, since what
 * waits is committed together and is larger than anything else, writes out of slow periods exceed the limit, each for itself.
 */
export function isFasterElsewhere(
  measure: Measure,
  volume: VolumeWrites,
  stalls: readonly Stall[],
  best: number,
  isExact: boolean,
): boolean {
  const sizes = stalls.map((stall) => stall.bytes)
  const bytes = medianOf(sizes)
  // A small write costs more for each of its bytes, so that it shows as well what the device can do.
  const leastBytes =
    measure.unit === 'bytes' ? Math.min(bytes / SIMILAR, best * TELLING_MS) : quantileOf(sizes, 0.1) / SIMILAR
  // At the limit it would take so long by itself; a stall takes longer where others are in line before it.
  const ownMs = Math.min(medianOf(stalls.map(durationMsOf)), measure.amountOf(bytes) / best)
  const slowTimes = unionOf(stalls.map(({ start, end }) => ({ start: start - APART_MS, end: end + APART_MS })))
  const slow = new Map<number, Set<number>>()
  for (const { lane, row } of stalls) slow.set(lane, (slow.get(lane) ?? new Set()).add(row))
  const durations: number[] = []
  let [compared, faster] = [0, 0]
  for (const { id, writes } of volume) {
    const own = slow.get(id)
    for (let row = 0; row < writes.start.length; row++) {
      const size = writes.bytes[row] as number
      if (size < leastBytes || own?.has(row) === true) continue
      const durationMs = Math.max(CLOCK_MS, durationOf(writes, row))
      if (size >= bytes / SIMILAR && size <= bytes * SIMILAR) durations.push(durationMs)
      // Where a limit is exact, what is faster beside its stalls took what was left in the bucket.
      if (!isExact && covers(slowTimes, writes.start[row] as number)) continue
      compared++
      // Most of the others may be at the limit as well: what waits in a short queue is slow, but no stall.
      if (measure.amountOf(size) / durationMs >= FASTER * best) faster++
    }
  }
  const enough = isExact ? ENOUGH_FASTER : Math.max(ENOUGH_FASTER, FASTER_SHARE_OF[measure.unit] * compared)
  return (
    faster >= enough ||
    (durations.length >= ENOUGH_FASTER && quantileOf(durations, FASTER_SHARE) * FASTER <= ownMs) ||
    isExceeded(measure, volume, slowTimes, best)
  )
}

/** Whether the volume took more than the limit in several seconds out of slow periods, in whatever sizes. */
function isExceeded(measure: Measure, volume: VolumeWrites, slowTimes: readonly Span[], best: number): boolean {
  const amounts = new Map<number, number>()
  for (const { writes } of volume)
    for (let row = 0; row < writes.start.length; row++) {
      if (covers(slowTimes, writes.start[row] as number)) continue
      // Evenly over the time that it took, of which a part lies in each window.
      const end = writes.end[row] as number
      const durationMs = Math.max(0.01, durationOf(writes, row))
      const perMs = measure.amountOf(writes.bytes[row] as number) / durationMs
      const last = Math.floor(end / WINDOW_MS)
      const first = Math.max(Math.floor((end - durationMs) / WINDOW_MS), last - MOST_WINDOWS)
      for (let window = first; window <= last; window++) {
        const from = Math.max(end - durationMs, window * WINDOW_MS)
        const ms = Math.min(end, (window + 1) * WINDOW_MS) - from
        amounts.set(window, (amounts.get(window) ?? 0) + perMs * ms)
      }
    }
  let exceeded = 0
  for (const amount of amounts.values()) if (amount > EXCEEDED * best * WINDOW_MS) exceeded++
  return exceeded >= ENOUGH_FASTER
}
