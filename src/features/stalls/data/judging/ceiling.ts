import { bisectLeft, bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { CeilingLimit } from '../../contract.ts'
import { durationOf, type Lane, type Stall, type WriteRef } from './events.ts'
import { binomialTail, medianOf, quantileOf } from './statistics.ts'

/** A stall that belongs to the ceiling is within this factor of it. */
const NEAR = 1.35
/** The first of a slow period takes what is left in a burst bucket, too: it may be so many times as fast. */
const LEFT_OVER = 4
/** Slow periods are apart by at least this, ms. */
const APART_MS = 2000
const ENOUGH_PERIODS = 3
const ENOUGH_STALLS = 6
/** At other times the same bytes go so many times as fast, or it is the device's own speed. */
const FASTER = 2.5
const ENOUGH_FASTER = 5
/** So many of the others, at least; what waits in a short queue is no stall, but slow. */
const FASTER_SHARE = 0.25
/** Sizes within this factor are about the same. */
const SIMILAR = 1.5
/** Sizes must differ by this factor (10th to 90th percentile), or a steady rate says nothing about bytes. */
const SPREAD = 1.5
/** Stalls that would be at one rate by chance, where rates spread over a decade. */
const BY_CHANCE = 0.25
/** A limit holds for one write after the other; delays of one length that come alone are none. */
const CHAINED_SHARE = 0.4
/** A write before is looked for among so many completions. */
const LOOK_BACK = 20

interface Measure {
  readonly unit: CeilingLimit['unit']
  readonly amountOf: (bytes: number) => number
  /** Rates within this factor are the same rate. */
  readonly same: number
}

const BYTES: Measure = { unit: 'bytes', amountOf: (bytes) => bytes, same: 1.15 }
/** Only its steadiness distinguishes a limit of operations from a slow device. */
const OPERATIONS: Measure = { unit: 'operations', amountOf: () => 1, same: 1.06 }

export interface Ceiling {
  /** Stalls at it, as indices. */
  readonly stalls: ReadonlySet<number>
  readonly limit: CeilingLimit
}

/**
 * A limit per second (a throttled volume, an empty burst bucket): in several slow periods the bytes of a write, over the
 * time since the write before was complete, are one steady rate, whatever the size; and much faster elsewhere. Failing that,
 * the operations. `stalls`: those of one volume, as indices into `all`.
 */
export function findCeiling(
  lanes: readonly Lane[],
  laneIds: readonly number[],
  all: readonly Stall[],
  stalls: readonly number[],
): Ceiling | null {
  const volume = laneIds.map((id) => ({ id, writes: (lanes[id] as Lane).writes }))
  return ceilingOf(BYTES, volume, all, stalls) ?? ceilingOf(OPERATIONS, volume, all, stalls)
}

type Volume = readonly { readonly id: number; readonly writes: Lane['writes'] }[]

function ceilingOf(measure: Measure, volume: Volume, all: readonly Stall[], stalls: readonly number[]): Ceiling | null {
  if (stalls.length < ENOUGH_STALLS) return null
  const rates = stalls.map((at) => rateOf(measure, volume, all[at] as Stall))
  const best = densest(rates, measure.same)
  if (best === null) return null
  const at = stalls.filter((_, i) => isWithin(rates[i] as number, best, measure.same))
  if (at.length < ENOUGH_STALLS || binomialTail(at.length, stalls.length, BY_CHANCE) > 1e-4) return null
  const found = at.map((index) => all[index] as Stall)
  const periods = periodsOf(found)
  const chained = found.filter((stall) => isChained(measure, volume, stall, best))
  if (periods < ENOUGH_PERIODS || chained.length < CHAINED_SHARE * found.length) return null
  const sizes = found.map(({ bytes }) => bytes)
  const isSpread = quantileOf(sizes, 0.9) >= SPREAD * quantileOf(sizes, 0.1)
  if (!isSpread && measure.unit === 'bytes') return null
  if (!isFasterElsewhere(volume, found)) return null
  const near = atLimit(stalls, all, rates, best, chained)
  return { stalls: new Set(near), limit: { unit: measure.unit, perSecond: best * 1000, periods } }
}

/** Stalls at about the limit and near one that follows another at it; and those that took the last of a burst bucket before. */
function atLimit(
  stalls: readonly number[],
  all: readonly Stall[],
  rates: readonly number[],
  best: number,
  chained: readonly Stall[],
): number[] {
  const within = (rate: number | undefined): boolean => rate !== undefined && isWithin(rate, best, NEAR)
  const isSlowPeriod = ({ start, end }: Stall): boolean => {
    const next = bisectLeft(chained, start - APART_MS, ({ end: until }) => until)
    return (chained[next]?.start ?? Number.POSITIVE_INFINITY) <= end + APART_MS
  }
  return stalls.filter((index, i) => {
    const rate = rates[i] as number
    if (!isSlowPeriod(all[index] as Stall)) return false
    return within(rate) || (rate > best && rate <= LEFT_OVER * best && within(rates[i + 1]))
  })
}

const isWithin = (rate: number, of: number, factor: number): boolean => rate <= of * factor && rate >= of / factor

/** The write of the volume that was complete last before `endMs`; null: there is none. Writes of a lane follow each other. */
function completedBefore(volume: Volume, endMs: number): (WriteRef & { readonly end: number }) | null {
  let last: (WriteRef & { readonly end: number }) | null = null
  for (const { id, writes } of volume) {
    const row = bisectNumbers(writes.end, endMs) - 1
    const end = writes.end[row]
    if (end !== undefined && (last === null || end > last.end)) last = { lane: id, row, end }
  }
  return last
}

/** Amount per ms of the time between the completion before and its own. */
function rateOf({ amountOf }: Measure, volume: Volume, { start, end, bytes }: Omit<Stall, 'lane' | 'row'>): number {
  const before = completedBefore(volume, end)?.end ?? start
  // After a pause of its length and more it was served from its own start on.
  const from = start - before > 0.5 * (end - start) ? start : before
  return amountOf(bytes) / Math.max(0.01, end - from)
}

/** Whether the write before it, of a comparable size, was at the same rate. */
function isChained(measure: Measure, volume: Volume, stall: Stall, best: number): boolean {
  let { end } = stall
  for (let i = 0; i < LOOK_BACK; i++) {
    const before = completedBefore(volume, end)
    if (before === null || before.end < stall.start - APART_MS) return false
    const writes = volume.find(({ id }) => id === before.lane)?.writes
    const bytes = writes?.bytes[before.row] ?? 0
    end = before.end
    if (measure.unit === 'bytes' && bytes < stall.bytes / 4) continue
    return isWithin(rateOf(measure, volume, { start: writes?.start[before.row] ?? end, end, bytes }), best, NEAR)
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

function periodsOf(stalls: readonly Stall[]): number {
  let [periods, end] = [0, Number.NEGATIVE_INFINITY]
  for (const stall of stalls) {
    if (stall.start > end + APART_MS) periods++
    end = Math.max(end, stall.end)
  }
  return periods
}

/** Whether writes of about the same size that are not at the ceiling take much less time. */
function isFasterElsewhere(volume: Volume, stalls: readonly Stall[]): boolean {
  const bytes = medianOf(stalls.map((stall) => stall.bytes))
  const stallMs = medianOf(stalls.map(({ start, end }) => end - start))
  const slow = new Map<number, Set<number>>()
  for (const { lane, row } of stalls) slow.set(lane, (slow.get(lane) ?? new Set()).add(row))
  const durations: number[] = []
  for (const { id, writes } of volume) {
    const own = slow.get(id)
    for (let row = 0; row < writes.start.length; row++) {
      const size = writes.bytes[row] as number
      if (size >= bytes / SIMILAR && size <= bytes * SIMILAR && own?.has(row) !== true)
        durations.push(durationOf(writes, row))
    }
  }
  return durations.length >= ENOUGH_FASTER && quantileOf(durations, FASTER_SHARE) * FASTER <= stallMs
}
