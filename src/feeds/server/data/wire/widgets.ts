import { GIVING_WAY } from '../giving-way.ts'
import type { Bytes } from '../../../../base/brand.ts'
import { asNumber, ParseError } from '../../../../base/json/check.ts'
import { Fields } from '../../../../base/json/fields.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { GcKind, Volume } from '../../contract/machine.ts'

/*
 * Frames of `/cluster-dashboard/watch` (7.1, 6.2, 5.4; endpoints.md §8.2): `{"Id":1,"Data":{"Type":…,"Date":…}}`. Names
 * are simplified. Sizes are in bytes, as is the throughput of volumes, which the server reports in KB.
 */

/**
 * Time, ms, since the frame before up to which free space in a frame was just read. Otherwise it is what the server read
 * for the frame before.
 */
export const JUST_READ_MS = 20_000

/** Widgets that may be subscribed to. `DatabasesNotifications` is left out: with `Config:null` it ends the socket. */
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

/** Widgets watched on every panel: inexpensive, and required by the triage. */
export const VITAL_WIDGETS: readonly WidgetType[] = GIVING_WAY.never.widgets
/**
 * Widgets watched while a panel of the server is open. `MemoryUsage` is not among them: memory figures come from the
 * kernel, and if these are not available the widget is a vital sign.
 */
export const DETAIL_WIDGETS: readonly WidgetType[] = GIVING_WAY.second.widgets
export const isDetail = (type: string): boolean => (DETAIL_WIDGETS as readonly string[]).includes(type)

/** Widgets whose frames grow with the number of databases. */
export const PER_DATABASE: readonly WidgetType[] = [
  'DatabaseStorageUsage',
  'DatabaseTraffic',
  'DatabaseIndexing',
  'DatabaseOverview',
]

export type IoFigures = NonNullable<Volume['io']>

export type VolumeWidget = Pick<
  Volume,
  'mount' | 'label' | 'totalBytes' | 'freeBytes' | 'ravenBytes' | 'ravenTempBytes' | 'isLow' | 'io'
>

export interface OverviewWidget {
  readonly documents: number
  readonly indexes: number
  /** Number of indexes in error; null: not known, because the database is not loaded. */
  readonly erroredIndexes: number | null
  readonly indexingErrors: number
  readonly alerts: number
  /** Number of performance hints; null: not reported. */
  readonly hints: number | null
  readonly online: boolean
  readonly disabled: boolean
  readonly irrelevant: boolean
}

/** Collections since the last frame, only of kinds that had one. The first frame reports all kinds. */
export interface GcWidget {
  /**
   * Share of pauses since the start of the server, from the newest of these collections; null: no collection reported.
   */
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

/** Reads one frame, parsed from JSON. Returns null for an unknown widget. Errors: `ParseError`. */
export function readWidget(frame: unknown): WidgetFrame | null {
  const data = new Fields(frame).in('Data')
  const type = data.text('Type')
  const atTicks = data.ticksOrNull('Date')
  if (atTicks === null) throw new ParseError('$.Data.Date', 'a date', JSON.stringify(data.text('Date')))
  const read = (READERS as Readonly<Record<string, Reader | undefined>>)[type]
  return read === undefined || !Object.hasOwn(READERS, type) ? null : { atTicks, ...read(data) }
}

type Unstamped<T> = T extends unknown ? Omit<T, 'atTicks'> : never
type Reader = (data: Fields) => Unstamped<WidgetFrame>

const READERS = {
  ServerTime: () => ({ type: 'ServerTime' }),
  CpuUsage: (data) => ({ type: 'CpuUsage', cpu: readCpu(data) }),
  MemoryUsage: (data) => ({ type: 'MemoryUsage', memory: readMemory(data) }),
  IoStats: (data) => ({ type: 'IoStats', volumes: data.each('Items').map(readIo) }),
  StorageUsage: (data) => ({ type: 'StorageUsage', volumes: data.each('Items').map(readVolume) }),
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

export type CpuWidget = ReturnType<typeof readCpu>
const readCpu = (data: Fields) => ({
  processPercent: data.number('ProcessCpuUsage'),
  machinePercent: data.number('MachineCpuUsage'),
  cores: data.quantityOrNull('NumberOfCores'),
  usedCores: data.quantityOrNull('UtilizedCores'),
})

export type MemoryWidget = ReturnType<typeof readMemory>
const readMemory = (data: Fields) => ({
  severity: data.text('LowMemorySeverity'),
  physicalBytes: bytes(data, 'PhysicalMemory'),
  workingSetBytes: bytes(data, 'WorkingSet'),
  managedBytes: bytes(data, 'ManagedAllocations'),
  unmanagedBytes: bytes(data, 'UnmanagedAllocations'),
  dirtyBytes: bytes(data, 'DirtyMemory'),
  availableBytes: bytes(data, 'AvailableMemory'),
  availableForProcessingBytes: bytes(data, 'AvailableMemoryForProcessing'),
  swapBytes: bytes(data, 'TotalSwapUsage'),
})

const readIo = (item: Fields): IoFigures => ({
  readsPerSecond: item.number('IoReadOperations'),
  writesPerSecond: item.number('IoWriteOperations'),
  readBytesPerSecond: item.number('ReadThroughputInKb') * 1024,
  writeBytesPerSecond: item.number('WriteThroughputInKb') * 1024,
  queueLength: item.numberOrNull('QueueLength'),
})

function readVolume(item: Fields): VolumeWidget {
  const io = item.inOrNull('IoStatsResult')
  return {
    mount: item.text('MountPoint'),
    label: item.textOrNull('VolumeLabel'),
    totalBytes: bytes(item, 'TotalCapacity'),
    freeBytes: bytes(item, 'FreeSpace'),
    ravenBytes: bytes(item, 'RavenSize'),
    ravenTempBytes: bytes(item, 'RavenTempBuffersSize'),
    isLow: item.isTrue('IsLowSpace'),
    io: io === null ? null : readIo(io),
  }
}

/**
 * Factor for the rates of widgets, which are the sum of the last four seconds divided by three and rounded up: 30
 * requests a second are reported as 41. The corrected rates are at most 0.75 per second too high for each database.
 */
const RATE = 3 / 4

/** Traffic figures. The rates are approximate (`RATE`). */
export type TrafficWidget = ReturnType<typeof readTraffic>
const readTraffic = (item: Fields) => ({
  requestsPerSecond: item.number('RequestsPerSecond') * RATE,
  /** Exponential mean over seconds with requests; keeps its value while there are no requests. */
  averageMs: item.numberOrNull('AverageRequestDuration'),
  writesPerSecond:
    RATE *
    sumOf(item, [
      'DocumentWritesPerSecond',
      'AttachmentWritesPerSecond',
      'CounterWritesPerSecond',
      'TimeSeriesWritesPerSecond',
    ]),
  writeBytesPerSecond:
    RATE *
    sumOf(item, [
      'DocumentsWriteBytesPerSecond',
      'AttachmentsWriteBytesPerSecond',
      'CountersWriteBytesPerSecond',
      'TimeSeriesWriteBytesPerSecond',
    ]),
})

export type IndexingWidget = ReturnType<typeof readIndexing>
const readIndexing = (item: Fields) => ({
  indexedPerSecond: item.number('IndexedPerSecond') * RATE,
  mappedPerSecond: item.number('MappedPerSecond') * RATE,
  reducedPerSecond: item.number('ReducedPerSecond') * RATE,
})

function readOverview(item: Fields): OverviewWidget {
  const online = item.flag('Online')
  const errored = item.number('ErroredIndexesCount')
  const errors = item.number('IndexingErrorsCount')
  return {
    documents: item.number('DocumentsCount'),
    indexes: item.number('IndexesCount'),
    // For an unloaded database, 7.1.5 reports the number of indexing errors in the field for indexes in error.
    erroredIndexes: online ? errored : null,
    indexingErrors: online ? errors : Math.max(errored, errors),
    alerts: item.number('AlertsCount'),
    hints: item.numberOrNull('PerformanceHintsCount'),
    online,
    disabled: item.isTrue('Disabled'),
    irrelevant: item.isTrue('Irrelevant'),
  }
}

export type NodeWidget = ReturnType<typeof readNode>
const readNode = (data: Fields) => ({
  state: data.textOrNull('NodeState') ?? 'unknown',
  startTicks: data.ticksOrNull('StartTime'),
  serverVersion: data.textOrNull('ServerVersion'),
  os: data.textOrNull('OsName'),
})

const KINDS = ['Ephemeral', 'Background', 'FullBlocking'] as const
const HEAPS = [
  ['gen0', 'Gen0HeapSize'],
  ['gen1', 'Gen1HeapSize'],
  ['gen2', 'Gen2HeapSize'],
  ['loh', 'LargeObjectHeapSize'],
  ['poh', 'PinnedObjectHeapSize'],
] as const

/**
 * Reads the collections. The share of pauses is that of the newest collection, which has the highest number. A kind
 * that never ran has number 0.
 */
function readGc(data: Fields): GcWidget {
  const kinds: GcKind[] = []
  let newest: { index: number; percent: number | null } = { index: -1, percent: null }
  for (const kind of KINDS) {
    const object = data.inOrNull(kind)
    if (object === null) continue
    const index = object.number('Index')
    if (index > newest.index) newest = { index, percent: object.number('PauseTimePercentage') }
    kinds.push({
      kind,
      index,
      pauseMs: object.list('PauseDurationsInMs', asNumber).reduce((sum, pause) => sum + pause, 0),
      heapAfterBytes: bytes(object, 'TotalHeapSizeAfterBytes'),
      heaps: HEAPS.map(([heap, field]) => readHeap(heap, object.in(field))),
    })
  }
  return { pauseTimePercent: newest.percent, kinds }
}

/** Reads a heap. The dashboard and `memory/gc` have the same fields. */
export const readHeap = <Heap extends GcKind['heaps'][number]['heap']>(heap: Heap, sizes: Fields) => ({
  heap,
  afterBytes: bytes(sizes, 'SizeAfterBytes'),
  fragmentedAfterBytes: bytes(sizes, 'FragmentationAfterBytes'),
})

const named = <T>(data: Fields, read: (item: Fields) => T): Map<string, T> =>
  new Map(data.each('Items').map((item) => [item.text('Database'), read(item)]))

export const bytes = (fields: Fields, name: string): Bytes => fields.number(name) as Bytes

/** Sum of fields. A field that a version does not have counts as 0, so that a server without any of them reports 0. */
const sumOf = (fields: Fields, names: readonly string[]): Bytes =>
  names.reduce((sum, name) => sum + (fields.numberOrNull(name) ?? 0), 0) as Bytes
