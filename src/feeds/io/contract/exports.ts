import type { TimeRange } from '../../../base/ticks.ts'
import type { Gap, SourceId } from '../../../capture/client/state.ts'
import type { IoFilter, IoRows } from './rows.ts'

/** Which I/O is exported. */
export interface IoExportParams {
  readonly sources: readonly SourceId[]
  /** Rows to export; null: every kind of every lane of the sources. */
  readonly rows: IoRows | null
  /** Events that start in it; null: of all times. */
  readonly range: TimeRange | null
  readonly filter: IoFilter
  /** Coverage gaps of the sources; exported where the format has a place for them. */
  readonly gaps: readonly Gap[]
}

export interface IoExportCount {
  readonly events: number
  /** Roll-ups that start in the range. */
  readonly rollUps: number
}

/** Formats of the export of events. */
export type IoExportId = 'io.json' | 'io.csv' | 'io.ndjson' | 'io.parquet' | 'io.trace'
