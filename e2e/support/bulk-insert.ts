import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { databasePath, json } from '../../tools/ravendb/client.mjs'

const EVERY_MS = 500
const BATCH = 50

/** Inserts 50 documents every half second, until `end`. `onSent` receives the number so far; the result has the operation's id. */
export async function bulkInsertSlowly(
  url: string,
  database: string,
  end: AbortSignal,
  onSent: (documents: number) => void = () => undefined,
): Promise<{ readonly id: number; readonly documents: number; readonly seconds: number }> {
  const { Id } = (await json(url, `${databasePath(database)}/operations/next-operation-id`)) as { readonly Id: number }
  const request = http.request(`${url}${databasePath(database)}/bulk_insert?id=${String(Id)}`, { method: 'POST' })
  const answered = new Promise<void>((done, failed) => {
    request.on('error', failed)
    request.on('response', (response) => response.resume().on('end', done))
  })
  const startMs = performance.now()
  let documents = 0
  request.write('[')
  for (; !end.aborted; await sleep(EVERY_MS)) {
    for (const last = documents + BATCH; documents < last; documents++) {
      const Document = { Text: 'y'.repeat(500), '@metadata': { '@collection': 'Slow' } }
      const command = { Id: `slow/${String(documents)}`, ChangeVector: null, Document, Type: 'PUT' }
      request.write((documents === 0 ? '' : ',') + JSON.stringify(command))
    }
    onSent(documents)
  }
  request.end(']')
  await answered
  return { id: Id, documents, seconds: (performance.now() - startMs) / 1000 }
}
