import { bisectLeft } from './columns/bisect.ts'
import { DURATION, START } from './columns/event-chunk.ts'
import type { EventTable } from './columns/event-table.ts'
import type { Extent } from './far-events.ts'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from './ticks.ts'

/** Rows of a source, ascending by start. */
export type Rows = EventTable | readonly Span[]

interface Span {
  readonly startTicks: number
  readonly endTicks: number
}

interface TimedRows {
  readonly length: number
  readonly startOf: (row: number) => number
  readonly endOf: (row: number) => number
  /** First row that starts at or after `ticks`. */
  readonly lowerBound: (ticks: number) => number
}

const timed = (rows: Rows): TimedRows =>
  'chunks' in rows
    ? {
        length: rows.length,
        startOf: (row) => rows.read(START, row),
        endOf: (row) => rows.read(START, row) + rows.read(DURATION, row),
        lowerBound: (ticks) => rows.lowerBound(ticks),
      }
    : {
        length: rows.length,
        startOf: (row) => rows[row]?.startTicks ?? Number.NaN,
        endOf: (row) => rows[row]?.endTicks ?? Number.NaN,
        lowerBound: (ticks) => bisectLeft(rows, ticks, ({ startTicks }) => startTicks),
      }

const DAY_TICKS = 86_400 * TICKS_PER_SECOND
/** Length of the blocks by which events are counted. An empty block separates two clusters. */
const BLOCK_TICKS = 30 * DAY_TICKS
/** Minimum distance of far events; they are also at least `FAR_TIMES` times the length of the main body away. */
const FAR_TICKS = 180 * DAY_TICKS
const FAR_TIMES = 4
/** A main body has at least this many events; far events are at most this share of all, or one event. */
const LEAST_MAIN = 3
const MOST_FAR_SHARE = 0.01
/** Number of rows, the last ones that start in a cluster, among which its latest end is searched. */
const LAST_ROWS = 64

interface Cluster {
  firstBlock: number
  lastBlock: number
  count: number
}

/** Finds the main body and the events far from it. O(blocks of each table); free for a short `whole`. */
export function mainBody(whole: TimeRange, rowsOf: () => readonly Rows[]): Extent {
  if (whole.endTicks - whole.startTicks < FAR_TICKS) return whole
  const tables = rowsOf().map(timed)
  const clusters = clustersOf(tables)
  const main = clusters.reduce<Cluster | null>((most, each) => (each.count > (most?.count ?? 0) ? each : most), null)
  if (main === null || main.count < LEAST_MAIN) return whole
  const distant = Math.max(FAR_TICKS, FAR_TIMES * (main.lastBlock + 1 - main.firstBlock) * BLOCK_TICKS) / BLOCK_TICKS
  const isFar = ({ firstBlock, lastBlock, count }: Cluster): boolean =>
    count <= Math.max(1, main.count * MOST_FAR_SHARE) &&
    Math.max(main.firstBlock - lastBlock, firstBlock - main.lastBlock) > distant
  const near = clusters.filter((each) => !isFar(each))
  const body = { firstBlock: near[0]?.firstBlock ?? 0, lastBlock: near.at(-1)?.lastBlock ?? 0, count: 0 }
  const before = clusters.filter(({ lastBlock }) => lastBlock < body.firstBlock)
  const after = clusters.filter(({ firstBlock }) => firstBlock > body.lastBlock)
  if (before.length + after.length === 0) return whole
  const { startTicks, endTicks } = spanOf(tables, body)
  return {
    startTicks: before.length === 0 ? whole.startTicks : startTicks,
    endTicks: after.length === 0 ? whole.endTicks : endTicks,
    far: [before, after].flatMap((side) => {
      const [first, last] = [side[0], side.at(-1)]
      if (first === undefined || last === undefined) return []
      const count = side.reduce((sum, each) => sum + each.count, 0)
      return [{ ...spanOf(tables, { ...first, lastBlock: last.lastBlock }), count }]
    }),
  }
}

/** Clusters of all events, ascending. */
function clustersOf(tables: readonly TimedRows[]): readonly Cluster[] {
  const counts = new Map<number, number>()
  for (const { length, startOf, lowerBound } of tables)
    for (let row = 0; row < length;) {
      const block = Math.floor(startOf(row) / BLOCK_TICKS)
      const next = Math.max(row + 1, lowerBound((block + 1) * BLOCK_TICKS))
      counts.set(block, (counts.get(block) ?? 0) + next - row)
      row = next
    }
  const clusters: Cluster[] = []
  for (const [block, count] of [...counts].toSorted(([a], [b]) => a - b)) {
    const last = clusters.at(-1)
    if (last === undefined || block - last.lastBlock > 1) clusters.push({ firstBlock: block, lastBlock: block, count })
    else {
      last.lastBlock = block
      last.count += count
    }
  }
  return clusters
}

/** Range from the first start in these blocks to the latest end of the last rows that start there. */
function spanOf(tables: readonly TimedRows[], { firstBlock, lastBlock }: Cluster): TimeRange {
  let [startTicks, endTicks] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { startOf, endOf, lowerBound } of tables) {
    const [from, to] = [lowerBound(firstBlock * BLOCK_TICKS), lowerBound((lastBlock + 1) * BLOCK_TICKS)]
    if (from < to) startTicks = Math.min(startTicks, startOf(from))
    for (let row = Math.max(from, to - LAST_ROWS); row < to; row++) endTicks = Math.max(endTicks, endOf(row))
  }
  return { startTicks: startTicks as Ticks, endTicks: Math.max(endTicks, startTicks + 1) as Ticks }
}
