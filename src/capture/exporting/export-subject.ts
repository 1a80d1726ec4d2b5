import type { TimeRange } from '../../base/ticks.ts'
import type { ParamsOf, RequestName, ResponseOf } from '../client/requests/requests.ts'
import type { SourceId } from '../client/state.ts'
import type { ExportFormat, ExportId, WorkerExports } from './exporter.ts'

/** Rows in view with its filters, or all there is. */
export type ExportScope = 'view' | 'all'

/** By what a feature counts its export. */
export type CountRequest = Extract<RequestName, `${string}.exportCount`>

/**
 * Data that a panel offers through `ExportButton`. A dialog holds on to it as it was when it was opened, for a live
 * view moves on.
 */
export interface ExportSubject<Count extends CountRequest, Id extends ExportId> {
  /** Singular and plural of the exported rows: `event`, `events`. */
  readonly one: string
  readonly many: string
  /** Title of the dialog: `Export I/O events`. */
  readonly title: string
  /** Part of the file's name: `io`. */
  readonly what: string
  readonly formats: readonly [ExportFormat<Id>, ...ExportFormat<Id>[]]
  readonly sources: readonly SourceId[]
  readonly range: TimeRange
  /** From the first to the last thing seen; null: nothing was. */
  readonly known: TimeRange | null
  /** The request that counts what goes out; it takes the parameters of the export itself. */
  readonly count: Count
  readonly rowsOf: (count: ResponseOf<Count>) => number
  readonly paramsOf: (scope: ExportScope) => ParamsOf<Count> & WorkerExports[Id]
  /** Which of them go out, behind the words for the range: `with the lanes, kinds and filters that are set, in order of time`. */
  readonly words: Readonly<Record<ExportScope, string>>
  /** Beside the number of rows: ` and 12 roll-ups`. */
  readonly also?: (count: ResponseOf<Count>, format: ExportFormat<Id>) => string
  /** Hint for the user before the export; null: nothing. */
  readonly note?: (count: ResponseOf<Count>, format: ExportFormat<Id>) => string | null
}
