import { DURATION_STEPS, STEP_BOUNDS, STEPS_PER_DECADE } from '../../../../base/columns/duration-steps.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { countUntil, type MarkColumns } from '../../../../charts/timeline/marks.ts'
import type { IoRowHeat } from '../../../../feeds/io/contract/density.ts'

/** A response of one row, with the length of its columns. */
export interface RowHeat extends IoRowHeat {
  readonly widthTicks: number
  /** Ranges that the heat covers, ascending; between them are stretches that are folded, in which nothing happened. */
  readonly pieces: readonly TimeRange[]
}

/** The slowest event of each column and kind, ascending by start. */
export interface HeatMarks extends MarkColumns {
  readonly sizeBytes: Float64Array
  /** Events of the column and kind. */
  readonly count: Uint32Array
  /** Place of the row in the `refs` of the track. */
  readonly place: Uint8Array
  /** 1: it is one of the slowest of its row, by `apartFrom`, and drawn by itself. */
  readonly isApart: Uint8Array
}

/** Picture of one track: rows together. */
export interface TrackHeat {
  /** Heat of each row by place in the `refs` of the track; null: no response yet. */
  readonly rows: readonly (RowHeat | null)[]
  /** Ascending; as long as `widthTicks`. */
  readonly columnTicks: Float64Array
  readonly widthTicks: number
  /** Events by column and step. */
  readonly counts: Uint32Array
  /** Place of the row with the most events of a column and step. */
  readonly lead: Uint8Array
  readonly marks: HeatMarks
}

/** Rows as one; null: no response is here yet. */
export function joinRows(all: readonly (RowHeat | undefined)[]): TrackHeat | null {
  const widthTicks = all.find((row) => row !== undefined)?.widthTicks
  if (widthTicks === undefined) return null
  // Responses of one track come together; one that did not would be of other columns.
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

/** Share of the slowest events of the columns that is drawn by itself, or a few where there are few. */
const SHARE_APART = 0.05
const FEW_APART = 8

/** The least duration, ticks, that is drawn by itself: about ten times the median, and one of the longest. */
function apartFrom(row: IoRowHeat): number {
  const far = medianStep(row) + STEPS_PER_DECADE
  const rank = Math.max(FEW_APART, Math.ceil(row.length * SHARE_APART))
  const longest = row.durationTicks.toSorted()
  return Math.max(STEP_BOUNDS[far] ?? Number.POSITIVE_INFINITY, longest.at(-Math.min(rank, row.length)) ?? 0)
}

/** The step that holds the median of a row; that after the last where it has no events. */
function medianStep({ steps, count }: IoRowHeat): number {
  const all = count.reduce((sum, each) => sum + each, 0)
  const sums = new Float64Array(DURATION_STEPS)
  for (const [at, each] of steps.entries()) sums[at % DURATION_STEPS] = (sums[at % DURATION_STEPS] as number) + each
  let below = 0
  const found = sums.findIndex((sum) => all > 0 && (below += sum) * 2 >= all)
  return found === -1 ? DURATION_STEPS : found
}

/** The column that holds a time; −1: none with events. O(log n) */
export function columnAt({ columnTicks, widthTicks }: TrackHeat, ticks: number): number {
  const column = countUntil(columnTicks, columnTicks.length, ticks) - 1
  return column >= 0 && ticks < (columnTicks[column] ?? 0) + widthTicks ? column : -1
}

/** Events of a cell by place of their row. */
export const cellCounts = ({ rows, columnTicks }: TrackHeat, column: number, step: number): number[] =>
  rows.map((row) => {
    if (row === null) return 0
    const at = countUntil(row.columnTicks, row.length, columnTicks[column] ?? 0) - 1
    return row.columnTicks[at] === columnTicks[column] ? (row.steps[at * DURATION_STEPS + step] ?? 0) : 0
  })
