import type { Pieces } from './pieces.ts'

/**
 * Everything that the worker exports: id (feed and format: `io.csv`) → parameters. Each feature adds its own in its
 * `contract.ts` by declaration merging, as with `WorkerRequests`; formats, exporters and orders take their types from here.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface WorkerExports {}

export type ExportId = keyof WorkerExports

/** Format in the menu, known to both threads; the worker has the `Exporter` with the same `id`. */
export interface ExportFormat<Id extends ExportId = ExportId> {
  readonly id: Id
  readonly title: string
  /** Line of text: programs that open the file, and its peculiarities. */
  readonly opens: string
  /** Without a dot. */
  readonly extension: string
  readonly mediaType: string
  /** Estimated bytes of a row, to choose where the file is written. */
  readonly rowBytes: number
}

/**
 * Writes an export to `out` step by step. Each step writes little (much less than a piece, unless a row is larger) and
 * yields the number of rows written so far. Asynchronous if rows are requested from a server; then each step writes a
 * page.
 */
export type ExportSteps = Generator<number, void, undefined>
/** Its return value: a note on the rows, in sentences; null: nothing. */
export type RequestingSteps = AsyncGenerator<number, string | null, undefined>

/** An export of the data at the moment of its creation, without later data. */
export interface ExportPlan {
  /** Number of rows. */
  readonly rows: number
  /** Rows in words, if they are of several kinds. */
  readonly contents?: string
  readonly steps: (out: Pieces) => ExportSteps | RequestingSteps
}

/**
 * Export of a feed (events, batches, stacks …) in one format. Runs in the worker, reads tables by chunk without a copy,
 * and may load the code of its format. Throws for invalid parameters.
 */
export type Exporter<Id extends ExportId> = (params: WorkerExports[Id]) => ExportPlan | Promise<ExportPlan>

/** The exporters of a feed, checked with `satisfies Exporters<…>`. */
export type Exporters<Ids extends ExportId = ExportId> = { readonly [Id in Ids]: Exporter<Id> }

/** Parameters of `host.export.begin`. `id` is chosen by the caller, so that it can cancel the export at any time. */
export interface ExportBeginParams<Id extends ExportId = ExportId> {
  readonly id: number
  readonly exporter: Id
  readonly params: WorkerExports[Id]
}

export interface ExportBegun {
  readonly rows: number
  /** Rows in words; null: all of one kind. */
  readonly contents: string | null
}

/** Parameters of `host.export.next`, which is requested for each piece. */
export interface ExportNextParams {
  readonly id: number
}

export interface ExportPiece {
  /** At most `PIECE_BYTES`; transferred, not copied. Empty only at the end. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Number of rows written so far, this piece included. */
  readonly rows: number
  readonly last: boolean
  /** Note on the rows of the whole export, in sentences; null: nothing, or not the last piece. */
  readonly note: string | null
}
