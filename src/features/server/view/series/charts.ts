import type { FixedSeriesKey, SeriesInfo, SeriesKey } from '../../../../feeds/server/contract/series.ts'

export type SeriesUnit = SeriesInfo['unit']

/** Chart of the panel: up to four series of one unit on one scale. */
export interface Chart {
  readonly id: string
  readonly title: string
  /** Explains in a sentence what the chart shows and how to read it. */
  readonly explains: string
  readonly unit: SeriesUnit
  /** Upper end of the scale. Null: the largest value in view. */
  readonly topValue: number | null
  readonly series: readonly SeriesInfo[]
}

export interface ChartGroup {
  readonly id: string
  readonly title: string
  readonly charts: readonly Chart[]
}

interface ChartPlan {
  readonly title: string
  readonly explains: string
  readonly keys: readonly string[]
  readonly topValue?: number
}

interface GroupPlan {
  readonly id: string
  readonly title: string
  readonly charts: readonly ChartPlan[]
}

const fixed = (...keys: FixedSeriesKey[]): readonly string[] => keys

/** Groups in the order of the page: first what users notice, then the causes. */
export const GROUP_PLANS: readonly GroupPlan[] = [
  {
    id: 'cpu',
    title: 'CPU',
    charts: [
      {
        title: 'CPU',
        explains:
          'The machine: share of all its cores. This server: share of the cores that it may use. What lies between is other programs only where it may use all.',
        keys: fixed('cpu.machine', 'cpu.process'),
        topValue: 100,
      },
    ],
  },
  {
    id: 'requests',
    title: 'Requests and writes',
    charts: [
      {
        title: 'Requests',
        explains:
          'Requests that the server answered in a second, those of this browser’s pages included: counted over 10 s, or where that is not permitted about.',
        keys: fixed('traffic.requests'),
      },
      {
        title: 'Latency',
        explains:
          'The server’s own recent mean, weighted by age and kept while there are no requests. Its spread is known only while single requests are recorded: see beside.',
        keys: fixed('traffic.averageMs'),
      },
      { title: 'In flight', explains: 'Requests being answered at that moment.', keys: fixed('traffic.concurrent') },
      {
        title: 'Writes',
        explains: 'Documents and the like written in a second; about, and up to 0.75 too high for each database.',
        keys: fixed('writes.rate'),
      },
      {
        title: 'Written',
        explains: 'Bytes of documents and the like written in a second, as the server stores them; about.',
        keys: fixed('writes.byteRate'),
      },
    ],
  },
  {
    id: 'indexing',
    title: 'Indexing',
    charts: [
      {
        title: 'Indexing',
        explains:
          'Entries that maps of map indexes (indexed) and of map-reduce indexes (mapped) put out, and that went into reduces, in a second, over all loaded databases; about.',
        keys: fixed('indexing.indexedRate', 'indexing.mappedRate', 'indexing.reducedRate'),
      },
    ],
  },
  {
    id: 'merger',
    title: 'Transaction merger',
    charts: [
      {
        title: 'Time of the merger',
        explains:
          'What the time of the busiest database’s transaction merger goes into: it waits for writes, executes a transaction, or commits it, which is mostly the write to the journal. Read every 20 s from databases that are written to.',
        keys: fixed('merger.waits', 'merger.transactions', 'merger.commits'),
        topValue: 100,
      },
      {
        title: 'Writers merged',
        explains: 'Writes of clients that one transaction held, on average: so many waited for the same commit.',
        keys: fixed('merger.writers'),
      },
    ],
  },
  {
    id: 'memory',
    title: 'Memory',
    charts: [
      {
        title: 'This server',
        explains: 'Memory of the process. Above private memory it is pages of files, most of which cost nothing.',
        keys: fixed('memory.resident', 'memory.private', 'memory.unmanaged', 'memory.managed'),
      },
      {
        title: 'Left',
        explains: 'What programs can get: free memory, and caches that the system can drop.',
        keys: fixed('memory.available', 'memory.free'),
      },
      {
        title: 'Not written, swap',
        explains: 'Pages of files that are not on disk yet; and what of the server was moved out to disk.',
        keys: fixed('memory.unwritten', 'memory.scratch', 'memory.swap'),
      },
    ],
  },
  {
    id: 'gc',
    title: 'Garbage collection',
    charts: [
      {
        title: 'Pauses',
        explains: 'How long each collection held every thread of the server.',
        keys: fixed('gc.pauseMs'),
      },
      {
        title: 'Collections',
        explains: 'Garbage collections a minute, of all kinds together; the server reports no count of each.',
        keys: fixed('gc.perMinute'),
      },
      {
        title: 'Paused',
        explains: 'Share of time in pauses since the server started.',
        keys: fixed('gc.pausePercent'),
      },
      {
        title: 'Managed heap',
        explains: 'What was left after each collection, with its largest generations.',
        keys: fixed('gc.heap', 'gc.gen2', 'gc.loh'),
      },
      {
        title: 'Young, pinned',
        explains: 'The younger generations, pinned objects and gaps between objects after each collection.',
        keys: fixed('gc.gen0', 'gc.gen1', 'gc.poh', 'gc.fragmented'),
      },
    ],
  },
  {
    id: 'network',
    title: 'Machine network',
    charts: [
      {
        title: 'Segments',
        explains:
          'TCP segments a second over all of the machine, not only this server; the system does not report bytes.',
        keys: fixed('network.received', 'network.sent', 'network.resent'),
      },
      { title: 'Connections', explains: 'Open TCP connections of the machine.', keys: fixed('network.connections') },
    ],
  },
  {
    id: 'credits',
    title: 'CPU credits',
    charts: [
      {
        title: 'Balance',
        explains: 'CPU credits that are left. At none of them the machine runs at its base speed.',
        keys: fixed('credits.remaining'),
      },
      {
        title: 'Earned, used',
        explains: 'Credits a second that the machine earns and that the server uses.',
        keys: fixed('credits.gained', 'credits.used'),
      },
    ],
  },
]

const volumePlan = (mount: string): GroupPlan => ({
  id: `volume|${mount}`,
  title: `Volume ${mount}`,
  charts: [
    {
      title: 'Throughput',
      explains: 'Bytes a second read from and written to the volume, by anybody.',
      keys: [`volume.readBytes|${mount}`, `volume.writeBytes|${mount}`],
    },
    {
      title: 'Operations',
      explains: 'Reads and writes a second on the volume (IOPS), by anybody.',
      keys: [`volume.reads|${mount}`, `volume.writes|${mount}`],
    },
    { title: 'Queue', explains: 'Operations that wait for the disk.', keys: [`volume.queue|${mount}`] },
    { title: 'Free space', explains: 'Space left on the volume.', keys: [`volume.free|${mount}`] },
  ],
})

/** Short labels beside a plot, below the title of its chart. The tip, the card and the table show the whole label. */
const SHORT_LABELS: Partial<Record<SeriesKey, string>> = {
  'cpu.machine': 'Machine',
  'cpu.process': 'Server',
  'memory.managed': 'Managed',
  'memory.unmanaged': 'Unmanaged',
  'memory.scratch': 'Scratch in use',
  'memory.swap': 'Server swap',
  'memory.unwritten': 'Not written',
  'merger.transactions': 'Executes',
  'merger.writers': 'Writes merged',
  'gc.pauseMs': 'Pause',
  'gc.pausePercent': 'Since start',
  'network.received': 'In',
  'network.sent': 'Out',
  'network.resent': 'Sent again',
  'traffic.averageMs': 'Recent mean',
  'traffic.concurrent': 'At once',
}

export const shortLabel = ({ key, label }: SeriesInfo): string => SHORT_LABELS[key] ?? label

/** Groups of charts for the available series; volumes come before the network. */
export function chartGroups(available: readonly SeriesInfo[]): ChartGroup[] {
  const byKey = new Map<SeriesKey, SeriesInfo>(available.map((info) => [info.key, info]))
  const mounts = [...new Set(available.flatMap((info) => (info.mount === null ? [] : [info.mount])))]
  const network = GROUP_PLANS.findIndex((plan) => plan.id === 'network')
  const plans = GROUP_PLANS.toSpliced(network, 0, ...mounts.map(volumePlan))
  return plans.flatMap((plan) => {
    const charts = plan.charts.flatMap((chart): Chart[] => {
      const series = chart.keys.flatMap((key) => byKey.get(key) ?? [])
      const [first] = series
      if (first === undefined) return []
      return [
        {
          id: first.key,
          title: chart.title,
          explains: chart.explains,
          unit: first.unit,
          topValue: chart.topValue ?? null,
          series,
        },
      ]
    })
    return charts.length === 0 ? [] : [{ id: plan.id, title: plan.title, charts }]
  })
}

/** Groups that are closed at first: those that are needed only if the other groups point to them. */
export const FIRST_CLOSED: ReadonlySet<string> = new Set(['gc', 'merger', 'network'])
