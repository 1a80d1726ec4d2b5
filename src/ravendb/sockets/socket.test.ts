import { describe, expect, it } from 'vitest'
import { FakeRaven, json, settle, type FakeSocket } from '../../testing/fake-raven.ts'
import type { Params, SocketKey } from '../endpoints.ts'
import { Governor } from '../governor/governor.ts'
import type { SocketControl } from './sockets.ts'
import type { CloseReason, SocketPhase } from './socket-events.ts'
import type { Still } from '../health/stillness.ts'

interface Watched {
  readonly raven: FakeRaven
  readonly governor: Governor
  readonly control: SocketControl
  readonly phases: SocketPhase[]
  readonly frames: string[]
  readonly closed: [atMs: number, reason: CloseReason][]
  readonly received: number[]
  readonly stills: Still[]
  readonly now: () => string
}

function watch(
  key: SocketKey,
  params: Params,
  prepare: (raven: FakeRaven) => void = () => {},
  allowLoad = false,
): Watched {
  const raven = new FakeRaven()
  raven.databases.set('db', 'loaded')
  prepare(raven)
  const governor = new Governor(raven.env)
  const phases: SocketPhase[] = []
  const frames: string[] = []
  const closed: [number, CloseReason][] = []
  const received: number[] = []
  const stills: Still[] = []
  const handlers = {
    onPhase: (phase: SocketPhase) => void phases.push(phase),
    onFrame: (text: string) => void frames.push(text),
    onReceived: (atMs: number) => void received.push(atMs),
    onClosed: (atMs: number, reason: CloseReason) => void closed.push([atMs, reason]),
    onStill: (still: Still) => void stills.push(still),
  }
  const control = governor.openSocket(key, params, handlers, { allowLoad })
  return {
    raven,
    governor,
    control,
    phases,
    frames,
    closed,
    received,
    stills,
    now: () => phases.at(-1)?.phase ?? 'none',
  }
}

const watchDb = (prepare?: (raven: FakeRaven) => void, allowLoad = false): Watched =>
  watch('ioMetricsLive', { database: 'db' }, prepare, allowLoad)

async function open(watched: Watched): Promise<FakeSocket> {
  await settle()
  watched.raven.lastSocket.accept()
  return watched.raven.lastSocket
}

async function opened(it: Watched): Promise<{ it: Watched; socket: FakeSocket }> {
  return { it, socket: await open(it) }
}

async function expectOpen(it: Watched): Promise<void> {
  await open(it)
  expect(it.now()).toBe('open')
}

/** Something else loads the database. */
async function expectOpenAfter(it: Watched, ms: number): Promise<void> {
  it.raven.databases.set('db', 'loaded')
  await it.raven.clock.advance(ms)
  await expectOpen(it)
}

async function watchUnloaded(): Promise<Watched> {
  const it = watchDb((raven) => raven.databases.set('db', 'unloaded'))
  await settle()
  return it
}

describe('opening', () => {
  it('asks whether the database is loaded, connects, and receives', async () => {
    const { it, socket } = await opened(watchDb())
    expect(it.phases.map(({ phase }) => phase)).toEqual(['checking', 'connecting', 'open'])
    expect(socket.url).toBe('ws://raven/databases/db/debug/io-metrics/live')
    await it.raven.clock.advance(4000)
    socket.frame('\r\n')
    socket.frame('{"Environments":[]}')
    socket.frame('')
    expect(it.frames).toEqual(['{"Environments":[]}'])
    expect(it.received).toHaveLength(3)
    expect(it.governor.meter()).toMatchObject({ sockets: 1, requests: 2 })
    expect(it.governor.meter().endpoints.find((row) => row.endpoint.endsWith('/live'))).toMatchObject({
      requests: 1,
      bytes: 21,
    })
    it.control.close()
    expect(it.governor.meter().sockets).toBe(0)
  })

  it('connects without a gate where no database is loaded by it', async () => {
    const it = watch('adminIoMetricsLive', {})
    await open(it)
    expect(it.raven.calls).toEqual([])
    expect(it.phases.map(({ phase }) => phase)).toEqual(['connecting', 'open'])
  })

  it('sends only where the server takes it', async () => {
    const dashboard = watch('clusterDashboard', { node: 'A' })
    expect(dashboard.control.send('early')).toBe(false)
    const socket = await open(dashboard)
    expect(dashboard.control.send('{"Command":"watch"}')).toBe(true)
    expect(socket.sent).toEqual(['{"Command":"watch"}'])
    expect(() => watchDb().control.send('x')).toThrow('drops when anything is sent')
  })
})

describe('an unloaded database', () => {
  it('is left alone, asked for every five seconds, and followed when something else loads it', async () => {
    const it = await watchUnloaded()
    expect(it.phases.at(-1)).toMatchObject({ phase: 'unloaded', retryAtMs: it.raven.clock.nowMs + 5000, error: null })
    await it.raven.clock.advance(60_000)
    expect(it.raven.paths(/is-loaded/).length).toBeGreaterThanOrEqual(12)
    expect(it.raven.sockets).toEqual([])
    expect(it.raven.loads).toEqual([])
    await expectOpenAfter(it, 5000)
    expect(it.raven.loads).toEqual([])
  })

  it('is loaded by a click, for one attempt', async () => {
    const it = await watchUnloaded()
    it.control.loadNow()
    expect(it.phases.at(-1)).toMatchObject({
      phase: 'connecting',
      message: 'Loading the database and connecting to it.',
    })
    expect(it.raven.sockets).toHaveLength(1)
    // Loading takes longer than a handshake may otherwise.
    await it.raven.clock.advance(40_000)
    expect(it.now()).toBe('connecting')
    it.raven.lastSocket.cut()
    await it.raven.clock.advance(120_000)
    expect(it.now()).toBe('unloaded')
    expect(it.raven.sockets).toHaveLength(1)
  })

  it('is loaded at once when that was asked for', () => {
    const it = watchDb((raven) => raven.databases.set('db', 'unloaded'), true)
    expect(it.raven.sockets).toHaveLength(1)
    it.raven.databases.set('db', 'loaded')
    it.raven.lastSocket.accept()
    expect(it.now()).toBe('open')
  })

  it('that the server unloads under an open socket is not loaded again', async () => {
    const { it, socket } = await opened(watchDb())
    await it.raven.clock.advance(9000)
    it.raven.databases.set('db', 'unloaded')
    const atMs = it.raven.clock.nowMs
    socket.cut()
    await settle()
    expect(it.closed).toEqual([[atMs, 'database-unloaded']])
    expect(it.now()).toBe('unloaded')
    await it.raven.clock.advance(600_000)
    it.control.reconnectNow()
    await it.raven.clock.advance(10_000)
    expect(it.raven.sockets).toHaveLength(1)
    expect(it.raven.loads).toEqual([])
  })

  it.each([
    ['disabled', 'disabled', '“db” is disabled.'],
    ['faulted', 'faulted', '“db” failed to load: VoronUnrecoverableErrorException: broken'],
    ['deleted', 'gone', 'There is no database “db” on this server.'],
  ] as const)('is distinguished from a %s one', async (state, phase, message) => {
    const it = watchDb((raven) =>
      state === 'deleted' ? raven.databases.delete('db') : raven.databases.set('db', state),
    )
    await settle()
    expect(it.phases.at(-1)).toMatchObject({ phase, message })
    await it.raven.clock.advance(30_000)
    // A database that was never seen may be in the making, and is probed sooner.
    expect(it.phases.map((one) => one.phase)).toEqual([
      'checking',
      ...Array.from({ length: { disabled: 4, faulted: 2, gone: 5 }[phase] }, () => phase),
    ])
    await expectOpenAfter(it, 30_000)
  })

  it('that is just being created is seen a second later; one that was deleted is not looked for so often', async () => {
    const it = watchDb((raven) => raven.databases.delete('db'))
    await settle()
    expect(it.now()).toBe('gone')
    await expectOpenAfter(it, 1000)
    it.raven.databases.delete('db')
    it.raven.lastSocket.cut()
    await settle()
    expect(it.phases.at(-1)).toMatchObject({ phase: 'gone', retryAtMs: it.raven.clock.nowMs + 30_000 })
  })

  it('that is deleted while it is unloaded is seen to be within 15 s, and one that is being deleted is gone already', async () => {
    const it = await watchUnloaded()
    it.raven.databases.delete('db')
    await it.raven.clock.advance(16_000)
    expect(it.now()).toBe('gone')
    const deleting = watchDb((raven) => {
      raven.databases.set('db', 'unloaded')
      raven.on(/^\/databases\?name=db$/, () => ({
        Databases: [{ Name: 'db', DeletionInProgress: { B: 'HardDelete' } }],
      }))
    })
    await settle()
    expect(deleting.phases.at(-1)).toMatchObject({ phase: 'gone', message: '“db” is being deleted.' })
  })

  const LOADING = { Databases: [{ Name: 'db', DatabaseStatus: 'Loading' }] }

  it('that others load is seen to be, and watched once it is loaded', async () => {
    let loading = true
    const it = watchDb((raven) => {
      raven.databases.set('db', 'unloaded')
      raven.on(/databases\/state/, () => (loading ? LOADING : { Databases: [] }))
    })
    await settle()
    expect(it.phases.at(-1)).toMatchObject({ phase: 'loading', message: 'The server is loading “db”.' })
    it.raven.databases.set('db', 'loaded')
    loading = false
    await it.raven.clock.advance(2500)
    await expectOpen(it)
    expect(it.raven.loads).toEqual([])
  })

  it('that a click could not load in time says how far the server is, and continues when it is loaded', async () => {
    const Message = `Database db after 00:00:30 is still loading, try again later. Database initialization log: \n[Load Database] 11/20/2026 12:29:37 :: Database 'db' : Starting Recovery\n`
    const Type = 'Raven.Client.Exceptions.Database.DatabaseLoadTimeoutException'
    let loading = false
    const it = watchDb((raven) => {
      raven.databases.set('db', 'unloaded')
      raven.on(/databases\/state/, () => (loading ? LOADING : { Databases: [] }))
      raven.on(/footer/, () => json({ Type, Message }, 503))
    })
    await settle()
    it.control.loadNow()
    loading = true
    await it.raven.clock.advance(30_000)
    it.raven.lastSocket.cut()
    await settle()
    const reported = { phase: 'loading', message: 'The database is still loading. It is at “Starting Recovery”.' }
    expect(it.phases.at(-1)).toMatchObject({ ...reported, error: { status: 503, serverMessage: Message } })
    await it.raven.clock.advance(20_000)
    expect(it.phases.at(-1)).toMatchObject(reported)
    expect(it.raven.paths(/footer/)).toHaveLength(1)
    // A second click probes again; it opens no socket that would wait once more.
    it.control.loadNow()
    await settle()
    expect(it.phases.at(-1)).toMatchObject(reported)
    expect([it.raven.paths(/footer/).length, it.raven.sockets.length]).toEqual([2, 1])
    await expectOpenAfter(it, 2500)
  })

  it('that 5.4 says to be loading, to one that waited, is believed to be for a minute', async () => {
    const Type = 'Raven.Client.Exceptions.Database.DatabaseConcurrentLoadTimeoutException'
    const it = watchDb((raven) => {
      raven.version = '5.4.207'
      raven.databases.set('db', 'unloaded')
      raven.on(/footer/, () => json({ Type, Message: 'Too many databases loading concurrently' }, 503))
    })
    await settle()
    it.control.loadNow()
    it.raven.lastSocket.cut()
    await settle()
    expect(it.phases.at(-1)!.message).toContain('timed out waiting to be loaded')
    await it.raven.clock.advance(50_000)
    expect(it.now()).toBe('loading')
    await it.raven.clock.advance(15_000)
    expect(it.now()).toBe('unloaded')
    expect(it.raven.paths(/state/)).toEqual([])
  })

  it('that is disabled while it is unloaded is seen to be', async () => {
    const it = await watchUnloaded()
    it.raven.databases.set('db', 'disabled')
    await it.raven.clock.advance(31_000)
    expect(it.now()).toBe('disabled')
  })

  it.each([
    ['disabled', 'database-disabled'],
    ['deleted', 'database-deleted'],
    ['unloaded', 'database-unloaded'],
  ] as const)('that is unloaded under an open socket because it is %s has that for a reason', async (state, reason) => {
    let isUnloading = true
    const it = watchDb((raven) =>
      raven.on(/^\/databases\?name=db$/, () =>
        isUnloading
          ? { Databases: [{ Name: 'db', LoadError: "The database 'db' has been unloaded and locked by Disable" }] }
          : { Databases: state === 'deleted' ? [] : [{ Name: 'db', Disabled: state === 'disabled' }] },
      ),
    )
    await open(it)
    const atMs = it.raven.clock.nowMs
    it.raven.databases.set('db', 'unloaded')
    it.raven.lastSocket.cut()
    await settle()
    expect(it.closed).toEqual([])
    isUnloading = false
    await it.raven.clock.advance(500)
    expect(it.closed).toEqual([[atMs, reason]])
  })

  it('that is enabled, loaded or created again is seen as soon as the server says so, whatever is waited for', async () => {
    for (const state of ['disabled', 'unloaded', 'deleted'] as const) {
      const it = watchDb((raven) =>
        state === 'deleted' ? raven.databases.delete('db') : raven.databases.set('db', state),
      )
      await settle()
      await it.raven.clock.advance(3500)
      const requested = it.raven.calls.length
      it.governor.databaseChanged('other')
      await it.raven.clock.advance(1)
      expect(it.raven.calls).toHaveLength(requested)
      it.raven.databases.set('db', 'loaded')
      it.governor.databaseChanged('DB')
      await it.raven.clock.advance(1)
      await expectOpen(it)
      expect(it.raven.loads).toEqual([])
    }
  })

  it('that changed while it was being asked about is asked about again', async () => {
    const it = watchDb((raven) => raven.databases.set('db', 'disabled'))
    await settle()
    it.raven.latencyMs = 200
    await it.raven.clock.advance(10_100)
    it.raven.databases.set('db', 'loaded')
    it.governor.databaseChanged('db')
    await it.raven.clock.advance(1500)
    await open(it)
    expect(it.now()).toBe('open')
  })

  it('that is just being unloaded is looked at again in a moment, and is no failure', async () => {
    let unloading = true
    const it = watchDb((raven) => {
      raven.databases.set('db', 'disabled')
      raven.on(/^\/databases\?name=db$/, () =>
        unloading
          ? {
              Databases: [
                { Name: 'db', LoadError: "The database 'db' has been unloaded and locked by IdleOperations" },
              ],
            }
          : { Databases: [{ Name: 'db', Disabled: true }] },
      )
    })
    await settle()
    expect(it.now()).toBe('unloaded')
    unloading = false
    await it.raven.clock.advance(500)
    expect(it.now()).toBe('disabled')
  })

  it('that is being compacted is no failure, and is watched again when that is done', async () => {
    const it = watchDb((raven) => {
      raven.databases.set('db', 'unloaded')
      raven.on(/^\/databases\?name=db$/, () => ({
        Databases: [
          { Name: 'db', LoadError: "The database 'db' has been unloaded and locked because it is being compacted" },
        ],
      }))
    })
    await settle()
    expect(it.phases.at(-1)).toMatchObject({
      phase: 'compacting',
      message: 'The server is compacting “db”; it is offline until that is done.',
    })
    await expectOpenAfter(it, 2000)
  })

  it('is read from 5.4, too, which sends the entry alone', async () => {
    const it = watchDb((raven) => {
      raven.databases.set('db', 'unloaded')
      raven.on(/^\/databases\?name=db$/, () => ({ Name: 'db', Disabled: true, UpTime: null }))
    })
    await settle()
    expect(it.now()).toBe('disabled')
  })

  it('that is sharded is pointed to its shards', async () => {
    const it = watchDb((raven) => {
      raven.databases.set('db', 'unloaded')
      raven.on(/^\/databases\?name=db$/, () => ({ Databases: [{ Name: 'db$0' }, { Name: 'db$1' }] }))
    })
    await settle()
    expect(it.phases.at(-1)).toMatchObject({
      phase: 'gone',
      message: '“db” is sharded: open its shards, db$0, db$1.',
    })
  })
})

describe('a connection that ends', () => {
  it('is opened again after a pause, when the database is still loaded', async () => {
    const { it, socket } = await opened(watchDb())
    await it.raven.clock.advance(5000)
    const atMs = it.raven.clock.nowMs
    socket.cut()
    await settle()
    expect(it.closed).toEqual([[atMs, 'socket-closed']])
    // Half of the first ceiling of half a second.
    expect(it.phases.at(-1)).toMatchObject({
      phase: 'waiting',
      retryAtMs: atMs + 250,
      message: 'The connection closed; it is tried again.',
    })
    await it.raven.clock.advance(250)
    await expectOpen(it)
  })

  it('does not say that the server stopped where a proxy answers in its place', async () => {
    const { it, socket } = await opened(watchDb())
    await it.raven.clock.advance(12_000)
    it.raven.on(/is-loaded|databases/, () => new Response('<html></html>', { status: 503 }))
    socket.cut()
    await settle()
    expect(it.closed.map(([, reason]) => reason)).toEqual(['socket-closed'])
  })

  it('says that the server stopped, waits longer and longer, and comes back when it does', async () => {
    const { it, socket } = await opened(watchDb((raven) => void (raven.randomValue = () => 0.999999)))
    await it.raven.clock.advance(12_000)
    it.raven.up = false
    it.raven.databases.set('db', 'unloaded')
    socket.cut()
    await settle()
    expect(it.closed.map(([, reason]) => reason)).toEqual(['server-stopped'])
    expect(it.phases.at(-1)).toMatchObject({ phase: 'waiting', error: { message: 'The server did not answer.' } })
    await it.raven.clock.advance(200_000)
    const waits = it.phases.filter(({ phase }) => phase === 'waiting')
    const gaps = waits.slice(1).map((wait, n) => wait.retryAtMs! - waits[n]!.retryAtMs!)
    expect(gaps.map((ms) => Math.round(ms / 1000))).toEqual([1, 2, 4, 8, 16, ...gaps.slice(5).map(() => 30)])
    expect(gaps.length).toBeGreaterThan(6)
    it.raven.up = true
    await it.raven.clock.advance(30_000)
    expect(it.now()).toBe('unloaded')
    await expectOpenAfter(it, 5000)
    expect(it.closed).toHaveLength(1)
  })

  it('begins with short pauses again after ten healthy seconds, and not before', async () => {
    const it = watchDb((raven) => void (raven.randomValue = () => 0.5))
    const pauses: number[] = []
    for (const aliveMs of [1000, 1000, 1000, 10_000, 1000]) {
      const socket = await open(it)
      await it.raven.clock.advance(aliveMs)
      socket.cut()
      await settle()
      pauses.push(it.phases.at(-1)!.retryAtMs! - it.raven.clock.nowMs)
      await it.raven.clock.advance(pauses.at(-1)!)
    }
    expect(pauses).toEqual([250, 500, 1000, 250, 500])
  })

  it('is tried within a second of the first response to what failed before, however long its pause', async () => {
    const { it, socket } = await opened(watchDb((raven) => void (raven.randomValue = () => 0.999999)))
    await it.raven.clock.advance(12_000)
    it.raven.on(/is-loaded|databases|version/, () => new Response('<html></html>', { status: 403 }))
    socket.cut()
    await it.raven.clock.advance(100_000)
    await expect(it.governor.json('buildVersion')).rejects.toMatchObject({ kind: 'not-json' })
    const { retryAtMs } = it.phases.at(-1)!
    expect(retryAtMs! - it.raven.clock.nowMs).toBeGreaterThan(5000)
    it.raven.routes.length = 0
    // A call that always worked says nothing of one that did not.
    await it.governor.json('serverId')
    expect(it.phases.at(-1)).toMatchObject({ phase: 'waiting', retryAtMs })
    await it.governor.json('buildVersion')
    expect(it.phases.at(-1)!.retryAtMs! - it.raven.clock.nowMs).toBeLessThanOrEqual(1000)
    await it.raven.clock.advance(1000)
    await expectOpen(it)
  })

  it('is not tried out of turn more than every 5 s where requests fail and succeed by turns', async () => {
    const { it, socket } = await opened(watchDb((raven) => void (raven.randomValue = () => 0.999999)))
    it.raven.on(/is-loaded|databases/, () => new Response('<html></html>', { status: 403 }))
    let turn = 0
    it.raven.on(/version/, () => (turn++ % 2 === 0 ? new Response('<html></html>', { status: 403 }) : {}))
    socket.cut()
    await it.raven.clock.advance(60_000)
    const before = it.raven.paths(/is-loaded/).length
    for (let second = 0; second < 60; second++) {
      await it.governor.json('buildVersion').catch(() => undefined)
      await it.raven.clock.advance(1000)
    }
    expect(it.raven.paths(/is-loaded/).length - before).toBeLessThanOrEqual(12)
  })

  it('is tried at once when asked to', async () => {
    const it = watchDb((raven) => void (raven.up = false))
    await it.raven.clock.advance(100_000)
    expect(it.now()).toBe('waiting')
    it.raven.up = true
    it.control.reconnectNow()
    await expectOpen(it)
    it.control.reconnectNow()
    expect(it.raven.sockets).toHaveLength(1)
  })

  it('that was not accepted learns the right that is missing from a cheap sibling', async () => {
    const it = watch('adminIoMetricsLive', {}, (raven) =>
      raven.on(/^\/admin\/debug\/io-metrics$/, () =>
        json({ Type: 'InvalidAuth', Message: 'Operator/ClusterAdmin access is required' }, 403),
      ),
    )
    await settle()
    it.raven.lastSocket.cut()
    await settle()
    const last = it.phases.at(-1)!
    expect(last).toMatchObject({
      phase: 'refused',
      error: { status: 403, serverMessage: 'Operator/ClusterAdmin access is required' },
    })
    expect(last.error!.hint).toContain('the clearance Operator')
    expect(it.closed).toEqual([])
  })

  it('of a database never asks its expensive sibling', async () => {
    const it = watchDb()
    await settle()
    it.raven.lastSocket.cut()
    await settle()
    expect(it.raven.paths().every((path) => path.startsWith('/debug/is-loaded'))).toBe(true)
    expect(it.phases.at(-1)).toMatchObject({
      phase: 'waiting',
      error: { message: 'The server answers, but did not accept the connection.' },
    })
    expect(it.phases.at(-1)!.error!.hint).toContain('proxy')
  })

  it('is known to be refused when the gate is', async () => {
    const it = watchDb((raven) => raven.on(/is-loaded/, () => json({ Type: 'InvalidAuth', Message: 'not yours' }, 403)))
    await settle()
    expect(it.phases.at(-1)).toMatchObject({ phase: 'refused', error: { status: 403, serverMessage: 'not yours' } })
    expect(it.raven.sockets).toEqual([])
  })

  it('waits as long as a busy server asks', async () => {
    const it = watchDb((raven) => raven.on(/is-loaded/, () => json({}, 503, { 'retry-after': '20' })))
    await settle()
    expect(it.phases.at(-1)).toMatchObject({ phase: 'waiting', retryAtMs: it.raven.clock.nowMs + 20_000 })
  })

  it('says what an error frame reported', async () => {
    const { it, socket } = await opened(watch('clusterDashboard', { node: 'B' }))
    socket.frame('{"Type":"Error","Exception":"System.ArgumentException: no node \\"B\\"\\n   at X"}')
    await settle()
    expect(it.frames).toEqual([])
    expect(it.closed).toHaveLength(1)
    expect(it.phases.at(-1)).toMatchObject({
      phase: 'waiting',
      error: {
        message: 'The server ended the feed with an error.',
        serverMessage: 'System.ArgumentException: no node "B"\n   at X',
      },
    })
  })

  it('that a policy forbids is an error, not thrown', async () => {
    const raven = new FakeRaven()
    const Forbidden = function forbidden(): never {
      throw new DOMException('blocked', 'SecurityError')
    }
    const governor = new Governor({ ...raven.env, WebSocket: Forbidden as unknown as FakeRaven['env']['WebSocket'] })
    const phases: SocketPhase[] = []
    governor.openSocket('threadsInfo', {}, { onPhase: (phase) => void phases.push(phase), onFrame: () => {} })
    expect(phases.at(-1)).toMatchObject({
      phase: 'waiting',
      error: { message: 'The browser did not open the connection.' },
    })
    governor.close()
    await settle()
  })
})

describe('silence', () => {
  it('of fifteen seconds is taken for death; heartbeats are life', async () => {
    const { it, socket } = await opened(watchDb())
    for (let beat = 0; beat < 10; beat++) {
      await it.raven.clock.advance(5000)
      socket.frame('\r\n')
    }
    const receivedMs = it.raven.clock.nowMs
    await it.raven.clock.advance(14_999)
    expect(it.now()).toBe('open')
    await it.raven.clock.advance(1)
    expect(it.closed).toEqual([[receivedMs, 'silent']])
    // The server answers at once: it was only the socket.
    expect(it.stills).toEqual([])
    expect(socket.readyState).toBe(3)
    expect(it.phases.at(-1)!.message).toBe('No data for too long; it is tried again.')
    await it.raven.clock.advance(1000)
    expect(it.raven.sockets).toHaveLength(2)
  })

  it('of two heartbeats is reported once it is over, on the same connection', async () => {
    const { it, socket } = await opened(watchDb())
    socket.frame('{}')
    const fromMs = it.raven.clock.nowMs
    await it.raven.clock.advance(9_900)
    socket.frame('{}')
    expect(it.stills).toEqual([])
    await it.raven.clock.advance(12_000)
    expect(it.stills).toEqual([])
    socket.frame('{}')
    expect(it.stills).toEqual([{ fromMs: fromMs + 9_900, toMs: fromMs + 21_900 }])
    expect(it.now()).toBe('open')
    expect(it.closed).toEqual([])
    await it.raven.clock.advance(5000)
    socket.frame('\r\n')
    expect(it.stills).toHaveLength(1)
  })

  it('that outlasts the connection ends with the first answer', async () => {
    const { it, socket } = await opened(watchDb())
    socket.frame('{}')
    const fromMs = it.raven.clock.nowMs
    it.raven.up = false
    await it.raven.clock.advance(40_000)
    expect(it.closed).toEqual([[fromMs, 'silent']])
    expect(it.stills).toEqual([])
    it.raven.up = true
    await it.raven.clock.advance(30_000)
    expect(it.stills).toMatchObject([{ fromMs }])
    expect(it.stills[0]!.toMs).toBeGreaterThanOrEqual(fromMs + 40_000)
    it.raven.lastSocket.accept()
    await it.raven.clock.advance(5000)
    expect(it.stills).toHaveLength(1)
  })

  it('is not the server’s while the page is hidden or a user closes it', async () => {
    const { it, socket } = await opened(watchDb())
    socket.frame('{}')
    await it.raven.clock.advance(12_000)
    it.governor.setHidden(true)
    await it.raven.clock.advance(60_000)
    it.governor.setHidden(false)
    await settle()
    it.raven.lastSocket.accept()
    it.raven.lastSocket.frame('{}')
    expect(it.stills).toEqual([])
  })

  it('of a handshake is, too', async () => {
    const it = watchDb()
    await it.raven.clock.advance(15_000)
    expect(it.raven.sockets[0]!.readyState).toBe(3)
    expect(it.closed).toEqual([])
    expect(it.phases.map(({ phase }) => phase)).toContain('waiting')
  })

  it('nothing arrives late from a connection that was given up', async () => {
    const { it, socket } = await opened(watchDb())
    await it.raven.clock.advance(15_000)
    const count = it.phases.length
    socket.cut()
    socket.frame('{"late":true}')
    await settle()
    expect(it.frames).toEqual([])
    expect(it.phases).toHaveLength(count)
  })
})

describe('a hidden page', () => {
  it('closes its sockets and opens them when it is shown', async () => {
    const { it, socket } = await opened(watchDb())
    await it.raven.clock.advance(3000)
    it.governor.setHidden(true)
    expect(it.closed).toEqual([[it.raven.clock.nowMs, 'tab-hidden']])
    expect(it.now()).toBe('paused')
    expect(socket.readyState).toBe(3)
    await it.raven.clock.advance(600_000)
    expect(it.raven.sockets).toHaveLength(1)
    it.governor.setHidden(false)
    await expectOpen(it)
    expect(it.closed).toHaveLength(1)
  })

  it('asks nothing while it waits, and loads nothing when it is shown', async () => {
    const it = await watchUnloaded()
    it.governor.setHidden(true)
    const count = it.raven.calls.length
    await it.raven.clock.advance(600_000)
    expect(it.raven.calls).toHaveLength(count)
    it.control.loadNow()
    expect(it.raven.sockets).toEqual([])
    it.governor.setHidden(false)
    await settle()
    expect(it.now()).toBe('unloaded')
    expect(it.raven.loads).toEqual([])
  })

  it('reports a close whose reason was still being asked for', async () => {
    const { it, socket } = await opened(watchDb())
    const atMs = it.raven.clock.nowMs
    socket.cut()
    it.governor.setHidden(true)
    expect(it.closed).toEqual([[atMs, 'socket-closed']])
    await it.raven.clock.advance(1000)
    expect(it.closed).toHaveLength(1)
    expect(it.now()).toBe('paused')
  })

  it('is where a socket may also begin', async () => {
    const raven = new FakeRaven()
    const governor = new Governor(raven.env)
    governor.setHidden(true)
    const phases: string[] = []
    governor.openSocket('threadsInfo', {}, { onPhase: ({ phase }) => void phases.push(phase), onFrame: () => {} })
    await raven.clock.advance(10_000)
    expect(phases).toEqual(['paused'])
    expect(raven.sockets).toEqual([])
  })
})

describe('close', () => {
  it('is the end: nothing is reported or requested afterwards, at whatever point', async () => {
    for (const prepare of [
      () => {},
      (raven: FakeRaven) => void (raven.up = false),
      (raven: FakeRaven) => void raven.databases.set('db', 'unloaded'),
    ]) {
      for (const waitMs of [null, 0, 700]) {
        const it = watchDb(prepare)
        if (waitMs !== null) await it.raven.clock.advance(waitMs)
        it.control.close()
        const [reported, requested] = [it.phases.length, it.raven.calls.length]
        it.governor.setHidden(true)
        it.governor.setHidden(false)
        it.control.reconnectNow()
        it.control.loadNow()
        await it.raven.clock.advance(120_000)
        expect([it.phases.length, it.raven.calls.length, it.closed.length]).toEqual([reported, requested, 0])
      }
    }
  })
})
