import type { Ticks } from '../../base/brand.ts'
import { asArray, asNumber, asObject, asString, orNull } from '../../base/check.ts'
import { ticksOrNull } from './widgets.ts'

/** A query that was running when the server told of it. */
export interface RunningQuery {
  readonly database: string
  /** `collection/…` where none of the indexes answers it. */
  readonly index: string
  /** Of the server's own number within the database; with it the same query is known again. */
  readonly id: number
  /** At most 300 characters. */
  readonly query: string
  readonly startTicks: Ticks | null
  readonly runningMs: number
  /** An export or a subscription of a reader: it may take long by its nature. */
  readonly isStreaming: boolean
  /** It was asked to wait until the index has caught up. */
  readonly waitsForIndex: boolean
}

/** Shorter ones are a server at work. */
const LEAST_MS = 5000
const MOST_QUERIES = 50
const MOST_CHARACTERS = 300

/**
 * A frame of `/debug/queries/running/live`: of all loaded databases, each second; it loads none. Those of 5 s and more,
 * longest first, at most 50. Errors: `ParseError`.
 */
export function readRunningQueries(frame: unknown): RunningQuery[] {
  return asArray(frame, '$')
    .flatMap((item, row) => {
      const path = `$[${row}]`
      const entry = asObject(item, path)
      const database = asString(entry['DatabaseName'], `${path}.DatabaseName`)
      return asArray(entry['RunningQueries'], `${path}.RunningQueries`).map((query, column): RunningQuery => {
        const at = `${path}.RunningQueries[${column}]`
        const running = asObject(query, at)
        const info = orNull(asObject, running['QueryInfo'], `${at}.QueryInfo`)
        return {
          database,
          index: orNull(asString, running['IndexName'], `${at}.IndexName`) ?? '',
          id: asNumber(running['QueryId'], `${at}.QueryId`),
          query: (orNull(asString, info?.['Query'], `${at}.QueryInfo.Query`) ?? '').slice(0, MOST_CHARACTERS),
          startTicks: ticksOrNull(orNull(asString, running['StartTime'], `${at}.StartTime`)),
          runningMs: asNumber(running['DurationInMs'], `${at}.DurationInMs`),
          isStreaming: running['IsStreaming'] === true,
          waitsForIndex: info?.['WaitForNonStaleResults'] === true,
        }
      })
    })
    .filter(({ runningMs }) => runningMs >= LEAST_MS)
    .toSorted((a, b) => b.runningMs - a.runningMs)
    .slice(0, MOST_QUERIES)
}
