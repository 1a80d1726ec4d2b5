import { afterEach, describe, expect, test } from 'vitest'
import type { Ticks } from '../../../base/ticks.ts'
import { GapLog } from '../../../capture/worker/gap-log.ts'
import { ServerClock } from '../../../capture/worker/server-clock.ts'
import type { SourceRef } from '../../../capture/client/state.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven, json, settle } from '../../../testing/fake-raven.ts'
import { bytesOf } from '../../../testing/bytes-of.ts'
import {
  generatedTime,
  wireBatch,
  wireDocument,
  wireTime,
  type BatchParts,
} from '../../../testing/generated/generated-batches.ts'
import { recordedFrames, recordedJson, recordedText } from '../../../testing/recorded.ts'
import { IndexingFeed } from './feed.ts'
// The feed loads it at its first use, which takes longer than a turn here.
import './watching/server-watch.ts'
import { allIndexesLane } from '../contract/batches.ts'
import type { IndexingWantResponse } from '../contract/want.ts'
import { readIndexStats, type IndexStats } from './watching/server-wire.ts'
import { readBatches } from './reading/decode.ts'

const governors: Governor[] = []
afterEach(() => {
  for (const governor of governors.splice(0)) governor.close()
})

/** A feed that watches `db:a` of a server in memory, whose responses the test gives. */
function watching(ref: SourceRef = { kind: 'database', name: 'a' }, lostFromTicks: Ticks | null = null) {
  const raven = new FakeRaven()
  raven.databases.set('a', 'loaded')
  let batches: Record<string, BatchParts[]> = {}
  const document = () =>
    wireDocument(Object.fromEntries(Object.entries(batches).map(([name, rows]) => [name, rows.map(wireBatch)])))
  const created = new Map<string, string>()
  const recorded = recordedJson('5.4', 'indexes-stats.json') as { Results: object[] }
  const [first] = recorded.Results
  const stats = () => ({
    Results: [
      ...recorded.Results,
      ...Object.keys(batches).map((Name) =>
        Object.assign({}, first, { Name, CreatedTimestamp: created.get(Name) ?? wireTime(-1e6) }),
      ),
    ],
  })
  raven.routes.push(
    { match: /indexes\/performance$/, response: () => json(document()) },
    { match: /indexes\/stats$/, response: () => json(stats()) },
    { match: /indexes\/progress$/, response: () => json(recordedJson('5.4', 'indexes-progress.json')) },
    { match: /cluster\/topology$/, response: () => json({ NodeTag: 'A' }) },
    { match: /low-mem-log$/, response: () => json(recordedJson('7.1', 'memory-low-mem-log.json')) },
  )
  const governor = new Governor(raven.env)
  governors.push(governor)
  const feed = new IndexingFeed()
  const gapLog = new GapLog()
  const clock = new ServerClock()
  const watch = feed.watch({
    source: 'db:a',
    ref,
    governor,
    gapLog,
    clock,
    lostFromTicks,
    report: () => undefined,
    received: () => undefined,
    changed: () => undefined,
  })
  const want = (budgets = false, record?: boolean): IndexingWantResponse =>
    feed.responses['indexing.want'](
      { sources: ['db:a'], budgets, ...(record === undefined ? {} : { record }) },
      governor,
    )
  const requested = (part: string) => raven.calls.filter(({ path }) => path.includes(part)).length
  /** Advances time while the server accepts sockets: each sends the whole response first, and then only heartbeats. */
  const listened = async (ms: number): Promise<void> => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 4000) {
      await raven.clock.advance(Math.min(leftMs, 4000))
      for (const socket of raven.sockets) {
        if (socket.readyState === 0) {
          socket.accept()
          socket.frame(JSON.stringify(document()))
        } else if (socket.readyState === 1) socket.frame('\r\n')
      }
      await settle()
    }
  }
  return {
    raven,
    feed,
    gapLog,
    clock,
    watch,
    want,
    requested,
    set: (next: Record<string, BatchParts[]>) => (batches = next),
    created,
    document,
    listened,
    /** The page goes on showing it. */
    wanted: async (times: number, ms = 9000) => {
      for (let i = 0; i < times; i++) {
        want()
        await listened(ms)
      }
    },
    unloaded: () => {
      raven.databases.set('a', 'unloaded')
      for (const socket of raven.sockets) socket.cut()
    },
    rows: () => feed.byteLength().rows,
    gaps: () => gapLog.snapshot(null),
  }
}

const some = (firstId: number, count: number, fromMs: number): BatchParts[] =>
  Array.from({ length: count }, (_, i) => ({ id: firstId + i, atMs: fromMs + i * 100, ms: 10, documents: 5 }))

describe('what is asked of the server', () => {
  test('nothing while no page shows it, and nothing for a server or a file', async () => {
    const idle = watching()
    await idle.raven.clock.advance(120_000)
    expect([idle.raven.calls.length, idle.raven.sockets.length]).toEqual([0, 0])
    expect(watching({ kind: 'server' }).watch).toBeNull()
    expect(watching({ kind: 'file', name: 'x' }).watch).toBeNull()
  })

  test('a want lasts 30 s, and a repetition extends it', async () => {
    const { raven, want, requested, set, feed } = watching()
    set({ X: some(1, 3, 0) })
    const { ways } = want()
    expect(ways).toMatchObject([{ source: 'db:a', way: 'poll' }])
    await raven.clock.advance(6_000)
    // A response shows that nothing is indexed: the rest comes by the socket.
    expect([requested('indexes/performance'), raven.sockets.length]).toEqual([1, 1])
    expect(feed.byteLength().rows).toBe(3)
    await raven.clock.advance(60_000)
    const calls = raven.calls.length
    expect(raven.sockets.every((socket) => socket.readyState === 3)).toBe(true)
    await raven.clock.advance(60_000)
    expect(raven.calls.length).toBe(calls)
    expect(
      feed.responses['indexing.want']({ sources: ['file:x', 'server'], budgets: false }, governors[0]!).ways,
    ).toEqual([expect.objectContaining({ way: 'off' }), expect.objectContaining({ way: 'off' })])
  })

  test('a recording keeps it alive without repetition, until the recording ends', async () => {
    const { raven, want, set } = watching()
    set({ X: some(1, 3, 0) })
    expect(want(false, true).untilMs).toBe(Number.POSITIVE_INFINITY)
    await raven.clock.advance(120_000)
    expect(raven.sockets.length).toBeGreaterThan(3)
    want(false, false)
    await raven.clock.advance(40_000)
    const calls = raven.calls.length
    await raven.clock.advance(60_000)
    expect(raven.calls.length).toBe(calls)
  })

  test('an unloaded database is not loaded by it', async () => {
    const { raven, want } = watching()
    raven.databases.set('a', 'unloaded')
    for (let i = 0; i < 6; i++) {
      want(true)
      await raven.clock.advance(10_000)
    }
    expect(raven.loads).toEqual([])
  })

  test('an idle database is left to a socket, so that polls do not keep it loaded', async () => {
    const { raven, want, requested, set, document } = watching()
    set({ X: some(1, 25, 0), Y: some(30, 25, 10_000) })
    want()
    while (raven.sockets.length === 0) await raven.clock.advance(1_000)
    raven.sockets[0]?.accept()
    raven.sockets[0]?.frame(JSON.stringify(document()))
    expect(raven.clock.nowMs).toBeLessThan(1_800_000_030_000)
    expect(raven.sockets.map(({ url }) => url)).toEqual([expect.stringContaining('indexes/performance/live')])
    const polls = requested('indexes/performance')
    for (let i = 0; i < 12; i++) {
      raven.sockets[0]?.frame('\r\n')
      want()
      await raven.clock.advance(5_000)
    }
    expect(requested('indexes/performance')).toBe(polls)
    expect(want().ways[0]).toMatchObject({ way: 'socket' })
  })

  test('one without work since is neither asked nor listened to again when the panel is shown again', async () => {
    const { raven, requested, wanted, listened, set } = watching()
    let lastWork = 10
    raven.on(/databases\/idle/, () => ({
      Results: [{ Name: 'a', IsLoaded: true, LastWork: `2026-11-26T10:00:${lastWork}Z` }],
    }))
    set({ Old: some(1, 3, 0) })
    await wanted(1)
    const responses = requested('indexes/performance')
    const sockets = raven.sockets.length
    await listened(60_000)
    await wanted(2)
    expect(requested('indexes/performance')).toBe(responses)
    expect(raven.sockets).toHaveLength(sockets)
    lastWork = 20
    await wanted(1)
    expect(requested('indexes/performance')).toBeGreaterThan(responses)
  })

  test('memory is the kernel’s where it can be had: the widget, which walks page tables, is not watched', async () => {
    const { raven, want, feed } = watching()
    const text = (name: string) => () =>
      new Response(recordedText('7.1', name), { headers: { 'content-type': 'text/plain' } })
    raven.on(/proc\/status/, text('proc-status.txt'))
    raven.on(/proc\/meminfo/, text('proc-meminfo.txt'))
    raven.on(/memory\/gc/, () => json(recordedJson('7.1', 'memory-gc.json')))
    want(true)
    await raven.clock.advance(1000)
    expect(raven.sockets.map(({ url }) => new URL(url).pathname)).not.toContain('/cluster-dashboard/watch')
    expect(feed.memory.length).toBe(1)
    expect(feed.memory.columns.privateBytes[0]).toBe((1_086_880 + 133_552) * 1024)
    expect(feed.memory.lowLimitBytes).toBe(2 * 1024 ** 3)
    expect(raven.paths(/smaps/)).toEqual([])
  })

  test('threads and memory only when budgets are wanted, once for all databases', async () => {
    const { raven, want, feed } = watching()
    want(true)
    await raven.clock.advance(1000)
    const ofServer = raven.sockets.filter(({ url }) => !url.includes('/databases/'))
    const [threads, dashboard] = ofServer
    expect(ofServer.map(({ url }) => new URL(url).pathname)).toEqual([
      '/threads-info/watch',
      '/cluster-dashboard/watch',
    ])
    dashboard?.accept()
    expect(dashboard?.sent).toEqual(['{"Command":"watch","Id":1,"Type":"MemoryUsage","Config":null}'])
    for (const frame of recordedFrames('7.1', 'cluster-dashboard-watch.ndjson')) dashboard?.frame(frame)
    threads?.accept()
    for (const frame of recordedFrames('7.1', 'threads-info-watch.ndjson')) threads?.frame(frame)
    await settle()
    expect(feed.memory.length).toBeGreaterThanOrEqual(2)
    expect(feed.memory.events.length).toBeGreaterThan(4)
    await raven.clock.advance(40_000)
    expect(raven.sockets.every((socket) => socket.readyState === 3)).toBe(true)
  })
})

describe('what is known', () => {
  test('state of indexes, held budgets and threads of 5.4; an index that is gone says so', async () => {
    const { raven, feed, want, set } = watching()
    set({ 'Products/ByUnitOnStock': some(1, 3, 0) })
    const awaited = (): readonly string[] => feed.responses['indexing.indexes']({ sources: ['db:a'] }).awaited
    const known = (): object => feed.responses['indexing.indexes']({ sources: ['db:a'] }).knownTicks
    expect(awaited()).toEqual([])
    want()
    expect(awaited()).toEqual(['db:a'])
    expect(known()).toEqual({})
    await raven.clock.advance(2_000)
    expect(awaited()).toEqual([])
    expect(known()).toEqual({ 'db:a': expect.any(Number) as number })
    const { indexes } = feed.responses['indexing.indexes']({ sources: ['db:a'] })
    const products = indexes.find(({ name }) => name === 'Products/ByUnitOnStock')
    expect(products).toMatchObject({ facts: { budgetBytes: 33_554_432, status: 'Running' }, trouble: null })
    expect(indexes.find(({ name }) => name === 'Events/Faulty')?.progress).toMatchObject({ itemsLeft: 123_920 })
    feed.facts.takeStats('db:a', [], 0)
    expect(
      feed.responses['indexing.indexes']({ sources: ['db:a'] }).indexes.every(({ trouble }) => trouble === 'gone'),
    ).toBe(true)
  })

  test('a replacement that took over, and a reset', () => {
    const { feed } = watching()
    const unreported = readIndexStats({ Results: [{ Name: '' }] })[0]!
    const row = (name: string, createdTicks: number, parts: Partial<IndexStats> = {}): IndexStats => ({
      ...unreported,
      type: 'Map',
      state: 'Normal',
      ...parts,
      name,
      createdTicks: createdTicks as Ticks,
    })
    const tell = (rows: IndexStats[]) => {
      feed.facts.takeStats('db:a', rows, 0)
      return Object.fromEntries(
        feed.responses['indexing.indexes']({ sources: ['db:a'] }).indexes.map((index) => [index.name, index]),
      )
    }
    tell([row('X', 1), row('Y', 1)])
    const beside = tell([row('X', 1), row('Y', 9), row('ReplacementOf/X', 5), row('Z', 3, { type: 'Faulty' })])
    expect(beside['X']?.note).toContain('being built')
    expect(beside['ReplacementOf/X']?.replaces).toBe('db:a|X')
    expect(beside['Y']?.note).toContain('reset')
    expect(beside['Z']?.trouble).toBe('faulty')
    const after = tell([row('X', 5), row('Y', 9)])
    expect(after['X']?.note).toContain('replaced')
    expect(after['ReplacementOf/X']).toMatchObject({ trouble: 'gone', note: 'It took the place of X.' })
    expect(after['Z']?.note).toContain('deleted')
  })
})

describe('side-by-side replacement', () => {
  test('a batch that was reported under both names is one, and stays where it was seen first', () => {
    const feed = new IndexingFeed()
    const put = (batches: Record<string, BatchParts[]>): void => {
      const document = wireDocument(
        Object.fromEntries(Object.entries(batches).map(([name, rows]) => [name, rows.map(wireBatch)])),
      )
      const ingest = feed.store.begin('db:a', Number.NaN)
      readBatches(bytesOf(document), feed.store.names, ingest.take)
      ingest.end(true)
    }
    const [first, open, done] = [
      { id: 5, atMs: 0, ms: 10, documents: 100 },
      { id: 6, atMs: 20, ms: 5, documents: 40, isOpen: true },
      { id: 6, atMs: 20, ms: 50, documents: 80 },
    ]
    put({ X: [{ id: 1, atMs: -500, ms: 10, documents: 7 }], 'ReplacementOf/X': [first, open] })
    // The replacement took its place, and its batches go by the name that it has now.
    put({ X: [first, done] })
    const { indexes } = feed.responses['indexing.indexes']({ sources: ['db:a'] })
    const counts = Object.fromEntries(
      indexes.map(({ name, counts: { batches }, running }) => [name, [batches, running]]),
    )
    expect(counts).toEqual({ X: [2, null], 'ReplacementOf/X': [1, null] })
  })

  test('the index in its place is reported as replaced, although no state was requested in between', () => {
    const feed = new IndexingFeed()
    const [stats] = readIndexStats(recordedJson('7.1', 'indexes-stats.json'))
    const madeAt = (createdTicks: number) =>
      feed.facts.takeStats('db:a', [{ ...stats!, name: 'X', createdTicks: createdTicks as Ticks }], createdTicks)
    madeAt(1000)
    feed.facts.meet('db:a', 'ReplacementOf/X', 2500)
    madeAt(2000)
    expect(feed.facts.get('db:a|X')?.note).toBe('It was replaced by the index that was built beside it.')
    madeAt(3000)
    expect(feed.facts.get('db:a|X')?.note).toBe('It was reset or created again: it restarted from nothing.')
  })
})

describe('state of indexes', () => {
  test('is requested while a panel shows it, after something was indexed, and not of an idle database', async () => {
    const { want, listened, requested, set, wanted } = watching()
    set({ X: some(1, 3, 0) })
    want()
    await listened(8_000)
    expect(requested('indexes/stats')).toBe(1)
    // The poll before it brought the history that the socket begins with.
    await wanted(6, 20_000)
    const rested = requested('indexes/stats')
    expect(rested).toBe(1)
    // No page shows it for a while; then one does.
    await listened(60_000)
    expect(requested('indexes/stats')).toBe(rested)
    want()
    await listened(20_000)
    expect(requested('indexes/stats')).toBe(rested + 1)
  })

  test('is asked for with the frame of a single batch, and once more soon after the last of many: not when the server has long been quiet', async () => {
    const { raven, want, listened, requested, set, document } = watching()
    set({ X: some(1, 3, 0) })
    want()
    await listened(20_000)
    const rested = requested('indexes/stats')
    const frame = (id: number): void => {
      set({ X: some(1, id, 0) })
      raven.sockets.find(({ readyState }) => readyState === 1)!.frame(JSON.stringify(document()))
    }
    frame(4)
    await settle()
    expect(requested('indexes/stats')).toBe(rested + 1)
    for (const id of [5, 6]) {
      await raven.clock.advance(3000)
      frame(id)
    }
    await settle()
    expect(requested('indexes/stats')).toBe(rested + 1)
    await listened(4000)
    expect(requested('indexes/stats')).toBe(rested + 2)
    want()
    await listened(28_000)
    expect(requested('indexes/stats')).toBe(rested + 2)
  })
})

describe('gaps', () => {
  test('a pause that the rings cover is none; one in which they moved on is one of its index', async () => {
    const { listened, set, gaps, rows, wanted } = watching()
    set({ X: some(1, 5, 0) })
    await wanted(1, 2_000)
    await listened(60_000)
    expect(gaps()).toMatchObject([{ reason: 'not-watched', lane: allIndexesLane('db:a') }])
    set({ X: some(3, 6, 200) })
    await wanted(1, 2_000)
    expect([gaps(), rows()]).toEqual([[], 8])
    await listened(60_000)
    set({ X: some(100, 25, 50_000) })
    await wanted(1, 2_000)
    expect(gaps()).toMatchObject([{ reason: 'ring-lapped', lane: 'db:a|X', missingCount: 91 }])
    expect(gaps()[0]?.detail).toContain('at most 91')
  })

  test('an index that is deleted between two responses takes its last batches with it', async () => {
    const { listened, set, gaps, raven, wanted } = watching()
    set({ X: some(1, 5, 0), Y: some(30, 5, 0) })
    await wanted(1, 2_000)
    set({ Y: some(30, 6, 0) })
    for (const socket of raven.sockets) socket.cut()
    await listened(9_000)
    expect(gaps()).toMatchObject([{ reason: 'index-changed', lane: 'db:a|X', missingCount: null }])
    expect(gaps()[0]?.detail).toContain('X was deleted or reset')
  })

  test('an index that is deleted or reset while a socket is open loses what that had not sent', async () => {
    const { want, listened, set, gaps, raven, created, document } = watching()
    const ringsOf = (names: string[]) => Object.fromEntries(names.map((name, i) => [name, some(1 + 20 * i, 5, i)]))
    set(ringsOf(['X', 'Y', 'Z']))
    want()
    await listened(8_000)
    const socket = raven.sockets.find(({ readyState }) => readyState === 1)!
    const frame = async (batches: Record<string, BatchParts[]>) => {
      set(batches)
      socket.frame(JSON.stringify(document()))
      set({ ...ringsOf(['Y', 'Z']), ...batches })
      await listened(20_000)
    }
    expect(gaps()).toEqual([])
    // X is deleted, and Z is reset.
    created.set('Z', wireTime(9_000))
    want()
    await frame({ Z: [{ id: 61, atMs: 9_500, ms: 10, documents: 5 }] })
    expect(gaps().map(({ lane, reason, endTicks }) => [lane, reason, endTicks])).toEqual([
      ['db:a|X', 'index-changed', expect.any(Number)],
      ['db:a|Z', 'index-changed', generatedTime(9_000)],
    ])
    // The index may have been deleted right after its last known batch, whatever came of others since.
    expect(gaps().at(-1)!.startTicks).toBe(generatedTime(412))
    want()
    await frame({ Z: [{ id: 62, atMs: 10_500, ms: 10, documents: 5 }] })
    expect(gaps()).toHaveLength(2)
  })

  test('a response that took its time says nothing of the time since it was asked for', async () => {
    const { raven, watch, want, set, gaps, clock } = watching()
    const nowTicks = generatedTime(60_000)
    clock.observe(nowTicks, raven.clock.nowMs)
    raven.latencyMs = 2000
    set({ X: some(1, 5, 0) })
    want()
    await raven.clock.advance(5000)
    watch!.close()
    expect(gaps()).toMatchObject([{ reason: 'not-watched', startTicks: nowTicks }])
  })

  test('a database whose rings are all empty after a pause was reloaded', async () => {
    const { raven, set, gaps, wanted, unloaded } = watching()
    set({ X: some(50, 5, 0), Y: some(60, 5, 0) })
    await wanted(1, 2_000)
    unloaded()
    await wanted(2)
    raven.databases.set('a', 'loaded')
    set({})
    await wanted(3)
    expect(gaps()).toMatchObject([{ reason: 'database-unloaded', lane: allIndexesLane('db:a') }])
    expect(gaps()[0]?.detail).toContain('reloaded')
  })

  test('a recording that was lost with its worker is known again from the first batch of each index on', async () => {
    const fromTicks = generatedTime(-60_000)
    const { set, gaps, wanted } = watching(undefined, fromTicks)
    set({ X: some(3, 2, 0), Y: some(50, 2, 30_000) })
    await wanted(1, 2_000)
    expect(gaps()).toMatchObject([
      { reason: 'worker-restarted', lane: allIndexesLane('db:a'), startTicks: fromTicks },
      { reason: 'worker-restarted', lane: 'db:a|Y' },
    ])
  })

  test('what was not looked at when the worker died was not recorded', async () => {
    const { listened, set, gaps, wanted } = watching(undefined, generatedTime(-60_000))
    set({ X: some(3, 2, 0) })
    await listened(60_000)
    await wanted(1, 2_000)
    expect(gaps()).toEqual([])
  })

  test('a database that was unloaded because it is disabled: the pause says so as soon as the server does', async () => {
    const { raven, set, gaps, wanted, unloaded } = watching()
    set({ X: some(50, 5, 0) })
    await wanted(1, 2_000)
    unloaded()
    await wanted(1)
    expect(gaps()).toMatchObject([{ reason: 'database-unloaded' }])
    raven.databases.set('a', 'disabled')
    await wanted(3)
    expect(gaps()).toMatchObject([{ reason: 'database-disabled' }])
  })

  test('a database that was loaded again meanwhile: the pause stays, and says so', async () => {
    const { raven, set, gaps, wanted, unloaded } = watching()
    set({ X: some(50, 5, 0) })
    await wanted(1, 2_000)
    unloaded()
    await wanted(3)
    expect(gaps()).toMatchObject([{ reason: 'database-unloaded' }])
    raven.databases.set('a', 'loaded')
    set({ X: some(1, 3, 90_000) })
    await wanted(3)
    expect(gaps()).toMatchObject([{ reason: 'database-unloaded', lane: allIndexesLane('db:a') }])
    expect(gaps()[0]?.detail).toContain('reloaded')
  })

  test('answers that make no sense are gaps with what was expected, and the next one counts', async () => {
    const { raven, want, listened, set, gaps, rows } = watching()
    let broken: unknown = '{"Results":[{"Name":"X","Performance":[{"Id":'
    raven.routes.unshift({
      match: /indexes\/performance$/,
      response: () => (broken === null ? undefined : new Response(broken as string)),
    })
    want()
    await raven.clock.advance(1_000)
    expect(gaps()).toMatchObject([{ reason: 'malformed' }])
    expect(gaps()[0]?.detail).toMatch(/byte \d+/)
    broken = null
    raven.routes.shift()
    set({ X: some(1, 3, 0) })
    await listened(8_000)
    expect(rows()).toBe(3)
  })
})

test('files of batches are recognised, others not', () => {
  const { feed } = watching()
  for (const path of ['$.Results[].Performance', '$[].Performance', '$[].Results[].Performance'])
    expect(feed.recognises(new Set([path]))).toBe(true)
  expect(feed.recognises(new Set(['$.Environments', '$.Results[].Name']))).toBe(false)
})
