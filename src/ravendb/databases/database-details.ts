import { asArray, asObject, asString, orNull, unlessNegative, type JsonObject } from '../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../base/ticks.ts'
import { ENDPOINTS, type EndpointKey } from '../endpoints.ts'
import { asRavenError, RavenError } from '../errors/errors.ts'
import type { Governor } from '../governor/governor.ts'
import { readDatabaseCounts } from './counts.ts'
import { readIndexMerges } from './index-merge.ts'
import { readNoticeDetails, type NoticeDetails } from './notice-details.ts'
import { readTasks } from './ongoing-tasks.ts'
import { readJournalReport } from './journals.ts'
import { readEnvironments, readUnloadedEnvironments } from './environments.ts'

/*
 * Facts that only a database itself knows: the errors and states of its indexes, its storage, tasks, alerts and hints.
 * Each call is made for a click or for a view of that very database, never repeated by itself. An unloaded database
 * gets no request, unless `load` says so.
 */

export interface DetailParams {
  readonly database: string
  /** Index to which the response is limited. */
  readonly index?: string
  /** Whether to load the database; the user was warned. */
  readonly load?: boolean
}

/** Response of a database. `loaded` false: no request was sent, because the database is not loaded. */
export type Detail<Response> =
  { readonly loaded: false } | ({ readonly loaded: true; readonly atMs: number } & Response)

/** An error that an index keeps until it is reset or the errors are deleted. */
export interface IndexError {
  readonly index: string
  /** Time of the error; null: not reported. */
  readonly atTicks: Ticks | null
  /** Id, or `Reduce key: {…}`; null: not about a document. */
  readonly document: string | null
  /** `Map`, `Reduce`, … */
  readonly action: string | null
  /** The server's text with its stack, cut at 8,000 characters. */
  readonly error: string
}

export interface IndexErrors {
  /** Newest first, at most 5,000. */
  readonly errors: readonly IndexError[]
  /** Number that the server keeps: at most 500 for an index. */
  readonly total: number
}

/** An index as `indexes/stats` reports it. */
export interface IndexState {
  readonly index: string
  /** `Normal`, `Idle`, `Disabled`, `Error`, … */
  readonly state: string
  /** `Running`, `Paused`, `Disabled`, `Pending`, …; null: not reported. */
  readonly status: string | null
  readonly isStale: boolean | null
  readonly errorsCount: number | null
}

/** An alert or performance hint of a database. */
export interface DatabaseNotice {
  readonly id: string
  readonly atTicks: Ticks | null
  /** `PerformanceHint`, `AlertRaised`, … */
  readonly type: string
  /** The kind: `Reason` on 7.1, `AlertType` or `HintType` in earlier versions. */
  readonly kind: string | null
  /** `Info`, `Success`, `Warning`, `Error`, … */
  readonly severity: string
  readonly title: string
  readonly message: string | null
  /** Details of the notification; null: none. */
  readonly details: NoticeDetails | null
}

export interface DatabaseNotices {
  /** Newest first, at most 256. */
  readonly notices: readonly DatabaseNotice[]
  readonly total: number
}

const MOST_ERRORS = 5000
const MOST_CHARACTERS = 8000

/** Readers by the name that the page requests. */
export const DETAILS = {
  indexErrors: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(governor, 'indexErrors', params, signal, readIndexErrors),
  indexStates: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(governor, 'indexesStats', params, signal, (response) => ({ indexes: readIndexStates(response) })),
  databaseNotices: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(governor, 'databaseNotifications', params, signal, readNotices),
  ongoingTasks: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(governor, 'ongoingTasks', params, signal, readTasks),
  databaseCounts: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(governor, 'databaseStats', params, signal, readDatabaseCounts),
  indexMerges: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(governor, 'indexMerges', params, signal, readIndexMerges),
  /** Journals of the documents, or of an index. */
  journals: (governor: Governor, params: DetailParams, signal: AbortSignal) =>
    detail(
      governor,
      'storageEnvironment',
      params,
      signal,
      (response) => ({ report: readJournalReport(response) }),
      params.index === undefined ? { name: params.database, type: 'Documents' } : { name: params.index, type: 'Index' },
    ),
  /** For an unloaded database the server's list has the environments, so that it need not be loaded. */
  environments: async (governor: Governor, params: DetailParams, signal: AbortSignal) => {
    if (params.load !== true) {
      // Without environments the report below is requested, and its error is shown.
      const environments = await governor
        .json('database', { name: params.database }, { signal })
        .then(readUnloadedEnvironments, () => [])
      if (environments.length > 0) return { loaded: true as const, atMs: governor.env.now(), environments }
    }
    return detail(governor, 'storageReport', params, signal, (response) => ({
      environments: readEnvironments(response),
    }))
  },
}

/** Errors: `RavenError`, except for a database that is not loaded. */
async function detail<Response extends object>(
  governor: Governor,
  key: EndpointKey,
  { database, index, load }: DetailParams,
  signal: AbortSignal,
  read: (response: unknown) => Response,
  query: Readonly<Record<string, string>> = index === undefined ? {} : { name: index },
): Promise<Detail<Response>> {
  const params = { database, ...query }
  try {
    const response = await governor.json(key, params, { signal, allowLoad: load === true })
    return { loaded: true, atMs: governor.readMs(key, params) ?? governor.env.now(), ...read(response) }
  } catch (error) {
    // The server itself may refuse while it compacts or unloads the database; after a click to load it, the reason is
    // shown.
    if (error instanceof RavenError && error.kind === 'database-unloaded' && (load !== true || error.status === null))
      return { loaded: false }
    throw asRavenError(error, ENDPOINTS[key].route)
  }
}

const resultsOf = (response: unknown): JsonObject[] =>
  asArray(asObject(response, '$')['Results'], '$.Results').map((item, row) => asObject(item, `$.Results[${row}]`))

/** Reads `indexes/errors`. Errors: `ParseError`. */
export function readIndexErrors(response: unknown): IndexErrors {
  const errors = resultsOf(response).flatMap((entry, row): IndexError[] => {
    const path = `$.Results[${row}]`
    const index = asString(entry['Name'], `${path}.Name`)
    return (orNull(asArray, entry['Errors'], `${path}.Errors`) ?? []).map((item, column) => {
      const at = `${path}.Errors[${column}]`
      const error = asObject(item, at)
      return {
        index,
        atTicks: momentOf(error, 'Timestamp', at),
        document: textOf(error, 'Document', at),
        action: textOf(error, 'Action', at),
        error: textOf(error, 'Error', at) ?? '',
      }
    })
  })
  const newestFirst = errors.toSorted((a, b) => (b.atTicks ?? 0) - (a.atTicks ?? 0))
  return { errors: newestFirst.slice(0, MOST_ERRORS), total: errors.length }
}

/** Reads `indexes/stats`. Errors: `ParseError`. */
export const readIndexStates = (response: unknown): IndexState[] =>
  resultsOf(response).map((entry, row) => {
    const path = `$.Results[${row}]`
    return {
      index: asString(entry['Name'], `${path}.Name`),
      state: textOf(entry, 'State', path) ?? 'Normal',
      status: textOf(entry, 'Status', path),
      isStale: typeof entry['IsStale'] === 'boolean' ? entry['IsStale'] : null,
      errorsCount: unlessNegative(entry['ErrorsCount'], `${path}.ErrorsCount`),
    }
  })

/** Reads `notifications` of a database. Errors: `ParseError`. */
export function readNotices(response: unknown): DatabaseNotices {
  const notices = resultsOf(response).map((entry, row): DatabaseNotice => {
    const path = `$.Results[${row}]`
    return {
      id: asString(entry['Id'], `${path}.Id`),
      atTicks: momentOf(entry, 'CreatedAt', path),
      type: asString(entry['Type'], `${path}.Type`),
      kind: textOf(entry, 'Reason', path) ?? textOf(entry, 'AlertType', path) ?? textOf(entry, 'HintType', path),
      severity: textOf(entry, 'Severity', path) ?? 'Info',
      title: textOf(entry, 'Title', path) ?? '',
      message: textOf(entry, 'Message', path),
      details: readNoticeDetails(entry['Details']),
    }
  })
  const total = unlessNegative(asObject(response, '$')['TotalResults'], '$.TotalResults') ?? notices.length
  return { notices: notices.toSorted((a, b) => (b.atTicks ?? 0) - (a.atTicks ?? 0)), total }
}

const textOf = (entry: JsonObject, field: string, path: string): string | null =>
  orNull(asString, entry[field], `${path}.${field}`)?.slice(0, MOST_CHARACTERS) ?? null

function momentOf(entry: JsonObject, field: string, path: string): Ticks | null {
  const ticks = parseTicks(textOf(entry, field, path) ?? '')
  return Number.isNaN(ticks) ? null : ticks
}
