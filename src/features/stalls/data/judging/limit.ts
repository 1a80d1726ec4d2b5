import {
  BYTES,
  completedBefore,
  OPERATIONS,
  rateOf,
  ratesOf,
  type Measure,
  type Served,
  type VolumeWrites,
} from './completions.ts'
import type { Stall } from './events.ts'
import { isFasterElsewhere } from './faster-elsewhere.ts'
import { APART_MS, durationMsOf, isWithin, NEAR } from './rates.ts'
import { binomialTail, medianOf, quantileOf, spreadOf } from './statistics.ts'

/** Fewer do not tell a limit from what was slow for a while. */
export const ENOUGH_PERIODS = 3
export const ENOUGH_STALLS = 6
/**
 * Sizes must differ by this factor (10th to 90th percentile), or a steady rate says nothing about bytes, unless it is so many times
 * as steady as that of operations.
 */
const SPREAD = 1.5
const STEADIER = 5
/** Stalls that would be at one rate by chance, where rates spread over a decade. */
const BY_CHANCE = 0.25
/**
 * A limit holds for one write after the other; delays of one length that come alone are none, unless bytes by time are one rate
 * exactly (median deviation of the logarithms).
 */
const CHAINED_SHARE = { least: 0.4, ofExact: 0.2 }
const EXACT = 0.02
/** So far the write before a stall is from the limit, as a logarithm, where that holds for writes that are no stalls as well. */
const ALIKE_BEFORE = 0.15
/** It was complete so much of a stall before that began, at most. */
const CLOSE_BEFORE = 0.3
/** So many times as many writes are at a rate by their own duration, where it is that of the device. */
const OWN_SPEED = 1.25
/** A write before is looked for among so many completions. */
const LOOK_BACK = 20

/** Stalls of a volume, each with how fast it was served: by itself, and with those before it. */
export interface Rated {
  readonly stalls: readonly Stall[]
  /** Amounts per ms. */
  readonly rates: readonly number[]
  readonly paces: readonly number[]
}

export interface Limit {
  /** Amount per ms. */
  readonly rate: number
  readonly chained: readonly Stall[]
  readonly periods: number
}

export const areSpread = (sizes: readonly number[]): boolean =>
  quantileOf(sizes, 0.9) >= SPREAD * quantileOf(sizes, 0.1)

/**
 * The one rate at which stalls were served in several slow periods; null: there is none, or the device does no more. `isOfSizes`: it is
 * known that writes of different sizes keep it.
 */
export function limitOf(
  measure: Measure,
  volume: VolumeWrites,
  { stalls, rates: single, paces }: Rated,
  servedBy: typeof rateOf,
  isOfSizes = false,
): Limit | null {
  const rates = servedBy === rateOf ? single : paces
  const rate = densest(rates, measure.same)
  if (rate === null) return null
  const found = stalls.filter((_, i) => isWithin(rates[i] as number, rate, measure.same))
  if (found.length < ENOUGH_STALLS || binomialTail(found.length, stalls.length, BY_CHANCE) > 1e-4) return null
  if (measure.unit === 'bytes' && isOwnSpeed(stalls, found.length, rate)) return null
  const periods = periodsOf(found)
  const spread = spreadOf(rates.filter((each) => isWithin(each, rate, measure.same)))
  const isExact = measure.unit === 'bytes' && spread <= EXACT
  const chainedShare = isExact ? CHAINED_SHARE.ofExact : CHAINED_SHARE.least
  const chained = found.filter((stall) => isChained(measure, volume, stall, rate))
  // In a pause of its own length a bucket gains what the write needs, so that only a slow device delays it then.
  const close = chained.filter((stall) => isChained(measure, volume, stall, rate, durationMsOf(stall)))
  if (periods < ENOUGH_PERIODS || close.length < chainedShare * found.length) return null
  if (measure.unit === 'operations' && !isAlikeBefore(volume, found, rate, (write) => servedBy(measure, volume, write)))
    return null
  const sizes = found.flatMap((stall) => sizesAt(measure, volume, stall, rate))
  const isOfBytes =
    isOfSizes || areSpread(sizes) || (isExact && STEADIER * spread <= spreadOf(ratesOf(OPERATIONS, volume, found)))
  if (!isOfBytes && measure.unit === 'bytes') return null
  // One rate exactly, which writes share and none has by itself, is no device's own speed, though it is never exceeded.
  const isShared = isExact && spreadOf(found.map((each) => each.bytes / durationMsOf(each))) >= STEADIER * spread
  return isShared || isFasterElsewhere(measure, volume, found, rate, isExact) ? { rate, chained, periods } : null
}

/**
 * Whether writes that are complete just before a stall are at its rate as well. Of what varies only the longest are stalls, and those that
 * are hardly longer than the least stall are alike, whatever takes their time.
 */
function isAlikeBefore(
  volume: VolumeWrites,
  stalls: readonly Stall[],
  rate: number,
  servedBy: (write: Served) => number,
): boolean {
  const apart = stalls.flatMap((stall) => {
    const before = completedBefore(volume, stall.end)
    if (before === null || stall.start - before.end > CLOSE_BEFORE * durationMsOf(stall)) return []
    const apartBy = Math.abs(Math.log(servedBy(before) / rate))
    return Number.isNaN(apartBy) ? [] : [apartBy]
  })
  return medianOf(apart) <= ALIKE_BEFORE
}

/**
 * Whether far more writes are at this rate by their own duration than by the time between completions: then each takes as long as its
 * bytes take, also while others are under way, and they share no limit.
 */
function isOwnSpeed(stalls: readonly Stall[], shared: number, rate: number): boolean {
  const own = stalls.filter((stall) => isWithin(stall.bytes / durationMsOf(stall), rate, BYTES.same))
  return own.length >= OWN_SPEED * shared
}

/** Of a stall, and of the write before it if that was at the same rate: it need not stall, so that sizes are not all large. */
function sizesAt(measure: Measure, volume: VolumeWrites, { end, bytes }: Stall, rate: number): number[] {
  const before = completedBefore(volume, end)
  return before !== null && isWithin(rateOf(measure, volume, before), rate, measure.same)
    ? [bytes, before.bytes]
    : [bytes]
}

/** Whether the write before it, of a comparable size, was at the same rate. */
function isChained(measure: Measure, volume: VolumeWrites, stall: Stall, best: number, apartMs = APART_MS): boolean {
  let { end } = stall
  for (let i = 0; i < LOOK_BACK; i++) {
    const before = completedBefore(volume, end)
    if (before === null || before.end < stall.start - apartMs) return false
    end = before.end
    if (measure.unit === 'bytes' && before.bytes < stall.bytes / 4) continue
    return isWithin(rateOf(measure, volume, before), best, NEAR)
  }
  return false
}

/** The rate around which most stalls lie; null: there are none. */
function densest(rates: readonly number[], same: number): number | null {
  const sorted = rates.filter((rate) => rate > 0).toSorted((a, b) => a - b)
  let [best, count] = [null as number | null, 0]
  let to = 0
  for (let from = 0; from < sorted.length; from++) {
    to = Math.max(to, from)
    while (to < sorted.length && (sorted[to] as number) <= (sorted[from] as number) * same * same) to++
    if (to - from <= count) continue
    count = to - from
    best = sorted[Math.floor((from + to - 1) / 2)] as number
  }
  return best
}

/** Slow periods of stalls, by start, that are apart. */
export function periodsOf(stalls: readonly Stall[]): number {
  let [periods, end] = [0, Number.NEGATIVE_INFINITY]
  for (const stall of stalls) {
    if (stall.start > end + APART_MS) periods++
    end = Math.max(end, stall.end)
  }
  return periods
}
