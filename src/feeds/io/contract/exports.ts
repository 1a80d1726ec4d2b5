import type { TimeRange } from '../../../base/ticks.ts'
import type { Gap, SourceId } from '../../../capture/client/state.ts'
import type { IoFilter, IoRows } from './rows.ts'

/** Scope of an export of I/O events. */
export interface IoExportParams {
  readonly sources: readonly SourceId[]
  /** Rows to export; null: every kind of every lane of the sources. */
  readonly rows: IoRows | null
  /** Range in which exported events start; null: all times. */
  readonly range: TimeRange | null
  readonly filter: IoFilter
  /** Coverage gaps of the sources; exported if the format supports them. */
  readonly gaps: readonly Gap[]
}

export interface IoExportCount {
  readonly events: number
  /** Number of roll-ups that start in the range. */
  readonly rollUps: number
}

/** Export formats for events. */
export type IoExportId = 'io.json' | 'io.csv' | 'io.ndjson' | 'io.parquet' | 'io.trace'
