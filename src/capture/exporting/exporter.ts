import type { Pieces } from './pieces.ts'

/** What a person chooses from. Known to both threads; the worker's part is the `Exporter` of the same `id`. */
export interface ExportFormat {
  /** `io.csv`: feed and format. */
  readonly id: string
  readonly title: string
  /** One line: what opens it, and what is special about it. */
  readonly opens: string
  /** Without a dot. */
  readonly extension: string
  readonly mediaType: string
  /** About how many bytes a row takes, to choose where the file is written to. */
  readonly rowBytes: number
}

/**
 * Writes itself to `out` a step at a time. Each step writes little (far less than a piece, where a row is not itself
 * larger), and yields how many rows are written until then.
 */
export type ExportSteps = Generator<number, void, undefined>

/** An export of the moment at which it was made: what arrives later is not in it. */
export interface ExportPlan {
  /** Rows that it will have. */
  readonly rows: number
  readonly steps: (out: Pieces) => ExportSteps
}

/**
 * One way out of a feed: events, batches, stacks … as a format. Runs in the worker, reads tables by chunk, and copies
 * none of them. A new format (folded stacks, speedscope, pprof) is one of these in its feed's `exporters`.
 */
export interface Exporter {
  readonly id: string
  /** May load what the format needs. Throws when the request is invalid. */
  readonly plan: (ask: never) => ExportPlan | Promise<ExportPlan>
}

/** `host.export.begin`. `id` is the asker's, so that it can give up whatever it has begun. */
export interface ExportBeginParams {
  readonly id: number
  readonly exporter: string
  readonly ask: unknown
}

/** `host.export.next`; asked again for each piece. */
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
