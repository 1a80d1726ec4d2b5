import { asObject } from '../../base/json/check.ts'
import { parseDatabases, parseIdle, parseStates, type DatabaseRow } from '../databases-wire.ts'
import { ENDPOINTS, type EndpointKey, type Params } from '../endpoints.ts'
import { asRavenError, RavenError } from '../errors/errors.ts'
import type { Governor } from '../governor/governor.ts'
import { readLoadLog, type LoadStep } from '../errors/load-log.ts'
import type { PollOptions } from '../http/poll.ts'

export type { DatabaseRow, DatabaseState, MountUse } from '../databases-wire.ts'

export interface DatabaseList {
  /** Sorted by name, as the server sends them. */
  readonly rows: readonly DatabaseRow[]
  /** Whether all databases are listed; false: there are more than `MAX_DATABASES`, and these are the first. */
  readonly complete: boolean
}

/** Databases of one request; a sharded one counts as one and has a row for each shard. */
const PAGE_SIZE = 512
/** Maximum number of listed databases; on a server with more they are found by name. */
const MAX_DATABASES = 16_384
/** Number of databases that are read in any case for a certificate that may not see all of them. */
const LOOKED_THROUGH = 4096
/** Time, ms, for which a refusal is remembered: rights change rarely. */
const REFUSAL_MS = 300_000

type RequestOptions = { readonly signal?: AbortSignal | undefined }
type States = ReturnType<typeof parseStates>

/**
 * Refusals of the idle list, so that not every refresh requests it. `granted`: number of databases that the certificate
 * may use (null: not known).
 */
const refusals = new WeakMap<Governor, { readonly atMs: number; readonly granted: number | null }>()

/**
 * Lists all databases that the certificate may see, with their states; loads none. 6.2 and later also report which are
 * loading and, to an Operator, which are about to be unloaded. Errors: `RavenError` if the list itself fails; a failure
 * of the other two requests leaves their fields unknown.
 */
export async function listDatabases(governor: Governor, options: RequestOptions = {}): Promise<DatabaseList> {
  const idle = await idleOrNull(governor, options)
  const rows: DatabaseRow[] = []
  for (let start = 0; start < MAX_DATABASES; start += PAGE_SIZE) {
    const page = { start: String(start), pageSize: String(PAGE_SIZE) }
    const [list, states] = await Promise.all([
      request(governor, 'databases', page, options, parseDatabases),
      request(governor, 'databasesState', page, options, parseStates).catch(noneIfAnswered),
    ])
    for (const row of list) rows.push(merge(row, states, idle))
    // The server cuts the list into pages before it removes what the certificate may not see. For such a certificate
    // (refused the idle list) a short page, even an empty one, need not be the last.
    if (idle !== null && databasesIn(list) < PAGE_SIZE) return { rows, complete: true }
    // Beyond that number, pages are read only until all granted databases are found.
    const granted = idle === null ? (refusals.get(governor)?.granted ?? null) : null
    if (granted !== null && databasesIn(rows) >= granted) return { rows, complete: true }
    if (idle === null && start + PAGE_SIZE >= LOOKED_THROUGH && list.length === 0) return { rows, complete: true }
  }
  return { rows, complete: false }
}

/** Endpoints of one page of the list. */
const PARTS: readonly EndpointKey[] = ['idleDatabases', 'databases', 'databasesState']

/** Polls the list, once for all pages of this browser. Returns a function that ends it. */
export function pollDatabases(governor: Governor, options: PollOptions<DatabaseList>): () => void {
  let pages = 1
  return governor.repeatShared(
    'databases',
    ENDPOINTS.databases.route,
    (signal) => listDatabases(governor, { signal }),
    {
      ...options,
      costMs: () => pages * PARTS.reduce((sum, key) => sum + governor.costMs(key), 0),
      onResponse: (list, ...times) => {
        pages = Math.max(1, Math.ceil(databasesIn(list.rows) / PAGE_SIZE))
        options.onResponse(list, ...times)
      },
    },
  )
}

function merge(row: DatabaseRow, states: States | null, idle: ReadonlyMap<string, boolean> | null): DatabaseRow {
  const reported = states?.get(row.name)
  const error = row.error ?? reported?.error ?? null
  const unloaded = error === null ? (reported?.loading === true ? 'loading' : 'unloaded') : 'faulted'
  return {
    ...row,
    error,
    state: row.state === 'unloaded' ? unloaded : row.state,
    unloadsSoon: idle === null ? null : (idle.get(row.name) ?? false),
  }
}

/** Progress of a load, as the server reports it to a request that waits for it. */
export type LoadStory =
  /** The database is loaded or no longer loading; the list shows which. */
  | { readonly state: 'ended' }
  /** `steps` empty: it waits for its turn. */
  | { readonly state: 'loading'; readonly message: string; readonly hint: string; readonly steps: readonly LoadStep[] }

/**
 * Reads the progress of a database load. The server reports it only to a request that has waited in vain (30 s by
 * default), as every client of the database does. Only for a database that is loading: the request begins no load,
 * unless the load ends between the two requests. Errors: `RavenError`, for instance that the load failed.
 */
export async function requestLoadStory(governor: Governor, name: string, options: RequestOptions): Promise<LoadStory> {
  const states = await request(governor, 'databasesState', { name }, options, parseStates)
  if (![...states.values()].some(({ loading }) => loading)) return { state: 'ended' }
  try {
    await governor.json('footerStats', { database: name }, { ...options, allowLoad: true })
    return { state: 'ended' }
  } catch (error) {
    if (!(error instanceof RavenError) || error.kind !== 'database-loading') throw error
    const { message, hint, serverMessage } = error
    return { state: 'loading', message, hint, steps: readLoadLog(serverMessage ?? '')?.steps ?? [] }
  }
}

const databasesIn = (rows: readonly DatabaseRow[]): number =>
  new Set(rows.map((row) => row.name.replace(/\$\d+$/, ''))).size

async function idleOrNull(governor: Governor, options: RequestOptions): Promise<ReadonlyMap<string, boolean> | null> {
  const now = governor.env.now()
  if (now - (refusals.get(governor)?.atMs ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return null
  try {
    return await request(governor, 'idleDatabases', {}, options, parseIdle)
  } catch (error) {
    if (error instanceof RavenError && error.kind === 'refused')
      refusals.set(governor, { atMs: now, granted: await grantedTo(governor, options) })
    return noneIfAnswered(error)
  }
}

/** Number of databases that the certificate is granted by name, some of which may not exist. Null: not known. */
const grantedTo = (governor: Governor, options: RequestOptions): Promise<number | null> =>
  request(governor, 'whoami', {}, options, (response) =>
    response === null ? null : Object.keys(asObject(asObject(response, '$')['Permissions'], '$.Permissions')).length,
  ).catch(noneIfAnswered)

async function request<T>(
  governor: Governor,
  key: EndpointKey,
  params: Params,
  { signal }: RequestOptions,
  parse: (response: unknown) => T,
): Promise<T> {
  const response = await governor.json(key, params, { signal })
  try {
    return parse(response)
  } catch (error) {
    throw asRavenError(error, ENDPOINTS[key].route)
  }
}

/**
 * Turns an error into null for a request that only adds to the list and may be refused or missing; rethrows an abort.
 */
function noneIfAnswered(error: unknown): null {
  if (error instanceof RavenError && error.kind !== 'aborted') return null
  throw error
}
