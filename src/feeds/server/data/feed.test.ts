// Loaded when a database is polled: here it must not take longer than the test's clock waits.
import './wire/listed-operations.ts'
import './wire/merger-wire.ts'
import { describe, expect, it } from 'vitest'
import { formatTicks, type Ticks, TICKS_PER_SECOND, ticksFromMs } from '../../../base/ticks.ts'
import { GAP_OF_CLOSE } from '../../../capture/worker/gap-closing.ts'
import { Governor } from '../../../ravendb/governor/governor.ts'
import { FakeRaven, json, never, settle } from '../../../testing/fake-raven.ts'
import { inGate, isGate } from '../../../testing/gate.ts'
import { memoryHistory } from '../../../testing/server/fake-server.ts'
import {
  newestFrames,
  RECORDED_LINES,
  recordedFrames,
  recordedJson,
  recordedText,
  type RecordedLine,
} from '../../../testing/recorded.ts'
import { ServerFeed, type ServerFeedOptions } from './feed.ts'
import { judgedFeed } from '../../../testing/server/judged-feed.ts'
import { laterResponses } from './later.ts'
import type { ServerDatabasesParams } from '../contract/databases.ts'
import { LocalTabs } from '../../../ravendb/tabs/local-tabs.ts'

const ALL: ServerDatabasesParams = { offset: 0, limit: 500 }

function recordedServer(line: RecordedLine = '7.1'): FakeRaven {
  const raven = new FakeRaven()
  raven.version = line === '7.1' ? '7.1.5' : line === '6.2' ? '6.2.4' : '5.4.207'
  for (const [match, name] of [
    [/server-id/, 'server-id.json'],
    [/cluster\/topology/, 'cluster-topology.json'],
    [/admin\/stats/, 'admin-stats.json'],
    [/admin\/metrics/, 'admin-metrics.json'],
    [/cpu-credits/, 'cpu-credits.json'],
    [/low-mem-log/, 'memory-low-mem-log.json'],
    [/memory\/gc/, 'memory-gc.json'],
    [/memory\/smaps/, 'memory-smaps.json'],
    [/tcp\/stats/, 'tcp-stats.json'],
    [/databases\/idle/, 'databases-idle.json'],
    [/license\/status/, 'license-status.json'],
    [/^\/databases\?/, 'databases.json'],
  ] as const)
    raven.on(match, () => recordedJson(line, name))
  for (const [match, name] of [
    [/proc\/status/, 'proc-status.txt'],
    [/proc\/meminfo/, 'proc-meminfo.txt'],
  ] as const)
    raven.on(match, () => new Response(recordedText(line, name), { headers: { 'content-type': 'text/plain' } }))
  if (line !== '5.4') raven.on(/studio-tasks/, () => recordedJson(line, 'studio-tasks-databases-state.json'))
  return raven
}

function setup(raven = recordedServer(), options: ServerFeedOptions = {}) {
  const feed = new ServerFeed({ store: null, tabs: null, ...options })
  const governor = new Governor(raven.env)
  const responses = { ...feed.responses, ...laterResponses(feed), ...judgedFeed(feed) }
  const request = {
    want: () => responses['server.want'](null, governor),
    record: (on: boolean) => responses['server.record']({ on }, governor),
    now: () => responses['server.now'](null, governor),
    activity: () => responses['triage.activity'](null, governor),
    triage: () => responses['triage.now'](null, governor),
    databases: (parts: Partial<ServerDatabasesParams> = {}) =>
      responses['server.databases']({ ...ALL, ...parts }, governor),
    series: (keys: string[], startTicks: number, endTicks: number) =>
      responses['server.series'](
        {
          keys,
          startTicks: startTicks as Ticks,
          endTicks: endTicks as Ticks,
          maxPoints: 1000,
        },
        governor,
      ),
  }
  return { raven, feed, responses, governor, request }
}

const dashboards = (raven: FakeRaven) => raven.sockets.filter((socket) => socket.url.includes('cluster-dashboard'))
/** Those of the node that the page talks to: of the vital signs, and of the other figures. */
const owns = (raven: FakeRaven) => dashboards(raven).filter((socket) => socket.url.endsWith('node=A'))
const watches = (type: string) => (socket: { readonly sent: readonly string[] }) =>
  socket.sent.some((text) => text.includes(`"${type}"`))
/** Opens what waits to be opened. */
const accept = (raven: FakeRaven): void => {
  for (const socket of owns(raven)) if (socket.readyState === 0) socket.accept()
}
/** The newest dashboard of the vital signs. */
const own = (raven: FakeRaven) => owns(raven).findLast(watches('CpuUsage')) ?? owns(raven)[0]!
const heartbeat = (raven: FakeRaven) => raven.sockets.findLast(({ url }) => url.includes('queries/running'))!

/** A frame of a widget, stamped with the time of the fake clock. */
function widget(raven: FakeRaven, type: string, data: object, socket = own(raven)): void {
  socket.frame(
    JSON.stringify({ Id: 1, Data: { Type: type, Date: formatTicks(ticksFromMs(raven.clock.nowMs)), ...data } }),
  )
}

const cpu = (raven: FakeRaven, machine = 20): void =>
  widget(raven, 'CpuUsage', { ProcessCpuUsage: 10, MachineCpuUsage: machine, UtilizedCores: 2, NumberOfCores: 2 })

const OVERVIEW = { DocumentsCount: 1, IndexesCount: 1, ErroredIndexesCount: 0, IndexingErrorsCount: 0, AlertsCount: 0 }

/** Loaded ones without errors, unless they say otherwise. */
const tellDatabases = (
  raven: FakeRaven,
  databases: readonly { readonly Database: string; readonly Online?: boolean; readonly Disabled?: boolean }[],
): void =>
  widget(raven, 'DatabaseOverview', {
    Items: databases.map((each) => ({ ...OVERVIEW, Online: true, Disabled: false, Irrelevant: false, ...each })),
  })

async function begun(parts = setup()) {
  parts.request.want()
  await parts.raven.clock.advance(1000)
  accept(parts.raven)
  heartbeat(parts.raven).accept()
  widget(parts.raven, 'ServerTime', {})
  // Rates begin with what was there before anyone listened.
  for (const type of ['DatabaseTraffic', 'DatabaseIndexing'])
    for (let frame = 0; frame < 2; frame++) widget(parts.raven, type, { Items: [] })
  return parts
}

/** Wants it all the time, with a frame of the CPU each second. */
async function watchFor(parts: ReturnType<typeof setup>, seconds: number, machine = 20): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    if (second % 10 === 0) parts.request.want()
    await parts.raven.clock.advance(1000)
    cpu(parts.raven, machine)
  }
}

const reasonsOf = (parts: ReturnType<typeof setup>) => {
  const nowTicks = parts.request.now().nowTicks!
  const { gaps } = parts.request.series([], nowTicks - 600 * TICKS_PER_SECOND, nowTicks)
  return gaps.filter(({ isOfDetails }) => isOfDetails !== true).map(({ reason }) => reason)
}
const silences = (parts: ReturnType<typeof setup>) =>
  parts.request
    .triage()
    .items.filter(({ rule }) => rule === 'server-unresponsive' || rule === 'server-was-unresponsive')

describe('the server feed', () => {
  it('passes on which databases the server says to have changed', async () => {
    const { raven, governor, request } = setup()
    const changed: string[] = []
    governor.onDatabaseChanged((name) => void changed.push(name))
    request.want()
    await raven.clock.advance(1000)
    const notifications = raven.sockets.find(({ url }) => url.includes('notification-center'))!
    notifications.accept()
    const parts = { CreatedAt: '2026-11-22T00:48:50.9191493Z', Title: null, Message: null, IsPersistent: false }
    for (const [name, change] of [
      ['shop', 'Update'],
      ['other', 'Delete'],
    ])
      notifications.frame(JSON.stringify({ ...parts, Type: 'DatabaseChanged', DatabaseName: name, ChangeType: change }))
    notifications.frame(JSON.stringify({ ...parts, Type: 'OperationChanged', Title: '"DatabaseChanged"' }))
    expect(changed).toEqual(['shop', 'other'])
  })

  it.each(RECORDED_LINES)('shows what %s reported, and touches no database', async (line) => {
    const { raven, request } = setup(recordedServer(line))
    request.want()
    await raven.clock.advance(1000)
    accept(raven)
    const socket = own(raven)
    const notifications = raven.sockets.find(({ url }) => url.includes('notification-center'))!
    notifications.accept()
    for (const text of recordedFrames(line, 'server-notification-center-watch.ndjson')) notifications.frame(text)
    for (const text of recordedFrames(line, 'cluster-dashboard-watch.ndjson')) socket.frame(text)
    const now = request.now()
    expect(now.server).toMatchObject({ nodeTag: 'A', version: raven.version, licence: { type: 'None' } })
    expect(now.cpu).toMatchObject({ cores: 2 })
    expect(now.memory).toMatchObject({ source: 'kernel', severity: 'None', lowLimit: { bytes: 2 * 1024 ** 3 } })
    expect(now.memory!.process!.anonymousBytes).toBeGreaterThan(0)
    expect(now.gc?.kinds).toHaveLength(3)
    expect(now.volumes).toMatchObject([{ mount: '/' }])
    expect(now.volumes[0]!.environments.map(({ database }) => database)).toContain('<System>')
    expect(now.credits).toBeNull()
    expect(now.lowMemory?.length).toBeGreaterThan(3)
    expect(now.traffic?.averageMs).toBeGreaterThan(0)
    expect(now.watch).toMatchObject({ role: 'leader', phase: 'live', lacking: [], kept: { works: false } })
    expect(
      request
        .databases()
        .rows.map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(['bench', 'iodemo', 'quiet'])
    expect(request.databases({ limit: 1 }).rows).toMatchObject([{ online: true, erroredIndexes: 1 }])
    expect(raven.loads).toEqual([])
    expect(raven.paths(/^\/databases\//)).toEqual([])
  })

  it('subscribes to every widget, and never to the one that ends the socket', async () => {
    const { raven } = await begun()
    const sent = owns(raven)
      .flatMap((socket) => socket.sent)
      .map((text) => JSON.parse(text) as { Command: string; Type: string; Config: unknown })
    expect(new Set(sent.map(({ Type }) => Type)).size).toBe(sent.length)
    expect(sent.map(({ Type }) => Type)).toEqual(expect.arrayContaining(['CpuUsage', 'GcInfo', 'ClusterOverview']))
    expect(sent.every(({ Command, Config }) => Command === 'watch' && Config === null)).toBe(true)
    expect(sent.map(({ Type }) => Type)).not.toContain('DatabasesNotifications')
  })

  it('has the server read its volumes again once it sent what it had kept of them', async () => {
    const parts = await begun()
    const { raven } = parts
    await watchFor(parts, 25)
    const { sent } = own(raven)
    const before = sent.length
    const since = () => sent.slice(before).map((text) => (JSON.parse(text) as { Command: string }).Command)
    // The second frame has what was read for the first.
    for (let frame = 0; frame < 2; frame++) {
      widget(raven, 'StorageUsage', { Items: [] })
      await raven.clock.advance(5000)
      expect(since()).toEqual(['unwatch', 'watch'])
    }
    await watchFor(parts, 25)
    widget(raven, 'StorageUsage', { Items: [] })
    await raven.clock.advance(5000)
    expect(since()).toEqual(['unwatch', 'watch', 'unwatch', 'watch'])
  })

  it('does not watch the server’s own figures of memory while the kernel’s can be had', async () => {
    const { raven, request } = await begun()
    await raven.clock.advance(40_000)
    expect(own(raven).sent.filter((text) => text.includes('MemoryUsage'))).toEqual([])
    expect(raven.paths(/smaps|memory\/stats/)).toEqual([])
    expect(request.now().memory).toMatchObject({ source: 'kernel', whyServer: null, own: null })
  })

  const MEMORY = recordedFrames('7.1', 'cluster-dashboard-watch.ndjson').filter((text) =>
    text.includes('"MemoryUsage"'),
  )

  it.each([
    ['right', () => json(recordedJson('7.1', 'error-403-operator-required.json'), 403)],
    ['system', () => json({ Type: 'System.IO.FileNotFoundException', Message: 'No /proc/self/status' }, 500)],
  ] as const)(
    'without the kernel’s figures (%s) watches the server’s own, and drops its first frame',
    async (why, refuse) => {
      const raven = recordedServer()
      raven.on(/proc\/status/, refuse)
      const { request } = await begun(setup(raven))
      expect(own(raven).sent.filter((text) => text.includes('MemoryUsage'))).toHaveLength(1)
      own(raven).frame(MEMORY[0])
      expect(request.now().memory).toBeNull()
      own(raven).frame(MEMORY[1])
      expect(request.now().memory).toMatchObject({
        source: 'server',
        whyServer: why,
        process: null,
        residentBytes: 2_191_572_992,
        availableBytes: 18_526_027_776,
        freeBytes: 9_035_005_952,
        swapBytes: why === 'right' ? 0 : null,
        own: { scratchBytes: 127_565_824 },
      })
      expect(request.now().watch.lacking.some(({ what }) => what === 'memory by kind')).toBe(why === 'right')
    },
  )

  it('takes the figures of a confined server from the server, for the kernel reports its host', async () => {
    const raven = recordedServer()
    const gc = recordedJson('7.1', 'memory-gc.json') as { Any: object }
    raven.on(/memory\/gc/, () => ({ ...gc, Any: { ...gc.Any, TotalAvailableMemoryBytes: 4 * 1024 ** 3 } }))
    const { request } = await begun(setup(raven))
    for (const text of MEMORY.slice(0, 2)) own(raven).frame(text)
    const { memory } = request.now()
    expect(memory).toMatchObject({ source: 'server', whyServer: 'confined', availableBytes: 18_526_027_776 })
    expect(memory!.process!.anonymousBytes).toBe(1_086_880 * 1024)
  })

  it('asks which pages are clean for an opened card only, at most once a minute, and the limit once an hour', async () => {
    const raven = recordedServer()
    raven.on(/configuration\/settings/, () => ({
      Settings: [
        { Metadata: { Keys: ['Other'], DefaultValue: '1' }, ServerValues: {} },
        {
          Metadata: { Keys: ['Memory.LowMemoryLimitInMb'], DefaultValue: '2048' },
          ServerValues: { 'Memory.LowMemoryLimitInMb': { Value: '512', HasValue: true } },
        },
      ],
    }))
    // Private memory is a part of what is dirty.
    const dirtyFiles = 100 * 1024 ** 2
    const TotalDirty = (1_086_880 + 133_552) * 1024 + dirtyFiles
    raven.on(/memory\/smaps/, () => ({ Totals: { TotalClean: 746_037_248, TotalDirty } }))
    const { responses, governor, request } = await begun(setup(raven))
    const open = async (files: boolean, ms: number): Promise<void> => {
      expect(responses['server.memory']({ files }, governor)).toEqual({ canFiles: true })
      await raven.clock.advance(ms)
    }
    await open(false, 1000)
    expect(raven.paths(/smaps/)).toEqual([])
    expect(request.now().memory).toMatchObject({
      files: null,
      lowLimit: { bytes: 512 * 1024 ** 2, from: 'configured' },
    })
    for (let second = 0; second < 60; second += 20) await open(true, 20_000)
    expect(raven.paths(/smaps/)).toHaveLength(1)
    expect(request.now().memory!.files).toMatchObject({ cleanBytes: 746_037_248, dirtyBytes: dirtyFiles })
    await open(true, 1000)
    expect(raven.paths(/smaps/)).toHaveLength(2)
    expect(raven.paths(/configuration\/settings/)).toHaveLength(1)
  })

  it('reads settings of every scope, of which a database may have some of its own', async () => {
    const raven = recordedServer()
    const set = (key: string, scope: string) => ({
      Metadata: { Keys: [key], Scope: scope },
      ServerValues: { [key]: { Value: '9', HasValue: true } },
    })
    const all = [set('Http.MinDataRate', 'ServerWideOnly'), set('Indexing.MapTimeoutInSec', 'ServerWideOrPerDatabase')]
    raven.on(/configuration\/settings$/, () => ({ Settings: all }))
    raven.on(/configuration\/settings\?scope=/, () => ({ Settings: all.slice(0, 1) }))
    const { responses, governor } = setup(raven)
    const found = await responses['server.settings'](null, governor, new AbortController().signal)
    expect(found.map(({ key }) => key)).toEqual(['Http.MinDataRate', 'Indexing.MapTimeoutInSec'])
  })

  it('asks nothing before it is wanted, and ends thirty seconds after the last want', async () => {
    const { raven, request } = setup()
    request.now()
    request.triage()
    await raven.clock.advance(60_000)
    expect(raven.calls).toEqual([])
    request.want()
    await raven.clock.advance(10_000)
    accept(raven)
    await raven.clock.advance(10_000)
    expect(request.now().watch.role).toBe('leader')
    await raven.clock.advance(11_000)
    expect(request.now().watch).toMatchObject({ role: 'off', phase: null })
    expect(raven.sockets.every(({ readyState }) => readyState === 3)).toBe(true)
    const before = raven.calls.length
    await raven.clock.advance(600_000)
    expect(raven.calls.length).toBe(before)
  })

  it('a recording continues without a want, and in a hidden tab', async () => {
    const parts = await begun()
    parts.request.record(true)
    parts.governor.setHidden(true)
    await parts.raven.clock.advance(10_000)
    cpu(parts.raven)
    expect(parts.request.now().watch).toMatchObject({ role: 'leader', recording: true })
    expect(own(parts.raven).readyState).toBe(1)
    parts.request.record(false)
    expect(parts.request.now().watch.role).toBe('off')
    expect(own(parts.raven).readyState).toBe(3)
  })

  it('a server that is stopped is found while it is, and its duration after', async () => {
    const parts = await begun()
    await watchFor(parts, 30)
    parts.raven.on(/./, never)
    await parts.raven.clock.advance(8000)
    expect(silences(parts)).toMatchObject([
      { rule: 'server-unresponsive', level: 'critical', title: 'The server has been unresponsive for 8.00 s.' },
    ])
    parts.request.want()
    await parts.raven.clock.advance(5000)
    parts.raven.routes.shift()
    await watchFor(parts, 5)
    expect(reasonsOf(parts)).toEqual(['server-unresponsive'])
    expect(silences(parts)).toMatchObject([
      {
        rule: 'server-was-unresponsive',
        level: 'warning',
        title: 'The server was unresponsive for 14.0 s, 4.00 s ago.',
      },
    ])
  })

  it('silent sockets of a server that responses are no fault of it: the gap says that the reason is not known', async () => {
    const parts = await begun()
    await watchFor(parts, 30)
    await parts.raven.clock.advance(9000)
    await watchFor(parts, 5)
    expect(reasonsOf(parts)).toEqual(['not-watched'])
    expect(silences(parts)).toEqual([])
    expect(parts.request.activity().happened.filter(({ level }) => level !== null)).toEqual([])
  })

  it('our own pause never becomes a finding, and is no gap of the vital signs', async () => {
    const parts = await begun()
    const { raven, governor } = parts
    governor.overhead.setLimits({ attended: 0.02, background: 0.0005 })
    const details = owns(raven).find(watches('IoStats'))!
    for (let second = 0; second < 400 && details.readyState === 1; second++) {
      await watchFor(parts, 1)
      heartbeat(raven).frame('[]')
      widget(raven, 'IoStats', { Items: [] }, details)
    }
    // Paused, and opened again a while later; the vital signs went on.
    expect(details.readyState).toBe(3)
    expect(parts.request.now().watch).toMatchObject({
      phase: 'paused-by-rookery',
      message: expect.stringMatching(/^It takes/) as string,
    })
    expect(heartbeat(raven).readyState).toBe(1)
    for (let second = 0; second < 330; second++) {
      accept(raven)
      await watchFor(parts, 1)
      heartbeat(raven).frame('[]')
    }
    widget(raven, 'IoStats', { Items: [] }, owns(raven).findLast(watches('IoStats')))
    expect(reasonsOf(parts)).toEqual([])
    const nowTicks = parts.request.now().nowTicks!
    const { gaps } = parts.request.series([], nowTicks - 600 * TICKS_PER_SECOND, nowTicks)
    expect(gaps).toMatchObject([{ isOfDetails: true, reason: GAP_OF_CLOSE['paused-by-rookery'] }])
    expect(parts.request.triage().items).toEqual([])
    expect(parts.request.activity().happened.filter(({ level }) => level !== null)).toEqual([])
  })

  it('watches vital signs on every panel, and the rest only while it is wanted', async () => {
    const raven = recordedServer()
    const parts = setup(raven)
    parts.feed.begin(parts.governor)
    await raven.clock.advance(1000)
    accept(raven)
    heartbeat(raven).accept()
    const watchAlone = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await raven.clock.advance(1000)
        cpu(raven)
        heartbeat(raven).frame('[]')
      }
    }
    await watchAlone(60)
    expect(owns(raven).filter(({ readyState }) => readyState === 1)).toHaveLength(1)
    expect(own(raven).sent).toHaveLength(4)
    const query = { QueryId: 4, DurationInMs: 31_000, IndexName: 'I', QueryInfo: { Query: 'from index I' } }
    heartbeat(raven).frame(JSON.stringify([{ DatabaseName: 'Orders', RunningQueries: [query] }]))
    expect(parts.responses['triage.badge'](null, parts.governor)).toEqual({
      critical: 0,
      warning: 1,
      worst: 'A query on “Orders” has been running for 31.0 s.',
    })
    parts.request.want()
    await raven.clock.advance(1000)
    accept(raven)
    expect(owns(raven).some(watches('IoStats'))).toBe(true)
    await watchAlone(40)
    expect(owns(raven).filter(({ readyState }) => readyState === 1)).toHaveLength(1)
    parts.governor.setHidden(true)
    expect(raven.sockets.every(({ readyState }) => readyState === 3)).toBe(true)
  })

  it('keeps series with gaps that say why', async () => {
    const parts = await begun()
    await watchFor(parts, 30)
    const startTicks = parts.request.now().nowTicks! - 29 * TICKS_PER_SECOND
    parts.governor.setHidden(true)
    await parts.raven.clock.advance(100_000)
    parts.governor.setHidden(false)
    parts.request.want()
    await parts.raven.clock.advance(100)
    accept(parts.raven)
    await watchFor(parts, 30)
    const { series, gaps, available } = parts.request.series(['cpu.machine', 'x'], startTicks, startTicks + 1e10)
    expect(series[0]!.mean.filter((value) => Number.isNaN(value))).toHaveLength(1)
    expect(series[0]!.count.reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(series[1]!.length).toBe(0)
    expect(gaps[0]).toMatchObject({ reason: 'tab-hidden' })
    expect((gaps[0]!.endTicks - gaps[0]!.startTicks) / TICKS_PER_SECOND).toBeGreaterThan(100)
    expect(available.map(({ key }) => key)).toContain('cpu.machine')
  })

  /** Databases by how many writes and requests a second the dashboard reports them. */
  const tellTraffic = (
    raven: FakeRaven,
    rates: Readonly<Record<string, readonly [writes: number, reads: number]>>,
  ): void => {
    const items = Object.entries(rates).map(([Database, [DocumentWritesPerSecond, RequestsPerSecond]]) => ({
      Database,
      RequestsPerSecond,
      DocumentWritesPerSecond,
    }))
    widget(raven, 'DatabaseTraffic', { Items: items })
    widget(raven, 'DatabaseIndexing', { Items: [] })
  }
  const tellLoaded = (raven: FakeRaven, names: readonly string[]): void => {
    tellDatabases(
      raven,
      names.map((Database) => ({ Database })),
    )
  }
  const workingServer = (names: readonly string[]): FakeRaven => {
    const raven = recordedServer()
    for (const name of names) raven.databases.set(name, 'loaded')
    raven.on(/indexes\/progress/, () => recordedJson('7.1', 'indexes-progress.json'))
    raven.on(/perf-metrics/, () => recordedJson('7.1', 'perf-metrics.json'))
    raven.on(/\/stats$/, () => ({ NumberOfTransactionMergerQueueOperations: 3 }))
    return raven
  }

  it('requests details of databases in use only, keeps what a user has to fix, and stops when they stop', async () => {
    const raven = workingServer(['busy', 'read', 'idle'])
    const parts = await begun(setup(raven))
    const traffic = (writes: number, reads: number): void =>
      tellTraffic(raven, { busy: [writes, reads], read: [0, reads], idle: [0, 9] })
    tellLoaded(raven, ['busy', 'read', 'idle'])
    traffic(7, 90)
    await watchFor(parts, 25)
    expect(parts.request.now().work?.reported).toMatchObject([
      { database: 'busy', staleIndexes: 1, waiting: 3 },
      { database: 'read', staleIndexes: 1, waiting: 3 },
    ])
    expect(parts.request.databases().rows.map(({ name, work }) => [name, work?.staleIndexes])).toEqual([
      ['busy', 1],
      ['idle', undefined],
      ['read', 1],
    ])
    const stopped = () => parts.request.triage().items.filter(({ rule }) => rule === 'index-trouble')
    expect(stopped()).toMatchObject([{ level: 'critical' }, { level: 'critical' }])
    traffic(0, 9)
    const requested = raven.paths(/^\/databases\/(busy|read)/).length
    expect(requested).toBeGreaterThan(0)
    await watchFor(parts, 90)
    expect(raven.paths(/^\/databases\/(busy|read)/).length).toBe(requested)
    expect(raven.paths(/^\/databases\/idle/)).toEqual([])
    expect(raven.loads).toEqual([])
    expect(parts.request.now().work).toEqual({ reported: [], working: 0, unpolled: 0 })
    expect(parts.request.databases().rows.every(({ work }) => work === null)).toBe(true)
    // The index is paused until a user resumes it.
    expect(stopped()).toHaveLength(2)
    await watchFor(parts, 900)
    expect(stopped()).toEqual([])
    expect(parts.request.triage().unknown).toContainEqual(
      expect.objectContaining({ rule: 'index-trouble', isPartly: true }),
    )
  })

  it('requests details as soon as writes are reported, and shows no writes before', async () => {
    const raven = workingServer(['demo', 'other'])
    const parts = await begun(setup(raven))
    await watchFor(parts, 8)
    expect(parts.request.now().work).toBeNull()
    tellLoaded(raven, ['demo', 'other'])
    tellTraffic(raven, { demo: [0, 0], other: [0, 0] })
    await watchFor(parts, 2)
    expect(parts.request.now().work).toEqual({ reported: [], working: 0, unpolled: 0 })
    tellTraffic(raven, { demo: [13_000, 26], other: [0, 0] })
    expect(parts.request.now().work).toEqual({ reported: [], working: 1, unpolled: 1 })
    await watchFor(parts, 1)
    expect(parts.request.now().work).toMatchObject({ reported: [{ database: 'demo', waiting: 3 }], unpolled: 0 })
    tellTraffic(raven, { demo: [13_000, 26], other: [5, 5] })
    await watchFor(parts, 1)
    expect(parts.request.now().work).toMatchObject({ working: 2, unpolled: 0 })
    expect(raven.paths(/^\/databases\/demo\/stats/).length).toBeLessThanOrEqual(2)
  })

  it('knows a paused index although another database of its turn answers late', async () => {
    const raven = workingServer(['first', 'second'])
    raven.on(/databases\/second/, () => new Promise(() => undefined))
    const parts = await begun(setup(raven))
    tellLoaded(raven, ['first', 'second'])
    tellTraffic(raven, { first: [9, 9], second: [5, 5] })
    await watchFor(parts, 25)
    const stopped = parts.request.triage().items.filter(({ rule }) => rule === 'index-trouble')
    expect(stopped.map(({ title }) => title)).toEqual([expect.stringContaining('of “first” does not run')])
  })

  it('requests nothing for a second frame, which may report the same write as the first, and requests again while writes continue', async () => {
    const raven = workingServer(['demo'])
    const parts = await begun(setup(raven))
    tellLoaded(raven, ['demo'])
    tellTraffic(raven, { demo: [1, 1] })
    await watchFor(parts, 3)
    const requested = () => raven.paths(/^\/databases\/demo\/stats/).length
    expect(requested()).toBe(1)
    // The next turn is due 20 s later: the second frame of another write came just before it.
    for (const writes of [0, 0, 0, 0, 1, 1]) {
      tellTraffic(raven, { demo: [writes, writes] })
      await watchFor(parts, 3)
    }
    await watchFor(parts, 4)
    expect(requested()).toBe(1)
    for (let frame = 0; frame < 8; frame++) {
      tellTraffic(raven, { demo: [9, 9] })
      await watchFor(parts, 3)
    }
    expect(requested()).toBe(2)
  })

  it('knows which queries run long, until the socket closes', async () => {
    const { raven, request } = await begun()
    const rule = () => request.triage().items.find(({ rule: name }) => name === 'long-queries')
    const socket = raven.sockets.find(({ url }) => url.includes('queries/running'))!
    socket.accept()
    socket.frame('[]')
    expect(request.triage().unknown.map(({ rule: name }) => name)).not.toContain('long-queries')
    const query = {
      QueryId: 4,
      DurationInMs: 45_000,
      IndexName: 'collection/Users',
      QueryInfo: { Query: 'from Users' },
    }
    socket.frame(JSON.stringify([{ DatabaseName: 'Orders', RunningQueries: [query] }]))
    expect(rule()).toMatchObject({ title: 'A query on “Orders” has been running for 45.0 s.' })
    socket.cut()
    await raven.clock.advance(5000)
    expect(rule()).toBeUndefined()
    expect(request.triage().unknown.map(({ rule: name }) => name)).toContain('long-queries')
  })

  it('says of when it is that no query runs, while the server goes on reporting that', async () => {
    const parts = await begun()
    const now = () => parts.responses['server.queries']()
    heartbeat(parts.raven).frame('[]')
    for (let second = 0; second < 30; second++) {
      await watchFor(parts, 1)
      heartbeat(parts.raven).frame('[]')
    }
    expect(now().running).toEqual([])
    const old = parts.request.now().nowTicks! - now().atTicks!
    expect(old).toBeGreaterThanOrEqual(0)
    expect(old).toBeLessThanOrEqual(6 * TICKS_PER_SECOND)
  })

  it('watches running queries without a pause where the overhead limit is at its least', async () => {
    const parts = await begun()
    parts.governor.overhead.setLimits({ attended: 0.02, background: 0.0005 })
    for (let second = 0; second < 120; second++) {
      heartbeat(parts.raven).frame('[]')
      await watchFor(parts, 1)
    }
    expect(parts.raven.sockets.filter(({ url }) => url.includes('queries/running'))).toHaveLength(1)
    expect(heartbeat(parts.raven).readyState).toBe(1)
  })

  it('polls CPU credits once a minute on a machine that has none, and every five seconds where there are some', async () => {
    const seconds = inGate(150, 300)
    const polled = async (isUsed: boolean): Promise<number> => {
      const raven = recordedServer()
      raven.on(/cpu-credits/, () => ({ ...(recordedJson('7.1', 'cpu-credits.json') as object), Used: isUsed }))
      const parts = await begun(setup(raven))
      const before = raven.paths(/cpu-credits/).length
      await watchFor(parts, seconds)
      return raven.paths(/cpu-credits/).length - before
    }
    expect(await polled(false)).toBeLessThanOrEqual(seconds / 50)
    expect(await polled(true)).toBeGreaterThan(seconds / 6)
  })

  it('stays within half a percent of a core, and says what it costs', async () => {
    const parts = await begun()
    await watchFor(parts, 120)
    const { cost, slowed } = parts.governor.meter()
    expect(slowed).toBeNull()
    expect(cost.shareOfCore).toBeLessThan(0.005)
    expect(cost).toMatchObject({ databasesLoaded: 0, slowedPolls: [] })
  })

  it('slows down while the machine has no CPU to spare, and at its pace again after', async () => {
    const parts = await begun()
    await watchFor(parts, 20, 99)
    expect(parts.governor.meter().slowed).toContain('CPU saturated')
    await watchFor(parts, 20, 30)
    expect(parts.governor.meter().slowed).toBeNull()
  })

  it('slows down within two intervals when CPU credits run out', async () => {
    const raven = recordedServer()
    let remaining = 100
    raven.on(/cpu-credits/, () => ({
      ...(recordedJson('7.1', 'cpu-credits.json') as object),
      Used: true,
      MaxCredits: 200,
      BackgroundTasksThreshold: 20,
      RemainingCpuCredits: remaining,
    }))
    const parts = await begun(setup(raven))
    await watchFor(parts, 12)
    expect(parts.governor.meter().slowed).toBeNull()
    remaining = 0
    await watchFor(parts, 12)
    expect(parts.governor.meter().slowed).toContain('CPU credits are nearly used up')
  })

  it('says once which rights are missing, and does not insist', async () => {
    const raven = recordedServer()
    raven.on(/^\/admin\//, () => json(recordedJson('7.1', 'error-403-operator-required.json'), 403))
    const parts = await begun(setup(raven))
    await watchFor(parts, 120)
    const { lacking } = parts.request.now().watch
    expect(lacking.map(({ kind }) => kind)).toEqual(lacking.map(() => 'right'))
    expect(lacking.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['low-memory events', 'alerts of the server']),
    )
    expect(lacking[0]!.message).toContain('Operator')
    expect(raven.paths(/admin\/metrics/)).toHaveLength(1)
    expect(parts.request.triage().items.find(({ rule }) => rule === 'rights')).toMatchObject({ level: 'info' })
  })

  it('says why no figure arrives from a server that answers only its version, and ends with the first that does', async () => {
    const raven = recordedServer()
    raven.on(
      /^(?!\/build\/version)/,
      () => new Response('<html>Forbidden</html>', { status: 403, headers: { 'content-type': 'text/html' } }),
    )
    const parts = setup(raven)
    parts.request.want()
    await raven.clock.advance(19_000)
    expect(parts.request.now().watch.withheld).toBeNull()
    parts.request.want()
    await raven.clock.advance(2000)
    const { withheld, lacking } = parts.request.now().watch
    expect(withheld).toMatch(/^Expected JSON, came an HTML page \(status 403\)\. .*check the proxy/)
    expect(new Set(lacking.map(({ kind }) => kind))).toEqual(new Set(['error']))
    raven.routes.shift()
    for (let i = 0; i < 12; i++) {
      parts.request.want()
      await raven.clock.advance(10_000)
      accept(raven)
      if (own(raven).readyState === 1) cpu(raven)
    }
    expect(parts.request.now().watch).toMatchObject({ withheld: null, lacking: [] })
  })

  it('what cannot be read is reported and changes nothing else', async () => {
    const parts = await begun()
    cpu(parts.raven)
    own(parts.raven).frame('{"Id":1,"Data":{"Type":"CpuUsage","Date":"2026-11-20T04:02:41Z"}}')
    own(parts.raven).frame('<html>')
    expect(parts.request.now().watch.lacking).toMatchObject([{ kind: 'error', what: 'frames of the dashboard' }])
    cpu(parts.raven)
    expect(parts.request.now().watch.lacking).toEqual([])
    expect(parts.request.now().cpu?.machinePercent).toBe(20)
  })

  it('before its first database a server is of no cluster, and then of one: the socket follows', async () => {
    const raven = recordedServer()
    let tag = '?'
    raven.on(/cluster\/topology/, () => ({ ...(recordedJson('7.1', 'cluster-topology.json') as object), NodeTag: tag }))
    const { request } = setup(raven)
    request.want()
    await raven.clock.advance(1000)
    expect(dashboards(raven).map(({ url }) => url)).toEqual(
      expect.arrayContaining(['ws://raven/cluster-dashboard/watch?node=%3F']),
    )
    const identities = (): number => raven.calls.filter(({ path }) => path.includes('server-id')).length
    const before = identities()
    tag = 'A'
    await raven.clock.advance(17_000)
    expect(dashboards(raven).at(-1)!.url).toContain('node=A')
    // Another server may have the address: one without a tag is as new as one can be.
    expect(identities()).toBe(before + 1)
  })

  it('a server that is back is not requested again and again for what it refuses', async () => {
    const raven = recordedServer()
    raven.on(/^\/admin\/stats/, () => json(recordedJson('7.1', 'error-403-operator-required.json'), 403))
    const parts = await begun(setup(raven))
    own(raven).cut()
    const identities = (): number => raven.calls.filter(({ path }) => path.includes('server-id')).length
    const before = identities()
    for (let second = 0; !owns(raven).some(({ readyState }) => readyState === 0) && second < 60; second++) {
      parts.request.want()
      await raven.clock.advance(1000)
    }
    accept(raven)
    await watchFor(parts, 30)
    expect(identities()).toBe(before + 1)
  })

  it('5,000 databases: their widgets come seldom, and every one is found', async () => {
    const parts = await begun()
    const requested = (command: string) =>
      own(parts.raven).sent.filter((text) => text.includes(`"${command}"`) && /"Id":10\b/.test(text)).length
    tellDatabases(
      parts.raven,
      Array.from({ length: 5000 }, (_, n) => ({ Database: `db${n}`, Online: n % 2 === 0 })),
    )
    expect([requested('watch'), requested('unwatch')]).toEqual([1, 1])
    await watchFor(parts, 31)
    expect(requested('watch')).toBe(2)
    expect(parts.request.activity().slowedToMs).toBe(30_000)
    const first = parts.request.databases({ limit: 3 })
    expect([first.total, first.rows.map(({ name }) => name)]).toEqual([5000, ['db0', 'db1', 'db2']])
    expect(parts.request.databases({ offset: 4900, limit: 500 }).rows).toHaveLength(100)
    expect(parts.request.now().databases).toMatchObject({ total: 5000, online: 2500, offline: 2500 })
  })

  it('a socket that waits for an unloaded database opens at the frame that reports it as loaded, not seconds later', async () => {
    const parts = await begun()
    const { raven, governor } = parts
    const report = (Online: boolean): void => tellDatabases(raven, [{ Database: 'orders', Online }])
    raven.databases.set('orders', 'unloaded')
    report(false)
    const handlers = { onPhase: () => undefined, onFrame: () => undefined }
    const socket = governor.openSocket('ioMetricsLive', { database: 'orders' }, handlers)
    await settle()
    // Between two looks, which are five seconds apart.
    await raven.clock.advance(6000)
    raven.databases.set('orders', 'loaded')
    const opened = (): number => raven.sockets.filter(({ url }) => url.includes('io-metrics/live')).length
    expect(opened()).toBe(0)
    report(true)
    await raven.clock.advance(10)
    expect(opened()).toBe(1)
    expect(raven.loads).toEqual([])
    socket.close()
  })

  it('notes what happens to a database', async () => {
    const parts = await begun()
    const off = { Online: false }
    for (const step of [off, {}, off, { ...off, Disabled: true }, off, null, {}]) {
      tellDatabases(parts.raven, step === null ? [] : [{ Database: 'orders', ...step }])
      await parts.raven.clock.advance(1000)
    }
    expect(parts.request.databases().rows[0]!.changes.map(({ change }) => change)).toEqual([
      'created',
      'deleted',
      'enabled',
      'disabled',
      'unloaded',
      'loaded',
    ])
  })

  it('says when a database will be unloaded, and what prevents it', async () => {
    const raven = recordedServer()
    raven.on(/databases\/idle/, () => ({
      MaxIdleTime: '00:15:00',
      FrequencyToCheckForIdle: '00:01:00',
      Results: [
        {
          Name: 'free',
          IsLoaded: true,
          CanUnload: true,
          LastWork: formatTicks(ticksFromMs(raven.clock.nowMs - 600_000)),
        },
        {
          Name: 'held',
          IsLoaded: true,
          CanUnload: true,
          NumberOfChangesApiConnections: 2,
          LastWork: formatTicks(ticksFromMs(raven.clock.nowMs)),
        },
      ],
    }))
    const parts = await begun(setup(raven))
    tellDatabases(raven, [{ Database: 'free' }, { Database: 'held' }])
    const { rows, maxIdleMs, sweepEveryMs } = parts.request.databases()
    expect([maxIdleMs, sweepEveryMs]).toEqual([900_000, 60_000])
    expect(rows[0]!.idle!.unloadsInMs).toBeCloseTo(300_000, -4)
    expect(rows[1]!.idle).toMatchObject({ unloadsInMs: null, blockers: ['2 listeners to changes are connected.'] })
  })

  it('three nodes: figures of each, and what cannot be reached is reported', async () => {
    const raven = recordedServer()
    const base = recordedJson('7.1', 'cluster-topology.json') as { Topology: object; NodeLicenseDetails: { A: object } }
    const nodes = { A: 'http://a', B: 'http://b', C: 'http://c' }
    raven.on(/cluster\/topology/, () => ({
      ...base,
      Topology: {
        ...base.Topology,
        AllNodes: nodes,
        Members: { A: 'http://a', B: 'http://b' },
        Watchers: { C: 'http://c' },
      },
      NodeLicenseDetails: { A: base.NodeLicenseDetails.A, B: base.NodeLicenseDetails.A, C: base.NodeLicenseDetails.A },
      CurrentTerm: 7,
      Status: { B: { Connected: true, ErrorDetails: null }, C: { Connected: false, ErrorDetails: 'timed out\n at x' } },
    }))
    const parts = await begun(setup(raven))
    const node = (tag: string) => dashboards(raven).find(({ url }) => url.endsWith(`node=${tag}`))!
    node('B').accept()
    for (const text of recordedFrames('7.1', 'cluster-dashboard-watch.ndjson')) {
      node('B').frame(text.replaceAll('"NodeTag":"A"', '"NodeTag":"B"').replaceAll('"Leader"', '"Follower"'))
      own(raven).frame(text)
    }
    node('C').cut()
    await settle()
    const cluster = parts.feed.responses['server.cluster']()
    expect(cluster).toMatchObject({ leader: 'A', term: 7, ownTag: 'A' })
    expect(cluster.nodes).toMatchObject([
      { tag: 'A', isOwn: true, type: 'Member', state: 'Leader', figures: 'arriving', connected: true },
      { tag: 'B', type: 'Member', state: 'Follower', figures: 'arriving', cpuMachinePercent: 66 },
      { tag: 'C', type: 'Watcher', connected: false, figures: 'unreachable', cpuMachinePercent: null, cores: 2 },
    ])
    expect(cluster.nodes[2]!.message).toContain('ClusterAdmin')
    expect(parts.request.triage().items[0]).toMatchObject({ id: 'cluster-node:C', level: 'critical' })
    // Its figures are its own: the series of this server are not mixed with them.
    expect(node('B').sent.map((text) => (JSON.parse(text) as { Type: string }).Type)).toHaveLength(4)
  })

  it('does not count a server as up, or its figures as arriving, after it went away', async () => {
    const parts = await begun()
    const { raven, request, feed } = parts
    for (const text of recordedFrames('7.1', 'cluster-dashboard-watch.ndjson')) own(raven).frame(text)
    await watchFor(parts, 5)
    const ownFigures = () => feed.responses['server.cluster']().nodes.find(({ isOwn }) => isOwn)?.figures
    const { upTimeMs } = request.now().server
    expect(upTimeMs).not.toBeNull()
    expect(ownFigures()).toBe('arriving')
    for (const socket of raven.sockets) if (socket.readyState === 1) socket.cut()
    for (let second = 0; second < 60; second++) await raven.clock.advance(1000)
    expect(request.now().server.upTimeMs).toBe(upTimeMs)
    expect(ownFigures()).toBe('connecting')
  })

  it.skipIf(isGate)('holds as much after eight hours of collecting as after one, within 5 %', async () => {
    const { raven, feed, request, governor } = await begun()
    const frames = newestFrames('7.1')
    const socket = own(raven)
    const collect = (hours: number): void => {
      for (let second = 0; second < hours * 3600; second += 30) {
        raven.clock.nowMs += 30_000
        for (const frame of frames) {
          frame.Data.Date = formatTicks(ticksFromMs(raven.clock.nowMs))
          socket.frame(JSON.stringify(frame))
        }
      }
    }
    collect(1)
    request.triage()
    const held = () => feed.byteLength().tables + feed.byteLength().other
    const after1 = held()
    collect(7)
    request.triage()
    expect(held() / after1).toBeLessThan(1.05)
    expect(governor.meter().endpoints.length).toBeLessThan(20)
  })
})

describe('a restart and the clock', () => {
  it('are noticed', async () => {
    const parts = await begun()
    const start = (StartTime: string): void =>
      widget(parts.raven, 'ClusterOverview', {
        NodeTag: 'A',
        NodeUrl: '',
        NodeType: 'Member',
        NodeState: 'Leader',
        StartTime,
        ServerVersion: '7.1.5',
        OsName: 'x',
      })
    await watchFor(parts, 5)
    expect(parts.request.now().server.restarts).toMatchObject([{ seen: false }])
    start(formatTicks(ticksFromMs(parts.raven.clock.nowMs - 60_000)))
    expect(parts.request.now().server.restarts).toMatchObject([{ seen: true }, { seen: false }])
    expect(parts.request.triage().items.map(({ rule }) => rule)).toContain('restart')
    parts.raven.clock.nowMs += 2000
    own(parts.raven).frame(
      JSON.stringify({
        Id: 1,
        Data: {
          Type: 'CpuUsage',
          Date: formatTicks(ticksFromMs(parts.raven.clock.nowMs - 7200_000)),
          ProcessCpuUsage: 1,
          MachineCpuUsage: 2,
        },
      }),
    )
    expect(parts.request.triage().items.find(({ rule }) => rule === 'clock-jump')!.title).toBe(
      'The server’s clock went back by 2 h.',
    )
  })
})

type TriageItem = ReturnType<ReturnType<typeof setup>['request']['triage']>['items'][number]

const STALL: TriageItem = {
  id: 'stall',
  rule: 'stall',
  level: 'critical',
  title: 'A write took 9 s.',
  reason: null,
  evidence: [],
  sinceTicks: null,
  sinceIsBound: false,
  link: { panel: 'io', params: {}, sources: [], range: null },
}

describe('between visits', () => {
  it('shows what was seen before, with the gap', async () => {
    const store = memoryHistory()
    const raven = recordedServer()
    const before = await begun(setup(raven, { store }))
    await watchFor(before, 90)
    const seenUntil = before.request.now().nowTicks!
    before.feed.model.findings.note([STALL], seenUntil)
    // No panel needs it any more while its frames still arrive.
    while (before.request.now().watch.role !== 'off') {
      await raven.clock.advance(1000)
      if (before.request.now().watch.role !== 'off') widget(raven, 'Other', {})
    }
    await settle()
    expect(before.request.now().watch.kept).toMatchObject({ works: true })
    await raven.clock.advance(3600_000)
    const after = await begun(setup(raven, { store }))
    await watchFor(after, 10)
    const now = after.request.now()
    expect(now.lastVisitEndTicks! - seenUntil).toBeLessThan(5 * TICKS_PER_SECOND)
    const { series, gaps } = after.request.series(['cpu.machine'], now.extent!.startTicks, now.extent!.endTicks)
    expect(series[0]!.count.reduce((sum, count) => sum + count, 0)).toBe(100)
    expect(series[0]!.mean.some((value) => Number.isNaN(value))).toBe(true)
    expect(gaps).toMatchObject([{ reason: 'not-watched' }])
    const { happened, busiest, watchedSinceTicks } = after.request.activity()
    expect(happened.find(({ id }) => id === STALL.id)).toMatchObject({ text: STALL.title, endTicks: seenUntil })
    expect(busiest).toBeNull()
    expect(watchedSinceTicks).toBeGreaterThan(seenUntil)
  })

  it('does not call the end of its worker one of the page', async () => {
    const store = memoryHistory()
    const raven = recordedServer()
    const sinceMs = raven.clock.nowMs
    await watchFor(await begun(setup(raven, { store })), 90)
    const parts = setup(raven, { store })
    parts.feed.lost(sinceMs)
    parts.feed.begin(parts.governor)
    const after = await begun(parts)
    await watchFor(after, 10)
    const { gaps } = after.request.series(['cpu.machine'], 0, Number.MAX_SAFE_INTEGER)
    expect(gaps).toMatchObject([{ reason: 'worker-restarted' }])
  })

  it('does not take another server at the same address for the one before, in no tab, if it does not say at once which it is', async () => {
    const store = memoryHistory()
    const raven = recordedServer()
    const tabs = new LocalTabs()
    const parts = await begun(setup(raven, { store, tabs }))
    const beside = setup(raven, { store, tabs })
    tellDatabases(raven, [{ Database: 'old' }])
    await watchFor(parts, 70)
    const oldId = parts.request.now().server.serverId!
    beside.request.want()
    await settle()

    raven.up = false
    own(raven).cut()
    await raven.clock.advance(5000)
    raven.up = true
    let isFirst = true
    raven.on(/server-id/, () => {
      if (!isFirst) return { ServerId: 'another' }
      isFirst = false
      return new Response('starting', { status: 503 })
    })
    raven.on(/admin\/stats/, () => ({
      ...(recordedJson('7.1', 'admin-stats.json') as object),
      StartTime: formatTicks(ticksFromMs(raven.clock.nowMs - 3000)),
    }))
    for (let second = 0; !owns(raven).some(({ readyState }) => readyState === 0) && second < 60; second++) {
      parts.request.want()
      beside.request.want()
      await raven.clock.advance(1000)
    }
    accept(raven)
    tellDatabases(raven, [{ Database: 'new' }])
    await watchFor(parts, 5)

    for (const { request } of [parts, beside]) {
      expect(request.now().server).toMatchObject({ serverId: 'another' })
      expect(request.databases().rows.map(({ name }) => name)).toEqual(['new'])
      expect(request.now().server.restarts.every(({ seen }) => !seen)).toBe(true)
      const reported = request.activity().happened.map(({ text }) => text)
      expect(reported.filter((text) => /deleted|created|restarted/.test(text))).toEqual([])
      const replaced = request.triage().items.find(({ rule }) => rule === 'server-replaced')
      expect(replaced?.evidence).toEqual([expect.stringMatching(/^Before: .*1 database\. Now: .*1 database\.$/)])
    }
    await watchFor(parts, 70)
    expect([...store.kept.keys()].toSorted()).toEqual([oldId, 'another'].toSorted())
    const [of] = parts.request.series(['cpu.machine'], 0, Number.MAX_SAFE_INTEGER).series
    expect(of!.count.reduce((sum, count) => sum + count, 0)).toBeLessThan(80)
  })

  it('says that nothing is kept, and continues', async () => {
    const store = memoryHistory()
    store.fails = true
    const parts = await begun(setup(recordedServer(), { store }))
    await watchFor(parts, 70)
    expect(parts.request.now().watch.kept).toEqual({
      works: false,
      message: 'What is seen is not kept for the next visit: no space',
      savedMs: null,
    })
    expect(parts.request.now().cpu).not.toBeNull()
  })
})

describe('tabs of one browser', () => {
  it('share one collector, and the next takes over when it goes', async () => {
    const tabs = new LocalTabs()
    const raven = recordedServer()
    const first = await begun(setup(raven, { tabs }))
    cpu(raven)
    const second = setup(raven, { tabs })
    second.request.want()
    await settle()
    expect([first.request.now().watch.role, second.request.now().watch.role]).toEqual(['leader', 'follower'])
    expect(second.request.now().cpu?.machinePercent).toBe(20)
    cpu(raven, 55)
    await settle()
    expect(second.request.now().cpu?.machinePercent).toBe(55)
    expect(second.request.now().databases).toEqual(first.request.now().databases)
    expect(second.governor.meter().requests).toBe(0)
    expect(dashboards(raven)).toHaveLength(2)
    first.governor.setHidden(true)
    await raven.clock.advance(1000)
    expect([first.request.now().watch.role, second.request.now().watch.role]).toEqual(['off', 'leader'])
    expect(dashboards(raven).map(({ readyState }) => readyState)).toEqual([3, 3, 0, 0])
  })

  it('one that joins takes the newest figures, and says nothing of the time before', async () => {
    const tabs = new LocalTabs()
    const raven = recordedServer()
    const first = await begun(setup(raven, { tabs }))
    widget(raven, 'StorageUsage', { Items: [] })
    await watchFor(first, 9)
    widget(raven, 'DatabaseOverview', { Items: [] })
    await raven.clock.advance(9000)
    cpu(raven)
    const second = setup(raven, { tabs })
    second.request.want()
    await settle()
    await watchFor(first, 3)
    expect(second.request.now().cpu?.machinePercent).toBe(20)
    expect(reasonsOf(second)).toEqual([])
    expect(second.request.triage().items).toEqual([])
  })

  it('one that leaves before its turn leaves nothing behind', async () => {
    const tabs = new LocalTabs()
    const raven = recordedServer()
    const first = await begun(setup(raven, { tabs }))
    const second = setup(raven, { tabs })
    second.request.want()
    second.governor.setHidden(true)
    const third = setup(raven, { tabs })
    third.request.want()
    first.governor.setHidden(true)
    await settle()
    expect([first, second, third].map(({ request }) => request.now().watch.role)).toEqual(['off', 'off', 'leader'])
  })
})
