import type { Ticks } from '../../../base/ticks.ts'

/** A query that was running when the server reported it. */
export interface RunningQuery {
  readonly database: string
  /** `collection/…` where none of the indexes answers it. */
  readonly index: string
  /** Number that the server gives it within the database; with it the same query is known again. */
  readonly id: number
  /** At most 20,000 characters. */
  readonly query: string
  readonly startTicks: Ticks | null
  readonly runningMs: number
  /** An export or a subscription of a reader: it may take long by its nature. */
  readonly isStreaming: boolean
  /** Whether the client wants it to wait until the index has caught up. */
  readonly waitsForIndex: boolean
  /** First result and most results that the client wants; null: not reported, or no limit. */
  readonly start: number | null
  readonly pageSize: number | null
}

/** A query that does not run any more, as it was reported last. */
export interface EndedQuery extends RunningQuery {
  readonly lastTicks: Ticks
}

export interface RunningQueriesResponse {
  /** When they were reported; null: never. */
  readonly atTicks: Ticks | null
  /** Tag of the node that this page talks to: they run there. */
  readonly nodeTag: string | null
  /** Longest first, at most 50; null: not known now. */
  readonly running: readonly RunningQuery[] | null
  /** Queries that ran for 5 s and more, newest first, at most 50. */
  readonly ended: readonly EndedQuery[]
}
