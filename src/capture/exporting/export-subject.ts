import type { TimeRange } from '../../base/ticks.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../client/requests/requests.ts'
import type { SourceId } from '../client/state.ts'
import type { ExportFormat, ExportId, WorkerExports } from './exporter.ts'

/** Rows in view with the current filters, or all rows. */
export type ExportScope = 'view' | 'all'

/** Requests that count the rows of an export. */
export type CountRequest = Extract<RequestName, `${string}.exportCount`>

/** Data that a panel offers through `ExportButton`; a dialog keeps those with which it was opened. */
export interface ExportSubject<Count extends CountRequest, Id extends ExportId> {
  /** Singular and plural of the exported rows: `event`, `events`. */
  readonly one: string
  readonly many: string
  /** Title of the dialog: `Export I/O events`. */
  readonly title: string
  /** Part of the file name: `io`. */
  readonly what: string
  readonly formats: readonly [ExportFormat<Id>, ...ExportFormat<Id>[]]
  readonly sources: readonly SourceId[]
  readonly range: TimeRange
  /** Range of all data; null: none. */
  readonly known: TimeRange | null
  /** Request that counts the rows, with the parameters of the export. */
  readonly count: Count
  readonly rowsOf: (count: ResponseOf<Count>) => number
  readonly paramsOf: (scope: ExportScope) => ParamsOf<Count> & WorkerExports[Id]
  /** Words about the rows, after those for the range: `with the lanes, kinds and filters that are set`. */
  readonly words: Readonly<Record<ExportScope, string>>
  /** Words after the number of rows: ` and 12 roll-ups`. */
  readonly also?: (count: ResponseOf<Count>, format: ExportFormat<Id>) => string
  /** Hint for the user before the export; null: none. */
  readonly note?: (count: ResponseOf<Count>, format: ExportFormat<Id>) => string | null
}
