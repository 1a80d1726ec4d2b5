/**
 * The feed against a real server: batches, documents and durations of each index equal those that an independent listener
 * collected, on the version that ROOKERY_TEST_SERVER names. Takes about five minutes, in the gate one.
 */
import { freemem } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, inject, test } from 'vitest'
import WebSocket from 'ws'
import { json, putIndexes } from '../../../../../tools/ravendb/client.mjs'
import { startRavenDb } from '../../../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../../../tools/ravendb/thrifty.mjs'
import { DEFAULT_VERSION } from '../../../../../tools/ravendb/versions.mjs'
import { runWorkload } from '../../../../../tools/workload.mjs'
import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { GapLog } from '../../../../capture/worker/gap-log.ts'
import { ServerClock } from '../../../../capture/worker/server-clock.ts'
import { realEnv } from '../../../../ravendb/env.ts'
import { Governor } from '../../../../ravendb/governor/governor.ts'
import { inGate, isGate } from '../../../../testing/gate.ts'
import { IndexingFeed } from '../feed.ts'
import { NO_FILTER } from '../../contract/batches.ts'
import { ID } from '../index-table.ts'

const version = process.env['ROOKERY_TEST_SERVER'] ?? ''
const signal = new AbortController().signal

interface WireBatch {
  readonly Id: number
  readonly Started: string
  readonly Completed: string | null
  readonly InputCount: number
  readonly DurationInMs: number
  readonly Details: { readonly Operations: readonly { readonly Name: string }[] } | null
}

/** The first pass of a new Corax index indexes nothing. */
const onlyTrains = ({ Details }: WireBatch): boolean =>
  Details?.Operations.map(({ Name }) => Name).join() === 'Corax/DictionaryTraining'

/** Every completed batch, from its own socket and in its own way: JSON, a map, no code of the feed. */
class Listener {
  readonly seen = new Map<string, Map<string, WireBatch>>()
  readonly #socket: WebSocket

  constructor(url: string, database: string) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/databases/${database}/indexes/performance/live`)
    this.#socket.on('message', (data: Buffer) => {
      const text = data.toString().trim()
      if (text !== '') this.#take(JSON.parse(text) as { Results: { Name: string; Performance: WireBatch[] }[] })
    })
    this.#socket.on('error', () => undefined)
  }

  #take({ Results }: { Results: { Name: string; Performance: WireBatch[] }[] }): void {
    for (const { Name, Performance } of Results)
      for (const batch of Performance) {
        if (batch.Completed === null) continue
        const own = this.seen.get(Name) ?? new Map<string, WireBatch>()
        own.set(`${batch.Id} ${batch.Started}`, batch)
        this.seen.set(Name, own)
      }
  }

  close(): void {
    this.#socket.close()
  }
}

const shared = inject('serverUrl')

/** Ends the server of a test that has one of its own. */
let stop = (): Promise<void> => Promise.resolve()
afterEach(() => stop(), 60_000)

/** A dozen entries with texts of each document: a single check of 128 documents finds more than a batch begins with. */
const HEAVY = [1, 2, 3, 4].map((n) => ({
  Name: `Heavy/Wide${n}`,
  Maps: [
    `from user in docs.Users from k in Enumerable.Range(0, 12) select new { Name = user.Name + k, About = user.About + k + "${n}", user.Interests }`,
  ],
  Fields: { About: { Indexing: 'Search', Storage: 'Yes' } },
}))

/** A server of its own, for a test that needs other settings of the whole of it; returns its address. */
async function startOwn(settings: Record<string, string>): Promise<string> {
  const server = await startRavenDb({ version, settings, env: THRIFTY })
  stop = server.stop
  return server.url
}

/** Runs the workload under the feed and the listener until all indexes have caught up. */
async function run(url: string, documents: number, indexes: typeof HEAVY = []) {
  await runWorkload({ url, once: true, documents: 10 })
  if (indexes.length > 0) await putIndexes(url, 'demo', indexes)
  const governor = new Governor({ ...realEnv(url), WebSocket: WebSocket as never })
  const feed = new IndexingFeed()
  const gapLog = new GapLog()
  const source = 'db:demo'
  const ref = { kind: 'database', name: 'demo' } as const
  const nothing = (): void => undefined
  const clock = new ServerClock()
  const way = { report: nothing, received: nothing, changed: nothing }
  const watch = feed.watch({ source, ref, governor, gapLog, clock, lostFromTicks: null, ...way })
  const want = () => feed.responses['indexing.want']({ sources: [source], budgets: true, record: true }, governor)
  const listener = new Listener(url, 'demo')
  try {
    expect(want().ways).toMatchObject([{ way: 'poll' }])
    await sleep(2000)
    await runWorkload({ url, once: true, documents: Math.ceil(documents / 8), fillRate: 0 })
    // Documents that were written while indexes rested make batches that outgrow the initial budget, on any machine.
    await fetch(`${url}/databases/demo/admin/indexes/stop`, { method: 'POST' })
    await runWorkload({ url, once: true, documents, fillRate: 0, seed: 2 })
    await fetch(`${url}/databases/demo/admin/indexes/start`, { method: 'POST' })
    for (let i = 0; i < 300; i++) {
      const { Indexes } = (await json(url, '/databases/demo/stats')) as { Indexes: { IsStale: boolean }[] }
      if (Indexes.every(({ IsStale }) => !IsStale)) break
      await sleep(1000)
    }
    // Both are late on a busy machine, each by its own time: they are compared when they have the same newest batches.
    const isLevel = (): boolean =>
      listener.seen.size >= LEAST_INDEXES &&
      [...listener.seen].every(
        ([name, batches]) =>
          feed.store.indexes.get(`${source}|${name}`)?.lastId ===
          Math.max(...Array.from(batches.values(), ({ Id }) => Id)),
      )
    for (let i = 0; i < 180 && !isLevel(); i++) await sleep(1000)
  } finally {
    listener.close()
    watch?.close()
    governor.close()
  }
  return { feed, listener, gaps: gapLog.snapshot(null), meter: governor.meter(), way: want().ways[0] }
}

/** Indexes of the workload. */
const LEAST_INDEXES = 6

/** Few in the gate, which has no time either for what brings a server to its limits. */
const DOCUMENTS = inGate(1000, 40_000)

/** The audit compares the same in the browser on the newest. */
const isBeside = isGate && version === DEFAULT_VERSION

describe.runIf(version !== '' && !isBeside)(`RavenDB ${version}`, { timeout: 600_000 }, () => {
  test('batches, documents and durations of each index equal those of an independent listener', async () => {
    const { feed, listener, gaps, meter } = await run(shared, DOCUMENTS)
    expect(gaps.filter(({ reason }) => reason === 'malformed')).toEqual([])
    const lost = gaps.filter(({ reason }) => reason === 'ring-lapped')
    expect(listener.seen.size).toBeGreaterThanOrEqual(LEAST_INDEXES)
    const extent = feed.extent()!
    const range = { startTicks: extent.startTicks, endTicks: (extent.endTicks + 1) as Ticks }
    for (const [name, batches] of listener.seen) {
      const index = `db:demo|${name}`
      // Missing batches are reported as missing: nothing else may differ.
      const gap = lost.filter(({ lane }) => lane === index)
      const { total } = await feed.responses['indexing.summary'](
        { ...range, indexes: [index], filter: NO_FILTER, largestLimit: 1 },
        null as never,
        signal,
      )
      const wanted = [...batches.values()].filter((batch) => !onlyTrains(batch))
      if (gap.length === 0) {
        const { tables } = feed.store.indexes.get(index)!
        const known = new Set(
          Object.values(tables).flatMap((table) =>
            Array.from({ length: table.length }, (_, row) => table.read(ID, row)),
          ),
        )
        expect(wanted.filter(({ Id }) => !known.has(Id))).toEqual([])
        expect([name, total.counts.batches]).toEqual([name, wanted.length])
        expect(total.documentsIn).toBe(wanted.reduce((sum, { InputCount }) => sum + InputCount, 0))
        expect(total.busyTicks).toBe(wanted.reduce((sum, batch) => sum + Math.round(batch.DurationInMs * 10_000), 0))
      } else expect(total.counts.batches).toBeLessThanOrEqual(wanted.length)
    }
    expect(lost.length).toBeLessThan(listener.seen.size)
    expect(feed.watchdog.findings).toEqual([])
    const { indexes } = feed.responses['indexing.indexes']({ sources: ['db:demo'] })
    expect(indexes.filter(({ facts }) => facts !== null).length).toBeGreaterThanOrEqual(6)
    expect(feed.memory.length).toBeGreaterThan(0)
    expect(meter.endpoints.filter(({ failures }) => failures > 0)).toEqual([])
    const pieces = [{ ...range, startPx: 0 as CssPx, endPx: 1000 as CssPx }]
    const budgets = await (
      await feed.later()
    ).responses['indexing.budgets']({ indexes: indexes.map(({ key }) => key), pieces }, null as never, signal)
    expect(budgets.rows.filter(({ thread }) => thread === 'known').length).toBeGreaterThanOrEqual(6)
    // Few documents may need no grant.
    if (!isGate) {
      expect(budgets.steps.some(({ kind }) => kind === 'grant')).toBe(true)
      expect(budgets.rows.some(({ grantedBytes }) => grantedBytes.some((bytes) => bytes > 32 * 2 ** 20))).toBe(true)
    }
  })

  test.skipIf(isGate)('a server that is short of memory stops batches for it, and says so', async () => {
    // More than any machine has: the server takes itself to be low on memory all the time.
    const { feed } = await run(await startOwn({ 'Memory.LowMemoryLimitInMb': '8000000' }), 5_000)
    const extent = feed.extent()!
    const { total } = await feed.responses['indexing.summary'](
      {
        startTicks: extent.startTicks,
        endTicks: (extent.endTicks + 1) as Ticks,
        indexes: [...feed.store.indexes.keys()],
        filter: NO_FILTER,
        largestLimit: 1,
      },
      null as never,
      signal,
    )
    expect(total.reasons.find(({ code }) => code === 'low-memory')?.count).toBeGreaterThan(5)
    expect(feed.memory.events.length).toBeGreaterThan(0)
    expect(feed.watchdog.findings.filter(({ kind }) => kind === 'grew-unasked')).toEqual([])
  })

  test.skipIf(isGate)(
    'heavy indexes that bring the server to its limit: the watch finds nothing in what is healthy',
    async () => {
      // Low on memory as soon as indexes hold about 1 GB, and back to normal when they have given it back.
      const limitMb = Math.round(freemem() / 2 ** 20 - 1000)
      const { feed } = await run(await startOwn({ 'Memory.LowMemoryLimitInMb': String(limitMb) }), 12_000, HEAVY)
      expect(feed.watchdog.checked).toBeGreaterThan(20)
      expect(feed.watchdog.findings).toEqual([])
    },
  )
})
