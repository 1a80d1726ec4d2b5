import { asArray, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import { isDeleting, parseStates } from '../databases-wire.ts'
import type { Endpoint, EndpointKey, Params } from '../endpoints.ts'
import type { RavenError } from '../errors/errors.ts'
import { asRavenError } from '../errors/errors.ts'
import { isCompacting, isUnloading } from '../errors/unloading.ts'

/** State of the other end of a socket, found before it is opened, or after it closed without a reason. */
export type Probe =
  | { readonly state: 'ready' }
  /** `settling`: it is being unloaded, and may turn out to be disabled or deleted. */
  | { readonly state: 'unloaded'; readonly message: string; readonly settling: boolean }
  | { readonly state: 'loading' | 'compacting' | 'disabled' | 'faulted' | 'gone'; readonly message: string }
  | { readonly state: 'refused' | 'unreachable'; readonly message: string; readonly error: RavenError }

export interface Requester {
  json: (key: EndpointKey, params: Params, options: { signal: AbortSignal; allowLoad?: boolean }) => Promise<unknown>
  isLoaded: (name: string, signal: AbortSignal) => Promise<boolean>
}

/**
 * Finds the state with cheap calls that load nothing: for a socket of a database, whether it is loaded, and if not,
 * why; for another socket its cheap sibling, or else the version. Throws only if `signal` is aborted.
 */
export async function probe(
  requester: Requester,
  endpoint: Endpoint,
  params: Params,
  signal: AbortSignal,
): Promise<Probe> {
  const name = endpoint.loadsDatabase ? params['database'] : undefined
  try {
    if (name !== undefined) return await probeDatabase(requester, name, signal)
    await requester.json(endpoint.sibling ?? 'buildVersion', {}, { signal })
    return { state: 'ready' }
  } catch (thrown) {
    return ofError(asRavenError(thrown, endpoint.route))
  }
}

async function probeDatabase(requester: Requester, name: string, signal: AbortSignal): Promise<Probe> {
  if (await requester.isLoaded(name, signal)) return { state: 'ready' }
  let response: unknown
  try {
    response = await requester.json('database', { name }, { signal })
  } catch (thrown) {
    const error = asRavenError(thrown, 'database')
    if (error.status === 404) return { state: 'gone', message: `There is no database “${name}” on this server.` }
    throw error
  }
  const entries = entriesOf(response)
  // The server ignores case in names.
  const found = entries.find((entry) => databaseKey(entry.name) === databaseKey(name))?.object
  if (found === undefined) {
    const shards = entries.map((entry) => entry.name).join(', ')
    const message =
      shards === ''
        ? `There is no database “${name}” on this server.`
        : `“${name}” is sharded: open its shards, ${shards}.`
    return { state: 'gone', message }
  }
  const loadError = orNull(asString, found['LoadError'], '$.Databases[0].LoadError')
  if (loadError !== null && isCompacting(loadError))
    return { state: 'compacting', message: `The server is compacting “${name}”; it is offline until that is done.` }
  const settling = loadError !== null && isUnloading(loadError)
  if (loadError !== null && !settling)
    return { state: 'faulted', message: `“${name}” failed to load: ${firstLine(loadError)}` }
  if (found['Disabled'] === true) return { state: 'disabled', message: `“${name}” is disabled.` }
  if (isDeleting(found)) return { state: 'gone', message: `“${name}” is being deleted.` }
  // A loading database has no figures yet; an unloaded one has figures that the server kept.
  if (!settling && found['CachedDatabaseInfo'] !== true && (await isLoading(requester, name, signal)))
    return { state: 'loading', message: `The server is loading “${name}”.` }
  return {
    state: 'unloaded',
    message: `The server has unloaded “${name}”; monitoring resumes when a client loads it.`,
    settling,
  }
}

/** Name as the server spells it; null: no such database. Loads nothing. Errors: `RavenError` of the call. */
export async function requestSpelling(
  requester: Pick<Requester, 'json'>,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  const entries = entriesOf(await requester.json('database', { name }, { signal }))
  return entries.find((entry) => databaseKey(entry.name) === databaseKey(name))?.name ?? null
}

/** Whether it is loading, which only 6.2 and later report; false if unknown. */
async function isLoading(requester: Requester, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const states = parseStates(await requester.json('databasesState', { name }, { signal }))
    return [...states].some(([known, { loading }]) => loading && databaseKey(known) === databaseKey(name))
  } catch (error) {
    if (signal.aborted) throw error
    return false
  }
}

function ofError(error: RavenError): Probe {
  const { message } = error
  switch (error.kind) {
    case 'refused':
    case 'stranger':
    case 'no-server':
    case 'two-factor':
    case 'licence':
    case 'route-missing':
      return { state: 'refused', message, error }
    case 'database-disabled':
      return { state: 'disabled', message }
    case 'database-missing':
      return { state: 'gone', message }
    case 'database-loading':
      return { state: 'loading', message }
    case 'database-faulted':
      return { state: 'faulted', message: error.serverMessage === null ? message : firstLine(error.serverMessage) }
    default:
      return { state: 'unreachable', message, error }
  }
}

/** 6.2 and later send a list with the database or its shards; 5.4 sends the entry itself. */
function entriesOf(response: unknown): { object: JsonObject; name: string }[] {
  const body = asObject(response, '$')
  const list = body['Databases'] === undefined ? [body] : asArray(body['Databases'], '$.Databases')
  return list.map((entry, row) => {
    const object = asObject(entry, `$.Databases[${row}]`)
    return { object, name: asString(object['Name'], `$.Databases[${row}].Name`) }
  })
}

/** First line of a load error, which is a whole log with stack traces. */
const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').trim().slice(0, 300)
