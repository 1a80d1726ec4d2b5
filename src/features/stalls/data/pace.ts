import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { medianOf, quantileOf } from '../../../base/statistics/quantile.ts'
import type { Pace } from '../contract.ts'
import { durationsIn, type Lane, type WriteRef } from './lanes.ts'

/* Limit of operations: a volume that completes its writes at an even pace, whatever their size. Times in ms. */

/** Shortest pace that is looked for: a thousand writes a second are no limit that commits would notice. */
const LEAST_PACE_MS = 1
/** Tolerance of the time from one completed write to the next. */
const PACE_SPREAD = 0.1
/** Minimum share of the time in which writes follow each other that has the pace. */
const PACED_SHARE = 0.6
/** Minimum number of writes of each kind: paced ones, and those after a rest. */
const LEAST_WRITES = 20
/** Length of a rest, in paces: by then the volume owes nothing. */
const REST_PACES = 2
/**
 * Maximum length of three of four writes after a rest, in paces. Behind a limit they are quick; on a disk that is slow by
 * itself they take as long as the others, and on one that rotates half a turn on average.
 */
const RESTED_PACES = 1 / 3
/** Minimum ratio of the sizes of large and small writes from which on they show whether the pace depends on bytes. */
const SIZES_DIFFER = 2
/** Maximum number of writes, of which the newest are taken. */
const MOST_WRITES = 20_000

interface Write extends WriteRef {
  readonly start: number
  readonly end: number
  readonly bytes: number
}

/** Writes that came one pace after the one before, with the pace. */
export interface PacedWrites {
  readonly pace: Pace
  readonly writes: readonly WriteRef[]
}

/**
 * Finds the pace of a volume. Null: there is none, or the disk may be slow by itself, which only writes after a rest
 * would show. `ids`: lanes of the volume.
 */
export function paceOf(
  lanes: readonly Lane[],
  ids: readonly number[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): PacedWrites | null {
  if (!ids.some((id) => isSlowEnough(lanes[id] as Lane, fromMs, toMs))) return null
  const all = writesOf(lanes, ids, fromMs, toMs)
  // Time from the end of the writes before to the start and to the end of each.
  const [gaps, spacings] = [new Float64Array(all.length), new Float64Array(all.length)]
  const followers: number[] = []
  for (let i = 1; i < all.length; i++) {
    const [{ end: before }, { start, end }] = [all[i - 1] as Write, all[i] as Write]
    gaps[i] = start - before
    spacings[i] = end - before
    if (start - before < end - start) followers.push(i)
  }
  const everyMs = medianOfTime(followers.map((i) => spacings[i] as number))
  if (!(everyMs >= LEAST_PACE_MS)) return null
  const isPaced = (i: number): boolean => Math.abs((spacings[i] as number) / everyMs - 1) <= PACE_SPREAD
  const paced = followers.filter(isPaced)
  const timeOf = (rows: readonly number[]): number => rows.reduce((sum, i) => sum + (spacings[i] as number), 0)
  if (paced.length < LEAST_WRITES || timeOf(paced) < PACED_SHARE * timeOf(followers)) return null
  const rested = all.filter((_, i) => i > 0 && (gaps[i] as number) >= REST_PACES * everyMs)
  const restedMs = quantileOf(
    rested.map(({ start, end }) => end - start),
    0.75,
  )
  if (rested.length < LEAST_WRITES || restedMs > RESTED_PACES * everyMs) return null
  const writes = paced.map((i) => all[i] as Write)
  const sizes = writes.map(({ bytes }) => bytes)
  const [small, large] = [quantileOf(sizes, 0.1), quantileOf(sizes, 0.9)]
  const middle = medianOf(sizes)
  const spacingOf = (isOf: (bytes: number) => boolean): number =>
    medianOf(followers.filter((i) => isOf((all[i] as Write).bytes)).map((i) => spacings[i] as number))
  const isBySize = Math.abs(spacingOf((bytes) => bytes > middle) / spacingOf((bytes) => bytes < middle) - 1)
  const doSizesDiffer = large >= SIZES_DIFFER * small
  if (doSizesDiffer && isBySize > PACE_SPREAD) return null
  return { pace: { everyMs, restedMs, sizes: doSizesDiffer ? [small, large] : null }, writes }
}

/** Whether half of the writes take long enough for a pace, which spares most volumes the search. */
const isSlowEnough = ({ writes }: Lane, fromMs: number, toMs: number): boolean =>
  medianOf(durationsIn(writes, bisectNumbers(writes.start, fromMs), bisectNumbers(writes.start, toMs))) >=
  LEAST_PACE_MS / 2

/** Newest writes of the lanes that began in the range, by end. */
function writesOf(lanes: readonly Lane[], ids: readonly number[], fromMs: number, toMs: number): Write[] {
  return ids
    .flatMap((lane): Write[] => {
      const { start, end, bytes } = (lanes[lane] as Lane).writes
      const to = bisectNumbers(start, toMs)
      const from = Math.max(bisectNumbers(start, fromMs), to - MOST_WRITES)
      return Array.from({ length: to - from }, (_, i) => {
        const row = from + i
        return {
          lane,
          row,
          start: start[row] as number,
          end: end[row] as number,
          bytes: bytes[row] as number,
        }
      })
    })
    .toSorted((a, b) => a.end - b.end)
    .slice(-MOST_WRITES)
}

/** Value at half of the sum of all: quick writes of a full bucket are many, and take little of the time. */
function medianOfTime(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted()
  const half = sorted.reduce((sum, value) => sum + value, 0) / 2
  let sum = 0
  return sorted.find((value) => (sum += value) >= half) ?? Number.NaN
}
