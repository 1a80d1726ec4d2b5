import fc from 'fast-check'
import { JsonBytes } from '../base/json/json-bytes.ts'
import { JsonWalk } from '../base/json/json-walk.ts'
import { parseTicks } from '../base/ticks.ts'
import type { ExportId, Exporters, WorkerExports } from '../capture/exporting/exporter.ts'
import { Exports } from '../capture/exporting/exports.ts'
import { kindTotals } from '../feeds/io/data/responses/kind-totals.ts'
import { LaneNames } from '../feeds/io/data/responses/lane-names.ts'
import { ioReader } from '../feeds/io/data/reading/decode.ts'
import type { IoExportId, IoExportParams } from '../feeds/io/contract/exports.ts'
import { ioExporters } from '../feeds/io/data/exports/exporters.ts'
import { NO_FILTER } from '../feeds/io/contract/rows.ts'
import { IoStore } from '../feeds/io/data/table.ts'
import type { IoDocument, IoRollUpRow } from '../feeds/io/data/reading/wire.ts'
import { IO_COLUMNS } from '../feeds/io/data/reading/wire.ts'

/** Everything of these sources. */
export const everything = (...sources: readonly string[]): IoExportParams => ({
  sources,
  rows: null,
  range: null,
  filter: NO_FILTER,
  gaps: [],
})

export interface Exported {
  readonly bytes: Uint8Array
  readonly text: string
  /** Length of each piece. */
  readonly lengths: readonly number[]
  /** Rows: `planned` as announced before the first piece, `rows` as counted after the last. */
  readonly planned: number
  readonly rows: number
}

let nextId = 1

/** Runs an exporter to its end, as the worker would. */
export async function runExport<Id extends ExportId>(
  exporters: Partial<Exporters>,
  exporter: Id,
  params: WorkerExports[Id],
): Promise<Exported> {
  const exports = new Exports(() => exporters)
  const id = nextId++
  const { rows: planned } = await exports.begin({ id, exporter, params })
  const pieces: Uint8Array[] = []
  let rows = 0
  for (let last = false; !last;) {
    const piece = await exports.next(id)
    if (piece.bytes.length > 0) pieces.push(piece.bytes)
    rows = piece.rows
    last = piece.last
  }
  const bytes = Buffer.concat(pieces)
  return { bytes, text: bytes.toString('utf8'), lengths: pieces.map(({ length }) => length), planned, rows }
}

export const exportIo = (store: IoStore, format: IoExportId, params: IoExportParams): Promise<Exported> =>
  runExport(ioExporters(store, new LaneNames()), format, params)

/** Reads a document of I/O metrics as a file is read. Throws on any complaint. */
export function openIo(bytes: Uint8Array, source: string): IoStore {
  const store = new IoStore()
  const json = new JsonBytes()
  const problem = (at: number, expected: string): never => {
    throw new Error(`byte ${at}: expected ${expected}`)
  }
  const walk = new JsonWalk(
    json,
    ioReader((document) => void store.ingest(source, document, true), problem).rule,
    problem,
  )
  for (let at = 0; at < bytes.length; at += 100_000) {
    json.feed(bytes.slice(at, at + 100_000))
    json.isLast = at + 100_000 >= bytes.length
    walk.run()
  }
  return store
}

/** All that a store holds in lanes that have data, in an order that does not depend on how it came in. */
export const contentsOf = (store: IoStore) =>
  Array.from(store.lanes.values(), (lane) => ({
    path: lane.path,
    type: lane.type,
    files: lane.files.map(({ name, status }) => ({ name, status })),
    tracks: Array.from(lane.tracks.values(), (track) => ({
      totals: kindTotals(track),
      rows: Array.from({ length: track.events.length }, (_, row) =>
        Array.from({ length: IO_COLUMNS }, (__, column) => track.events.read(column, row)).join(' '),
      ).toSorted(),
      rollUps: track.rollUps.rows.map((row) => JSON.stringify(row)).toSorted(),
    })).toSorted((a, b) => (a.totals.kind < b.totals.kind ? -1 : 1)),
  })).filter(({ tracks }) => tracks.length > 0)

export interface TestEvent {
  readonly lane: number
  readonly kind: number
  readonly file: number
  readonly startTicks: number
  readonly durationTicks: number
  readonly sizeBytes: number
  readonly fileSizeBytes: number
  readonly compressedBytes: number
  readonly acceleration: number
}

export interface TestCapture {
  readonly lanes: readonly { readonly path: string; readonly type: string }[]
  readonly files: readonly { readonly name: string; readonly status: string | null }[]
  readonly kinds: readonly string[]
  readonly events: readonly TestEvent[]
  readonly rollUps: readonly (IoRollUpRow & { readonly lane: number; readonly kind: number; readonly file: number })[]
}

/** Texts that break what trusts them: formulas, quotes, separators, line ends, markup, controls, half characters. */
export const hostileText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '-1.5e3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =cmd|calc',
    'a"b',
    'a,b;c',
    'a\r\nb',
    '＝1+1',
    '</script><script>alert(1)</script>',
    '\u202Egpj.exe',
    '\uD800',
    "'=1",
    '__proto__',
    'Users/ByName',
    '..\\..\\etc',
    '"',
    '',
  ),
)

const FIRST = parseTicks('2026-11-20T04:01:30.0000000Z') as number

/** As UTF-8 keeps it. */
export const wellFormed = (text: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))

const testEvent = fc.record<TestEvent>({
  lane: fc.nat(2),
  kind: fc.nat(2),
  file: fc.nat(2),
  startTicks: fc.oneof(fc.nat(50), fc.nat(400_000_000)).map((after) => FIRST + after),
  durationTicks: fc.oneof(fc.nat(30), fc.nat(36_000_000_000)),
  sizeBytes: fc.oneof(fc.nat(5), fc.nat(), fc.maxSafeNat()),
  fileSizeBytes: fc.oneof(fc.constant(-1), fc.nat()),
  compressedBytes: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 2 ** 31 })),
  acceleration: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 99 })),
})

const testRollUp = fc
  .record({
    lane: fc.nat(2),
    kind: fc.nat(2),
    file: fc.nat(2),
    after: fc.nat(400_000_000),
    span: fc.nat(400_000_000),
    sizeBytes: fc.nat(),
    busyTicks: fc.nat(400_000_000),
    minTicks: fc.nat(1000),
    longer: fc.nat(400_000_000),
  })
  .map(({ after, span, longer, ...rest }) =>
    Object.assign(rest, {
      maxTicks: rest.minTicks + longer,
      startTicks: FIRST + after,
      endTicks: FIRST + after + span,
    }),
  )

/** Sums of sizes stay exact: beyond that a double cannot hold them, in any order. */
const addable = (events: readonly TestEvent[]): boolean =>
  events.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= Number.MAX_SAFE_INTEGER

export const testCapture: fc.Arbitrary<TestCapture> = fc.record({
  lanes: fc.uniqueArray(fc.record({ path: hostileText, type: hostileText }), {
    minLength: 3,
    maxLength: 3,
    selector: ({ path }) => wellFormed(path),
  }),
  files: fc.uniqueArray(fc.record({ name: hostileText, status: fc.constantFrom('InUse', 'Closed', null, '=x') }), {
    minLength: 3,
    maxLength: 3,
    selector: ({ name }) => wellFormed(name),
  }),
  kinds: fc.uniqueArray(
    fc.oneof(
      fc.constantFrom('JournalWrite', 'DataFlush', 'DataSync', 'Compression'),
      hostileText.filter((text) => text !== ''),
    ),
    { minLength: 3, maxLength: 3, selector: wellFormed },
  ),
  events: fc.array(testEvent, { maxLength: 60 }).filter(addable),
  rollUps: fc.array(testRollUp, { maxLength: 6 }),
})

/** The capture in a store, with real tables. */
export function storeOf(capture: TestCapture, source: string): IoStore {
  const store = new IoStore()
  store.ingest(source, documentOf(capture), true)
  return store
}

export const documentOf = (capture: TestCapture): IoDocument => ({
  environments: capture.lanes.map(({ path, type }, lane) => ({
    path,
    type,
    files: capture.files.map(({ name, status }, file) => ({
      name,
      status,
      kinds: capture.kinds
        .map((kind, k) => {
          const events = capture.events.filter((each) => each.lane === lane && each.file === file && each.kind === k)
          return {
            kind,
            events: {
              columns: Array.from({ length: IO_COLUMNS }, (_, column) =>
                Float64Array.from(events, (event) => columnsOf(event)[column] ?? 0),
              ),
              length: events.length,
            },
            rollUps: capture.rollUps
              .filter((each) => each.lane === lane && each.file === file && each.kind === k)
              .map(({ startTicks, endTicks, sizeBytes, busyTicks, minTicks, maxTicks }) => ({
                startTicks,
                endTicks,
                sizeBytes,
                busyTicks,
                minTicks,
                maxTicks,
              })),
          }
        })
        .filter(({ events, rollUps }) => events.length + rollUps.length > 0),
    })),
  })),
  problems: { count: 0, first: null },
})

const columnsOf = (event: TestEvent): readonly number[] => [
  event.startTicks,
  event.durationTicks,
  event.sizeBytes,
  0,
  event.fileSizeBytes,
  event.compressedBytes,
  event.acceleration,
]

/** Store of plain events in one lane, `everyTicks` apart, over a few kinds and files. */
export function plainStore(count: number, source: string, everyTicks = 1000): IoStore {
  const store = new IoStore()
  const kinds = ['JournalWrite', 'DataFlush', 'DataSync']
  for (const [k, kind] of kinds.entries()) {
    const length = Math.floor(count / kinds.length) + (k < count % kinds.length ? 1 : 0)
    const column = (value: (i: number) => number): Float64Array => Float64Array.from({ length }, (_, i) => value(i))
    const columns = [
      column((i) => FIRST + (i * kinds.length + k) * everyTicks),
      column((i) => 10 + ((i * 7919) % 5000)),
      column((i) => 4096 * (1 + (i % 17))),
      column(() => 0),
      column(() => 33_554_432),
      column(() => -1),
      column(() => -1),
    ]
    const file = { name: `${k}.journal`, status: 'InUse', kinds: [{ kind, events: { columns, length }, rollUps: [] }] }
    store.ingest(
      source,
      {
        environments: [{ path: '/data/Databases/shop', type: 'Documents', files: [file] }],
        problems: { count: 0, first: null },
      },
      true,
    )
  }
  return store
}
