import { beforeEach, expect, test, vi } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks, type TimeRange } from '../../../../base/ticks.ts'
import { emptyManifest, type ArchiveFile } from '../../../../capture/archive/manifest.ts'
import { FileGone, type Recording } from '../../../../capture/archive/recordings.ts'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { DuckOrder } from './protocol.ts'
import { WasmEngine } from './wasm-engine.ts'

const orders: DuckOrder[] = []

/** A worker whose statement names `io`, and that answers all but `slow`. */
class FakeWorker extends EventTarget {
  isEnded = false

  postMessage(order: DuckOrder): void {
    orders.push(order)
    if (order.name === 'run' && order.params.sql === 'slow') return
    const result = order.name === 'tables' ? ['io'] : order.name === 'run' ? { columns: [], rows: [], ms: 1 } : null
    const reply = { data: { id: order.id, result } }
    queueMicrotask(() => this.isEnded || this.dispatchEvent(Object.assign(new Event('message'), reply)))
  }

  terminate(): void {
    this.isEnded = true
  }
}

vi.mock('rookery:duckdb', () => ({ default: 'duckdb.woff2' }))
vi.mock('../../../../capture/client/own-worker.ts', () => ({ createOwnWorker: () => new FakeWorker() }))
vi.stubGlobal('location', { href: 'http://a/studio/index.html', origin: 'http://a' })

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (hours: number): Ticks => (TWO + hours * 3600 * TICKS_PER_SECOND) as Ticks

function fileOf(hour: number, rows: number): ArchiveFile {
  const path = `io/node=a_8080/day=2026-11-26/0${String(hour)}0000-1.parquet`
  const times = { minTicks: at(hour), maxTicks: at(hour + 1) - 1 }
  return { path, table: 'io', node: 'a_8080', day: '2026-11-26', rows, bytes: 9, ...times }
}

const recordingOf = (...rows: number[]): Recording => ({
  name: 'nightly',
  manifest: { ...emptyManifest(), files: rows.map((each, hour) => fileOf(hour, each)) },
  journals: [],
  read: () => Promise.resolve(new Blob(['rows'])),
})

let engine = new WasmEngine()

function answer(sql: string, recording: Recording, range: TimeRange | null = null, signal?: AbortSignal) {
  const order = { sql, signal: signal ?? new AbortController().signal, report: () => undefined }
  return engine.ask(order, { capture: stubCapture(), recordings: [recording], range })
}

const read = (): number => orders.filter(({ name }) => name === 'parquet').length

beforeEach(() => {
  orders.length = 0
  engine = new WasmEngine()
})

test('reads a table once, as long as its files are the same', async () => {
  expect((await answer('a', recordingOf(10, 20))).taken).toBe('30 rows of io')
  await answer('b', recordingOf(10, 20))
  expect(read()).toBe(2)
  await answer('c', recordingOf(10, 20, 5))
  expect(read()).toBe(5)
})

test('takes the range of the page where all is too much, and asks for a shorter one where that is', async () => {
  const long = recordingOf(1_500_000, 1_500_000)
  await expect(answer('a', long)).rejects.toThrow(/^io: 3,000,000 rows, and at most 2,000,000 .* shorter range/)
  await expect(answer('a', long, { startTicks: at(0), endTicks: at(2) })).rejects.toThrow(/shorter range/)
  expect(read()).toBe(0)
  const { taken } = await answer('a', long, { startTicks: at(1), endTicks: at(2) })
  expect(taken).toBe('1,500,000 rows of io in the range of the page')
  expect(read()).toBe(1)
})

test('a cancelled statement ends its worker, and the next one starts another', async () => {
  const abort = new AbortController()
  const slow = answer('slow', recordingOf(1), null, abort.signal)
  await vi.waitFor(() => expect(orders.at(-1)?.name).toBe('run'))
  abort.abort()
  await expect(slow).rejects.toThrow(/abort/)
  await answer('a', recordingOf(1))
  expect(orders.filter(({ name }) => name === 'start')).toHaveLength(2)
  expect(read()).toBe(2)
})

test('says that files were replaced while they were read', async () => {
  const gone = { ...recordingOf(1), read: () => Promise.reject(new FileGone('It is gone.')) }
  await expect(answer('a', gone)).rejects.toThrow(/replaced a file/)
})
