import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { medianOf, quantileOf } from '../../../base/statistics/quantile.ts'
import { makeRowOrder, type RowOrder } from '../../../capture/worker/row-order.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import type { WritePace } from '../contract.ts'
import { durationOf, durationsIn, type Events, type Lane } from './lanes.ts'

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
/** Maximum number of writes, of which the newest are taken; they need some 50 bytes each. */
const MOST_WRITES = 200_000
/** Number of writes that are visited before other work may run. */
const SLICE_ROWS = 16_384

/** Number of rows, with the first and the last of them. */
export interface Rows {
  readonly count: number
  readonly first: number
  readonly last: number
}

/** Writes that came one pace after the one before, by lane, with the pace. */
export interface PacedWrites {
  readonly pace: WritePace
  /** Time from which on writes were examined: there may be more of them than are taken. */
  readonly sinceMs: number
  readonly rows: ReadonlyMap<number, Rows>
}

/**
 * Finds the pace of a volume. Null: there is none, or the disk may be slow by itself, which only writes after a rest
 * would show. `ids`: lanes of the volume. Throws when aborted.
 */
export async function paceOf(
  lanes: readonly Lane[],
  ids: readonly number[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  signal: AbortSignal,
): Promise<PacedWrites | null> {
  if (!ids.some((id) => isSlowEnough(lanes[id] as Lane, fromMs, toMs))) return null
  const sinceMs = newestFrom(lanes, ids, fromMs, toMs)
  const all = await writesOf(lanes, ids, sinceMs, toMs, signal)
  const turns = new Pace(signal)
  const { spacings, followers } = all
  const everyMs = medianOfTime(followers, spacings)
  if (!(everyMs >= LEAST_PACE_MS)) return null
  await turns.step()
  const paced = followers.filter((i) => Math.abs((spacings[i] as number) / everyMs - 1) <= PACE_SPREAD)
  if (paced.length < LEAST_WRITES || timeOf(paced, spacings) < PACED_SHARE * timeOf(followers, spacings)) return null
  const rested: number[] = []
  await eachWrite(all, turns, (i, { writes }, row) => {
    const ms = durationOf(writes, row)
    if ((spacings[i] as number) - ms >= REST_PACES * everyMs) rested.push(ms)
  })
  const restedMs = quantileOf(rested, 0.75)
  if (rested.length < LEAST_WRITES || restedMs > RESTED_PACES * everyMs) return null
  const bytesAt = (i: number): number =>
    (all.parts[all.part[i] as number] as Part).writes.bytes[all.row[i] as number] as number
  const sizes = Float64Array.from(paced, bytesAt)
  const [small, large] = [quantileOf(sizes, 0.1), quantileOf(sizes, 0.9)]
  await turns.step()
  const doSizesDiffer = large >= SIZES_DIFFER * small
  const spacingOf = (isOf: (bytes: number) => boolean): number =>
    medianOfTime(
      followers.filter((i) => isOf(bytesAt(i))),
      spacings,
    )
  if (doSizesDiffer) {
    const ofLarge = spacingOf((bytes) => bytes >= large)
    await turns.step()
    // NaN, where one of them has no writes, is no evidence either.
    if (!(Math.abs(ofLarge / spacingOf((bytes) => bytes <= small) - 1) <= PACE_SPREAD)) return null
  }
  const pace: WritePace = { everyMs, restedMs, sizes: doSizesDiffer ? [small, large] : null }
  return { pace, sinceMs, rows: rowsByLane(all, paced) }
}

/** Whether half of the writes take long enough for a pace, which spares most volumes the search. */
const isSlowEnough = ({ writes }: Lane, fromMs: number, toMs: number): boolean =>
  medianOf(durationsIn(writes, bisectNumbers(writes.start, fromMs), bisectNumbers(writes.start, toMs))) >=
  LEAST_PACE_MS / 2

/** Time from which on there are at most `MOST_WRITES`: later parts of the range, each half of the one before. */
function newestFrom(lanes: readonly Lane[], ids: readonly number[], fromMs: number, toMs: number): number {
  const starts = ids.map((id) => (lanes[id] as Lane).writes.start)
  const untilMs = Math.min(toMs, Math.max(...starts.map((start) => start.at(-1) ?? Number.NEGATIVE_INFINITY)))
  let sinceMs = Math.max(fromMs, Math.min(...starts.map((start) => start[0] ?? Number.POSITIVE_INFINITY)))
  const count = (): number =>
    starts.reduce((sum, start) => sum + bisectNumbers(start, toMs) - bisectNumbers(start, sinceMs), 0)
  // Halves are finite: all writes may begin at the same time.
  for (let i = 0; i < 64 && count() > MOST_WRITES; i++) sinceMs = (sinceMs + untilMs) / 2
  return sinceMs
}

/** Writes of a lane in a range of rows. */
interface Part {
  readonly lane: number
  readonly writes: Events
  readonly from: number
  readonly to: number
}

/** Writes of a volume by end. */
interface Writes extends RowOrder<Part> {
  /** Time from the end of the write before to that of each, ms. */
  readonly spacings: Float64Array
  /** Places of writes that began soon after the write before, in less time than they took. */
  readonly followers: Uint32Array
}

/** Writes of the lanes that began in the range, by end. */
async function writesOf(
  lanes: readonly Lane[],
  ids: readonly number[],
  fromMs: number,
  toMs: number,
  signal: AbortSignal,
): Promise<Writes> {
  const parts = ids.map((lane): Part => {
    const { writes } = lanes[lane] as Lane
    return { lane, writes, from: bisectNumbers(writes.start, fromMs), to: bisectNumbers(writes.start, toMs) }
  })
  const order = await makeRowOrder(parts, false, SLICE_ROWS, signal, ({ writes, from, to }, _, take) => {
    for (let row = from; row < to; row++) take(row, writes.end[row] as number)
  })
  const spacings = new Float64Array(order.row.length)
  const followers = new Uint32Array(order.row.length)
  let [count, before] = [0, Number.NaN]
  await eachWrite(order, new Pace(signal), (i, { writes }, row) => {
    const [start, end] = [writes.start[row] as number, writes.end[row] as number]
    spacings[i] = end - before
    if (start - before < end - start) followers[count++] = i
    before = end
  })
  return { ...order, spacings, followers: followers.subarray(0, count) }
}

/** Visits the writes by end; the place of the first is 0. */
async function eachWrite(
  { parts, part, row }: RowOrder<Part>,
  turns: Pace,
  visit: (place: number, part: Part, row: number) => void,
): Promise<void> {
  for (let at = 0; at < row.length; at += SLICE_ROWS) {
    const to = Math.min(row.length, at + SLICE_ROWS)
    for (let i = at; i < to; i++) visit(i, parts[part[i] as number] as Part, row[i] as number)
    await turns.step()
  }
}

function rowsByLane({ parts, part, row: rows }: RowOrder<Part>, places: Uint32Array): Map<number, Rows> {
  const found = new Map<number, { count: number; first: number; last: number }>()
  for (const i of places) {
    const [{ lane }, row] = [parts[part[i] as number] as Part, rows[i] as number]
    const known = found.get(lane) ?? { count: 0, first: row, last: row }
    found.set(lane, known)
    known.count++
    known.first = Math.min(known.first, row)
    known.last = Math.max(known.last, row)
  }
  return found
}

const timeOf = (places: Uint32Array, spacings: Float64Array): number =>
  places.reduce((sum, i) => sum + (spacings[i] as number), 0)

/** Value at half of the sum of all: quick writes of a full bucket are many, and take little of the time. */
function medianOfTime(places: Uint32Array, spacings: Float64Array): number {
  const sorted = new Float64Array(places.length)
  for (let at = 0; at < places.length; at++) sorted[at] = spacings[places[at] as number] as number
  sorted.sort()
  const half = sorted.reduce((sum, value) => sum + value, 0) / 2
  let sum = 0
  return sorted.find((value) => (sum += value) >= half) ?? Number.NaN
}
