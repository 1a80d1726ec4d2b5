import type { Ticks } from '../../../base/ticks.ts'

/** A query that was running when the server reported it. */
export interface RunningQuery {
  readonly database: string
  /** Name of the index; `collection/…` if no index answers the query. */
  readonly index: string
  /** Number that the server gives the query within its database. Identifies the same query in later reports. */
  readonly id: number
  /** Text of the query, at most 20,000 characters. */
  readonly query: string
  readonly startTicks: Ticks | null
  readonly runningMs: number
  /** Whether it is an export or a subscription, which streams its results and is expected to take long. */
  readonly isStreaming: boolean
  /** Whether the client requested to wait until the index is up to date. */
  readonly waitsForIndex: boolean
  /** First result and maximum number of results that the client requested; null: not reported, or no limit. */
  readonly start: number | null
  readonly pageSize: number | null
}

/** Query that has ended, as in its last report. */
export interface EndedQuery extends RunningQuery {
  readonly lastTicks: Ticks
}

export interface RunningQueriesResponse {
  /** Time of the report; null: never reported. */
  readonly atTicks: Ticks | null
  /** Tag of the node that this page is connected to, where the queries run. */
  readonly nodeTag: string | null
  /** Running queries, longest first, at most 50; null: not known now. */
  readonly running: readonly RunningQuery[] | null
  /** Ended queries that ran for 5 s or more, newest first, at most 50. */
  readonly ended: readonly EndedQuery[]
}
