import { databasePath, json, put } from '../../tools/ravendb/client.mjs'

/** Longer than a call waits elsewhere. */
const LONG_MS = 90_000

/** A request of another client than the page. */
export type Call = (method: string, path: string, body?: object, timeoutMs?: number) => Promise<unknown>

export const callOf =
  (url: string): Call =>
  (method, path, body, timeout) =>
    json(url, path, { method, ...(body === undefined ? {} : { body }), ...(timeout === undefined ? {} : { timeout }) })

const QUERY = { Query: 'from Users where n = 1', WaitForNonStaleResults: true }

/** Creates a database in which queries wait for an index, since indexing is stopped. Returns a function that sends one for 75 s. */
export async function makeWaiting(call: Call, database: string): Promise<() => Promise<unknown>> {
  const path = databasePath(database)
  const write = (id: string, n: number): Promise<unknown> =>
    call('POST', `${path}/bulk_docs`, { Commands: [put(id, 'Users', { n })] })
  await call('PUT', `/admin/databases?name=${database}&replicationFactor=1`, { DatabaseName: database, Settings: {} })
  await write('users/1', 1)
  await call('POST', `${path}/queries`, QUERY)
  await call('POST', `${path}/admin/indexes/stop`)
  await write('users/2', 2)
  const body = { ...QUERY, WaitForNonStaleResultsTimeout: '00:01:15' }
  return () => call('POST', `${path}/queries`, body, LONG_MS).catch(() => null)
}

/** A query that runs for 75 s, or until `end`, which resolves when it has ended. */
export async function requestLong(
  url: string,
  database: string,
): Promise<{ readonly startMs: number; readonly end: () => Promise<unknown> }> {
  const call = callOf(url)
  const request = await makeWaiting(call, database)
  const startMs = Date.now()
  const ended = request()
  const end = async (): Promise<unknown> => {
    await call('POST', `${databasePath(database)}/admin/indexes/start`)
    return ended
  }
  return { startMs, end }
}
