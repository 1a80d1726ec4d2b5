import { putNewest } from '../../../../base/put-newest.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { Fields } from '../../../../base/json/fields.ts'
import { queryKey } from '../../../../ravendb/query-key.ts'
import type { EndedQuery, RunningQuery } from '../../contract/queries.ts'

export type { RunningQuery } from '../../contract/queries.ts'

const MOST_QUERIES = 50
const MOST_CHARACTERS = 20_000
const KEPT_CHARACTERS = 2000
/** Number that the server reports if there is no limit. */
const NO_LIMIT = 2 ** 31 - 1
/** Minimum duration of queries that are remembered after their end, ms. */
const REMEMBERED_MS = 5000

/**
 * Reads a frame of `/debug/queries/running/live`, which the server sends each second for all loaded databases without
 * loading one. Returns the longest queries first, at most 50. Errors: `ParseError`.
 */
export function readRunningQueries(frame: unknown): RunningQuery[] {
  return new Fields({ frame })
    .each('frame')
    .flatMap((entry) => {
      const database = entry.text('DatabaseName')
      return entry.each('RunningQueries').map((running): RunningQuery => {
        const info = running.inOrNull('QueryInfo')
        const pageSize = info?.numberOrNull('PageSize') ?? null
        return {
          database,
          index: running.textOrNull('IndexName') ?? '',
          id: running.number('QueryId'),
          query: (info?.textOrNull('Query') ?? '').slice(0, MOST_CHARACTERS),
          startTicks: running.ticksOrNull('StartTime'),
          runningMs: running.number('DurationInMs'),
          isStreaming: running.isTrue('IsStreaming'),
          waitsForIndex: info?.isTrue('WaitForNonStaleResults') === true,
          start: info?.numberOrNull('Start') ?? null,
          pageSize: pageSize === NO_LIMIT ? null : pageSize,
        }
      })
    })
    .toSorted((a, b) => b.runningMs - a.runningMs)
    .slice(0, MOST_QUERIES)
}

/** Ended queries that ran for 5 s or more, kept so that links to them still work. */
export class QueryLog {
  readonly #ended = new Map<string, EndedQuery>()
  #running = new Map<string, EndedQuery>()

  /** Takes all queries that run now. */
  note(queries: readonly RunningQuery[], atTicks: Ticks): void {
    const running = new Map(queries.map((query) => [queryKey(query), { ...query, lastTicks: atTicks }]))
    for (const [key, query] of this.#running)
      if (!running.has(key) && query.runningMs >= REMEMBERED_MS) putNewest(this.#ended, MOST_QUERIES, key, query)
    this.#running = running
  }

  /** Ended queries, newest first, at most 50. */
  get ended(): EndedQuery[] {
    return [...this.#ended.values()].toReversed()
  }

  /** Ended queries to store for the next visit, with at most 2,000 characters of each text. */
  get kept(): EndedQuery[] {
    return this.ended.map((query) => Object.assign({}, query, { query: query.query.slice(0, KEPT_CHARACTERS) }))
  }

  /** Adds queries of earlier visits after those of this one. */
  restore(before: readonly EndedQuery[]): void {
    const ofThisVisit = [...this.#ended]
    this.#ended.clear()
    for (const query of before.toReversed())
      putNewest(this.#ended, MOST_QUERIES, `${queryKey(query)} ${query.lastTicks}`, query)
    for (const [key, query] of ofThisVisit) putNewest(this.#ended, MOST_QUERIES, key, query)
  }
}
