import type { Lane, Stall } from './events.ts'
import { binomialTail, medianOf, quantileOf } from './statistics.ts'

/** Rates within this factor are the same rate. */
const SAME = 1.15
/** A stall that belongs to the ceiling is within this factor of it. */
const NEAR = 1.35
/** Slow periods are apart by at least this, ms. */
const APART_MS = 2000
const ENOUGH_PERIODS = 3
const ENOUGH_STALLS = 6
/** At other times the same bytes go so many times as fast, or it is the device's own speed. */
const FASTER = 2.5
/** Sizes must differ by this factor (10th to 90th percentile), or a steady rate says nothing about bytes. */
const SPREAD = 1.5
/** Stalls that would be at one rate by chance, where rates spread over a decade. */
const BY_CHANCE = 0.25

export interface Ceiling {
  /** Stalls at it, as indices. */
  readonly stalls: ReadonlySet<number>
  readonly bytesPerMs: number
  readonly periods: number
}

/**
 * A limit of bytes per second (a throttled volume, an empty burst bucket): in several slow periods the bytes of a write,
 * over the time since the write before was complete, are one steady rate, whatever the size; and much faster elsewhere.
 * `stalls`: those of one volume that nothing else explains, as indices into `all`.
 */
export function findCeiling(
  lanes: readonly Lane[],
  laneIds: readonly number[],
  all: readonly Stall[],
  stalls: readonly number[],
): Ceiling | null {
  if (stalls.length < ENOUGH_STALLS) return null
  const completions = completionsOf(lanes, laneIds)
  const rates = stalls.map((at) => rateOf(completions, all[at] as Stall))
  const best = densest(rates)
  if (best === null) return null
  const at = stalls.filter((_, i) => isWithin(rates[i] as number, best, SAME))
  if (at.length < ENOUGH_STALLS || binomialTail(at.length, stalls.length, BY_CHANCE) > 1e-4) return null
  const found = at.map((index) => all[index] as Stall)
  const periods = periodsOf(found)
  if (periods < ENOUGH_PERIODS) return null
  const sizes = found.map(({ bytes }) => bytes)
  if (quantileOf(sizes, 0.9) < SPREAD * quantileOf(sizes, 0.1)) return null
  if (elsewhere(lanes, laneIds, medianOf(sizes), found) < FASTER * best) return null
  const near = stalls.filter((_, i) => isWithin(rates[i] as number, best, NEAR))
  return { stalls: new Set(near), bytesPerMs: best, periods }
}

const isWithin = (rate: number, of: number, factor: number): boolean => rate <= of * factor && rate >= of / factor

/** Ends and bytes of all writes of a volume, by end. */
interface Completions {
  readonly end: Float64Array
}

function completionsOf(lanes: readonly Lane[], laneIds: readonly number[]): Completions {
  const ends: number[] = []
  for (const lane of laneIds) for (const end of lanes[lane]?.writes.end ?? []) ends.push(end)
  return { end: Float64Array.from(ends).toSorted() }
}

/** Bytes per ms of the time between the completion before and its own. */
function rateOf({ end }: Completions, stall: Stall): number {
  let low = 0
  let high = end.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((end[middle] as number) < stall.end) low = middle + 1
    else high = middle
  }
  // A write that had a pause before it cannot have been served before it came.
  const before = Math.max(end[low - 1] ?? stall.start, stall.start)
  return stall.bytes / Math.max(0.01, stall.end - before)
}

/** The rate around which most stalls lie; null: there are none. */
function densest(rates: readonly number[]): number | null {
  const sorted = rates.filter((rate) => rate > 0).toSorted((a, b) => a - b)
  let [best, count] = [null as number | null, 0]
  let to = 0
  for (let from = 0; from < sorted.length; from++) {
    to = Math.max(to, from)
    while (to < sorted.length && (sorted[to] as number) <= (sorted[from] as number) * SAME * SAME) to++
    if (to - from <= count) continue
    count = to - from
    best = sorted[Math.floor((from + to - 1) / 2)] as number
  }
  return best
}

function periodsOf(stalls: readonly Stall[]): number {
  let [periods, end] = [0, Number.NEGATIVE_INFINITY]
  for (const stall of stalls) {
    if (stall.start > end + APART_MS) periods++
    end = Math.max(end, stall.end)
  }
  return periods
}

/** Median rate of writes of about the same size that did not stall, bytes per ms; infinite where there are none. */
function elsewhere(
  lanes: readonly Lane[],
  laneIds: readonly number[],
  bytes: number,
  stalls: readonly Stall[],
): number {
  const slow = new Set(stalls.map(({ lane, row }) => `${lane} ${row}`))
  const rates: number[] = []
  for (const lane of laneIds) {
    const writes = lanes[lane]?.writes
    if (writes === undefined) continue
    for (let row = 0; row < writes.start.length; row++) {
      const size = writes.bytes[row] as number
      if (size < bytes / 3 || size > bytes * 3 || slow.has(`${lane} ${row}`)) continue
      rates.push(size / Math.max(0.01, (writes.end[row] as number) - (writes.start[row] as number)))
    }
  }
  return rates.length === 0 ? Number.POSITIVE_INFINITY : medianOf(rates)
}
