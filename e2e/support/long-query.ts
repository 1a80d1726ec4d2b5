import { bulk, createDatabase, databasePath, json, put } from '../../tools/ravendb/client.mjs'

/** Longer than a call waits elsewhere. */
const LONG_MS = 90_000

/** A query that runs for 75 s: it waits for an index that is stopped, as all indexing of its database. */
export async function askLong(
  url: string,
  database: string,
): Promise<{ readonly startMs: number; readonly ended: Promise<unknown> }> {
  await createDatabase(url, database)
  const path = databasePath(database)
  const query = { Query: 'from Users where n = 1', WaitForNonStaleResults: true }
  await bulk(url, database, [put('users/1', 'Users', { n: 1 })])
  await json(url, `${path}/queries`, { method: 'POST', body: query })
  await json(url, `${path}/admin/indexes/stop`, { method: 'POST' })
  await bulk(url, database, [put('users/2', 'Users', { n: 2 })])
  const body = { ...query, WaitForNonStaleResultsTimeout: '00:01:15' }
  return {
    startMs: Date.now(),
    ended: json(url, `${path}/queries`, { method: 'POST', body, timeout: LONG_MS }).catch(() => null),
  }
}
