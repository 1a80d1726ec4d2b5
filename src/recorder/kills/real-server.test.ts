/**
 * A recorder in a process of its own on a real server under load, which is killed three times, and whose server is restarted
 * twice: its archive against a listener that shares no code with it. `npm run test:all` has it, with RECORDER_KILL_MINUTES.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createDatabase } from '../../../tools/ravendb/client.mjs'
import { freePort, startRavenDb } from '../../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../../tools/ravendb/thrifty.mjs'
import { runWorkload } from '../../../tools/workload.mjs'
import { groupBy } from '../../base/columns/group-by.ts'
import { formatTicks, type Ticks, TICKS_PER_SECOND } from '../../base/ticks.ts'
import { readManifest } from '../../capture/archive/manifest.ts'
import { readParquet } from '../../capture/archive/read-parquet.ts'
import type { Value } from '../../capture/archive/tables.ts'
import { laneId } from '../../feeds/io/data/lane-table.ts'
import { type HeardWrite, IoListener, keyOf } from '../../testing/server/io-listener.ts'
import { version } from '../../testing/server/real-server.ts'

const MINUTES = Number(process.env['RECORDER_KILL_MINUTES'] ?? '0')
const DATABASE = 'killed'
/** Longer than the server remembers: 256 writes of a journal, with five batches a second. */
const DOWN_MS = 75_000
/** Time of writes that no recorder reads before the server restarts. */
const FORGOTTEN_MS = 10_000
/** Time in which a listener that connects may miss writes: the server leaves out what ends while it makes its collector. */
const CONNECTING_TICKS = 5 * TICKS_PER_SECOND
/** Time without a write after which none will come: flushes and syncs go on, and write no journal. */
const QUIET_MS = 10_000

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Recorder {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  readonly said: string[]
}

function startRecorder(url: string, folder: string, listen: number): Recorder {
  const args = ['record', '--server', url, '--to', folder, '--fold', '1', '--listen', String(listen)]
  const child = spawn(process.execPath, [resolve('tools/rookery.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const exited = new Promise<number | null>((done) => child.once('exit', done))
  ends.push(() => child.kill('SIGKILL'))
  return { child, exited, said }
}

/** Waits until the recorder receives what the server and its database report. */
async function untilLive(listen: number, { said, exited }: Recorder): Promise<void> {
  let code: number | null | undefined
  void exited.then((of) => (code = of))
  await expect
    .poll(
      async () => {
        if (code !== undefined) throw new Error(`The recorder ended. ${said.join('')}`)
        const response = await fetch(`http://127.0.0.1:${String(listen)}/healthz`).catch(() => null)
        const { servers } = ((await response?.json()) ?? { servers: [] }) as { servers: { liveSources: number }[] }
        return servers[0]?.liveSources
      },
      { timeout: 180_000, interval: 500 },
    )
    .toBeGreaterThanOrEqual(2)
}

async function rowsOf(folder: string, table: 'io' | 'io-rollups' | 'gaps'): Promise<Record<string, Value>[]> {
  const rows: Record<string, Value>[] = []
  const { files } = readManifest(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  for (const { path } of files.filter((file) => file.table === table))
    for await (const { columns, length } of readParquet(
      table,
      new Blob([Uint8Array.from(readFileSync(join(folder, path)))]),
    ))
      for (let row = 0; row < length; row++)
        rows.push(Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[row] ?? null])))
  return rows
}

const writeOf = (row: Readonly<Record<string, Value>>): HeardWrite => ({
  source: String(row['source']),
  path: String(row['path']),
  startTicks: Number(row['start_ticks']),
  sizeBytes: Number(row['size_bytes']),
})

/** Storages of writes, with their number and time, for a message. */
const placesOf = (writes: readonly HeardWrite[]): string[] =>
  groupBy(writes, ({ source, path }) => `${source} ${path}`).map(([place, own]) => {
    const starts = own.map(({ startTicks }) => startTicks as Ticks)
    const [first, last] = [Math.min(...starts), Math.max(...starts)].map((ticks) => formatTicks(ticks as Ticks))
    return `${place}: ${String(own.length)} from ${String(first)} to ${String(last)}`
  })

test.skipIf(MINUTES === 0)(
  'each journal write that a listener saw is recorded once, in a sum or in a gap, although the recorder is killed',
  async () => {
    const partMs = (MINUTES * 60_000 - DOWN_MS) / 5
    const root = mkdtempSync(join(tmpdir(), 'rookery-kills-'))
    ends.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }))
    const [folder, dataDir] = [join(root, 'archive'), join(root, 'data')]
    const options = { version, dataDir, port: await freePort(), env: THRIFTY }
    let raven = await startRavenDb(options)
    ends.push(() => raven.stop())
    const { url } = raven
    await createDatabase(url, DATABASE)
    const listener = new IoListener(url, [DATABASE])
    ends.push(() => listener.close())
    const listen = await freePort()
    let recorder = startRecorder(url, folder, listen)
    await untilLive(listen, recorder)
    const loaded = new AbortController()
    const load = runWorkload({
      url,
      database: DATABASE,
      documents: 2000,
      rate: 100,
      pauses: false,
      signal: loaded.signal,
    })
    ends.push(() => loaded.abort())

    await sleep(partMs)
    recorder.child.kill('SIGKILL')
    await recorder.exited
    recorder = startRecorder(url, folder, listen)
    await untilLive(listen, recorder)

    await sleep(partMs)
    recorder.child.kill('SIGKILL')
    await recorder.exited
    await sleep(DOWN_MS)
    recorder = startRecorder(url, folder, listen)
    await untilLive(listen, recorder)

    await sleep(partMs)
    await raven.stop()
    raven = await startRavenDb(options)
    await untilLive(listen, recorder)

    // The server forgets at its restart what it wrote while there was no recorder.
    await sleep(partMs)
    recorder.child.kill('SIGKILL')
    await recorder.exited
    await sleep(FORGOTTEN_MS)
    await raven.stop()
    raven = await startRavenDb(options)
    recorder = startRecorder(url, folder, listen)
    await untilLive(listen, recorder)

    await sleep(partMs)
    loaded.abort()
    await load
    await expect
      .poll(() => Date.now() - listener.lastMs, { timeout: 120_000, interval: 1000 })
      .toBeGreaterThan(QUIET_MS)
    recorder.child.kill('SIGTERM')
    expect(await recorder.exited).toBe(0)
    listener.close()

    const gaps = await rowsOf(folder, 'gaps')
    const isInGap = ({ source, path, startTicks }: HeardWrite): boolean =>
      gaps.some(
        (gap) =>
          gap['source'] === source &&
          [null, laneId(source, path)].includes(gap['lane'] as string | null) &&
          [null, 'JournalWrite'].includes(gap['kind'] as string | null) &&
          startTicks >= Number(gap['start_ticks']) &&
          startTicks <= Number(gap['end_ticks']),
      )
    const recorded = (await rowsOf(folder, 'io')).filter(({ kind }) => kind === 'JournalWrite').map(writeOf)
    const keys = new Set(recorded.map(keyOf))
    const missing = [...listener.writes].flatMap(([key, write]) => (keys.has(key) ? [] : [write]))
    // Writes that the server had summed up before it was read again are there as a sum, with all their bytes.
    const sums = (await rowsOf(folder, 'io-rollups')).filter(({ kind }) => kind === 'JournalWrite')
    const isMissing = new Set(missing)
    const summed = new Set<HeardWrite>()
    let recordedTwice = 0
    const wrongSums = sums.flatMap((sum) => {
      const own = [...listener.writes.values()].filter(
        ({ source, path, startTicks }) =>
          sum['source'] === source &&
          sum['path'] === path &&
          startTicks >= Number(sum['start_ticks']) &&
          startTicks <= Number(sum['end_ticks']),
      )
      for (const write of own)
        if (isMissing.has(write)) summed.add(write)
        else recordedTwice++
      const bytes = own.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
      return bytes === Number(sum['size_bytes']) ? [] : [{ ...sum, writes: own.length, bytes }]
    })
    const left = missing.filter((write) => !summed.has(write))
    const isHeard = ({ source, startTicks }: HeardWrite): boolean =>
      (listener.open.get(source) ?? []).some(
        ({ fromTicks, toTicks }) =>
          startTicks > fromTicks + CONNECTING_TICKS && startTicks < toTicks - CONNECTING_TICKS,
      )
    const unheard = recorded.filter((write) => !listener.writes.has(keyOf(write)) && isHeard(write))
    process.stdout.write(
      `${String(recordedTwice)} of sums recorded one by one as well, ${String(listener.writes.size)} heard, ${String(recorded.length)} recorded, ${String(summed.size)} in ${String(sums.length)} sums, ${String(left.length)} in gaps\n`,
    )
    expect({ recordedTwice: recorded.length - keys.size }).toEqual({ recordedTwice: 0 })
    expect(placesOf(left.filter((write) => !isInGap(write))), 'writes that are missing without a gap').toEqual([])
    expect(wrongSums, 'sums of other writes than those that are missing').toEqual([])
    expect(placesOf(unheard), 'writes that are recorded and were not heard').toEqual([])
    // The long time without a recorder is a gap, or sums, and the rest is there.
    expect(missing.length).toBeGreaterThan(0)
    expect(missing.length).toBeLessThan(listener.writes.size / 2)
    expect(left.length, 'writes that the server forgot').toBeGreaterThan(0)
  },
  (MINUTES + 10) * 60_000,
)
