import { DURATION_STEPS, STEP_BOUNDS, STEPS_PER_DECADE } from '../../../../base/columns/duration-steps.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { countUntil, type MarkColumns } from '../../../../charts/timeline/marks.ts'
import type { IoRowHeat } from '../../../../feeds/io/contract/density.ts'

/** Response for one row, with the length of its columns. */
export interface RowHeat extends IoRowHeat {
  readonly widthTicks: number
  /** Ranges that the heat covers, ascending; folded stretches without events lie between them. */
  readonly pieces: readonly TimeRange[]
}

/** The slowest event of each column and kind, ascending by start. */
export interface HeatMarks extends MarkColumns {
  readonly sizeBytes: Float64Array
  /** Number of events of the column and kind. */
  readonly count: Uint32Array
  /** Index of the row in the `refs` of the track. */
  readonly place: Uint8Array
  /** 1: among the slowest of its row (see `apartFrom`), and drawn separately. */
  readonly isApart: Uint8Array
}

/** Picture of one track: several rows combined. */
export interface TrackHeat {
  /** Heat of each row, in the order of the track's `refs`; null: no response yet. */
  readonly rows: readonly (RowHeat | null)[]
  /** Start of each column, ascending; each is `widthTicks` long. */
  readonly columnTicks: Float64Array
  readonly widthTicks: number
  /** Number of events by column and step. */
  readonly counts: Uint32Array
  /** Index of the row with the most events of a column and step. */
  readonly lead: Uint8Array
  readonly marks: HeatMarks
}

/** Combines the rows; null: no response yet. */
export function joinRows(all: readonly (RowHeat | undefined)[]): TrackHeat | null {
  const widthTicks = all.find((row) => row !== undefined)?.widthTicks
  if (widthTicks === undefined) return null
  // Responses of one track arrive together; a row with another column length is not from that response.
  const rows = all.map((row) => (row?.widthTicks === widthTicks ? row : null))
  const columnTicks = Float64Array.from(new Set(rows.flatMap((row) => [...(row?.columnTicks ?? [])]))).toSorted()
  const counts = new Uint32Array(columnTicks.length * DURATION_STEPS)
  const lead = new Uint8Array(counts.length)
  const most = new Uint32Array(counts.length)
  for (const [place, row] of rows.entries()) {
    if (row === null) continue
    let column = 0
    for (let i = 0; i < row.length; i++) {
      while ((columnTicks[column] as number) < (row.columnTicks[i] as number)) column++
      for (let step = 0; step < DURATION_STEPS; step++) {
        const count = row.steps[i * DURATION_STEPS + step] as number
        if (count === 0) continue
        const cell = column * DURATION_STEPS + step
        counts[cell] = (counts[cell] as number) + count
        if (count <= (most[cell] as number)) continue
        most[cell] = count
        lead[cell] = place
      }
    }
  }
  return { rows, columnTicks, widthTicks, counts, lead, marks: marksOf(rows) }
}

function marksOf(rows: readonly (RowHeat | null)[]): HeatMarks {
  const all = rows.flatMap((row, place) => {
    if (row === null) return []
    const leastTicks = apartFrom(row)
    return Array.from(row.startTicks, (startTicks, i) => ({
      startTicks,
      durationTicks: row.durationTicks[i] ?? 0,
      sizeBytes: row.sizeBytes[i] ?? 0,
      count: row.count[i] ?? 0,
      place,
      isApart: (row.durationTicks[i] ?? 0) >= leastTicks ? 1 : 0,
    }))
  })
  const sorted = all.toSorted((a, b) => a.startTicks - b.startTicks)
  return {
    length: sorted.length,
    startTicks: Float64Array.from(sorted, ({ startTicks }) => startTicks),
    durationTicks: Float64Array.from(sorted, ({ durationTicks }) => durationTicks),
    sizeBytes: Float64Array.from(sorted, ({ sizeBytes }) => sizeBytes),
    count: Uint32Array.from(sorted, ({ count }) => count),
    place: Uint8Array.from(sorted, ({ place }) => place),
    isApart: Uint8Array.from(sorted, ({ isApart }) => isApart),
  }
}

/** Share of the columns whose slowest event may be drawn separately; at least `FEW_APART`. */
const SHARE_APART = 0.05
const FEW_APART = 8

/** Minimum duration, ticks, of events drawn separately: about ten times the median, and among the longest. */
function apartFrom(row: IoRowHeat): number {
  const far = medianStep(row) + STEPS_PER_DECADE
  const rank = Math.max(FEW_APART, Math.ceil(row.length * SHARE_APART))
  const longest = row.durationTicks.toSorted()
  return Math.max(STEP_BOUNDS[far] ?? Number.POSITIVE_INFINITY, longest.at(-Math.min(rank, row.length)) ?? 0)
}

/** Step that contains the median of a row; one past the last step if the row has no events. */
function medianStep({ steps, count }: IoRowHeat): number {
  const all = count.reduce((sum, each) => sum + each, 0)
  const sums = new Float64Array(DURATION_STEPS)
  for (const [at, each] of steps.entries()) sums[at % DURATION_STEPS] = (sums[at % DURATION_STEPS] as number) + each
  let below = 0
  const found = sums.findIndex((sum) => all > 0 && (below += sum) * 2 >= all)
  return found === -1 ? DURATION_STEPS : found
}

/** Column that contains a time; −1: no column with events. O(log n) */
export function columnAt({ columnTicks, widthTicks }: TrackHeat, ticks: number): number {
  const column = countUntil(columnTicks, columnTicks.length, ticks) - 1
  return column >= 0 && ticks < (columnTicks[column] ?? 0) + widthTicks ? column : -1
}

/** Number of events of a cell, by row. */
export const cellCounts = ({ rows, columnTicks }: TrackHeat, column: number, step: number): number[] =>
  rows.map((row) => {
    if (row === null) return 0
    const at = countUntil(row.columnTicks, row.length, columnTicks[column] ?? 0) - 1
    return row.columnTicks[at] === columnTicks[column] ? (row.steps[at * DURATION_STEPS + step] ?? 0) : 0
  })
