import { formatTicks, type Ticks } from '../../base/ticks.ts'
import { WIDGETS, type WidgetType } from '../../feeds/server/data/wire/widgets.ts'
import { newestFrames } from '../recorded.ts'
import {
  MACHINE,
  MIB,
  type FakeCollection,
  type FakeDatabase,
  type FakeNode,
  type FakeVolume,
  type ServerLoad,
} from './server-load.ts'

/* Frames of the dashboard of RavenDB 7.1.5 for a load: recorded ones with its figures in place of theirs. */

/** Counted since the start of the server. */
export interface ServerCounts {
  readonly requests: number
  readonly received: number
  readonly sent: number
  readonly resent: number
  readonly collections: number
}

/** A moment of the server. */
export interface ServerMoment {
  readonly load: ServerLoad
  readonly counts: ServerCounts
  readonly nowTicks: Ticks
  readonly startTicks: Ticks
}

const FRAMES = new Map(newestFrames('7.1').map(({ Data }) => [Data.Type, Data]))

/** The widget reports the sum of four seconds divided by three. */
const widgetRate = (perSecond: number): number => (perSecond * 4) / 3

const frameOf = (type: string, atTicks: Ticks, data: object): object => ({
  Id: (WIDGETS as readonly string[]).indexOf(type) + 1,
  Data: { ...FRAMES.get(type), Date: formatTicks(atTicks), ...data },
})

const io = ({ reads, writes, readBytes, writeBytes, queue }: FakeVolume): object => ({
  IoReadOperations: reads,
  IoWriteOperations: writes,
  ReadThroughputInKb: readBytes / 1024,
  WriteThroughputInKb: writeBytes / 1024,
  QueueLength: queue,
})

const loaded = ({ load }: ServerMoment): readonly FakeDatabase[] => load.databases.filter(({ isOnline }) => isOnline)
const total = (of: readonly FakeDatabase[], figure: 'requests' | 'writes' | 'indexed'): number =>
  of.reduce((sum, each) => sum + each[figure], 0)

const traffic = ({ requests, writes }: Pick<FakeDatabase, 'requests' | 'writes'>, averageMs: number): object => ({
  RequestsPerSecond: widgetRate(requests),
  AverageRequestDuration: averageMs,
  DocumentWritesPerSecond: widgetRate(writes),
  DocumentsWriteBytesPerSecond: widgetRate(writes * 1200),
})
const indexing = (indexed: number): object => ({
  IndexedPerSecond: widgetRate(indexed),
  MappedPerSecond: widgetRate(indexed / 2),
  ReducedPerSecond: widgetRate(indexed / 8),
})

export const HEAPS = [
  ['Gen0HeapSize', 0.05],
  ['Gen1HeapSize', 0.08],
  ['Gen2HeapSize', 0.62],
  ['LargeObjectHeapSize', 0.22],
  ['PinnedObjectHeapSize', 0.03],
] as const
export const heapSize = (bytes: number): object => ({
  SizeAfterBytes: Math.round(bytes),
  FragmentationAfterBytes: Math.round(bytes * 0.07),
})

/** All of the first frame; then minor ones, which are collected all the time, and those that were not there before. */
export function collections({ load, counts }: ServerMoment): Readonly<Record<string, FakeCollection>> {
  const { Ephemeral, ...others } = load.gc.kinds
  return { Ephemeral: { ...Ephemeral, index: Ephemeral.index + Math.floor(counts.collections) }, ...others }
}

const collection = ({ index, pauseMs, heap }: FakeCollection, percent: number): object => ({
  Index: index,
  PauseTimePercentage: percent,
  PauseDurationsInMs: [pauseMs, 0],
  TotalHeapSizeAfterBytes: heap,
  ...Object.fromEntries(HEAPS.map(([name, share]) => [name, heapSize(heap * share)])),
})

const OWN_NODE = { NodeTag: 'A', NodeType: 'Member', NodeState: 'Leader' }

const WIDGET_DATA: Readonly<Record<WidgetType, (moment: ServerMoment) => object>> = {
  CpuUsage: ({ load: { cpu } }) => ({
    ProcessCpuUsage: cpu.server,
    MachineCpuUsage: cpu.machine,
    UtilizedCores: MACHINE.cores,
    NumberOfCores: MACHINE.cores,
  }),
  MemoryUsage: () => ({}),
  IoStats: ({ load }) => ({ Items: load.volumes.map(io) }),
  StorageUsage: ({ load }) => ({
    Items: load.volumes.map((volume) => ({
      MountPoint: volume.mount,
      VolumeLabel: volume.label,
      TotalCapacity: volume.total,
      FreeSpace: volume.free,
      IsLowSpace: volume.isLow,
      IoStatsResult: io(volume),
      RavenSize: volume.raven,
      RavenTempBuffersSize: volume.ravenTemp,
    })),
  }),
  DatabaseStorageUsage: ({ load }) => ({
    Items: [
      ...load.databases.map(({ name, size, temp }) => ({ Database: name, Size: size, TempBuffersSize: temp })),
      { Database: '<System>', Size: 210 * MIB, TempBuffersSize: 0 },
    ],
  }),
  Traffic: (moment) => {
    const databases = loaded(moment)
    const [requests, writes] = [moment.load.requests, total(databases, 'writes')]
    return traffic({ requests, writes }, moment.load.averageMs)
  },
  DatabaseTraffic: (moment) => ({
    Items: loaded(moment).map((each) => Object.assign({ Database: each.name }, traffic(each, 2))),
  }),
  Indexing: (moment) => indexing(total(loaded(moment), 'indexed')),
  DatabaseIndexing: (moment) => ({
    Items: loaded(moment).map(({ name, indexed }) => Object.assign({ Database: name }, indexing(indexed))),
  }),
  DatabaseOverview: ({ load }) => ({
    Items: load.databases.map((each) => ({
      Database: each.name,
      DocumentsCount: each.documents,
      IndexesCount: each.indexes,
      ErroredIndexesCount: each.erroredIndexes.length,
      IndexingErrorsCount: each.indexingErrors,
      AlertsCount: 0,
      PerformanceHintsCount: 0,
      Online: each.isOnline,
      Disabled: each.isDisabled,
      Irrelevant: false,
    })),
  }),
  ClusterOverview: ({ startTicks }) => ({ ...OWN_NODE, StartTime: formatTicks(startTicks) }),
  GcInfo: (moment) => {
    const kinds = Object.entries(collections(moment))
    return Object.fromEntries(kinds.map(([kind, of]) => [kind, collection(of, moment.load.gc.pausePercent)]))
  },
}

/** A frame of this server's own dashboard. */
export const widgetFrame = (type: WidgetType, moment: ServerMoment): object =>
  frameOf(type, moment.nowTicks, WIDGET_DATA[type](moment))

/** A frame of another node's. */
export function nodeFrame(
  type: WidgetType,
  { figures, tag }: FakeNode,
  { nowTicks, startTicks }: ServerMoment,
): object {
  const { machine = 0, server = 0, requests = 0 } = figures ?? {}
  const node = { ...OWN_NODE, NodeTag: tag, NodeState: 'Follower', StartTime: formatTicks(startTicks) }
  const data: Partial<Record<WidgetType, object>> = {
    CpuUsage: {
      ProcessCpuUsage: server,
      MachineCpuUsage: machine,
      UtilizedCores: MACHINE.cores,
      NumberOfCores: MACHINE.cores,
    },
    Traffic: traffic({ requests, writes: 0 }, 2),
    ClusterOverview: node,
  }
  return frameOf(type, nowTicks, data[type] ?? {})
}

/** First frame of the dashboard. */
export const serverTime = (atTicks: Ticks): object => ({
  Id: -1,
  Data: { Type: 'ServerTime', Date: formatTicks(atTicks) },
})
