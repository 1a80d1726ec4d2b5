/** How long single requests took, of the sample that was taken last. */
export interface LatencyResponse {
  readonly phase: 'none' | 'running' | 'done' | 'failed'
  /** Why it failed or ended early; empty: nothing to say. */
  readonly message: string
  /** When its connection opened, by this browser's clock. */
  readonly atMs: number | null
  readonly requests: number
  /** Requests of the pages of this browser, which are left out. */
  readonly ours: number
  /** Rows by kind of request, most first. */
  readonly rows: readonly LatencyRow[]
}

export interface LatencyRow {
  /** Kind of request in the server's words: `Queries`, `BulkDocs`, `Documents`, …; `None`: all else. */
  readonly type: string
  readonly requests: number
  /** Answered with a status of 400 and more. */
  readonly failed: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}
