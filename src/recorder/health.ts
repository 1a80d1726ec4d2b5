import { createServer, type Server } from 'node:http'
import { errorText } from '../base/text/error-text.ts'
import type { SenderFigures } from './clickhouse/sender.ts'
import type { ObservedServer } from './observed.ts'

/** Figures of the recording of one server. */
export interface RecorderFigures {
  readonly node: string
  readonly url: string
  readonly isConnected: boolean
  readonly version: string
  /** Time, ms, since the last data arrived. Null: none arrived yet. */
  readonly lagMs: number | null
  /** Time, ms since 1970, up to which all I/O of the sources that are live now was received. Null: unknown. */
  readonly recordedUntilMs: number | null
  readonly sources: number
  readonly liveSources: number
  readonly records: Readonly<Record<string, number>>
  readonly openGaps: number
  readonly journalBytes: number
  readonly serverShareOfCore: number
  readonly error: string
  /** Reads the state of the server, which takes some CPU. */
  readonly observe: () => Promise<ObservedServer>
}

/** Figures of the recorder's process and of its archive. */
export interface ArchiveFigures {
  readonly bytes: number
  readonly files: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
}

/** Longest time without data that counts as healthy, ms: servers send a heartbeat every 5 s. */
const LATE_MS = 60_000

const isHealthy = ({ isConnected, lagMs }: RecorderFigures): boolean => isConnected && lagMs !== null && lagMs < LATE_MS

/** Metric of the OpenMetrics text format: its samples with their labels. */
interface Metric {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]
}

type Define = (name: string, help: string, samples: Metric['samples']) => Metric
const gauge: Define = (name, help, samples) => ({ name, type: 'gauge', help, samples })
const counter: Define = (name, help, samples) => ({ name, type: 'counter', help, samples })

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Formats all figures as text. Source: "OpenMetrics", version 1.0.0, section "Text format". */
export async function openMetrics(
  servers: readonly RecorderFigures[],
  archive: ArchiveFigures,
  sender: SenderFigures | null,
): Promise<string> {
  const of = (value: (figures: RecorderFigures) => number | null): Metric['samples'] =>
    servers.flatMap((figures) => {
      const found = value(figures)
      return found === null ? [] : [[{ node: figures.node }, found] as const]
    })
  const observed = await Promise.all(servers.map(async ({ node, observe }) => ({ node, ...(await observe()) })))
  const metrics: Metric[] = [
    gauge(
      'rookery_up',
      'Data of the server arrives.',
      of((f) => (isHealthy(f) ? 1 : 0)),
    ),
    gauge(
      'rookery_lag_seconds',
      'Time since the last data of the server.',
      of(({ lagMs }) => (lagMs === null ? null : lagMs / 1000)),
    ),
    counter(
      'rookery_records',
      'Rows that were recorded, by kind.',
      servers.flatMap(({ node, records }) =>
        Object.entries(records).map(([kind, count]) => [{ node, kind }, count] as const),
      ),
    ),
    gauge(
      'rookery_sources',
      'Storages that are watched.',
      of(({ sources }) => sources),
    ),
    gauge(
      'rookery_live_sources',
      'Storages whose data arrives now.',
      of(({ liveSources }) => liveSources),
    ),
    gauge(
      'rookery_open_gaps',
      'Gaps that go on.',
      of(({ openGaps }) => openGaps),
    ),
    gauge(
      'rookery_journal_bytes',
      'Size of the journal.',
      of((f) => f.journalBytes),
    ),
    gauge(
      'rookery_server_cost_ratio',
      'What the recording costs the server, as a share of one core.',
      of(({ serverShareOfCore }) => serverShareOfCore),
    ),
    gauge(
      'rookery_figure',
      'Mean of the last minute of a figure of the server, by its key in the table vitals.',
      observed.flatMap(({ node, figures }) =>
        figures.map(({ key, unit, value }) => [{ node, key, unit }, value] as const),
      ),
    ),
    gauge(
      'rookery_findings',
      'Findings of Triage that hold now, by level.',
      observed.flatMap(({ node, findings }) =>
        Object.entries(findings).map(([level, count]) => [{ node, level }, count] as const),
      ),
    ),
    gauge(
      'rookery_stalls',
      'Stalled journal writes that began in the last ten minutes, by cause, as Triage judged them last.',
      observed.flatMap(({ node, stalls }) =>
        Object.entries(stalls ?? {}).map(([cause, count]) => [{ node, cause }, count] as const),
      ),
    ),
    gauge('rookery_archive_bytes', 'Size of the archive.', [[{}, archive.bytes]]),
    gauge('rookery_archive_files', 'Files of the archive.', [[{}, archive.files]]),
    counter('rookery_cpu_seconds', 'CPU of the recorder.', [[{}, archive.cpuSeconds]]),
    gauge('rookery_memory_bytes', 'Memory of the recorder.', [[{}, archive.memoryBytes]]),
    ...(sender === null ? [] : sendingMetrics(sender)),
  ]
  return `${metrics.map(metricText).join('')}# EOF\n`
}

const sendingMetrics = (sender: SenderFigures): Metric[] => [
  gauge('rookery_sender_lag_seconds', 'Age of the oldest row in a file that ClickHouse has not acknowledged.', [
    [{}, sender.lagMs / 1000],
  ]),
  gauge('rookery_spool_bytes', 'Size of what waits to be sent, with journals.', [[{}, sender.spoolBytes]]),
  counter('rookery_sent_rows', 'Rows that ClickHouse acknowledged.', [[{}, sender.sentRows]]),
  counter('rookery_sender_failures', 'Inserts that ClickHouse refused, or did not acknowledge.', [
    [{}, sender.failures],
  ]),
  counter('rookery_dropped_rows', 'Rows that went unsent, as the folder was full.', [[{}, sender.droppedRows]]),
]

function metricText({ name, type, help, samples }: Metric): string {
  const suffix = type === 'counter' ? '_total' : ''
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${String(value)}\n`
  })
  return `# TYPE ${name} ${type}\n# HELP ${name} ${escaped(help)}\n${lines.join('')}`
}

interface HealthOptions {
  readonly host: string
  readonly port: number
  readonly servers: () => readonly RecorderFigures[]
  readonly archive: () => ArchiveFigures
  /** Returns the figures of sending. Null: nothing is sent. */
  readonly sender: () => SenderFigures | null
}

/** Serves `/healthz` (200, or 503 if a server sends no data) and `/metrics`; neither changes anything. */
export async function serveHealth({
  host,
  port,
  servers,
  archive,
  sender,
}: HealthOptions): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET' || (path !== '/healthz' && path !== '/metrics')) {
      response.writeHead(404).end()
      return
    }
    const figures = servers()
    if (path === '/healthz') {
      const isWell = figures.length > 0 && figures.every(isHealthy)
      response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json' })
      response.end(`${JSON.stringify({ healthy: isWell, servers: figures, archive: archive(), sender: sender() })}\n`)
    } else
      openMetrics(figures, archive(), sender()).then(
        (text) => {
          response.writeHead(200, { 'content-type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' })
          response.end(text)
        },
        (error: unknown) => response.writeHead(500).end(`${errorText(error)}\n`),
      )
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${String(actual)}`, close: () => server.close() }
}
