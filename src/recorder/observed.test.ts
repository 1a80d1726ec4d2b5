import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { groupBy } from '../base/columns/group-by.ts'
import { msFromTicks, parseTicks, type Ticks, ticksFromMs, TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import { readManifest, type TableName } from '../capture/archive/manifest.ts'
import { readParquet } from '../capture/archive/read-parquet.ts'
import type { Value } from '../capture/archive/tables.ts'
import type { RecentStalls } from '../features/stalls/contract.ts'
import type { NotedFinding } from '../feeds/server/contract.ts'
import { FindingLog } from '../feeds/server/data/history/finding-log.ts'
import { SeriesStore } from '../feeds/server/data/series.ts'
import { RecordedServer } from '../testing/server/recorded-server.ts'
import { troubleAt } from '../testing/server/server-load.ts'
import type { RecorderHost } from './host.ts'
import { record } from './main.ts'
import { observe } from './observed.ts'

let folder = ''
afterEach(() => {
  vi.useRealTimers()
  if (folder !== '') rmSync(folder, { recursive: true, force: true })
  folder = ''
})

const NONE = { keepMs: null, maxBytes: null }

/** Reads a page of a recorder whose clock stands unless the server goes on. */
async function textOf(url: string, server: RecordedServer): Promise<string> {
  let text = ''
  const read = { isOver: false }
  get(url, (response) => {
    response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    response.on('end', () => (read.isOver = true))
  })
  while (!read.isOver) await server.second()
  return text
}

/** Values of a metric by one of its labels. */
const valuesOf = (text: string, metric: string, label: string): Record<string, number> =>
  Object.fromEntries<number>(
    Array.from(
      text.matchAll(new RegExp(`^${metric}\\{.*\\b${label}="([^"]*)".*\\} (\\S+)$`, 'gm')),
      ([, name = '', value]) => [name, Number(value)] as const,
    ),
  )

async function rowsOf(table: TableName): Promise<Readonly<Record<string, Value>>[]> {
  const rows: Record<string, Value>[] = []
  const { files } = readManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  for (const { path } of files.filter((file) => file.table === table))
    for await (const { columns, length } of readParquet(table, new Blob([readFileSync(join(folder, path))])))
      for (let row = 0; row < length; row++)
        rows.push(Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[row] ?? null])))
  return rows
}

test('/metrics has what the archive has: figures, findings that hold by level, and stalls by cause', async () => {
  folder = mkdtempSync(join(tmpdir(), 'observed-'))
  const server = new RecordedServer(240, troubleAt)
  const recording = await record({
    to: folder,
    send: null,
    servers: [server.network],
    retention: { classes: { events: NONE, slow: NONE, seconds: NONE, minutes: NONE, rest: NONE }, maxBytes: null },
    limit: 1,
    flushMs: 1000,
    foldMs: 3_600_000,
    listen: { host: '127.0.0.1', port: 0 },
    say: () => undefined,
  })
  await server.seconds(60)
  const [name = ''] = server.written.keys()
  for (let slow = 0; slow < 12; slow++) {
    const startTicks = server.fake.nowTicks + TICKS_PER_MS
    server.write(name, { startTicks, durationTicks: 300 * TICKS_PER_MS, sizeBytes: 4096 })
    await server.seconds(2)
  }
  await server.seconds(60)
  const text = await textOf(`${String(recording.url)}/metrics`, server)
  await recording.stop()

  const figures = valuesOf(text, 'rookery_figure', 'key')
  const vitals = new Map(groupBy(await rowsOf('vitals'), ({ key }) => String(key)))
  expect(Object.keys(figures).length).toBeGreaterThan(20)
  for (const [key, value] of Object.entries(figures)) {
    const values = (vitals.get(key) ?? []).map((row) => Number(row['value']))
    expect([key, value >= Math.min(...values) - 1e-9, value <= Math.max(...values) + 1e-9]).toEqual([key, true, true])
  }
  // Findings that ended before are in the archive as well.
  const recorded = await rowsOf('findings')
  const held = valuesOf(text, 'rookery_findings', 'level')
  for (const level of ['critical', 'warning']) {
    expect(held[level]).toBeGreaterThan(0)
    expect(recorded.filter((row) => row['level'] === level).length).toBeGreaterThanOrEqual(held[level] ?? 0)
  }
  // Nothing explains these: no sync, flush or other write is near.
  expect(valuesOf(text, 'rookery_stalls', 'cause')).toEqual({
    bytes: 0,
    sync: 0,
    flush: 0,
    neighbour: 0,
    standstill: 0,
    unexplained: 12,
  })
})

const NOW = parseTicks('2026-11-26T02:00:00.0000000Z')
const ago = (seconds: number): Ticks => (NOW - seconds * TICKS_PER_SECOND) as Ticks

/** Host whose server has these facts; its clock is 5 s behind that of the recorder. */
function hostOf(series: SeriesStore, findings: FindingLog, recent: () => Promise<RecentStalls | null>): RecorderHost {
  vi.useFakeTimers({ toFake: ['Date'], now: msFromTicks(NOW) + 5000 })
  const facts = { state: { clockAheadMs: 5000 }, server: { model: { series, findings } }, request: recent }
  return facts as unknown as RecorderHost
}

test('a figure is the mean of its last minute, by the clock of the server, and one that no longer comes is left out', async () => {
  const series = new SeriesStore()
  for (let second = 600; second >= 0; second--) series.append('cpu.process', ago(second), second < 55 ? 40 : 90)
  series.append('cpu.machine', ago(200), 10)
  const { figures } = await observe(hostOf(series, new FindingLog(), () => Promise.resolve(null)))
  expect(figures.map(({ key, unit }) => [key, unit])).toEqual([['cpu.process', 'percent']])
  expect(figures[0]?.value).toBeGreaterThan(40)
  expect(figures[0]?.value).toBeLessThan(50)
})

test('findings that are gone do not count, by level; one of no level that pages does neither', async () => {
  const findings = new FindingLog()
  const finding = (id: string, level: NotedFinding['level']) => ({ id, level, rule: id, title: id }) as NotedFinding
  const [disk, cpu, note] = [finding('disk', 'critical'), finding('cpu', 'warning'), finding('note', 'info')]
  findings.note([disk, cpu, note], ago(60))
  const count = async () => (await observe(hostOf(new SeriesStore(), findings, () => Promise.resolve(null)))).findings
  expect(await count()).toEqual({ critical: 1, warning: 1 })
  findings.note([cpu, note], ago(0))
  expect(await count()).toEqual({ critical: 0, warning: 1 })
})

test('stalls are those that Triage judged, and unknown where that is old or the tables are being replaced', async () => {
  const byCause = { bytes: 1, sync: 2, flush: 0, neighbour: 0, standstill: 0, unexplained: 3 }
  const stalls = async (recent: () => Promise<RecentStalls | null>) =>
    (await observe(hostOf(new SeriesStore(), new FindingLog(), recent))).stalls
  expect(await stalls(() => Promise.resolve({ atTicks: ago(60), byCause }))).toEqual(byCause)
  expect(await stalls(() => Promise.resolve({ atTicks: ago(121), byCause }))).toBeNull()
  expect(await stalls(() => Promise.resolve(null))).toBeNull()
  expect(await stalls(() => Promise.reject(new Error('The recording ended.')))).toBeNull()
  expect(ticksFromMs(Date.now() - 5000)).toBe(NOW)
})
