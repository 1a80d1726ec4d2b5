import type { Bytes } from '../../../../base/brand.ts'
import {
  ParseError,
  asArray,
  asBoolean,
  asNumber,
  asObject,
  asString,
  orNull,
  unlessNegative,
  type JsonObject,
} from '../../../../base/json/check.ts'
import { parseTicks, type Ticks } from '../../../../base/ticks.ts'
import type { GcKind, Volume } from '../../contract.ts'

/*
 * Frames of `/cluster-dashboard/watch` (7.1, 6.2, 5.4; endpoints.md §8.2): `{"Id":1,"Data":{"Type":…,"Date":…}}`.
 * Names are made plain, sizes are bytes, and throughput of volumes, which the server reports in KB, as well.
 */

/** What is subscribed to. `DatabasesNotifications` is not: with `Config:null` it ends the socket. */
export const WIDGETS = [
  'CpuUsage',
  'MemoryUsage',
  'IoStats',
  'StorageUsage',
  'DatabaseStorageUsage',
  'Traffic',
  'DatabaseTraffic',
  'Indexing',
  'DatabaseIndexing',
  'DatabaseOverview',
  'ClusterOverview',
  'GcInfo',
] as const
export type WidgetType = (typeof WIDGETS)[number]

/** Watched on every panel: cheap, and what triage cannot do without. */
export const VITAL_WIDGETS: readonly WidgetType[] = ['CpuUsage', 'DatabaseOverview', 'StorageUsage']
/** Watched while a panel of the server is open. Memory is the kernel's; where that cannot be had it is a vital sign. */
export const DETAIL_WIDGETS: readonly WidgetType[] = WIDGETS.filter(
  (type) => !VITAL_WIDGETS.includes(type) && type !== 'MemoryUsage',
)
export const isDetail = (type: string): boolean => (DETAIL_WIDGETS as readonly string[]).includes(type)

/** Those whose frames grow with the number of databases. */
export const PER_DATABASE: readonly WidgetType[] = [
  'DatabaseStorageUsage',
  'DatabaseTraffic',
  'DatabaseIndexing',
  'DatabaseOverview',
]

export interface CpuWidget {
  readonly processPercent: number
  readonly machinePercent: number
  readonly utilizedCores: number | null
  readonly cores: number | null
}

export interface MemoryWidget {
  readonly severity: string
  readonly physicalBytes: Bytes
  readonly workingSetBytes: Bytes
  readonly managedBytes: Bytes
  readonly unmanagedBytes: Bytes
  readonly encryptionBytes: Bytes
  readonly luceneBytes: Bytes
  readonly mappedBytes: Bytes
  readonly dirtyBytes: Bytes
  readonly availableBytes: Bytes
  readonly availableForProcessingBytes: Bytes
  readonly swapBytes: Bytes
  readonly commitLimitBytes: Bytes
}

export type IoFigures = NonNullable<Volume['io']>

export type VolumeWidget = Pick<
  Volume,
  'mount' | 'label' | 'totalBytes' | 'freeBytes' | 'ravenBytes' | 'ravenTempBytes' | 'isLow' | 'io'
>

/** Rates are approximate (`RATE`). */
export interface TrafficWidget {
  readonly requestsPerSecond: number
  /** Exponential mean over seconds that had requests; keeps its value while there are none. */
  readonly averageMs: number | null
  readonly writesPerSecond: number
  readonly writeBytesPerSecond: number
}

export interface IndexingWidget {
  readonly indexedPerSecond: number
  readonly mappedPerSecond: number
  readonly reducedPerSecond: number
}

export interface OverviewWidget {
  readonly documents: number
  readonly indexes: number
  /** Null: not loaded, so the server does not know. */
  readonly erroredIndexes: number | null
  readonly indexingErrors: number
  readonly alerts: number
  /** Performance hints; null: not reported. */
  readonly hints: number | null
  readonly online: boolean
  readonly disabled: boolean
  readonly irrelevant: boolean
}

export interface NodeWidget {
  readonly tag: string
  readonly url: string
  readonly type: string
  readonly state: string
  readonly startTicks: Ticks | null
  readonly serverVersion: string | null
  readonly os: string | null
}

/** Only kinds that collected since the last frame are reported (the first frame reports all). */
export interface GcWidget {
  /** As of the newest of these collections, since the start of the server; null: none is reported. */
  readonly pauseTimePercent: number | null
  readonly kinds: readonly GcKind[]
}

type Named<T> = ReadonlyMap<string, T>

export type WidgetFrame = { readonly atTicks: Ticks } & (
  | { readonly type: 'ServerTime' }
  | { readonly type: 'CpuUsage'; readonly cpu: CpuWidget }
  | { readonly type: 'MemoryUsage'; readonly memory: MemoryWidget }
  | { readonly type: 'IoStats'; readonly volumes: readonly IoFigures[] }
  | { readonly type: 'StorageUsage'; readonly volumes: readonly VolumeWidget[] }
  | {
      readonly type: 'DatabaseStorageUsage'
      readonly sizes: Named<{ readonly sizeBytes: Bytes; readonly tempBytes: Bytes }>
    }
  | { readonly type: 'Traffic'; readonly traffic: TrafficWidget }
  | { readonly type: 'DatabaseTraffic'; readonly databases: Named<TrafficWidget> }
  | { readonly type: 'Indexing'; readonly indexing: IndexingWidget }
  | { readonly type: 'DatabaseIndexing'; readonly databases: Named<IndexingWidget> }
  | { readonly type: 'DatabaseOverview'; readonly databases: Named<OverviewWidget> }
  | { readonly type: 'ClusterOverview'; readonly node: NodeWidget }
  | { readonly type: 'GcInfo'; readonly gc: GcWidget }
)

/** One frame, parsed from JSON. Null: a widget that is not known here. Errors: `ParseError`. */
export function readWidget(frame: unknown): WidgetFrame | null {
  const data = asObject(asObject(frame, '$')['Data'], '$.Data')
  const type = asString(data['Type'], '$.Data.Type')
  const date = asString(data['Date'], '$.Data.Date')
  const atTicks = parseTicks(date)
  if (Number.isNaN(atTicks)) throw new ParseError('$.Data.Date', 'a date', JSON.stringify(date))
  const read = (READERS as Readonly<Record<string, Reader | undefined>>)[type]
  return read === undefined || !Object.hasOwn(READERS, type) ? null : { atTicks, ...read(data) }
}

type Unstamped<T> = T extends unknown ? Omit<T, 'atTicks'> : never
type Reader = (data: JsonObject) => Unstamped<WidgetFrame>

const READERS = {
  ServerTime: () => ({ type: 'ServerTime' }),
  CpuUsage: (data) => ({
    type: 'CpuUsage',
    cpu: {
      processPercent: number(data, 'ProcessCpuUsage'),
      machinePercent: number(data, 'MachineCpuUsage'),
      utilizedCores: unlessNegative(data['UtilizedCores'], '$.Data.UtilizedCores'),
      cores: unlessNegative(data['NumberOfCores'], '$.Data.NumberOfCores'),
    },
  }),
  MemoryUsage: (data) => ({ type: 'MemoryUsage', memory: readMemory(data) }),
  IoStats: (data) => ({ type: 'IoStats', volumes: items(data).map(readIo) }),
  StorageUsage: (data) => ({ type: 'StorageUsage', volumes: items(data).map(readVolume) }),
  DatabaseStorageUsage: (data) => ({
    type: 'DatabaseStorageUsage',
    sizes: named(data, (item) => ({ sizeBytes: bytes(item, 'Size'), tempBytes: bytes(item, 'TempBuffersSize') })),
  }),
  Traffic: (data) => ({ type: 'Traffic', traffic: readTraffic(data) }),
  DatabaseTraffic: (data) => ({ type: 'DatabaseTraffic', databases: named(data, readTraffic) }),
  Indexing: (data) => ({ type: 'Indexing', indexing: readIndexing(data) }),
  DatabaseIndexing: (data) => ({ type: 'DatabaseIndexing', databases: named(data, readIndexing) }),
  DatabaseOverview: (data) => ({ type: 'DatabaseOverview', databases: named(data, readOverview) }),
  ClusterOverview: (data) => ({ type: 'ClusterOverview', node: readNode(data) }),
  GcInfo: (data) => ({ type: 'GcInfo', gc: readGc(data) }),
} satisfies Readonly<Record<string, Reader>>

const readMemory = (data: JsonObject): MemoryWidget => ({
  severity: asString(data['LowMemorySeverity'], '$.Data.LowMemorySeverity'),
  physicalBytes: bytes(data, 'PhysicalMemory'),
  workingSetBytes: bytes(data, 'WorkingSet'),
  managedBytes: bytes(data, 'ManagedAllocations'),
  unmanagedBytes: bytes(data, 'UnmanagedAllocations'),
  encryptionBytes: sumOf(data, ['EncryptionBuffersInUse', 'EncryptionBuffersPool']),
  luceneBytes: sumOf(data, [
    'LuceneManagedTermCacheAllocations',
    'LuceneUnmanagedTermCacheAllocations',
    'LuceneUnmanagedAllocations',
  ]),
  mappedBytes: bytes(data, 'MemoryMapped'),
  dirtyBytes: bytes(data, 'DirtyMemory'),
  availableBytes: bytes(data, 'AvailableMemory'),
  availableForProcessingBytes: bytes(data, 'AvailableMemoryForProcessing'),
  swapBytes: bytes(data, 'TotalSwapUsage'),
  commitLimitBytes: bytes(data, 'SystemCommitLimit'),
})

const readIo = (item: JsonObject): IoFigures => ({
  readsPerSecond: number(item, 'IoReadOperations'),
  writesPerSecond: number(item, 'IoWriteOperations'),
  readBytesPerSecond: number(item, 'ReadThroughputInKb') * 1024,
  writeBytesPerSecond: number(item, 'WriteThroughputInKb') * 1024,
  queueLength: maybe(item, 'QueueLength'),
})

function readVolume(item: JsonObject): VolumeWidget {
  const io = orNull(asObject, item['IoStatsResult'], '$.Data.Items[].IoStatsResult')
  return {
    mount: asString(item['MountPoint'], '$.Data.Items[].MountPoint'),
    label: orNull(asString, item['VolumeLabel'], '$.Data.Items[].VolumeLabel'),
    totalBytes: bytes(item, 'TotalCapacity'),
    freeBytes: bytes(item, 'FreeSpace'),
    ravenBytes: bytes(item, 'RavenSize'),
    ravenTempBytes: bytes(item, 'RavenTempBuffersSize'),
    isLow: item['IsLowSpace'] === true,
    io: io === null ? null : readIo(io),
  }
}

/**
 * Rates of the widgets are the sum of the last four seconds divided by three, and rounded up: 30 requests a second are
 * reported as 41. Three quarters of them are at most 0.75 a second too high, for each database.
 */
const RATE = 3 / 4

const readTraffic = (item: JsonObject): TrafficWidget => ({
  requestsPerSecond: number(item, 'RequestsPerSecond') * RATE,
  averageMs: maybe(item, 'AverageRequestDuration'),
  writesPerSecond:
    sumOf(item, [
      'DocumentWritesPerSecond',
      'AttachmentWritesPerSecond',
      'CounterWritesPerSecond',
      'TimeSeriesWritesPerSecond',
    ]) * RATE,
  writeBytesPerSecond:
    sumOf(item, [
      'DocumentsWriteBytesPerSecond',
      'AttachmentsWriteBytesPerSecond',
      'CountersWriteBytesPerSecond',
      'TimeSeriesWriteBytesPerSecond',
    ]) * RATE,
})

const readIndexing = (item: JsonObject): IndexingWidget => ({
  indexedPerSecond: number(item, 'IndexedPerSecond') * RATE,
  mappedPerSecond: number(item, 'MappedPerSecond') * RATE,
  reducedPerSecond: number(item, 'ReducedPerSecond') * RATE,
})

function readOverview(item: JsonObject): OverviewWidget {
  const online = asBoolean(item['Online'], '$.Data.Items[].Online')
  const errored = number(item, 'ErroredIndexesCount')
  const errors = number(item, 'IndexingErrorsCount')
  return {
    documents: number(item, 'DocumentsCount'),
    indexes: number(item, 'IndexesCount'),
    // Of an unloaded database 7.1.5 reports the number of indexing errors in the field of the errored indexes.
    erroredIndexes: online ? errored : null,
    indexingErrors: online ? errors : Math.max(errored, errors),
    alerts: number(item, 'AlertsCount'),
    hints: maybe(item, 'PerformanceHintsCount'),
    online,
    disabled: item['Disabled'] === true,
    irrelevant: item['Irrelevant'] === true,
  }
}

function readNode(data: JsonObject): NodeWidget {
  const text = (field: string): string | null => orNull(asString, data[field], `$.Data.${field}`)
  return {
    tag: asString(data['NodeTag'], '$.Data.NodeTag'),
    url: text('NodeUrl') ?? '',
    type: text('NodeType') ?? 'unknown',
    state: text('NodeState') ?? 'unknown',
    startTicks: ticksOrNull(text('StartTime')),
    serverVersion: text('ServerVersion'),
    os: text('OsName'),
  }
}

const KINDS = ['Ephemeral', 'Background', 'FullBlocking'] as const
const HEAPS = [
  ['gen0', 'Gen0HeapSize'],
  ['gen1', 'Gen1HeapSize'],
  ['gen2', 'Gen2HeapSize'],
  ['loh', 'LargeObjectHeapSize'],
  ['poh', 'PinnedObjectHeapSize'],
] as const

/** The share of pauses is of the collection that ran last: it has the highest number. A kind that never ran has 0. */
function readGc(data: JsonObject): GcWidget {
  const kinds: GcKind[] = []
  let newest: { index: number; percent: number | null } = { index: -1, percent: null }
  for (const kind of KINDS) {
    const object = orNull(asObject, data[kind], `$.Data.${kind}`)
    if (object === null) continue
    const index = number(object, 'Index')
    const pauses = asArray(object['PauseDurationsInMs'], `$.Data.${kind}.PauseDurationsInMs`)
    if (index > newest.index) newest = { index, percent: number(object, 'PauseTimePercentage') }
    kinds.push({
      kind,
      index,
      generation: number(object, 'Generation'),
      compacted: object['Compacted'] === true,
      concurrent: object['Concurrent'] === true,
      pauseMs: pauses.reduce<number>((sum, pause) => sum + asNumber(pause, `$.Data.${kind}.PauseDurationsInMs[]`), 0),
      heapAfterBytes: bytes(object, 'TotalHeapSizeAfterBytes'),
      heaps: HEAPS.map(([heap, field]) => {
        const sizes = asObject(object[field], `$.Data.${kind}.${field}`)
        return {
          heap,
          beforeBytes: bytes(sizes, 'SizeBeforeBytes'),
          afterBytes: bytes(sizes, 'SizeAfterBytes'),
          fragmentedAfterBytes: bytes(sizes, 'FragmentationAfterBytes'),
        }
      }),
    })
  }
  return { pauseTimePercent: newest.percent, kinds }
}

const items = (data: JsonObject): JsonObject[] =>
  asArray(data['Items'], '$.Data.Items').map((item, row) => asObject(item, `$.Data.Items[${row}]`))

function named<T>(data: JsonObject, read: (item: JsonObject) => T): Map<string, T> {
  const found = new Map<string, T>()
  for (const item of items(data)) found.set(asString(item['Database'], '$.Data.Items[].Database'), read(item))
  return found
}

const number = (object: JsonObject, field: string): number => asNumber(object[field], `$.Data…${field}`)
const bytes = (object: JsonObject, field: string): Bytes => number(object, field) as Bytes
const maybe = (object: JsonObject, field: string): number | null => orNull(asNumber, object[field], `$.Data…${field}`)

/** Fields that a version does not have count nothing; a server that has none of them reports 0. */
const sumOf = (object: JsonObject, fields: readonly string[]): Bytes =>
  fields.reduce((sum, field) => sum + (maybe(object, field) ?? 0), 0) as Bytes

/** .NET's own beginning of time, year 1, says "never". */
export function ticksOrNull(text: string | null): Ticks | null {
  if (text === null || text.startsWith('0001-')) return null
  const ticks = parseTicks(text)
  return Number.isNaN(ticks) ? null : ticks
}
