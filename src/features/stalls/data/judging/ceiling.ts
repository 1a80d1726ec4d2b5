import { bisectLeft, bisectNumbers } from '../../../../base/columns/bisect.ts'
import type { CeilingLimit } from '../../contract.ts'
import { bunchesOf } from './bunches.ts'
import {
  completedBefore,
  paceOf,
  rateOf,
  rateOfTwo,
  type Measure,
  type Served,
  type VolumeWrites,
} from './completions.ts'
import { durationOf, type Lane, type Stall } from './events.ts'
import { covers, unionOf, type Span } from './spans.ts'
import { isOfferedLoad } from './offered-load.ts'
import { areIndependent, isPaced } from './pace.ts'
import { binomialTail, medianOf, quantileOf, spreadOf } from './statistics.ts'

/** A stall that belongs to the ceiling is within this factor of it. */
const NEAR = 1.35
/** The first of a slow period takes what is left in a burst bucket, too: it may be so many times as fast. */
const LEFT_OVER = 4
/** Slow periods are apart by at least this, ms. */
const APART_MS = 2000
/** Fewer do not tell a limit from what was slow for a while. */
export const ENOUGH_PERIODS = 3
const ENOUGH_STALLS = 6
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
/** Spread of rates over several steps, at most, also as a share of that of single ones, and how many times steadier than the steps they are. */
const STEPPED = { most: 0.05, paced: 0.25, steadier: 3 }
/** A write waits for so many steps, at most, that are usual. */
const STEPS_WAITED = 2
/** So far the write before a stall is from the limit, as a logarithm, where that holds for writes that are no stalls as well. */
const ALIKE_BEFORE = 0.15
/** It was complete so much of a stall before that began, at most. */
const CLOSE_BEFORE = 0.3
/** Spread of single rates that no device has by itself. */
const EVEN = 0.045
/** So many times as many writes are at a rate by their own duration, where it is that of the device. */
const OWN_SPEED = 1.25
/** In windows of this length, ms, so many times the limit is more than it lets through. */
const WINDOW_MS = 1000
const EXCEEDED = 1.25
/** Of a write that lasted for longer only the last ones count: as long as a file may say that one lasted, none of them would exceed anything. */
const MOST_WINDOWS = 3600
/** What a write takes after it was let through may change the order of those that are so close, ms. */
const OVERTAKEN_MS = 15
/** A write before is looked for among so many completions. */
const LOOK_BACK = 20

export const BYTES: Measure = { unit: 'bytes', amountOf: (bytes) => bytes, same: 1.15 }
/** Only that it keeps a pace distinguishes a limit of operations from a slow device. */
const OPERATIONS: Measure = { unit: 'operations', amountOf: () => 1, same: 1.06 }

export interface Ceiling {
  /** Stalls at it, as indices. */
  readonly stalls: ReadonlySet<number>
  /** Others in its slow periods that waited in line for it, if nothing else held them up. */
  readonly inLine: ReadonlySet<number>
  /** All in its slow periods, and those that are not faster than it. */
  readonly slow: ReadonlySet<number>
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
  const own = stalls.map((at) => all[at] as Stall)
  const single = ceilingOf(BYTES, volume, own) ?? ceilingOf(OPERATIONS, volume, own)
  const stepped = single?.limit.unit === 'operations' ? null : steppedOf(volume, own)
  const found = single === null || stepped === null ? (single ?? stepped) : bothOf(single, stepped)
  if (found === null) return null
  const inAll = (of: Iterable<number>): Set<number> => new Set([...of].map((i) => stalls[i] as number))
  // Of bytes, what a write takes by itself tells as well: others may be complete while a large one waits for several steps.
  const ownRates =
    found.limit.unit === 'operations' ? [] : own.map((stall) => (stall.bytes * 1000) / durationMsOf(stall))
  const notFaster = [...ownRates.keys()].filter((i) => (ownRates[i] as number) <= NEAR * found.limit.perSecond)
  const atLimit = notFaster.filter((i) => isWithin(ownRates[i] as number, found.limit.perSecond, NEAR))
  return {
    ...found,
    stalls: inAll(found.stalls),
    inLine: inAll([...found.inLine, ...atLimit]),
    slow: inAll([...found.slow, ...notFaster]),
  }
}

/** One limit that was found in two ways: by single writes, and by what its steps let through. */
function bothOf(single: Ceiling, stepped: Ceiling): Ceiling {
  if (!isWithin(stepped.limit.perSecond, single.limit.perSecond, NEAR)) return single
  return {
    stalls: single.stalls,
    inLine: new Set([...single.inLine, ...stepped.stalls, ...stepped.inLine]),
    slow: new Set([...single.slow, ...stepped.slow]),
    limit: single.limit,
  }
}

/** Stalls of a volume, each with how fast it was served: by itself, and with those before it. */
interface Rated {
  readonly stalls: readonly Stall[]
  /** Amounts per ms. */
  readonly rates: readonly number[]
  readonly paces: readonly number[]
}

function ceilingOf(measure: Measure, volume: VolumeWrites, stalls: readonly Stall[]): Ceiling | null {
  if (stalls.length < ENOUGH_STALLS) return null
  const rated = {
    stalls,
    rates: ratesOf(measure, volume, stalls),
    paces: stalls.map((stall) => paceOf(measure, volume, stall)),
  }
  const spread = spreadOf(rated.rates)
  const keepsPace = isPaced(rated.rates, rated.paces)
  // A device that takes about as long for each write has steady gaps as well; what waits meanwhile, at a steady load, is then
  // a steady number of bytes per second, but not of each write.
  const isKept =
    measure.unit === 'bytes'
      ? spread < spreadOf(ratesOf(OPERATIONS, volume, stalls))
      : spread <= EVEN || (keepsPace && !areIndependent(measure, volume, stalls))
  if (!isKept || (measure.unit === 'bytes' && isOfferedLoad(volume, stalls, spread))) return null
  const single = limitOf(measure, volume, rated, rateOf)
  // What a write takes after it was let through blurs single gaps, not the pace of several.
  const limit = single ?? (keepsPace ? limitOf(measure, volume, rated, paceOf) : null)
  return limit === null ? null : withStalls(measure, volume, limit, rated)
}

/**
 * A limit of bytes whose bucket is filled in steps: what one step lets through is complete together, and only over several steps the
 * bytes are a steady rate, while what lets through whatever waits keeps the pace of its steps.
 */
function steppedOf(volume: VolumeWrites, all: readonly Stall[]): Ceiling | null {
  const bunches = all.length < ENOUGH_STALLS ? null : bunchesOf(volume, all)
  if (bunches === null) return null
  const { volume: bunched, stalls, members } = bunches
  const pacesOf = (measure: Measure): number[] => stalls.map((stall) => paceOf(measure, bunched, stall))
  const rated = { stalls, rates: ratesOf(BYTES, bunched, stalls), paces: pacesOf(BYTES) }
  const spread = spreadOf(rated.paces)
  const isSteady = spread <= Math.min(STEPPED.most, STEPPED.paced * spreadOf(rated.rates))
  if (!isSteady || STEPPED.steadier * spread > spreadOf(pacesOf(OPERATIONS))) return null
  const limit = limitOf(BYTES, bunched, rated, paceOf)
  if (limit === null) return null
  const found = withStalls(BYTES, bunched, limit, rated)
  const atLimit = [...found.stalls].map((i) => stalls[i] as Stall)
  const slowTimes = unionOf(atLimit.map(({ start, end }) => ({ start: start - APART_MS, end: end + APART_MS })))
  const gapOf = (i: number): number => (stalls[i] as Stall).bytes / (rated.rates[i] as number)
  const mostMs = STEPS_WAITED * medianOf([...found.stalls].map(gapOf))
  // A few completions after a pause have no rate over several steps: they wait for one or two of them, however little they write.
  const others = [...stalls.keys()].filter((i) => gapOf(i) <= mostMs && covers(slowTimes, (stalls[i] as Stall).start))
  const inAll = (of: ReadonlySet<number>): Set<number> => new Set([...of].flatMap((i) => members[i] ?? []))
  return {
    ...found,
    stalls: inAll(found.stalls),
    inLine: inAll(new Set([...found.inLine, ...others])),
    slow: inAll(found.slow),
  }
}

const ratesOf = (measure: Measure, volume: VolumeWrites, stalls: readonly Stall[]): number[] =>
  stalls.map((stall) => rateOf(measure, volume, stall))

interface Limit {
  /** Amount per ms. */
  readonly rate: number
  readonly chained: readonly Stall[]
  readonly periods: number
}

/** The one rate at which stalls were served in several slow periods; null: there is none, or the device does no more. */
function limitOf(
  measure: Measure,
  volume: VolumeWrites,
  { stalls, rates: single, paces }: Rated,
  servedBy: typeof rateOf,
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
  const isSpread = quantileOf(sizes, 0.9) >= SPREAD * quantileOf(sizes, 0.1)
  const isOfBytes = isSpread || (isExact && STEADIER * spread <= spreadOf(ratesOf(OPERATIONS, volume, found)))
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

const durationMsOf = ({ start, end }: Stall): number => Math.max(0.01, end - start)

/** Stalls at about the limit and near one that follows another at it; and those that took the last of a burst bucket before. */
function withStalls(
  measure: Measure,
  volume: VolumeWrites,
  { rate: limit, chained, periods }: Limit,
  rated: Rated,
): Ceiling {
  const { stalls, rates, paces } = rated
  const within = (rate: number | undefined): boolean => rate !== undefined && isWithin(rate, limit, NEAR)
  const isSlowPeriod = ({ start, end }: Stall): boolean => {
    const next = bisectLeft(chained, start - APART_MS, ({ end: until }) => until)
    return (chained[next]?.start ?? Number.POSITIVE_INFINITY) <= end + APART_MS
  }
  const slow = [...stalls.keys()].filter((i) => isSlowPeriod(stalls[i] as Stall))
  const at = slow.filter((i) => {
    const rate = rates[i] as number
    return (
      within(rate) ||
      within(paces[i]) ||
      (rate > limit &&
        ((rate <= LEFT_OVER * limit && within(rates[i + 1])) || within(rateOfTwo(measure, volume, stalls[i] as Stall))))
    )
  })
  const isPassed = (i: number): boolean => isOvertaken(volume, stalls[i] as Stall)
  const inLine = slow.filter((i) => isInLine(measure, volume, stalls[i] as Stall, limit))
  const notFaster = [...stalls.keys()].filter((i) => (rates[i] as number) <= NEAR * limit)
  return {
    stalls: new Set(at.filter((i) => !isPassed(i))),
    // One that is let through at the pace of the others may have waited for something else before.
    inLine: new Set([...inLine, ...at.filter(isPassed)]),
    slow: new Set([...slow, ...notFaster]),
    limit: { unit: measure.unit, perSecond: limit * 1000, periods },
  }
}

/** Of a stall, and of the write before it if that was at the same rate: it need not stall, so that sizes are not all large. */
function sizesAt(measure: Measure, volume: VolumeWrites, { end, bytes }: Stall, rate: number): number[] {
  const before = completedBefore(volume, end)
  return before !== null && isWithin(rateOf(measure, volume, before), rate, measure.same)
    ? [bytes, before.bytes]
    : [bytes]
}

/**
 * Whether the volume completed as much as the limit lets through while the write waited, and nothing that came later before it: a
 * small one waits for what large ones took of the bucket.
 */
export function isInLine(measure: Measure, volume: VolumeWrites, stall: Stall, limit: number): boolean {
  if (isOvertaken(volume, stall)) return false
  const durationMs = durationMsOf(stall)
  const most = limit * NEAR * durationMs
  let served = 0
  for (const { writes } of volume)
    for (let row = bisectNumbers(writes.end, stall.start); row < writes.end.length; row++) {
      const end = writes.end[row] as number
      if (end > stall.end) break
      served += measure.amountOf(writes.bytes[row] as number)
      if (served > most) return false
    }
  return isWithin(served / durationMs, limit, NEAR)
}

/** Whether a write that began later was complete before it. */
function isOvertaken(volume: VolumeWrites, { start, end }: Stall): boolean {
  return volume.some(({ writes }) => {
    for (let row = bisectNumbers(writes.start, start + OVERTAKEN_MS); row < writes.start.length; row++) {
      if ((writes.start[row] as number) >= end - OVERTAKEN_MS) return false
      if ((writes.end[row] as number) < end - OVERTAKEN_MS) return true
    }
    return false
  })
}

const isWithin = (rate: number, of: number, factor: number): boolean => rate <= of * factor && rate >= of / factor

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

/**
 * Whether the device can do more: writes of about the same size that are not at the ceiling take much less time; or, since what
 * waits is committed together and is larger than anything else, writes out of slow periods exceed the limit, each for itself.
 */
function isFasterElsewhere(
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
