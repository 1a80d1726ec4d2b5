/**
 * The rules against a real server. Runs when ROOKERY_TEST_SERVER names a version, such as `7.1.5`: it is got and started
 * by tools/ravendb, with short idle times, on a free port, and ended afterwards. Takes about two minutes.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { startRavenDb, type RunningRavenDb } from '../../tools/ravendb/run.mjs'
import { listDatabases } from './databases/databases.ts'
import { ENDPOINTS, type EndpointKey, type Params, type SocketKey } from './endpoints.ts'
import { realEnv } from './env.ts'
import { Governor } from './budget/governor.ts'
import type { CloseReason, SocketPhase, SocketHandlers } from './sockets/socket-events.ts'
import { realServer } from '../testing/server/real-server.ts'
import { offers } from './versions.ts'

const version = process.env['ROOKERY_TEST_SERVER'] ?? ''
const settings = { 'Databases.MaxIdleTimeInSec': '6', 'Databases.FrequencyToCheckForIdleInSec': '2' }

let server: RunningRavenDb
let governor: Governor

const start = (): Promise<RunningRavenDb> => startRavenDb({ version, settings })

const { api, create, isLoaded, until } = realServer(() => server.url)

interface Seen {
  readonly phases: SocketPhase[]
  readonly frames: string[]
  readonly closed: CloseReason[]
  readonly received: number[]
  readonly phase: () => string
  readonly handlers: SocketHandlers
}

function see(): Seen {
  const phases: SocketPhase[] = []
  const frames: string[] = []
  const closed: CloseReason[] = []
  const received: number[] = []
  return {
    phases,
    frames,
    closed,
    received,
    phase: () => phases.at(-1)?.phase ?? 'none',
    handlers: {
      onPhase: (phase) => void phases.push(phase),
      onFrame: (text) => void frames.push(text),
      onReceived: (atMs) => void received.push(atMs),
      onClosed: (_, reason) => void closed.push(reason),
    },
  }
}

describe.runIf(version !== '')(`RavenDB ${version}`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await start()
  }, 300_000)

  afterAll(async () => {
    await server.stop()
  }, 60_000)

  const fresh = (): Governor => {
    governor = new Governor({ ...realEnv(server.url), WebSocket: WebSocket as never })
    return governor
  }

  afterEach(() => {
    governor.close()
  })

  it('answers every endpoint that its version has, within size and with JSON', async () => {
    fresh()
    await create('all')
    const offered = await governor.version()
    const params: Partial<Record<EndpointKey, Params>> = { isLoaded: { name: 'all' }, database: { name: 'all' } }
    const answered = new Map<string, string>()
    for (const [key, endpoint] of Object.entries(ENDPOINTS) as [EndpointKey, (typeof ENDPOINTS)[EndpointKey]][]) {
      if (endpoint.kind === 'socket') continue
      const ask = governor.json(key, params[key] ?? (endpoint.loadsDatabase ? { database: 'all' } : {}), {
        allowLoad: true,
      })
      if (offers(offered, endpoint.since)) answered.set(key, typeof (await ask))
      else await expect(ask).rejects.toMatchObject({ kind: 'route-missing' })
    }
    expect(new Set(answered.values())).toEqual(new Set(['object']))
    expect(governor.meter().endpoints.filter((row) => row.failures > 0)).toEqual([])
  })

  it.each<[SocketKey, Params, string | null]>([
    ['adminIoMetricsLive', {}, null],
    ['threadsInfo', {}, null],
    ['clusterDashboard', { node: 'A' }, '{"Command":"watch","Id":1,"Type":"CpuUsage","Config":null}'],
    ['ioMetricsLive', { database: 'all' }, null],
  ])('opens %s and receives frames', async (key, params, send) => {
    const seen = see()
    const socket = fresh().openSocket(key, params, seen.handlers, { allowLoad: true })
    await until('open', () => seen.phase() === 'open', 30_000)
    if (send !== null) expect(socket.send(send)).toBe(true)
    await until('a frame', () => seen.frames.length > 0, 20_000)
    expect(JSON.parse(seen.frames[0]!)).toBeTypeOf('object')
    await until('a second sign of life', () => seen.received.length > 1, 15_000)
    expect(seen.closed).toEqual([])
  })

  it('shows what an error frame of the dashboard reported', async () => {
    const seen = see()
    fresh().openSocket('clusterDashboard', { node: 'Z' }, seen.handlers)
    await until('reported', () => seen.phase() === 'waiting', 20_000)
    expect(seen.phases.at(-1)!.error).not.toBeNull()
  })

  it('lists and asks without loading, and lets nothing through to an unloaded database', async () => {
    fresh()
    await create('quiet')
    const list = async (): Promise<string | undefined> =>
      (await listDatabases(governor)).rows.find((row) => row.name === 'quiet')?.state
    expect(await list()).toBe('online')
    governor.poll('isLoaded', { name: 'quiet' }, { everyMs: 200, onResponse: () => {}, onError: () => {} })
    await until('unloaded in spite of listing and asking', async () => (await list()) === 'unloaded', 60_000)
    const endMs = Date.now() + 15_000
    while (Date.now() < endMs) {
      expect(await list()).toBe('unloaded')
      await expect(governor.json('footerStats', { database: 'quiet' })).rejects.toMatchObject({
        kind: 'database-unloaded',
      })
      expect(await isLoaded('quiet')).toBe(false)
      await sleep(300)
    }
    expect(await governor.json('footerStats', { database: 'quiet' }, { allowLoad: true })).toHaveProperty(
      'CountOfDocuments',
      0,
    )
    expect(await isLoaded('quiet')).toBe(true)
  })

  it('does not reload what the server unloads under an open socket, and follows when something else does', async () => {
    fresh()
    await create('idle')
    const seen = see()
    const socket = governor.openSocket('ioMetricsLive', { database: 'idle' }, seen.handlers)
    await until('open', () => seen.phase() === 'open', 10_000)
    await until('dropped', () => seen.closed.length === 1, 60_000)
    expect(seen.closed).toEqual(['database-unloaded'])
    expect(seen.phase()).toBe('unloaded')
    const endMs = Date.now() + 15_000
    while (Date.now() < endMs) {
      expect(await isLoaded('idle')).toBe(false)
      await sleep(200)
    }
    expect(seen.phases.filter(({ phase }) => phase === 'connecting')).toHaveLength(1)
    await fetch(`${server.url}/databases/idle/studio/footer/stats`)
    await until('followed', () => seen.phase() === 'open', 10_000)
    await until('dropped again', () => seen.closed.length === 2, 60_000)
    socket.loadNow()
    await until('loaded by a click', () => seen.phase() === 'open', 20_000)
    expect(await isLoaded('idle')).toBe(true)
  })

  it('distinguishes disabled from deleted', async () => {
    fresh()
    await create('doomed')
    const seen = see()
    const socket = governor.openSocket('ioMetricsLive', { database: 'doomed' }, seen.handlers)
    await until('open', () => seen.phase() === 'open', 10_000)
    await api('POST', '/admin/databases/disable', { DatabaseNames: ['doomed'] })
    await until('disabled', () => seen.phase() === 'disabled', 20_000)
    expect((await listDatabases(governor)).rows.find((row) => row.name === 'doomed')?.state).toBe('disabled')
    await api('DELETE', '/admin/databases', {
      DatabaseNames: ['doomed'],
      HardDelete: true,
      TimeToWaitForConfirmation: '00:00:15',
    })
    socket.reconnectNow()
    await until('gone', () => seen.phase() === 'gone', 5000)
    expect(seen.phases.at(-1)!.message).toBe('There is no database “doomed” on this server.')
    expect(seen.closed).toEqual(['database-disabled'])
  })

  it('takes a server that is stuck for silent, and continues when it does', async () => {
    const seen = see()
    fresh().openSocket('threadsInfo', {}, seen.handlers)
    await until('open', () => seen.phase() === 'open', 10_000)
    process.kill(server.pid, 'SIGSTOP')
    try {
      await until('silent', () => seen.closed.length === 1, 25_000)
      expect(seen.closed).toEqual(['silent'])
      await until('waiting', () => seen.phase() === 'waiting', 15_000)
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await until('open again', () => seen.phase() === 'open', 40_000)
  })

  it('says that the server stopped when it was killed, and comes back with it', async () => {
    await create('lasting')
    const port = Number(new URL(server.url).port)
    // A folder of its own, so that the databases are there after the kill.
    await server.stop()
    const dataDir = `${server.dataDir}-kept`
    server = await startRavenDb({ version, settings, dataDir, port })
    try {
      fresh()
      await create('lasting')
      const [database, system] = [see(), see()]
      governor.openSocket('ioMetricsLive', { database: 'lasting' }, database.handlers)
      governor.openSocket('adminIoMetricsLive', {}, system.handlers)
      await until('open', () => database.phase() === 'open' && system.phase() === 'open', 10_000)
      await server.kill()
      await until('waiting', () => database.phase() === 'waiting' && system.phase() === 'waiting', 10_000)
      expect([...database.closed, ...system.closed]).toEqual(['server-stopped', 'server-stopped'])
      expect(database.phases.at(-1)).toMatchObject({ error: { message: 'The server did not answer.' } })
      await sleep(3000)
      server = await startRavenDb({ version, settings, dataDir, port })
      await until('system open', () => system.phase() === 'open', 40_000)
      // The server loads its databases itself after a start.
      await until('database open', () => database.phase() === 'open', 40_000)
      expect(governor.meter().sockets).toBe(2)
    } finally {
      await server.stop()
      const { rm } = await import('node:fs/promises')
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
