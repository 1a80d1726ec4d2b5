import { groupBy } from '../../../base/columns/group-by.ts'
import { bisectNumbers } from '../../../base/columns/bisect.ts'
import { medianOf, quantileOf } from '../../../base/statistics/quantile.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import type { WritePace } from '../contract.ts'
import { durationOf, durationsIn, type Events, type Lane } from './lanes.ts'
import { paceOf, type PacedWrites, type Rows } from './pace.ts'

/**
 * Share of slow writes that are not stalls from which on an environment is slow as a whole. With fewer, the writes are
 * merely close to the rule's bound.
 */
const LEAST_SHARE = 0.1
/** Minimum number of slow writes: fewer can be accidents of one moment. */
const LEAST_SLOW = 20
/** Minimum share of a lane's writes that wait for the pace of their volume, if they are not slow otherwise. */
const PACED_SHARE = 0.5
/** Share of quickest writes whose longest duration shows what an environment is capable of. */
const QUICK_SHARE = 0.1

/**
 * Writes of a lane that is slow as a whole, so that few of them stand out as stalls. Times in ms from the origin of the
 * lanes.
 */
export interface SlowLane {
  readonly lane: number
  /** Number of writes in the judged part; behind a pace, since the writes of the volume were examined. */
  readonly writes: number
  /** Number of writes that take `leastMs` and count as usual; behind a pace, of those that waited for it. */
  readonly slow: number
  /** Pace of its volume. Null: none was found. */
  readonly pace: WritePace | null
  readonly medianMs: number
  /** Longest duration among the quickest tenth of all its writes, in the judged part or not. */
  readonly quickMs: number
  readonly firstMs: number
  readonly lastMs: number
  /** Maximum number of writes of its volume that ended within one second of the judged part. */
  readonly mostPerSecond: number
}

/**
 * Lanes in which many writes of the judged part take `leastMs` but are not stalls, since most of their writes take
 * about as long, and those in which most wait for the pace of their volume. Sorted by the number of such writes,
 * descending. `stallMs`: by lane. Throws when aborted.
 */
export async function slowLanes(
  lanes: readonly Lane[],
  stallMs: readonly number[],
  judged: Judged,
  signal: AbortSignal,
): Promise<SlowLane[]> {
  const turns = new Pace(signal)
  const found: SlowLane[] = []
  for (const [, ids] of groupBy([...lanes.keys()], (id) => (lanes[id] as Lane).volume)) {
    const paced = await paceOf(lanes, ids, judged, signal)
    const slow = ids.flatMap((id) => {
      const rows = slowRows(lanes[id] as Lane, stallMs[id] as number, judged)
      const waiting = paced === null ? null : pacedRows(lanes[id] as Lane, id, paced, judged)
      return rows === null && waiting === null ? [] : [{ id, rows: waiting ?? (rows as Rows), waiting }]
    })
    await turns.step()
    // All storages of a volume may be slow: its writes are counted once.
    const most =
      slow.length === 0
        ? 0
        : mostPerSecond(
            ids.map((id) => lanes[id] as Lane),
            judged,
          )
    for (const { id, rows, waiting } of slow) {
      const { writes } = lanes[id] as Lane
      const [from, to] = rowsOf(writes, waiting === null ? judged : examined(paced as PacedWrites, judged))
      found.push({
        lane: id,
        writes: to - from,
        slow: rows.count,
        pace: waiting === null ? null : (paced as PacedWrites).pace,
        medianMs: medianOf(durationsIn(writes, from, to)),
        quickMs: quantileOf(durationsIn(writes), QUICK_SHARE),
        firstMs: writes.start[rows.first] as number,
        lastMs: writes.end[rows.last] as number,
        mostPerSecond: most,
      })
    }
  }
  return found.toSorted((a, b) => b.slow - a.slow)
}

interface Judged {
  readonly leastMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** Judged part in which the pace of a volume was looked for. */
const examined = ({ sinceMs }: PacedWrites, judged: Judged): Judged => ({
  ...judged,
  fromMs: Math.max(judged.fromMs, sinceMs),
})

const rowsOf = ({ start }: Events, { fromMs, toMs }: Judged): readonly [from: number, to: number] => [
  bisectNumbers(start, fromMs),
  bisectNumbers(start, toMs),
]

/** Slow writes of a lane that are not stalls; null: too few. */
function slowRows({ writes }: Lane, stallMs: number, judged: Judged): Rows | null {
  const [from, to] = rowsOf(writes, judged)
  let [count, first, last] = [0, from, from]
  for (let row = from; row < to; row++) {
    const ms = durationOf(writes, row)
    if (ms < judged.leastMs || ms >= stallMs) continue
    if (count === 0) first = row
    last = row
    count++
  }
  return count < LEAST_SLOW || count < LEAST_SHARE * (to - from) ? null : { count, first, last }
}

/** Writes of a lane that wait for the pace of its volume; null: too few. */
function pacedRows({ writes }: Lane, id: number, paced: PacedWrites, judged: Judged): Rows | null {
  const rows = paced.rows.get(id)
  const [from, to] = rowsOf(writes, examined(paced, judged))
  return rows === undefined || rows.count < LEAST_SLOW || rows.count < PACED_SHARE * (to - from) ? null : rows
}

function mostPerSecond(lanes: readonly Lane[], { fromMs, toMs }: Judged): number {
  const counts = new Map<number, number>()
  for (const { writes } of lanes)
    for (let row = bisectNumbers(writes.start, fromMs), to = bisectNumbers(writes.start, toMs); row < to; row++) {
      const second = Math.floor((writes.end[row] as number) / 1000)
      counts.set(second, (counts.get(second) ?? 0) + 1)
    }
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0)
}
