import type { TimeScale } from '../../../../charts/scale.ts'
import type { SnapshotId } from '../../../../feeds/stacks/contract/ids.ts'
import { WAIT_KINDS, type Job, type WaitKind } from '../../../../feeds/stacks/contract/jobs.ts'
import type { LanesResponse, StackLane } from '../../../../feeds/stacks/contract/lanes.ts'
import { WAIT_LOOKS } from '../threads/wait-styles.ts'

/** Height of a lane, and of the cell in it. */
export const LANE_PX = 24
export const CELL_PX = 18
/** Limits of a cell's width: a snapshot has no duration, so its cell is as wide as fits. */
const LEAST_PX = 2
const MOST_PX = 22

/** Places of the cells of each snapshot. */
export interface CellColumns {
  /** Left edge of each snapshot's cell, CSS pixels. */
  readonly xPx: Float64Array
  readonly widthPx: Float64Array
  /** Whether columns are placed by order, because the documents have no time. */
  readonly isOrdered: boolean
}

/** A cell is at its snapshot's time, and as wide as its nearer neighbour allows. */
export function layoutColumns(atTicks: Float64Array, scale: TimeScale): CellColumns {
  const count = atTicks.length
  const isOrdered = atTicks.some((at) => Number.isNaN(at))
  const pitchPx = Math.max(LEAST_PX, Math.min(MOST_PX + 2, scale.widthPx / Math.max(1, count)))
  const middle = Float64Array.from(atTicks, (at, i) => (isOrdered ? (i + 0.5) * pitchPx : scale.toPx(at)))
  const widthPx = new Float64Array(count)
  const xPx = new Float64Array(count)
  middle.forEach((at, i) => {
    const before = i > 0 ? at - (middle[i - 1] ?? 0) : Infinity
    const after = i + 1 < count ? (middle[i + 1] ?? 0) - at : Infinity
    const width = Math.max(LEAST_PX, Math.min(MOST_PX, Math.min(before, after) - 1))
    widthPx[i] = width
    xPx[i] = at - width / 2
  })
  return { xPx, widthPx, isOrdered }
}

/** Snapshot whose cell is at `xPx`, or less than 3 px beside it; −1: none. */
export function columnAt(columns: CellColumns, xPx: number): number {
  let best = -1
  let bestPx = 3
  for (let i = 0; i < columns.xPx.length; i++) {
    const left = columns.xPx[i] ?? 0
    const gapPx = Math.max(left - xPx, xPx - left - (columns.widthPx[i] ?? 0), 0)
    if (gapPx < bestPx) [best, bestPx] = [i, gapPx]
  }
  return best
}

export interface Cell {
  readonly snapshot: SnapshotId
  readonly column: number
  readonly job: Job
  /** Wait of most threads of the job; null: none of its threads was in the snapshot. */
  readonly wait: WaitKind | null
  readonly threads: number
  /** Threads with that wait. */
  readonly dominant: number
  readonly cpuPercent: number
}

/** Cell of a lane in a snapshot. */
export function cellOf(response: LanesResponse, lane: StackLane, column: number): Cell {
  return {
    snapshot: response.snapshots[column] ?? -1,
    column,
    job: lane.job,
    wait: WAIT_KINDS[lane.wait[column] ?? 255] ?? null,
    threads: lane.threads[column] ?? 0,
    dominant: lane.dominant[column] ?? 0,
    cpuPercent: lane.cpuPercent[column] ?? Number.NaN,
  }
}

/**
 * Number of snapshots by the wait of most threads of a job, in the order of `WAIT_KINDS`, and number of those with any
 * of its threads.
 */
export function sumLane(lane: StackLane): { readonly waits: readonly number[]; readonly seen: number } {
  const waits = WAIT_LOOKS.map(() => 0)
  let seen = 0
  for (const wait of lane.wait) {
    if (wait >= waits.length) continue
    waits[wait] = (waits[wait] ?? 0) + 1
    seen++
  }
  return { waits, seen }
}
