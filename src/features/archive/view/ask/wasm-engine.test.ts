import { beforeEach, expect, test, vi } from 'vitest'
import { parseTicks, TICKS_PER_SECOND, type Ticks, type TimeRange } from '../../../../base/ticks.ts'
import { type ArchiveFile, emptyManifest, type TableName } from '../../../../capture/archive/manifest.ts'
import { FileGone, type Recording } from '../../../../capture/archive/recordings.ts'
import { stubCapture } from '../../../../testing/stub-capture.ts'
import type { DuckOrder } from './protocol.ts'
import { WasmEngine } from './wasm-engine.ts'

const orders: DuckOrder[] = []
const workers: FakeWorker[] = []

/** A worker whose statements name their table, and whose files are the numbers of their rows. It never answers `slow`. */
class FakeWorker extends EventTarget {
  isEnded = false
  readonly #held = new Map<TableName, number>()

  constructor() {
    super()
    workers.push(this)
  }

  async postMessage(order: DuckOrder): Promise<void> {
    orders.push(order)
    if (order.name === 'run' && order.params.sql === 'slow') return
    const reply = { data: { id: order.id, result: await this.#result(order) } }
    if (!this.isEnded) this.dispatchEvent(Object.assign(new Event('message'), reply))
  }

  async #result(order: DuckOrder): Promise<unknown> {
    switch (order.name) {
      case 'tables':
        return [order.params.sql === 'gaps' || order.params.sql === 'vitals' ? order.params.sql : 'io']
      case 'run':
        return { columns: [], rows: [], ms: 1 }
      case 'clear':
        for (const table of order.params.tables) this.#held.delete(table)
        return null
      case 'parquet':
        return this.#add(order.params.table, order.params.blob)
      case 'journals': {
        // Blocks of a journal are words here, of which one without an end is not complete.
        const text = (await order.params.blob.text()).replace('RKJ1', '')
        const blocks = text.match(/\d+;/g) ?? []
        const [table = 'io'] = order.params.tables
        for (const block of blocks) await this.#add(table, new Blob([block]))
        return {
          rows: blocks.reduce((sum, block) => sum + Number.parseInt(block), 0),
          goodBytes: order.params.blob.size - text.length + blocks.join('').length,
          broken: text.includes('!') ? 'It is cut.' : null,
        }
      }
      case 'show':
        return order.params.tables.map((table) => ({ table, rows: this.held(table), held: this.held(table) }))
      case 'start':
        return null
    }
  }

  async #add(table: TableName, blob: Blob): Promise<number> {
    const rows = Number.parseInt(await blob.text())
    this.#held.set(table, this.held(table) + rows)
    return rows
  }

  held(table: TableName): number {
    return this.#held.get(table) ?? 0
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

function fileOf(hour: number, rows: number, table: TableName = 'io'): ArchiveFile {
  const path = `${table}/node=a_8080/day=2026-11-26/0${String(hour)}0000-${String(rows)}.parquet`
  const times = { minTicks: at(hour), maxTicks: at(hour + 1) - 1 }
  return { path, table, node: 'a_8080', day: '2026-11-26', rows, bytes: 9, ...times }
}

const JOURNAL = 'journal/a_8080.0.journal'

const recordingOf = (...rows: number[]): Recording => ({
  name: 'nightly',
  manifest: { ...emptyManifest(), files: rows.map((each, hour) => fileOf(hour, each)) },
  journals: [],
  read: (path) => Promise.resolve(new Blob([/-(\d+)\.parquet$/.exec(path)?.[1] ?? ''])),
})

/** A recording with a journal of some rows. */
function withJournal(recording: Recording, text: string): Recording {
  const read: Recording['read'] = (path) =>
    path === JOURNAL ? Promise.resolve(new Blob([text])) : recording.read(path)
  return { ...recording, journals: [JOURNAL], read }
}

let engine = new WasmEngine()

function answer(sql: string, recording: Recording, range: TimeRange | null = null, signal?: AbortSignal) {
  const order = { sql, signal: signal ?? new AbortController().signal, report: () => undefined }
  return engine.ask(order, { capture: stubCapture(), recordings: [recording], range })
}

const read = (): number => orders.filter(({ name }) => name === 'parquet').length

beforeEach(() => {
  orders.length = 0
  workers.length = 0
  engine = new WasmEngine()
})

test('reads a table once, as long as its files are the same', async () => {
  expect((await answer('a', recordingOf(10, 20))).taken).toBe('30 rows of io')
  await answer('b', recordingOf(10, 20))
  expect(read()).toBe(2)
  expect((await answer('c', recordingOf(10, 20, 5))).taken).toBe('35 rows of io')
  expect(read()).toBe(3)
  // A file that is gone took its rows along.
  expect((await answer('d', recordingOf(10, 20))).taken).toBe('30 rows of io')
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
  await expect.poll(() => orders.at(-1)?.name).toBe('run')
  abort.abort()
  await expect(slow).rejects.toThrow(/abort/)
  await answer('a', recordingOf(1))
  expect(orders.filter(({ name }) => name === 'start')).toHaveLength(2)
  expect(read()).toBe(2)
})

test('counts what was loaded, journals included', async () => {
  expect((await answer('gaps', withJournal(recordingOf(), '12;'))).taken).toBe('12 rows of gaps')
})

test('takes the range of the page, or nothing, where a journal makes the rows too many', async () => {
  const long = withJournal(recordingOf(1_500_000, 300_000), '400000;')
  await expect(answer('a', long)).rejects.toThrow(/^io: more than 2,000,000 rows, .* shorter range/)
  expect(workers[0]?.held('io')).toBe(0)
  const { taken } = await answer('a', long, { startTicks: at(1), endTicks: at(2) })
  expect(taken).toBe('700,000 rows of io in the range of the page')
  expect(read()).toBe(3)
  // All of it is known to be too much now, and is not loaded in vain again, also when it has grown.
  const more = withJournal(recordingOf(1_500_000, 300_000), '400000;10;')
  expect((await answer('b', more, { startTicks: at(1), endTicks: at(2) })).taken).toMatch(/^700,010 rows/)
  expect(read()).toBe(3)
  const fewer = withJournal(recordingOf(1_500_000), '400000;10;')
  expect((await answer('c', fewer, { startTicks: at(1), endTicks: at(2) })).taken).toBe('1,900,010 rows of io')
})

test('keeps all tables in memory within the limit: those that were not used for longest go', async () => {
  const files = [fileOf(0, 900_000), fileOf(0, 900_000, 'vitals'), fileOf(0, 900_000, 'gaps')]
  const recording = { ...recordingOf(), manifest: { ...emptyManifest(), files } }
  for (const sql of ['io', 'vitals', 'io', 'gaps', 'io']) await answer(sql, recording)
  expect((['io', 'vitals', 'gaps'] as const).map((table) => workers[0]?.held(table))).toEqual([900_000, 0, 900_000])
  expect(read()).toBe(3)
})

test('reads what a recorder has written since the last statement', async () => {
  const recording = recordingOf(10)
  let newest = withJournal(recording, '5;3')
  const growing: Recording = {
    ...newest,
    name: 'growing',
    again: () => Promise.resolve({ ...newest, name: 'growing' }),
  }
  expect((await answer('a', growing)).taken).toBe('15 rows of io')
  newest = withJournal(recording, '5;37;')
  expect((await answer('b', { ...growing, read: newest.read })).taken).toBe('52 rows of io')
  newest = withJournal(recordingOf(10, 20), '5;37;')
  expect((await answer('c', growing)).taken).toBe('72 rows of io')
  // Only what is new was read.
  expect(read()).toBe(2)
  // The journal became a file, and another one has begun.
  newest = withJournal(recordingOf(10, 20, 42), '1;')
  expect((await answer('d', growing)).taken).toBe('73 rows of io')
})

test('skips a file that is missing, and says what is lost', async () => {
  const recording = withJournal(recordingOf(10, 20), '5;!')
  const path = fileOf(1, 20).path
  const missing = Object.assign(new Error(path), { name: 'FileMissing' })
  const read: Recording['read'] = (each) => (each === path ? Promise.reject(missing) : recording.read(each))
  const { taken, lack } = await answer('a', { ...recording, read })
  expect(taken).toBe('15 rows of io')
  expect(lack).toBe(`The folder lacks ${path}. ${JOURNAL}: It is cut.`)
  // Put back, it is read by the next statement.
  expect((await answer('a', recording)).taken).toBe('35 rows of io')
})

test('loads once more what was replaced meanwhile; a file that stays away is missing', async () => {
  let failures = 1
  const recording = recordingOf(10)
  const read: Recording['read'] = (path) =>
    failures-- > 0 ? Promise.reject(new FileGone('It is gone.')) : recording.read(path)
  expect(await answer('a', { ...recording, read })).toMatchObject({ taken: '10 rows of io', lack: '' })
  failures = Number.POSITIVE_INFINITY
  const { lack } = await answer('vitals', {
    ...recording,
    manifest: { ...emptyManifest(), files: [fileOf(0, 1, 'vitals')] },
    read,
  })
  expect(lack).toMatch(/^The folder lacks vitals/)
})

test('starts another worker after one that failed', async () => {
  await answer('a', recordingOf(1))
  workers[0]?.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }))
  await answer('b', recordingOf(1))
  expect(workers).toHaveLength(2)
})
