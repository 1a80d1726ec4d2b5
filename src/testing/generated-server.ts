import type { Bytes } from '../base/brand.ts'
import { parseTicks, type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import type {
  BottlenecksParams,
  ClusterResponse,
  DatabaseAtWork,
  Happening,
  Lacking,
  SeriesInfo,
  SeriesKey,
  ServerActivity,
  ServerAlert,
  ServerDatabaseRow,
  ServerDatabasesResponse,
  ServerDatabasesParams,
  ServerGap,
  ServerNow,
  ServerSeriesResponse,
  ServerSeriesParams,
  ServerWatch,
  Triage,
  TriageItem,
  TriageLink,
  Volume,
} from '../features/server/contract.ts'
import { seriesInfo, SeriesStore } from '../features/server/data/series.ts'
import { seededRandom } from '../base/random.ts'
import { bottlenecksResponse, generateBottlenecks } from './generated-bottlenecks.ts'
import { stubCapture, type StubCapture } from './stub-capture.ts'

/** How the generated server is: well, in all sorts of trouble, or without data yet. */
export type ServerScene = 'healthy' | 'trouble' | 'silent'

export interface GeneratedServer {
  readonly nowTicks: Ticks
  readonly now: ServerNow
  readonly triage: Triage
  readonly alerts: readonly ServerAlert[]
  readonly activity: ServerActivity
  readonly cluster: ClusterResponse
  readonly databases: readonly ServerDatabaseRow[]
  readonly series: (ask: ServerSeriesParams) => ServerSeriesResponse
}

export const SERVER_NOW = parseTicks('2026-11-20T04:14:30.0000000Z')

const GIB = 2 ** 30
const MIB = 2 ** 20
const minutes = (count: number): number => count * 60 * TICKS_PER_SECOND
const bytes = (count: number): Bytes => Math.round(count) as Bytes
const before = (at: Ticks, ticks: number): Ticks => (at - ticks) as Ticks

/** A few figures of each kind, the same for the same seed. */
export function generateServer(
  scene: ServerScene,
  seed = 1,
  databaseCount = 12,
  nowTicks = SERVER_NOW,
): GeneratedServer {
  const bad = scene === 'trouble'
  const next = seededRandom(seed)
  const databases = generateDatabases(databaseCount, nowTicks, bad, next)
  return {
    nowTicks,
    now: generateNow(scene, nowTicks, databases),
    triage:
      scene === 'silent'
        ? SILENT_TRIAGE
        : bad
          ? troubles(nowTicks)
          : { ...SILENT_TRIAGE, ...CALM, bottleneck: generateBottlenecks(nowTicks, false).at(-1) ?? null },
    alerts: generateAlerts(nowTicks, bad),
    activity: generateActivity(scene, nowTicks, databases),
    cluster: generateCluster(nowTicks, bad),
    databases,
    series: generateSeries(scene, nowTicks, seed),
  }
}

/** A capture client that answers every request of a generated server. */
export function serverCapture(server: GeneratedServer): StubCapture {
  const capture = stubCapture({ nowTicks: server.nowTicks })
  capture.responses.set('server.want', () => server.now.watch)
  capture.responses.set('server.record', (ask) => ({
    ...server.now.watch,
    recording: (ask as { readonly on: boolean }).on,
  }))
  capture.responses.set('server.now', () => server.now)
  capture.responses.set('server.memory', () => ({ canFiles: true }))
  capture.responses.set('server.triage', () => server.triage)
  const bottlenecks = server.triage.bottleneck === null ? [] : generateBottlenecks(server.nowTicks, !server.triage.calm)
  capture.responses.set('server.bottlenecks', (ask) => bottlenecksResponse(bottlenecks, ask as BottlenecksParams))
  capture.responses.set('server.activity', () => server.activity)
  capture.responses.set('server.alerts', () => ({ version: 1, alerts: server.alerts }))
  capture.responses.set('server.latency', () => ({
    phase: 'done',
    message: '',
    atMs: Date.now() - 20_000,
    requests: 412,
    rows: [{ type: 'Queries', requests: 412, failed: 3, p50Ms: 2, p95Ms: 41, p99Ms: 230, longestMs: 1900 }],
  }))
  capture.responses.set('server.cluster', () => server.cluster)
  capture.responses.set('server.series', (ask) => server.series(ask as ServerSeriesParams))
  capture.responses.set('server.databases', (ask) => pageOf(server.databases, ask as ServerDatabasesParams))
  capture.responses.set('governor.limits', (limits) => limits)
  capture.responses.set('governor.resume', () => undefined)
  return capture
}

function generateActivity(scene: ServerScene, nowTicks: Ticks, rows: readonly ServerDatabaseRow[]): ServerActivity {
  if (scene === 'silent') return { busiest: null, moreBusy: 0, slowedToMs: null, happened: [], watchedSinceTicks: null }
  const busy = rows
    .filter(({ online, writesPerSecond }) => online && (writesPerSecond ?? 0) > 0)
    .toSorted((a, b) => (b.writesPerSecond ?? 0) - (a.writesPerSecond ?? 0))
  return {
    busiest: busy.slice(0, 5).map(({ name, requestsPerSecond, writesPerSecond, mappedPerSecond }) => ({
      name,
      requestsPerSecond,
      writesPerSecond,
      indexingPerSecond: mappedPerSecond,
      countedOverMs: null,
    })),
    moreBusy: Math.max(0, busy.length - 5),
    slowedToMs: null,
    happened: scene === 'trouble' ? generateHappened(nowTicks) : [],
    watchedSinceTicks: before(nowTicks, minutes(20)),
  }
}

function generateHappened(nowTicks: Ticks): Happening[] {
  const happening = (id: string, ago: number, text: string, parts: Partial<Happening> = {}): Happening => ({
    id,
    level: null,
    startTicks: before(nowTicks, minutes(ago)),
    endTicks: before(nowTicks, minutes(ago)),
    startIsBound: false,
    times: 1,
    firstTicks: before(nowTicks, minutes(ago)),
    text,
    link: { panel: 'databases', params: {}, sources: [], range: null },
    ...parts,
  })
  const startTicks = before(nowTicks, minutes(13))
  const link: TriageLink = {
    panel: 'io',
    params: {},
    sources: ['db:Orders'],
    range: { startTicks, endTicks: nowTicks },
  }
  return [
    happening('stall', 12, '<b>A write</b> of Orders took 9.00 s.', {
      level: 'critical',
      startTicks,
      times: 3,
      firstTicks: before(nowTicks, minutes(30)),
      link,
    }),
    ...Array.from({ length: 7 }, (_, i) => happening(`unloaded ${i}`, 20 + i * 10, `Archive-${i} was unloaded.`)),
    happening('yesterday', 60 * 20, 'The server started.'),
  ]
}

function pageOf(rows: readonly ServerDatabaseRow[], ask: ServerDatabasesParams): ServerDatabasesResponse {
  return {
    total: rows.length,
    rows: rows.slice(ask.offset, ask.offset + ask.limit),
    maxIdleMs: 900_000,
    sweepEveryMs: 60_000,
    statesAgeMs: null,
  }
}

const LACKING: readonly Lacking[] = [
  {
    kind: 'right',
    what: 'low-memory events and network',
    endpoint: '/admin/debug/memory/low-mem-log',
    message: 'This needs a certificate with the clearance Operator.',
    error: null,
  },
  {
    kind: 'version',
    what: 'shared clean memory',
    endpoint: '/admin/debug/memory/stats',
    message: 'RavenDB offers it from 7.1 on; this server is 6.2.4.',
    error: null,
  },
]

function generateWatch(scene: ServerScene): ServerWatch {
  return {
    role: 'leader',
    recording: false,
    phase: scene === 'silent' ? 'connecting' : 'open',
    message: '',
    retryAtMs: null,
    lastReceivedMs: scene === 'silent' ? null : Date.now() - 800,
    unresponsive: null,
    lacking: scene === 'trouble' ? LACKING : [],
    kept: { works: true, message: '', savedMs: Date.now() - 20_000 },
  }
}

function generateNow(scene: ServerScene, nowTicks: Ticks, rows: readonly ServerDatabaseRow[]): ServerNow {
  const bad = scene === 'trouble'
  const silent = scene === 'silent'
  const atTicks = before(nowTicks, TICKS_PER_SECOND)
  const physical = 23.5 * GIB
  const sum = (of: (row: ServerDatabaseRow) => number | null): number =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0)
  return {
    version: 1,
    watch: generateWatch(scene),
    nowTicks: silent ? null : nowTicks,
    extent: silent ? null : { startTicks: before(nowTicks, minutes(180)), endTicks: nowTicks },
    lastVisitEndTicks: silent ? null : before(nowTicks, minutes(24)),
    server: {
      serverId: silent ? null : '6e1c9b1d-8a9f-4a52-b1a0-5c1e0d6f7a11',
      nodeTag: silent ? null : 'A',
      version: silent ? null : bad ? '6.2.4' : '7.1.5',
      os: silent ? null : 'Debian GNU/Linux 13',
      startTicks: silent ? null : before(nowTicks, minutes(bad ? 42 : 60 * 53)),
      upTimeMs: silent ? null : (bad ? 42 : 60 * 53) * 60_000,
      restarts: silent
        ? []
        : bad
          ? [
              { startTicks: before(nowTicks, minutes(42)), seen: true },
              { startTicks: before(nowTicks, minutes(95)), seen: false },
            ]
          : [{ startTicks: before(nowTicks, minutes(60 * 53)), seen: false }],
      licence: silent ? null : { type: 'Professional', status: 'Commercial - Professional', expired: false },
    },
    cpu: silent
      ? null
      : {
          atTicks,
          processPercent: bad ? 61 : 12,
          machinePercent: bad ? 97 : 19,
          cores: 8,
        },
    memory: silent
      ? null
      : {
          atTicks,
          physicalBytes: bytes(physical),
          source: 'kernel',
          whyServer: null,
          freeBytes: bytes(bad ? 0.7 * GIB : 9 * GIB),
          availableBytes: bytes(bad ? 1.4 * GIB : 15.4 * GIB),
          unwrittenBytes: bytes(bad ? 0.9 * GIB : 60 * MIB),
          residentBytes: bytes(bad ? 17.9 * GIB : 6.4 * GIB),
          swapBytes: bytes(bad ? 1.3 * GIB : 0),
          process: {
            anonymousBytes: bytes(bad ? 14.1 * GIB : 1.9 * GIB),
            sharedBytes: bytes(110 * MIB),
            fileBytes: bytes(bad ? 3.7 * GIB : 4.4 * GIB),
          },
          files: null,
          own: null,
          severity: bad ? 'Low' : 'None',
          severityFrom: 'limit',
          lowLimit: { bytes: bytes(2 * GIB), from: 'default' },
        },
    gc: silent
      ? null
      : {
          atTicks,
          index: bad ? 4812 : 911,
          perMinute: bad ? 41 : 3.2,
          newest: gcKind('Ephemeral', bad ? 4812 : 911, bad ? 38 : 6, bad ? 4 * GIB : 860 * MIB),
          pauseTimePercent: bad ? 4.1 : 0.21,
          recentPauseShare: bad ? 0.093 : 0.002,
          detail: { atTicks, committedBytes: bytes(bad ? 4.9 * GIB : 1.1 * GIB), pinnedObjects: 2 },
          kinds: [
            gcKind('Ephemeral', bad ? 4812 : 911, bad ? 38 : 6, bad ? 4 * GIB : 860 * MIB),
            gcKind('Background', bad ? 4780 : 902, bad ? 21 : 4, bad ? 3.9 * GIB : 840 * MIB),
            gcKind('FullBlocking', bad ? 4702 : 0, bad ? 1240 : 0, bad ? 3.6 * GIB : 0),
          ],
        },
    volumes: silent ? [] : volumes(bad, rows),
    traffic: silent
      ? null
      : {
          atTicks,
          requestsPerSecond: bad ? 212 : 1340,
          countedOverMs: 10_000,
          averageMs: bad ? 418 : 2.3,
          writesPerSecond: bad ? 90 : 410,
        },
    indexing: silent ? null : { atTicks, indexedPerSecond: 820, mappedPerSecond: 411, reducedPerSecond: 96 },
    network:
      silent || bad
        ? null
        : {
            atTicks,
            receivedSegmentsPerSecond: 3100,
            sentSegmentsPerSecond: 4200,
            resentSegmentsPerSecond: 0.4,
          },
    credits: bad
      ? {
          atTicks,
          remaining: 18.4,
          max: 576,
          gainedPerSecond: 0.0067,
          usedPerSecond: 0.081,
          emptyInMs: 248_000,
          backgroundThreshold: 24,
          backgroundReleaseAt: 48,
          failoverThreshold: 6,
          failoverReleaseAt: 12,
          consequences: ['Indexing and other background work are paused until 48 credits are there again.'],
        }
      : null,
    work: silent ? null : { reported: rows.flatMap(({ work }) => work ?? []), working: 3, unasked: 0 },
    lowMemory:
      silent || bad ? null : [lowMemory(nowTicks, 'BackToNormal', 91), lowMemory(nowTicks, 'LowMemHandler', 93)],
    databases: silent
      ? null
      : {
          total: rows.length,
          online: rows.filter((row) => row.online).length,
          disabled: rows.filter((row) => row.disabled).length,
          offline: rows.filter((row) => !row.online && !row.disabled).length,
          indexes: sum((row) => row.indexes),
          alerts: sum((row) => row.alerts),
        },
  }
}

function lowMemory(nowTicks: Ticks, event: string, ago: number): NonNullable<ServerNow['lowMemory']>[number] {
  return {
    atTicks: before(nowTicks, minutes(ago)),
    event,
    isLow: event !== 'BackToNormal',
    isSimulated: false,
    freeBytes: bytes(1.6 * GIB),
  }
}

function gcKind(
  kind: 'Ephemeral' | 'Background' | 'FullBlocking',
  index: number,
  pauseMs: number,
  heapBytes: number,
): NonNullable<ServerNow['gc']>['kinds'][number] {
  const heap = (name: 'gen0' | 'gen1' | 'gen2' | 'loh' | 'poh', share: number) => ({
    heap: name,
    afterBytes: bytes(heapBytes * share),
    fragmentedAfterBytes: bytes(heapBytes * share * 0.07),
  })
  return {
    kind,
    index,
    pauseMs,
    heapAfterBytes: bytes(heapBytes),
    heaps: [heap('gen0', 0.05), heap('gen1', 0.08), heap('gen2', 0.62), heap('loh', 0.22), heap('poh', 0.03)],
  }
}

function volumes(bad: boolean, rows: readonly ServerDatabaseRow[]): Volume[] {
  const largest = rows.toSorted((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0))
  const place = (row: ServerDatabaseRow) => ({
    database: row.name,
    bytes: row.sizeBytes ?? bytes(0),
    tempBytes: row.tempBytes ?? bytes(0),
  })
  return [
    {
      mount: '/var/lib/ravendb',
      label: 'data',
      totalBytes: bytes(931 * GIB),
      freeBytes: bytes((bad ? 11 : 512) * GIB),
      ravenBytes: bytes((bad ? 870 : 377) * GIB),
      ravenTempBytes: bytes(6 * GIB),
      isLow: bad,
      fullInMs: bad ? 5_400_000 : null,
      shrinksBytesPerSecond: bad ? 2.1 * MIB : -12_000,
      io: {
        readsPerSecond: bad ? 812 : 41,
        writesPerSecond: bad ? 2410 : 310,
        readBytesPerSecond: bad ? 96 * MIB : 2.2 * MIB,
        writeBytesPerSecond: bad ? 41 * MIB : 14 * MIB,
        queueLength: bad ? 47 : 0,
      },
      environments: largest.slice(0, 50).map(place),
      moreEnvironments: Math.max(0, rows.length - 50),
    },
    {
      mount: '/',
      label: null,
      totalBytes: bytes(60 * GIB),
      freeBytes: bytes(31 * GIB),
      ravenBytes: bytes(210 * MIB),
      ravenTempBytes: bytes(0),
      isLow: false,
      fullInMs: null,
      shrinksBytesPerSecond: null,
      io: null,
      environments: [{ database: '<System>', bytes: bytes(210 * MIB), tempBytes: bytes(0) }],
      moreEnvironments: 0,
    },
  ]
}

const generateWork = (database: string, nowTicks: Ticks, bad: boolean): DatabaseAtWork => ({
  database,
  atTicks: before(nowTicks, minutes(0.2)),
  stoppedIndexes: 0,
  staleIndexes: bad ? 3 : 0,
  itemsLeft: bad ? 184_000 : 0,
  waiting: bad ? 640 : 0,
  merger: {
    spanMs: 60_000,
    transactions: bad ? 812 : 240,
    operations: bad ? 41_200 : 1900,
    busyMs: bad ? 58_300 : 4100,
    longestMs: bad ? 2140 : 38,
  },
})

function generateDatabases(count: number, nowTicks: Ticks, bad: boolean, next: () => number): ServerDatabaseRow[] {
  return Array.from({ length: count }, (_, i): ServerDatabaseRow => {
    const online = i % 3 !== 2
    const busy = i === 0
    return {
      name: i === 0 ? 'Orders' : i === 1 ? '<img src=x onerror=alert(1)>' : `tenant-${String(i)}`,
      online,
      disabled: i === 5,
      irrelevant: false,
      documents: Math.floor(next() * 2_000_000),
      indexes: Math.floor(next() * 40),
      erroredIndexes: bad && busy ? 2 : 0,
      indexingErrors: bad && busy ? 500 : 0,
      alerts: bad && busy ? 3 : 0,
      hints: 0,
      sizeBytes: bytes(next() ** 3 * 80 * GIB),
      tempBytes: bytes(next() * 300 * MIB),
      requestsPerSecond: online ? next() * 200 : null,
      averageMs: online ? 1 + next() * 4 : null,
      writesPerSecond: online ? next() * 60 : null,
      writeBytesPerSecond: online ? next() * MIB : null,
      indexedPerSecond: online ? next() * 90 : null,
      mappedPerSecond: online ? next() * 30 : null,
      reducedPerSecond: online ? next() * 10 : null,
      countedOverMs: online && busy ? 20_000 : null,
      idle: online
        ? {
            isLoaded: true,
            unloadsAtNextSweep: i === 3,
            loadedTicks: before(nowTicks, minutes(20 + i * 7)),
            idleForMs: busy ? 0 : i * 60_000,
            unloadsInMs: busy ? null : Math.max(0, (15 - i) * 60_000),
            blockers: busy ? ['2 clients listen to its changes'] : [],
          }
        : null,
      work: i < 4 && online ? generateWork(i === 0 ? 'Orders' : `tenant-${String(i)}`, nowTicks, bad && busy) : null,
      failure: null,
      volumeFreeBytes: null,
      changes: [{ atTicks: before(nowTicks, minutes(20 + i * 7)), change: online ? 'loaded' : 'unloaded' }],
    }
  })
}

const CALM = {
  calm: true,
  hasFigures: true,
  sentence: 'All is well: 8 of 12 databases are loaded, and nothing fails, waits or runs out.',
  rules: [
    {
      rule: 'disk-full',
      title: 'A disk is nearly full',
      reason: 'Without space a write fails and the database stops.',
    },
    { rule: 'low-memory', title: 'Memory is low', reason: 'The server then cuts batches and frees caches.' },
  ],
} satisfies Partial<Triage>

const SILENT_TRIAGE: Triage = {
  version: 1,
  bottleneck: null,
  calm: false,
  hasFigures: true,
  sentence: 'Nothing has arrived from the server yet.',
  items: [],
  more: [],
  unknown: [],
  rules: CALM.rules,
}

function troubles(nowTicks: Ticks): Triage {
  const item = (
    rule: string,
    level: TriageItem['level'],
    title: string,
    ago: number,
    evidence: readonly string[],
    parts: Partial<TriageItem['link']>,
  ): TriageItem => ({
    id: rule,
    rule,
    level,
    title,
    reason: 'A write that finds no space fails, and the database stops until there is some.',
    evidence,
    sinceTicks: before(nowTicks, minutes(ago)),
    sinceIsBound: ago > 60,
    link: { panel: 'server', params: {}, sources: [], range: null, ...parts },
  })
  const around = { startTicks: before(nowTicks, minutes(14)), endTicks: nowTicks }
  return {
    version: 1,
    bottleneck: generateBottlenecks(nowTicks, true).at(-1) ?? null,
    calm: false,
    hasFigures: true,
    sentence:
      'Two things fail now, and three soon will: the worst is a volume that is full in about an hour and a half.',
    items: [
      item(
        'index-error',
        'critical',
        'Orders/Totals of Orders stopped after 500 errors',
        12,
        ['500 errors', 'state Error', 'last one: Attempted to divide by zero'],
        {
          panel: 'indexing',
          sources: ['db:Orders'],
          range: around,
        },
      ),
      item(
        'faulted',
        'critical',
        'The database archive-2019 failed to load',
        42,
        ['Journal 0000000000000000012.journal is corrupt at 4,096'],
        { panel: 'databases', params: { 'databases.filter': 'archive-2019' } },
      ),
      item(
        'disk-full',
        'warning',
        '/var/lib/ravendb is full in about 1 h 30 min',
        95,
        ['11.0 GiB of 931 GiB free', 'shrinks by 2.10 MiB/s over the last hour'],
        { params: { 'server.view': '' }, range: around },
      ),
      item(
        'credits',
        'warning',
        'CPU credits are used up in 4 min 8 s',
        9,
        ['18.4 of 576 left', 'used 0.081 /s, gained 0.0067 /s'],
        {},
      ),
      item('low-memory', 'warning', 'Memory is low', 3, ['717 MiB available of 23.5 GiB', 'the server says Low'], {
        range: around,
      }),
    ],
    more: [
      item('slow-requests', 'info', 'Requests take 418 ms on average', 6, ['212 requests a second'], {
        panel: 'io',
        range: around,
      }),
      item('alert', 'info', 'The server raised 3 alerts', 30, [], { params: { 'server.view': 'alerts' } }),
    ],
    unknown: [
      {
        rule: 'low-memory-events',
        title: 'Low-memory events',
        why: 'This needs a certificate with the clearance Operator.',
        isPartly: false,
        isSampled: false,
      },
    ],
    rules: CALM.rules,
  }
}

function generateAlerts(nowTicks: Ticks, bad: boolean): ServerAlert[] {
  if (!bad) return []
  return ['Error', 'Warning', 'Info'].map((severity, i) => ({
    id: `alert/${String(i)}`,
    createdTicks: before(nowTicks, minutes(30 + i * 200)),
    type: 'AlertRaised',
    kind: i === 0 ? 'LowDiskSpace' : null,
    severity,
    title: i === 1 ? '<b>Slow</b> I/O' : 'Low free disk space',
    message: 'There is less than 15 % left on /var/lib/ravendb.',
    database: i === 1 ? 'Orders' : null,
    exception: null,
  }))
}

function generateCluster(nowTicks: Ticks, bad: boolean): ClusterResponse {
  const node = (tag: string, own: boolean, parts: Partial<ClusterResponse['nodes'][number]>) => ({
    tag,
    url: `https://${tag.toLowerCase()}.raven.example`,
    isOwn: own,
    type: 'Member' as const,
    state: own ? 'Leader' : 'Follower',
    serverVersion: '7.1.5',
    os: 'Debian GNU/Linux 13',
    startTicks: before(nowTicks, minutes(60 * 53)),
    cores: 8,
    memoryBytes: bytes(23.5 * GIB),
    connected: own ? null : true,
    connectionError: null,
    figures: 'arriving' as const,
    message: '',
    cpuProcessPercent: own ? 12 : 31,
    cpuMachinePercent: own ? 19 : 40,
    residentBytes: bytes(6.4 * GIB),
    availableBytes: bytes(15.4 * GIB),
    requestsPerSecond: own ? 1340 : 20,
    receivedTicks: nowTicks,
    ...parts,
  })
  return {
    leader: 'A',
    term: 12,
    ownTag: 'A',
    lastChange: 'Leader, elected by 2 of 3',
    nodes: [
      node('A', true, {}),
      node('B', false, {}),
      node('C', false, {
        type: 'Watcher',
        state: bad ? null : 'Follower',
        connected: !bad,
        connectionError: bad ? 'Connection refused' : null,
        figures: 'unreachable',
        message: 'Its figures come through this server, which needs a certificate with the clearance ClusterAdmin.',
        cpuProcessPercent: null,
        cpuMachinePercent: null,
        residentBytes: null,
        availableBytes: null,
        requestsPerSecond: null,
        receivedTicks: null,
      }),
    ],
  }
}

/** What is usual, and in trouble. */
const SERIES: readonly (readonly [key: SeriesKey, typical: number, troubled: number])[] = [
  ['cpu.machine', 19, 94],
  ['cpu.process', 12, 61],
  ['traffic.requests', 1300, 220],
  ['traffic.averageMs', 2.3, 400],
  ['traffic.concurrent', 4, 80],
  ['writes.rate', 410, 90],
  ['writes.byteRate', 3 * MIB, 0.4 * MIB],
  ['indexing.indexedRate', 820, 10],
  ['indexing.mappedRate', 410, 5],
  ['indexing.reducedRate', 90, 2],
  ['memory.resident', 6.4 * GIB, 17.9 * GIB],
  ['memory.private', 2 * GIB, 14.2 * GIB],
  ['memory.available', 15.4 * GIB, 1.4 * GIB],
  ['memory.free', 9 * GIB, 0.7 * GIB],
  ['memory.unwritten', 60 * MIB, 0.9 * GIB],
  ['memory.swap', 0, 1.3 * GIB],
  ['gc.pauseMs', 6, 60],
  ['gc.heap', 860 * MIB, 4 * GIB],
  ['gc.gen2', 500 * MIB, 2.5 * GIB],
  ['gc.loh', 190 * MIB, 0.9 * GIB],
  ['volume.readBytes|/var/lib/ravendb', 2 * MIB, 90 * MIB],
  ['volume.writeBytes|/var/lib/ravendb', 14 * MIB, 41 * MIB],
  ['volume.reads|/var/lib/ravendb', 41, 812],
  ['volume.writes|/var/lib/ravendb', 310, 2410],
  ['volume.queue|/var/lib/ravendb', 0.3, 40],
  ['volume.free|/var/lib/ravendb', 512 * GIB, 11 * GIB],
  ['network.received', 3100, 900],
  ['network.sent', 4200, 1100],
  ['credits.remaining', 288, 18],
]

/** What stands out of any curve now and then: the slowest of a bucket must stay in sight. */
const SPIKE_EVERY = 97

/** A smooth curve with noise, at whole seconds; before trouble began all was as usual. */
function valueAt({ key, unit }: SeriesInfo, level: number, second: number, seed: number): number {
  const noise = seededRandom(seed + Math.imul(second, 2_654_435_761) + key.length * 977)()
  const wave = 1 + 0.12 * Math.sin(second / 190 + key.length) + 0.05 * Math.sin(second / 23)
  const spike = unit !== 'bytes' && second % (SPIKE_EVERY * 7) < 2 ? 2.4 : 1
  const value = level * wave * (0.94 + noise * (unit === 'bytes' ? 0.02 : 0.14)) * spike
  return unit === 'percent' ? Math.min(100, value) : value
}

/** Three hours as they are kept, with a gap. */
function generateSeries(
  scene: ServerScene,
  nowTicks: Ticks,
  seed: number,
): (ask: ServerSeriesParams) => ServerSeriesResponse {
  const store = new SeriesStore()
  const gap: ServerGap = {
    startTicks: before(nowTicks, minutes(24)),
    endTicks: before(nowTicks, minutes(20)),
    reason: 'tab-hidden',
    detail: 'No page was open between two visits.',
  }
  for (const [key, typical, troubled] of scene === 'silent' ? [] : SERIES) {
    const info = seriesInfo(key) as SeriesInfo
    for (let at = nowTicks - minutes(180); at <= nowTicks; at += info.everyMs * TICKS_PER_MS) {
      if (at >= gap.startTicks && at < gap.endTicks) continue
      const trouble = scene === 'trouble' ? Math.max(0, Math.min(1, (at - (nowTicks - minutes(14))) / minutes(4))) : 0
      const level = typical + (troubled - typical) * trouble
      store.append(key, at, valueAt(info, level, Math.floor(at / TICKS_PER_SECOND), seed))
    }
  }
  return ({ keys, maxPoints, ...range }) => ({
    available: store.available,
    series: keys.map((key) => store.rows(key, range, maxPoints)),
    gaps: scene === 'silent' || gap.endTicks <= range.startTicks || gap.startTicks >= range.endTicks ? [] : [gap],
  })
}
