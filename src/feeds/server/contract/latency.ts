/** Durations of single requests in the newest sample. */
export interface LatencyResponse {
  readonly phase: 'none' | 'running' | 'done' | 'failed'
  /** Reason why it failed or ended early; empty: no message. */
  readonly message: string
  /** Time at which the connection of the sample opened, by this browser's clock; null: not opened. */
  readonly atMs: number | null
  readonly requests: number
  /** Number of requests from the pages of this browser. They are left out of the sample. */
  readonly ours: number
  /** Rows by kind of request, the most frequent first. */
  readonly rows: readonly LatencyRow[]
}

export interface LatencyRow {
  /** Kind of request in the server's words: `Queries`, `BulkDocs`, `Documents`, …; `None`: all other requests. */
  readonly type: string
  readonly requests: number
  /** Number of requests answered with status 400 or higher. */
  readonly failed: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}
