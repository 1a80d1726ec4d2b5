import type { TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../client/state.ts'
import type { ExportFormat } from './exporter.ts'

/** What is in view with its filters, or all there is. */
export type ExportScope = 'view' | 'all'

/**
 * What a panel lets out of its data through `ExportButton`. A dialog holds on to it as it was when it was opened, for a live
 * view moves on.
 */
export interface ExportSubject<Count> {
  /** One and several of what goes out: `event`, `events`. */
  readonly one: string
  readonly many: string
  /** Title of the dialog: `Export I/O events`. */
  readonly title: string
  /** Of the file's name: `io`. */
  readonly what: string
  readonly formats: readonly [ExportFormat, ...ExportFormat[]]
  readonly sources: readonly SourceId[]
  readonly range: TimeRange
  /** From the first to the last thing seen; null: nothing was. */
  readonly known: TimeRange | null
  /** Request that is answered with a `Count`, with the parameters of the export itself. */
  readonly count: string
  readonly rowsOf: (count: Count) => number
  readonly askOf: (scope: ExportScope) => object
  /** Which of them go out, behind the words for the range: `with the lanes, kinds and filters that are set, in order of time`. */
  readonly words: Readonly<Record<ExportScope, string>>
  /** Beside the number of rows: ` and 12 roll-ups`. */
  readonly also?: (count: Count, format: ExportFormat) => string
  /** What should be known before; null: nothing. */
  readonly note?: (count: Count, format: ExportFormat) => string | null
}
