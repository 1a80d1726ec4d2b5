import type { Pieces } from './pieces.ts'

/**
 * Everything that the worker exports: id (feed and format: `io.csv`) → parameters. Each feature adds its own in its
 * `contract.ts` by declaration merging, as with `WorkerRequests`; formats, exporters and orders take their types from here.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface WorkerExports {}

export type ExportId = keyof WorkerExports

/** Format to choose from. Known to both threads; the worker's part is the `Exporter` of the same `id`. */
export interface ExportFormat<Id extends ExportId = ExportId> {
  readonly id: Id
  readonly title: string
  /** Line of text: which programs open the file, and what is special about it. */
  readonly opens: string
  /** Without a dot. */
  readonly extension: string
  readonly mediaType: string
  /** About how many bytes a row takes, to choose where the file is written to. */
  readonly rowBytes: number
}

/**
 * Writes itself to `out` a step at a time. Each step writes little (far less than a piece, where a row is not itself
 * larger), and yields how many rows are written until then. Asynchronous where rows are requested of a server: its steps
 * write a page each.
 */
export type ExportSteps = Generator<number, void, undefined>
export type RequestingSteps = AsyncGenerator<number, void, undefined>

/** An export of the moment at which it was made: what arrives later is not in it. */
export interface ExportPlan {
  /** Rows that it will have. */
  readonly rows: number
  /** Rows in words, where they are of several kinds. */
  readonly contents?: string
  readonly steps: (out: Pieces) => ExportSteps | RequestingSteps
}

/**
 * Export of a feed: events, batches, stacks … as a format. Runs in the worker, reads tables by chunk, and copies none
 * of them; may load what the format needs. Throws when the parameters are invalid.
 */
export type Exporter<Id extends ExportId> = (params: WorkerExports[Id]) => ExportPlan | Promise<ExportPlan>

/** The exporters of a feed, which it checks with `satisfies Exporters<…>`. */
export type Exporters<Ids extends ExportId = ExportId> = { readonly [Id in Ids]: Exporter<Id> }

/** `host.export.begin`. `id` is the requester's, so that it can give up whatever it has begun. */
export interface ExportBeginParams<Id extends ExportId = ExportId> {
  readonly id: number
  readonly exporter: Id
  readonly params: WorkerExports[Id]
}

export interface ExportBegun {
  readonly rows: number
  /** Rows in words; null: they are of one kind. */
  readonly contents: string | null
}

/** `host.export.next`; requested again for each piece. */
export interface ExportNextParams {
  readonly id: number
}

export interface ExportPiece {
  /** At most `PIECE_BYTES`; handed over, not copied. Empty only where there is nothing more. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Rows written until now, this piece included. */
  readonly rows: number
  readonly last: boolean
}
