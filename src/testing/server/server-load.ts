import { formatTicks, parseTicks, TICKS_PER_SECOND, type Ticks } from '../../base/ticks.ts'

/** When what a test watches ends. */
export const SERVER_NOW = parseTicks('2026-11-20T04:14:30.0000000Z')

/** Before `SERVER_NOW`. */
export const secondsAgo = (seconds: number): Ticks => (SERVER_NOW - seconds * TICKS_PER_SECOND) as Ticks

/** Load of a server in memory at a moment. Sizes are bytes, rates a second. */
export interface ServerLoad {
  readonly cpu: { readonly machine: number; readonly server: number }
  readonly memory: {
    readonly free: number
    readonly available: number
    readonly unwritten: number
    readonly anonymous: number
    readonly shared: number
    readonly files: number
    readonly swap: number
  }
  readonly gc: {
    /** Garbage collections of all kinds together. */
    readonly perMinute: number
    readonly pausePercent: number
    readonly kinds: Readonly<Record<'Ephemeral' | 'Background' | 'FullBlocking', FakeCollection>>
  }
  readonly volumes: readonly FakeVolume[]
  readonly requests: number
  readonly averageMs: number
  readonly concurrentRequests: number
  readonly segments: { readonly received: number; readonly sent: number; readonly resent: number }
  /** Credits of the machine; null: it has none. */
  readonly credits: { readonly remaining: number; readonly used: number } | null
  /** Newest first. */
  readonly lowMemory: readonly { readonly atTicks: Ticks; readonly event: string; readonly free: number }[]
  readonly databases: readonly FakeDatabase[]
  readonly nodes: readonly FakeNode[]
  /** As `/server/notification-center/watch` sends them. */
  readonly alerts: readonly object[]
  /** As `/debug/queries/running/live` sends them. */
  readonly queries: readonly object[]
}

export interface FakeCollection {
  /** 0: none of this kind yet. */
  readonly index: number
  readonly pauseMs: number
  readonly heap: number
}

export interface FakeVolume {
  readonly mount: string
  readonly label: string | null
  readonly total: number
  readonly free: number
  readonly raven: number
  readonly ravenTemp: number
  readonly isLow: boolean
  readonly reads: number
  readonly writes: number
  readonly readBytes: number
  readonly writeBytes: number
  readonly queue: number
}

export interface FakeDatabase {
  readonly name: string
  readonly isOnline: boolean
  readonly isDisabled: boolean
  /** Why it failed to load; null: it did not. */
  readonly loadError: string | null
  readonly documents: number
  readonly indexes: number
  readonly size: number
  readonly temp: number
  readonly requests: number
  readonly writes: number
  readonly indexed: number
  readonly erroredIndexes: readonly string[]
  readonly indexingErrors: number
  /** Indexes that are behind, with the documents that each has not seen yet. */
  readonly behind: readonly { readonly index: string; readonly documents: number }[]
  readonly merger: {
    readonly waiting: number
    /** Count of transactions in the last minute, at most 256. */
    readonly transactions: number
    readonly operations: number
    readonly busyMs: number
    readonly longestMs: number
  }
}

export interface FakeNode {
  readonly tag: string
  readonly role: 'Members' | 'Watchers'
  /** Figures of the node; null: they cannot be had through this one. */
  readonly figures: { readonly machine: number; readonly server: number; readonly requests: number } | null
  /** Why the leader does not reach it; null: it does. */
  readonly connectionError: string | null
}

export const GIB = 2 ** 30
export const MIB = 2 ** 20
export const MACHINE = { cores: 8, memory: 23.5 * GIB }
export const SERVER_ID = '6e1c9b1d-8a9f-4a52-b1a0-5c1e0d6f7a11'

const QUIET = { waiting: 0, transactions: 0, operations: 0, busyMs: 0, longestMs: 0 }

const database = (name: string, row: number, parts: Partial<FakeDatabase> = {}): FakeDatabase => ({
  name,
  isOnline: row % 3 !== 2,
  isDisabled: false,
  loadError: null,
  documents: 1000 * (row + 1),
  indexes: row + 1,
  size: (40 - row) * GIB,
  temp: (row + 1) * 10 * MIB,
  requests: 0,
  writes: 0,
  indexed: 0,
  erroredIndexes: [],
  indexingErrors: 0,
  behind: [],
  merger: QUIET,
  ...parts,
})

const ORDERS = database('Orders', 0, {
  requests: 1200,
  writes: 300,
  indexed: 240,
  merger: { waiting: 0, transactions: 240, operations: 1900, busyMs: 4100, longestMs: 38 },
})

/** Databases: an unloaded one has markup for a name, a third is unloaded, and three work. */
const DATABASES: readonly FakeDatabase[] = [
  ORDERS,
  database('Users', 1, {
    requests: 90,
    writes: 80,
    merger: { waiting: 2, transactions: 120, operations: 900, busyMs: 2400, longestMs: 44 },
  }),
  database('<img src=x onerror=alert(1)>', 2),
  ...Array.from({ length: 9 }, (_, n) =>
    database(`tenant-${String(n + 3)}`, n + 3, {
      isDisabled: n === 2,
      ...(n === 0 ? { requests: 30, writes: 30 } : n === 1 ? { requests: 20 } : {}),
    }),
  ),
]

export const DATA_MOUNT = '/var/lib/ravendb'

const DATA_VOLUME: FakeVolume = {
  mount: DATA_MOUNT,
  label: 'data',
  total: 931 * GIB,
  free: 512 * GIB,
  raven: 377 * GIB,
  ravenTemp: 6 * GIB,
  isLow: false,
  reads: 41,
  writes: 310,
  readBytes: 2.2 * MIB,
  writeBytes: 14 * MIB,
  queue: 0,
}

const NODE_B: FakeNode = {
  tag: 'B',
  role: 'Members',
  figures: { machine: 40, server: 31, requests: 20 },
  connectionError: null,
}
const NODE_C: FakeNode = { tag: 'C', role: 'Watchers', figures: null, connectionError: null }

const ROOT_VOLUME: FakeVolume = {
  ...DATA_VOLUME,
  mount: '/',
  label: null,
  total: 60 * GIB,
  free: 31 * GIB,
  raven: 210 * MIB,
  ravenTemp: 0,
  reads: 1,
  writes: 4,
  readBytes: 4096,
  writeBytes: 40_960,
}

export const HEALTHY: ServerLoad = {
  cpu: { machine: 19, server: 12 },
  memory: {
    free: 9 * GIB,
    available: 15.4 * GIB,
    unwritten: 60 * MIB,
    anonymous: 1.9 * GIB,
    shared: 110 * MIB,
    files: 4.4 * GIB,
    swap: 0,
  },
  gc: {
    perMinute: 3,
    pausePercent: 0.21,
    kinds: {
      Ephemeral: { index: 911, pauseMs: 6, heap: 860 * MIB },
      Background: { index: 902, pauseMs: 4, heap: 840 * MIB },
      FullBlocking: { index: 0, pauseMs: 0, heap: 0 },
    },
  },
  volumes: [DATA_VOLUME, ROOT_VOLUME],
  requests: 1340,
  averageMs: 2.3,
  concurrentRequests: 4,
  segments: { received: 3100, sent: 4200, resent: 0.4 },
  credits: null,
  lowMemory: [
    { atTicks: secondsAgo(91 * 60), event: 'BackToNormal', free: 2.4 * GIB },
    { atTicks: secondsAgo(93 * 60), event: 'LowMemHandler', free: 1.6 * GIB },
  ],
  databases: DATABASES,
  nodes: [NODE_B, NODE_C],
  alerts: [],
  queries: [],
}

/** Twice as much was written to the disk until a minute ago. */
export const healthyAt = (leftSeconds: number): ServerLoad => ({
  ...HEALTHY,
  volumes: [leftSeconds <= 60 ? DATA_VOLUME : { ...DATA_VOLUME, writes: 2 * DATA_VOLUME.writes }, ROOT_VOLUME],
})

/** When it got worse, before the end of what is watched. */
const TROUBLE_SECONDS = 10 * 60
/** A full collection stopped it so long before the end. */
const COLLECTED_SECONDS = 100
/** At which the free space of the disk is gone in an hour and a half. */
const SHRINKS = (11 * GIB) / 5400

const alert = (agoMinutes: number, id: string, parts: object): object => ({
  Id: id,
  CreatedAt: formatTicks(secondsAgo(agoMinutes * 60)),
  Type: 'AlertRaised',
  IsPersistent: true,
  Key: null,
  Details: null,
  ...parts,
})

/** In all sorts of trouble: nothing left of CPU, disk, memory and credits, an index in error, a database that does not load. */
export function troubleAt(leftSeconds: number): ServerLoad {
  const volume = { ...DATA_VOLUME, free: 11 * GIB + leftSeconds * SHRINKS, raven: 870 * GIB }
  if (leftSeconds > TROUBLE_SECONDS) return { ...HEALTHY, volumes: [volume, ROOT_VOLUME] }
  return {
    ...HEALTHY,
    cpu: { machine: 97, server: 61 },
    memory: {
      free: 0.7 * GIB,
      available: 1.4 * GIB,
      unwritten: 0.9 * GIB,
      anonymous: 14.1 * GIB,
      shared: 110 * MIB,
      files: 3.7 * GIB,
      swap: 1.3 * GIB,
    },
    gc: {
      perMinute: 41,
      pausePercent: 4.1,
      kinds: {
        Ephemeral: { index: 4812, pauseMs: 38, heap: 4 * GIB },
        Background: { index: 4780, pauseMs: 21, heap: 3.9 * GIB },
        FullBlocking:
          leftSeconds > COLLECTED_SECONDS
            ? { index: 0, pauseMs: 0, heap: 0 }
            : { index: 4811, pauseMs: 1240, heap: 3.6 * GIB },
      },
    },
    volumes: [
      { ...volume, isLow: true, reads: 812, writes: 2410, readBytes: 96 * MIB, writeBytes: 41 * MIB, queue: 47 },
      ROOT_VOLUME,
    ],
    requests: 212,
    averageMs: 418,
    concurrentRequests: 80,
    credits: { remaining: 18.4, used: 0.081 },
    lowMemory: [],
    databases: [
      {
        ...ORDERS,
        writes: 60,
        erroredIndexes: ['Orders/Totals'],
        indexingErrors: 500,
        behind: [{ index: 'Orders/ByCompany', documents: 184_000 }],
        merger: { waiting: 640, transactions: 240, operations: 12_180, busyMs: 58_300, longestMs: 2140 },
      },
      ...DATABASES.slice(1),
      database('archive-2019', 11, { loadError: 'Journal 0000000000000000012.journal is corrupt at 4,096\n   at …' }),
    ],
    nodes: [NODE_B, { ...NODE_C, connectionError: 'Connection refused' }],
    alerts: [
      alert(30, 'AlertRaised/LowDiskSpace', {
        Severity: 'Error',
        Title: 'Low free disk space',
        Message: 'There is less than 15 % left on /var/lib/ravendb.',
        Database: null,
        Reason: 'LowDiskSpace',
      }),
      alert(230, 'AlertRaised/SlowIo', {
        Severity: 'Warning',
        Title: '<b>Slow</b> I/O',
        Message: 'Writes to the journal take long.',
        Database: 'Orders',
        Reason: 'SlowIO',
      }),
      alert(430, 'AlertRaised/SwapSize', {
        Severity: 'Info',
        Title: 'No swap file',
        Message: null,
        Database: null,
        Reason: 'LowSwapSize',
      }),
    ],
  }
}
