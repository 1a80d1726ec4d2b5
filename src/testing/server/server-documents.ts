import { formatTicks, type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'
import { recordedJson, recordedText } from '../recorded.ts'
import { collections, HEAPS, heapSize, type ServerMoment } from './server-frames.ts'
import {
  DATA_MOUNT,
  GIB,
  MACHINE,
  SERVER_ID,
  type FakeCollection,
  type FakeDatabase,
  type FakeNode,
} from './server-load.ts'

/* Responses of RavenDB 7.1.5 for a load: recorded documents with its figures in place of theirs. */

const recorded = (name: string): Record<string, object> => recordedJson('7.1', name) as Record<string, object>
const counter = (Count: number): object => ({ Count })

const gcDetail = (moment: ServerMoment): object => {
  const template = recorded('memory-gc.json')
  const kinds = collections(moment)
  const { pausePercent } = moment.load.gc
  const detail = ({ index, pauseMs, heap }: FakeCollection) => ({
    Index: index,
    PauseTimePercentage: pausePercent,
    PauseDurations: [`00:00:${(pauseMs / 1000).toFixed(7).padStart(10, '0')}`, '00:00:00'],
    HeapSizeBytes: heap,
    GenerationInfo: HEAPS.map(([, share]) => heapSize(heap * share)),
  })
  const Any = { ...template['Any'], TotalCommittedBytes: 1.1 * GIB, TotalAvailableMemoryBytes: MACHINE.memory }
  return {
    Any: { ...Any, PauseTimePercentage: pausePercent, PinnedObjectsCount: 2 },
    ...Object.fromEntries(Object.entries(kinds).map(([kind, of]) => [kind, { ...template[kind], ...detail(of) }])),
  }
}

function topology({ load }: ServerMoment): object {
  const base = recorded('cluster-topology.json')
  const own = Object.values(base['NodeLicenseDetails'] as Record<string, object>)[0]
  const details = { ...own, NumberOfCores: MACHINE.cores, InstalledMemoryInGb: MACHINE.memory / GIB }
  const url = (tag: string): string => `https://${tag.toLowerCase()}.raven.example`
  const ofRole = (role: FakeNode['role']): object =>
    Object.fromEntries(load.nodes.filter((node) => node.role === role).map(({ tag }) => [tag, url(tag)]))
  const tags = ['A', ...load.nodes.map(({ tag }) => tag)]
  return {
    ...base,
    Topology: { ...base['Topology'], Members: { A: url('A'), ...ofRole('Members') }, Watchers: ofRole('Watchers') },
    CurrentTerm: 12,
    LastStateChangeReason: 'Leader, elected by 2 of 3',
    NodeLicenseDetails: Object.fromEntries(tags.map((tag) => [tag, details])),
    Status: Object.fromEntries(
      load.nodes.map(({ tag, connectionError }) => [
        tag,
        { Connected: connectionError === null, ErrorDetails: connectionError },
      ]),
    ),
  }
}

const credits = ({ load }: ServerMoment): object => ({
  ...recorded('cpu-credits.json'),
  ...(load.credits === null
    ? {}
    : {
        Used: true,
        MaxCredits: 576,
        RemainingCpuCredits: load.credits.remaining,
        CurrentConsumption: load.credits.used,
        CreditsGainedPerSecond: 0.0067,
        BackgroundTasksThreshold: 24,
        BackgroundTasksThresholdReleaseValue: 48,
        FailoverThreshold: 6,
        FailoverThresholdReleaseValue: 12,
      }),
})

const listed = ({ name, isOnline, isDisabled, loadError, size, temp }: FakeDatabase): object => ({
  Name: name,
  NodesTopology: {},
  ...(loadError === null
    ? {
        TotalSize: { SizeInBytes: size },
        TempBuffersSize: { SizeInBytes: temp },
        UpTime: isOnline ? '00:10:00.0000000' : null,
        Disabled: isDisabled,
        IndexingStatus: isOnline ? 'Running' : null,
        // Reported of unloaded ones only.
        ...(isOnline
          ? {}
          : {
              MountPointsUsage: [
                {
                  UsedSpace: size,
                  UsedSpaceByTempBuffers: temp,
                  DiskSpaceResult: { DriveName: DATA_MOUNT },
                },
              ],
            }),
      }
    : { LoadError: loadError }),
})

const TEXTS = {
  status: ({ load: { memory } }: ServerMoment): Readonly<Record<string, number>> => ({
    VmRSS: memory.anonymous + memory.shared + memory.files,
    RssAnon: memory.anonymous,
    RssShmem: memory.shared,
    RssFile: memory.files,
    VmSwap: memory.swap,
  }),
  meminfo: ({ load: { memory } }: ServerMoment): Readonly<Record<string, number>> => ({
    MemTotal: MACHINE.memory,
    MemFree: memory.free,
    MemAvailable: memory.available,
    Dirty: memory.unwritten,
    Writeback: 0,
  }),
}

/** A text of the kernel with other sizes. */
const kernelText = (name: keyof typeof TEXTS, moment: ServerMoment): string =>
  Object.entries(TEXTS[name](moment)).reduce(
    (text, [field, bytes]) =>
      text.replace(new RegExp(`^(${field}:\\s+)\\d+ kB$`, 'm'), `$1${String(Math.round(bytes / 1024))} kB`),
    recordedText('7.1', `proc-${name}.txt`),
  )

/** A little less than the minute that is looked at. */
const LOOKED_MS = 59_990

/** Metrics of a database: transactions one after another over a minute, and waiting for writes in between. */
function perfMetrics({ merger }: FakeDatabase, nowTicks: Ticks): object {
  const { transactions: count, operations, busyMs, longestMs } = merger
  const everyMs = LOOKED_MS / Math.max(1, count)
  const at = (ms: number): string => formatTicks((nowTicks - Math.round((LOOKED_MS - ms) * TICKS_PER_MS)) as Ticks)
  const otherMs = (busyMs - longestMs) / Math.max(1, count - 1)
  // The longest one takes the place of those that it holds up.
  const lengths = Array.from({ length: count }, (_, row) => (row === 0 ? longestMs : otherMs))
  const scale = (LOOKED_MS - longestMs - everyMs) / Math.max(1, everyMs * (count - 1))
  const begins = lengths.map((_, row) => (row === 0 ? 0 : longestMs + row * everyMs * scale))
  const event = (Start: string, Duration: number | undefined): object => ({
    Start,
    Duration,
    Counter: Math.round(operations / Math.max(1, count)),
    CommandsCounter: 1,
  })
  const waits = begins.flatMap((ms, row) => {
    const endMs = ms + (lengths[row] as number)
    const leftMs = ((begins[row + 1] ?? LOOKED_MS) - endMs) * 0.9
    return leftMs <= 0 ? [] : [event(at(endMs), leftMs)]
  })
  const transactions = begins.map((ms, row) => event(at(ms), lengths[row]))
  return {
    PerfMetrics: [
      { MetricType: 'GeneralWait', Recent: waits, History: [] },
      { MetricType: 'Transaction', Recent: transactions, History: [] },
    ],
  }
}

const byDatabase =
  (make: (database: FakeDatabase, moment: ServerMoment) => object) =>
  (moment: ServerMoment, path: string): object => {
    const name = decodeURIComponent(path.split('/')[2] ?? '')
    const database = moment.load.databases.find((each) => each.name === name)
    if (database === undefined) throw new Error(`no database ${name}`)
    return make(database, moment)
  }

/** Responses by route; a text is one of the kernel. */
export const DOCUMENTS: readonly (readonly [
  route: RegExp,
  document: (moment: ServerMoment, path: string) => object | string,
])[] = [
  [/server-id/, () => ({ ServerId: SERVER_ID })],
  [/cluster\/topology/, topology],
  [/admin\/stats/, ({ startTicks }) => ({ ...recorded('admin-stats.json'), StartUpTime: formatTicks(startTicks) })],
  [
    /admin\/metrics/,
    ({ counts, load }) => ({
      Requests: {
        RequestsPerSec: counter(counts.requests),
        ConcurrentRequestsCount: load.concurrentRequests,
        AverageDuration: load.averageMs,
      },
    }),
  ],
  [/cpu-credits/, credits],
  [
    /low-mem-log/,
    ({ load }) => ({
      'Low Memory Events': load.lowMemory.map(({ atTicks, event, free }) => ({
        Event: event,
        TimeOfEvent: formatTicks(atTicks),
        FreeMem: free,
        HumanlyReadSizes: { Threshold: '2 GBytes' },
      })),
    }),
  ],
  [/memory\/gc/, gcDetail],
  [/memory\/smaps/, () => recorded('memory-smaps.json')],
  [
    /configuration\/settings/,
    () => ({
      Settings: [{ Metadata: { Keys: ['Memory.LowMemoryLimitInMb'], DefaultValue: '2048' }, ServerValues: {} }],
    }),
  ],
  [
    /tcp\/stats/,
    ({ counts }) => ({
      IPv4: {
        CurrentConnections: 37,
        SegmentsReceived: Math.round(counts.received),
        SegmentsSent: Math.round(counts.sent),
        SegmentsResent: Math.round(counts.resent),
      },
    }),
  ],
  [/databases\/idle/, () => ({ MaxIdleTime: '00:15:00', FrequencyToCheckForIdle: '00:01:00', Results: [] })],
  [/license\/status/, () => ({ ...recorded('license-status.json'), Type: 'Professional', Status: 'Commercial' })],
  [/^\/databases\?/, ({ load }) => ({ Databases: load.databases.map(listed) })],
  [
    /studio-tasks/,
    ({ load }) => ({
      Databases: load.databases.map((each) => ({ ...listed(each), DatabaseStatus: each.isOnline ? 'Online' : 'None' })),
    }),
  ],
  [/proc\/status/, (moment) => kernelText('status', moment)],
  [/proc\/meminfo/, (moment) => kernelText('meminfo', moment)],
  [/^\/databases\/.*\/metrics$/, () => recorded('database-metrics.json')],
  [/^\/databases\/.*\/debug\/perf-metrics$/, byDatabase((database, { nowTicks }) => perfMetrics(database, nowTicks))],
  [
    /^\/databases\/.*\/indexes\/progress$/,
    byDatabase(({ behind }) => ({
      Results: behind.map(({ index, documents }) => ({
        Name: index,
        IsStale: true,
        IndexRunningStatus: 'Running',
        ProcessedPerSecond: 1000,
        Collections: { Orders: { NumberOfItemsToProcess: documents } },
      })),
    })),
  ],
  [
    /^\/databases\/.*\/indexes\/stats$/,
    byDatabase(({ erroredIndexes, indexingErrors }) => ({
      Results: erroredIndexes.map((Name) => ({ Name, State: 'Error', ErrorsCount: indexingErrors })),
    })),
  ],
  [
    /^\/databases\/.*\/stats$/,
    byDatabase(({ merger, erroredIndexes }) => ({
      NumberOfTransactionMergerQueueOperations: merger.waiting,
      Indexes: erroredIndexes.map((Name) => ({ Name, State: 'Error', IsStale: true })),
    })),
  ],
  [/^\/databases\/.*\/operations$/, () => ({ Results: [] })],
]
