import { asArray, asObject, asString, orNull, type JsonObject } from '../../base/json/check.ts'
import { databaseKey } from '../../base/text/database-key.ts'
import { isDeleting, parseStates } from './databases-wire.ts'
import type { Endpoint, EndpointKey, Params } from '../endpoints.ts'
import type { RavenError } from '../http/errors.ts'
import { asRavenError } from '../http/errors.ts'
import { isCompacting, isUnloading } from './unloading.ts'

/** State of the server, found before a socket is opened, or after it closed without a reason. */
export type Probe =
  | { readonly state: 'ready' }
  /** `settling`: it is being unloaded just now, and may turn out to be disabled or deleted in a moment. */
  | { readonly state: 'unloaded'; readonly message: string; readonly settling: boolean }
  | { readonly state: 'loading' | 'compacting' | 'disabled' | 'faulted' | 'gone'; readonly message: string }
  | { readonly state: 'refused' | 'unreachable'; readonly message: string; readonly error: RavenError }

export interface Asker {
  json: (key: EndpointKey, params: Params, options: { signal: AbortSignal; allowLoad?: boolean }) => Promise<unknown>
  isLoaded: (name: string, signal: AbortSignal) => Promise<boolean>
}

/**
 * Uses cheap calls that load nothing. Throws only for an abort of `signal`.
 * A socket of a database: is it loaded, and if not, why not. Another: its cheap sibling, or else the version.
 */
export async function probe(asker: Asker, endpoint: Endpoint, params: Params, signal: AbortSignal): Promise<Probe> {
  const name = endpoint.loadsDatabase ? params['database'] : undefined
  try {
    if (name !== undefined) return await probeDatabase(asker, name, signal)
    await asker.json(endpoint.sibling ?? 'buildVersion', {}, { signal })
    return { state: 'ready' }
  } catch (thrown) {
    return ofError(asRavenError(thrown, endpoint.route))
  }
}

async function probeDatabase(asker: Asker, name: string, signal: AbortSignal): Promise<Probe> {
  if (await asker.isLoaded(name, signal)) return { state: 'ready' }
  let response: unknown
  try {
    response = await asker.json('database', { name }, { signal })
  } catch (thrown) {
    const error = asRavenError(thrown, 'database')
    if (error.status === 404) return { state: 'gone', message: `There is no database “${name}” on this server.` }
    throw error
  }
  const entries = entriesOf(response)
  // Names are case-insensitive for the server.
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
  // A loading database has no figures yet; an unloaded one has those that the server kept.
  if (!settling && found['CachedDatabaseInfo'] !== true && (await isLoading(asker, name, signal)))
    return { state: 'loading', message: `The server is loading “${name}”.` }
  return {
    state: 'unloaded',
    message: `The server has unloaded “${name}”; monitoring resumes when a client loads it.`,
    settling,
  }
}

/** The name as the server spells it; null: it has no such database. Loads nothing. Errors: `RavenError`, of the call. */
export async function askSpelling(
  asker: Pick<Asker, 'json'>,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  const entries = entriesOf(await asker.json('database', { name }, { signal }))
  return entries.find((entry) => databaseKey(entry.name) === databaseKey(name))?.name ?? null
}

/** Only 6.2 and later report it; unknown counts as false. */
async function isLoading(asker: Asker, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const states = parseStates(await asker.json('databasesState', { name }, { signal }))
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

/** 6.2 and later send a list, of one or of the shards; 5.4 sends the entry alone. */
function entriesOf(response: unknown): { object: JsonObject; name: string }[] {
  const body = asObject(response, '$')
  const list = body['Databases'] === undefined ? [body] : asArray(body['Databases'], '$.Databases')
  return list.map((entry, row) => {
    const object = asObject(entry, `$.Databases[${row}]`)
    return { object, name: asString(object['Name'], `$.Databases[${row}].Name`) }
  })
}

/** Load errors are whole logs with stack traces. */
const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').trim().slice(0, 300)
