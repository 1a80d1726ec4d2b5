import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../../../base/ticks.ts'
import { TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { FakeRaven, type FakeSocket } from '../../../../testing/fake-raven.ts'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { readLoggedError, type LoggedError } from '../wire/traffic-wire.ts'
import { WriteWatch } from './write-watch.ts'
import { WritesStore } from './writes.ts'

/* Frames as 7.1.5 and 6.2.4 sent them on a full disk. */
const FULL_7 =
  '{ "Date": "2026-11-28 03:06:43.9648", "Level": "DEBUG", "ThreadID": "16", "Resource": "Server", "Logger": "Raven.Server.RavenServerStartup", "Message": "POST /databases/demo/bulk_docs - 503 - 1,383 ms|Sparrow.Server.Exceptions.DiskFullException: Errno: 28=\'No space left on device\' (rc=4) - \'can\'t allocate more pages (rc=FailAllocFile) for \'/vol/Databases/demo/Temp/scratch.0000000000.buffers\'. Requested 268435456 (adjusted to 268435456)\'. FailCode=FailAllocFile.\\n   at Sparrow.Server.Platform.PalHelper.ThrowLastError" }'
const FULL_6 =
  "2026-11-28T03:10:00.1011394Z, 16, Information, Server, Raven.Server.RavenServerStartup, POST /databases/demo/bulk_docs - 503 - 326 ms, EXCEPTION: Sparrow.Server.Exceptions.DiskFullException: Errno: 28='No space left on device'\r\n   at Sparrow.Server"
const CONFLICT_7 =
  '{"Message":"PUT /databases/demo/docs?id=a - 409 - 2 ms|Raven.Client.Exceptions.ConcurrencyException: Document a has change vector A:1"}'

const request = (method: string, path: string, status: number, database = 'demo'): string =>
  JSON.stringify({
    TrafficWatchType: 'Http',
    DatabaseName: database,
    HttpMethod: method,
    RequestUri: `http://127.0.0.1:8080${path}`,
    ResponseStatusCode: status,
    Type: 'None',
  })
const bulk = (status: number): string => request('POST', '/databases/demo/bulk_docs', status)

async function watched() {
  const raven = new FakeRaven()
  const governor = new Governor(raven.env)
  const store = new WritesStore()
  const errors: LoggedError[] = []
  let readAgain = 0
  const at = (): Ticks => (raven.clock.nowMs * 10_000) as Ticks
  const watch = new WriteWatch({
    governor,
    isRecording: () => false,
    counted: (counts) => store.take(counts, at()),
    explained: (database, error) => {
      errors.push(error)
      store.explain(database, error, at())
    },
    failing: () => readAgain++,
    refused: () => {},
  })
  await raven.clock.advance(100)
  const traffic = (): FakeSocket[] => raven.sockets.filter(({ url }) => url.includes('traffic-watch'))
  const logs = (): FakeSocket[] => raven.sockets.filter(({ url }) => url.includes('logs/watch'))
  traffic()[0]!.accept()
  return { raven, watch, store, errors, traffic, logs, at, readAgain: () => readAgain }
}

describe('writes that fail', () => {
  it('are counted by database, with the reason that the log names', async () => {
    const { raven, store, errors, traffic, logs, at, readAgain, watch } = await watched()
    expect(store.isKnown).toBe(true)
    const [socket] = traffic()
    socket!.frame(bulk(201))
    socket!.frame(request('GET', '/databases/demo/docs?id=a', 503))
    for (let n = 0; n < 3; n++) socket!.frame(bulk(503))
    await raven.clock.advance(1100)
    expect(store.failing(at())).toMatchObject([
      {
        database: 'demo',
        done: 1,
        failed: [{ status: 503, count: 3, request: 'POST /databases/demo/bulk_docs' }],
        failedSince: 3,
        reason: null,
      },
    ])
    expect(readAgain()).toBe(1)
    expect(logs()).toHaveLength(1)
    logs()[0]!.accept()
    logs()[0]!.frame(CONFLICT_7)
    expect(errors).toEqual([])
    logs()[0]!.frame(FULL_7)
    expect(errors).toMatchObject([{ type: 'DiskFullException', status: 503 }])
    expect(store.failing(at())[0]?.reason?.message).toContain('No space left on device')
    // The log is closed, and not read again at once.
    expect(logs()[0]!.readyState).toBe(3)
    socket!.frame(bulk(503))
    expect(logs()).toHaveLength(1)
    // A write that is done ends the run of failures, and a minute later they are no facts any more.
    socket!.frame(bulk(201))
    await raven.clock.advance(1100)
    expect(store.failing(at())).toMatchObject([{ done: 2, failedSince: 0 }])
    expect(store.failing(at() + 62 * TICKS_PER_SECOND)).toEqual([])
    watch.close()
    expect(socket!.readyState).toBe(3)
  })

  it('are not writes that conflict, find nothing or are refused, and no reads', async () => {
    const { raven, store, traffic, logs, at } = await watched()
    const [socket] = traffic()
    for (const status of [201, 204, 400, 404, 409, 412]) socket!.frame(request('PUT', '/databases/demo/docs', status))
    socket!.frame(request('DELETE', '/databases/demo/docs?id=none', 404))
    socket!.frame(request('POST', '/databases/demo/queries', 500))
    socket!.frame('{"TrafficWatchType":"Tcp","DatabaseName":"N/A"}')
    socket!.frame('<html>')
    await raven.clock.advance(2000)
    expect(store.failing(at())).toEqual([])
    expect(logs()).toEqual([])
  })

  it('are looked for in a bounded number of requests', async () => {
    const { raven, traffic } = await watched()
    let frames = 0
    for (let second = 0; second < 60; second++) {
      // A server with 500 requests a second.
      for (let n = 0; n < 500; n++) {
        const socket = traffic().at(-1)!
        if (socket.readyState === 0) socket.accept()
        if (socket.readyState !== 1) break
        socket.frame(request('GET', '/databases/demo/docs', 200))
        frames++
      }
      await raven.clock.advance(1000)
    }
    expect(frames).toBeGreaterThan(200)
    expect(frames).toBeLessThanOrEqual(80 + 60 * 4 + 1)
  })

  it('are explained by the log of older versions, too', () => {
    expect(readLoggedError(FULL_6)).toEqual({
      request: 'POST /databases/demo/bulk_docs',
      status: 503,
      type: 'DiskFullException',
      message: "Errno: 28='No space left on device'",
    })
  })
})
