import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import { readManifest } from '../capture/archive/manifest.ts'
import { readParquet } from '../capture/archive/read-parquet.ts'
import { settle } from '../testing/fake-raven.ts'
import { FakeServer } from '../testing/server/fake-server.ts'
import { IoSource, wholeDuration } from '../testing/server/io-source.ts'
import { record } from './main.ts'

/** Eight hours in `npm run test:all`. */
const HOURS = Number(process.env['RECORDER_SOAK_HOURS'] ?? '0.025')
const EVENTS_PER_SECOND = 4
/** Within what the server keeps, and far beyond it. */
const [CUT_FROM, CUT_SECONDS] = [40, 20]
const [DOWN_FROM, DOWN_SECONDS] = [3000, 300]
/** Smaller than a recorder's, so that it begins with empty tables several times: in a short run with each fold. */
const [TABLE_BYTES, FOLD_MS] = HOURS < 1 ? [0, 20_000] : [1 << 20, 600_000]
const NONE = { keepMs: null, maxBytes: null }

let folder = ''
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

interface Written {
  readonly starts: number[]
  readonly checks: Map<number, number>
}

const isIn = (at: number, from: number, length: number): boolean => at >= from && at < from + length
const checkOf = (durationTicks: number, sizeBytes: number): number => durationTicks * 4096 + sizeBytes

test('hours of a server are in the files once or in a gap, and memory does not grow with them', async () => {
  folder = mkdtempSync(join(tmpdir(), 'soak-'))
  const seconds = Math.round(HOURS * 3600)
  const fake = new FakeServer({ seconds: seconds + 60 })
  const { raven } = fake
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    now: raven.clock.nowMs,
  })
  const databases = [...raven.databases].flatMap(([name, state]) => (state === 'loaded' ? [name] : [])).slice(0, 2)
  const io = new IoSource(raven, databases)
  const failures: Error[] = []
  const recording = await record({
    to: folder,
    send: null,
    servers: [{ url: 'http://raven', fetch: raven.env.fetch, WebSocket: raven.env.WebSocket }],
    retention: { classes: { events: NONE, slow: NONE, seconds: NONE, minutes: NONE, rest: NONE }, maxBytes: null },
    limit: 1,
    flushMs: 4000,
    foldMs: FOLD_MS,
    listen: null,
    say: () => undefined,
    tableBytes: TABLE_BYTES,
  })
  recording.over.catch((error: unknown) => failures.push(error as Error))
  const random = seededRandom(41)
  const written = new Map<string, Written>(databases.map((name) => [name, { starts: [], checks: new Map() }]))
  const heaps: number[] = []
  const isDown = (second: number): boolean => isIn(second % 7200, DOWN_FROM, DOWN_SECONDS)
  for (let second = 0; second < seconds; second++) {
    await vi.advanceTimersByTimeAsync(1000)
    const isCut = isIn(second % 1200, CUT_FROM, CUT_SECONDS) || isDown(second)
    if (isCut) for (const socket of raven.sockets) if (socket.readyState < 2) socket.cut()
    raven.up = !isDown(second)
    await fake.pass(1)
    const end = fake.nowTicks
    for (const name of databases)
      for (let at = 0; at < EVENTS_PER_SECOND; at++) {
        const startTicks =
          end - TICKS_PER_SECOND + Math.floor(((at + random()) * TICKS_PER_SECOND) / EVENTS_PER_SECOND / 2)
        const durationTicks = wholeDuration((0.2 + random()) * TICKS_PER_MS)
        const sizeBytes = 4096 * (1 + Math.floor(random() * 9))
        io.write(name, `${String(Math.floor(second / 3600)).padStart(19, '0')}.journal`, {
          startTicks,
          durationTicks,
          sizeBytes,
        })
        written.get(name)?.starts.push(startTicks)
        written.get(name)?.checks.set(startTicks, checkOf(durationTicks, sizeBytes))
      }
    if (!isCut) io.serve()
    await settle()
    if (second % 60 === 0) {
      raven.calls.length = 0
      raven.sockets.splice(0, raven.sockets.length, ...raven.sockets.filter(({ readyState }) => readyState < 2))
    }
    if (HOURS >= 4 && second % 3600 === 3599) heaps.push(heapBytes())
  }
  await recording.stop()
  expect(failures).toEqual([])
  const { found, gaps, heartbeats } = await rowsIn(folder)
  // Tables that are begun again leave nothing behind that writes the same down.
  expect(heartbeats.length).toBeGreaterThan(seconds / 2)
  expect(new Set(heartbeats).size).toBe(heartbeats.length)
  for (const [name, { starts, checks }] of written) {
    const own = found.get(`db:${name}`) ?? []
    expect([name, new Set(own.map(([start]) => start)).size]).toEqual([name, own.length])
    for (const [start, check] of own) expect([name, start, checks.get(start)]).toEqual([name, start, check])
    const read = new Set(own.map(([start]) => start))
    const missing = starts.filter((start) => !read.has(start))
    const covering = gaps.filter(({ source }) => source === `db:${name}`)
    const unsaid = missing.filter((start) => !covering.some(({ from, to }) => start >= from && start <= to))
    expect([name, unsaid.length, unsaid[0]]).toEqual([name, 0, undefined])
    // An hour loses what the server no longer had after five minutes, and nothing else.
    expect(missing.length).toBeLessThan(EVENTS_PER_SECOND * DOWN_SECONDS * Math.ceil(HOURS / 2))
  }
  // The heap also has the events that the test keeps.
  if (heaps.length > 2) expect((heaps.at(-1) ?? 0) - (heaps[1] ?? 0)).toBeLessThan(HEAP_BYTES * HOURS)
}, 3_600_000)

/** Limit of the growth, bytes an hour, for the events that the test keeps. Without them a heap of 62 MB grew by 0.4 MB. */
const HEAP_BYTES = 2 * 3600 * EVENTS_PER_SECOND * 150

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

/** Events by source, gaps, and times of the figure that comes each second, as another program would read them. */
async function rowsIn(path: string) {
  const found = new Map<string, [start: number, check: number][]>()
  const heartbeats: number[] = []
  const gaps: { source: string; from: number; to: number }[] = []
  for (const file of readManifest(readFileSync(join(path, 'manifest.json'), 'utf8')).files) {
    if (file.table !== 'io' && file.table !== 'gaps' && file.table !== 'vitals') continue
    const blob = new Blob([Uint8Array.from(readFileSync(join(path, file.path)))])
    for await (const { columns, length } of readParquet(file.table, blob))
      for (let row = 0; row < length; row++) {
        if (file.table === 'vitals') {
          if (columns['key']?.[row] === 'cpu.process') heartbeats.push(Number(columns['at_ticks']?.[row]))
          continue
        }
        const source = String(columns['source']?.[row])
        const start = Number(columns['start_ticks']?.[row])
        if (file.table === 'gaps') gaps.push({ source, from: start, to: Number(columns['end_ticks']?.[row]) })
        else {
          const check = checkOf(Number(columns['duration_ticks']?.[row]), Number(columns['size_bytes']?.[row]))
          const own = found.get(source)
          if (own === undefined) found.set(source, [[start, check]])
          else own.push([start, check])
        }
      }
  }
  return { found, gaps, heartbeats }
}
