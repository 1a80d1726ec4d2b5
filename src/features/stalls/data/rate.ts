import { bisectNumbers, bisectRight } from '../../../base/columns/bisect.ts'
import { groupBy } from '../../../base/columns/group-by.ts'
import type { SteadyRate } from '../contract.ts'
import { durationOf, type Events, type Lane, type Stall } from './lanes.ts'
import { lengthOf } from '../../../base/spans.ts'
import { medianOf } from '../../../base/statistics/quantile.ts'
import {
  FASTER_ELSEWHERE,
  LEAST_PEERS,
  LEAST_PERIODS,
  LIMIT_BYTES,
  LIMIT_SHARE,
  LIMIT_SPREAD,
  LIMIT_STALLED,
  PEERS_SHARE,
  PERIOD_GAP,
  PERIOD_STALLS,
  RATE_FACTOR,
  SHORT_PERIOD_STALLS,
  SIZE_FACTOR,
} from './tolerances.ts'

/** Number of steps in an octave, and in total. */
const STEPS = 16
const [SIZES, RATES] = [40 * STEPS, 40 * STEPS]
/** Negative base-2 logarithm of the lowest rate, bytes per ms. */
const LOG_RATE_OFFSET = 12

const sizeStep = (bytes: number): number => clamp(Math.round(Math.log2(bytes) * STEPS), SIZES)
const rateStep = (bytes: number, ms: number): number =>
  clamp(Math.round((Math.log2(bytes / Math.max(ms, 0.01)) + LOG_RATE_OFFSET) * STEPS), RATES)
const clamp = (step: number, length: number): number => Math.max(0, Math.min(length - 1, step))

/** Counts of an environment's writes by size and rate, in fractions of an octave. */
class RateTable {
  readonly #counts = new Uint32Array(SIZES * RATES)
  readonly #ofSize = new Uint32Array(SIZES)

  constructor(writes: Events) {
    for (let row = 0; row < writes.start.length; row++) {
      const bytes = writes.bytes[row] as number
      if (!(bytes > 0)) continue
      const size = sizeStep(bytes)
      const at = size * RATES + rateStep(bytes, durationOf(writes, row))
      this.#counts[at] = (this.#counts[at] as number) + 1
      this.#ofSize[size] = (this.#ofSize[size] as number) + 1
    }
  }

  /** Number of other writes of about this size, and of those with about this rate. */
  peersOf(bytes: number, ms: number, factor = SIZE_FACTOR): { readonly peers: number; readonly alike: number } {
    const [size, rate] = [sizeStep(bytes), rateStep(bytes, ms)]
    const [bySize, byRate] = [Math.round(Math.log2(factor) * STEPS), Math.round(Math.log2(RATE_FACTOR) * STEPS)]
    let [peers, alike] = [-1, -1]
    for (let s = Math.max(0, size - bySize); s <= Math.min(SIZES - 1, size + bySize); s++) {
      peers += this.#ofSize[s] as number
      for (let r = Math.max(0, rate - byRate); r <= Math.min(RATES - 1, rate + byRate); r++)
        alike += this.#counts[s * RATES + r] as number
    }
    // Rare sizes are compared within the squared factor, i.e. a range twice as wide.
    return peers < LEAST_PEERS && factor === SIZE_FACTOR ? this.peersOf(bytes, ms, factor ** 2) : { peers, alike }
  }
}

/**
 * For each stall, the share of its environment's writes of about its size that have about its rate. 0: there are too
 * few such writes, or the share is below `PEERS_SHARE`.
 */
export async function ownRates(
  lanes: readonly Lane[],
  stalls: readonly Stall[],
  step: () => Promise<void>,
): Promise<Float64Array> {
  const shares = new Float64Array(stalls.length)
  const byLane = new Map(groupBy([...stalls.keys()], (i) => (stalls[i] as Stall).lane))
  for (const [lane, own] of byLane) {
    await step()
    const table = new RateTable((lanes[lane] as Lane).writes)
    for (const i of own) {
      const { bytes, start, end } = stalls[i] as Stall
      if (!(bytes > 0)) continue
      const { peers, alike } = table.peersOf(bytes, end - start)
      if (peers >= LEAST_PEERS && alike >= PEERS_SHARE * peers) shares[i] = alike / peers
    }
  }
  return shares
}

/** Rate that a volume did not exceed in its slow periods. */
interface Limit {
  readonly rate: SteadyRate
  /** Share of the slow time in which the volume has this rate. */
  readonly share: number
  /** Whether the stall is in a period with this rate. */
  readonly isWithin: (stall: Stall) => boolean
}

interface Period {
  readonly start: number
  end: number
  stalls: number
}

/**
 * Finds a rate that a volume has in all of its long slow periods and exceeds at other times. Null: there is none.
 * `stalls`: those of the volume, by start.
 */
export function limitOf(lanes: readonly Lane[], stalls: readonly Stall[]): Limit | null {
  const typical = medianOf(stalls.map(({ start, end }) => end - start))
  const all: Period[] = []
  for (const { start, end } of stalls) {
    const last = all.at(-1)
    if (last !== undefined && start <= last.end + PERIOD_GAP * typical) {
      last.end = Math.max(last.end, end)
      last.stalls++
    } else all.push({ start, end, stalls: 1 })
  }
  // Behind a limit many writes stall at a time, not only some of them.
  const longerThan = (most: number): Period[] =>
    all.filter((each) => each.end - each.start >= most * typical && each.stalls >= LIMIT_STALLED * begunIn(lanes, each))
  const periods = longerThan(PERIOD_STALLS)
  if (periods.length < LEAST_PERIODS) return null
  const rateOf = (period: Period): number => bytesWithin(lanes, period) / (period.end - period.start)
  const rate = medianOf(periods.map(rateOf))
  const hasRate = (spread: number) => (period: Period) => Math.abs(rateOf(period) / rate - 1) <= spread
  const steady = periods.filter(hasRate(LIMIT_SPREAD))
  const share = lengthOf(steady) / lengthOf(periods)
  if (steady.length < LEAST_PERIODS || share < LIMIT_SHARE || !isFasterElsewhere(lanes, periods, rate)) return null
  if (!waitForBytes(lanes, steady, stalls)) return null
  // A short period with about the same rate has the limit, too. The tolerance is doubled, since its edges are a larger
  // part of it.
  const limited = longerThan(SHORT_PERIOD_STALLS).filter(hasRate(2 * LIMIT_SPREAD))
  return {
    rate: { bytesPerSecond: rate * 1000, of: 'volume' },
    share,
    isWithin: isIn(limited),
  }
}

/** Whether a stall is in one of the periods, which are sorted and do not overlap. */
function isIn(periods: readonly Period[]): (stall: Stall) => boolean {
  const starts = periods.map(({ start }) => start)
  return ({ start, end }) => (periods[bisectRight(starts, start) - 1]?.end ?? 0) >= end
}

export const begunIn = (lanes: readonly Lane[], { start, end }: Pick<Period, 'start' | 'end'>): number =>
  lanes.reduce((sum, { writes }) => sum + bisectNumbers(writes.start, end) - bisectNumbers(writes.start, start), 0)

/** Bytes of the writes that began and ended within that time. */
export function bytesWithin(lanes: readonly Lane[], { start, end }: Pick<Period, 'start' | 'end'>): number {
  let sum = 0
  for (const { writes } of lanes)
    for (let row = bisectNumbers(writes.start, start); row < writes.start.length; row++) {
      if ((writes.start[row] as number) >= end) break
      if ((writes.end[row] as number) <= end) sum += writes.bytes[row] as number
    }
  return sum
}

/**
 * Whether writes stall when more bytes of the volume are in flight: behind a limit each write waits until those before
 * it have completed. A steady rate alone is no proof: if writes are slow at random for a while, a client that waits for
 * each of its writes has a steady rate, too.
 */
function waitForBytes(lanes: readonly Lane[], periods: readonly Period[], stalls: readonly Stall[]): boolean {
  const stalled = new Set(stalls.map(({ start, end }) => `${String(start)} ${String(end)}`))
  const writes = periods
    .flatMap((period) => underWay(lanes, period))
    .map(({ start, end, bytes }) => ({ bytes, isStalled: stalled.has(`${String(start)} ${String(end)}`) }))
    .toSorted((a, b) => a.bytes - b.bytes)
  // Counts, over all pairs of a stalled write and another, those in which more bytes are in flight at the stalled one.
  // By chance it is half of them.
  let [others, more] = [0, 0]
  for (const [, alike] of groupBy(writes, ({ bytes }) => bytes)) {
    const own = alike.filter(({ isStalled }) => isStalled).length
    more += own * (others + (alike.length - own) / 2)
    others += alike.length - own
  }
  return more >= LIMIT_BYTES * others * (writes.length - others)
}

/** Writes that began and ended within a period, each with the bytes of the volume in flight when it had begun. */
function underWay(lanes: readonly Lane[], { start, end }: Period): { start: number; end: number; bytes: number }[] {
  const writes = lanes.flatMap(({ writes: all }) => {
    const [from, to] = [bisectNumbers(all.start, start), bisectNumbers(all.start, end)]
    return Array.from({ length: to - from }, (_, i) => ({
      start: all.start[from + i] as number,
      end: all.end[from + i] as number,
      bytes: all.bytes[from + i] as number,
    })).filter((write) => write.end <= end)
  })
  const ends = writes.toSorted((a, b) => a.end - b.end)
  let [sum, ended] = [0, 0]
  return writes
    .toSorted((a, b) => a.start - b.start)
    .map((write) => {
      for (; (ends[ended]?.end ?? Number.POSITIVE_INFINITY) <= write.start; ended++) sum -= ends[ended]?.bytes ?? 0
      sum += write.bytes
      return { start: write.start, end: write.end, bytes: sum }
    })
}

/**
 * Whether the volume wrote faster than the limit, by `FASTER_ELSEWHERE`, just before or after some period, for a tenth
 * of its length.
 */
function isFasterElsewhere(lanes: readonly Lane[], periods: readonly Period[], rate: number): boolean {
  return periods.some(({ start, end }, i) => {
    const span = (end - start) / 10
    const [from, to] = [periods[i - 1]?.end ?? start - (end - start), periods[i + 1]?.start ?? end + (end - start)]
    for (let at = from; at + span <= to; at += span) {
      const isInside = at + span > start && at < end
      if (!isInside && bytesWithin(lanes, { start: at, end: at + span }) > FASTER_ELSEWHERE * rate * span) return true
    }
    return false
  })
}
