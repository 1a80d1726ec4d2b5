import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { inGate } from '../../../../testing/gate.ts'
import { law } from '../../../../testing/law.ts'
import { JsonBytes, JsonBytesError } from '../../../../base/json/json-bytes.ts'
import { JsonWalk } from '../../../../base/json/json-walk.ts'
import { walkInPieces } from '../../../../testing/walk-in-pieces.ts'
import { bytesOf } from '../../../../testing/bytes-of.ts'
import { RECORDED_LINES, recordedText } from '../../../../testing/recorded.ts'
import { seededRandom } from '../../../../base/random.ts'
import { batchReader, readBatches, treeRunsReady } from './decode.ts'
import { BATCH_COLUMNS, CLASSES, DOCUMENTS_IN, TREE } from '../index-table.ts'
import { BatchStore } from '../table.ts'
import { newTreeView } from '../trees.ts'

const encoder = new TextEncoder()

/** Reads bytes in pieces of the given sizes (repeated) into a store. */
function decode(bytes: Uint8Array, sizes: readonly number[]) {
  const store = new BatchStore()
  const problems: string[] = []
  const json = new JsonBytes()
  const problem = (at: number, expected: string) => problems.push(`${at}: ${expected}`)
  let ingest = store.begin('f', Number.NaN)
  const reader = batchReader(
    store.names,
    (index, batch) => ingest.take(index, batch),
    problem,
    () => {
      ingest.end(true)
      ingest = store.begin('f', Number.NaN)
    },
  )
  const walk = new JsonWalk(json, reader.rule, problem)
  try {
    walkInPieces(json, walk, bytes, sizes)
  } finally {
    reader.salvage()
    ingest.end(true)
  }
  return { store, problems, walk }
}

/** As the whole of it reads, in the form that `JSON.stringify` writes. */
const normal = (text: string) => {
  const lines = text.trim().split('\n')
  return decode(encoder.encode(lines.map((line) => JSON.stringify(JSON.parse(line))).join('\n')), [Infinity]).store
}

interface Batch {
  readonly Id: number
  readonly Started: string
  readonly Completed: string | null
  readonly InputCount: number
  readonly Details: Operation
}

interface Operation {
  readonly Name: string
  readonly DurationInMs: number
  readonly Operations: readonly Operation[]
}

/** Operations as JSON has them: what each took, by its path below the root. */
const flat = ({ Name, DurationInMs, Operations }: Operation, above: string | null = null): unknown[] => {
  const path = above === null || above === '' ? Name : `${above} › ${Name}`
  const below = above === null ? '' : path
  return [[path, Math.round(DurationInMs * 10_000)], ...Operations.flatMap((each) => flat(each, below))]
}

/** All that a store holds, with names in place of numbers that depend on the order of reading. */
function contents(store: BatchStore) {
  const view = newTreeView()
  const tree = (paths: Int32Array, ticks: Float64Array, length: number, details: readonly number[]) => ({
    nodes: Array.from({ length }, (_, i) => [store.names.pathText(paths[i]!), ticks[i]]),
    details: [...details],
  })
  return Array.from(store.indexes.values(), (index) => ({
    key: index.key,
    tables: CLASSES.map((kind) =>
      Array.from({ length: index.tables[kind].length }, (_, row) => {
        const columns = Array.from({ length: BATCH_COLUMNS }, (__, column) => index.tables[kind].read(column, row))
        store.trees.read(columns[TREE]!, view)
        return {
          columns: columns.filter((__, column) => column !== TREE),
          ...tree(view.paths, view.ticks, view.length, view.details),
          reason: store.reasons.get(columns[16]!).text,
        }
      }),
    ),
    open: Array.from(index.open.values(), ({ id, batch, isLost }) => ({
      id,
      isLost,
      durationMs: batch.durationMs,
      ...tree(batch.paths, batch.nodeTicks, batch.nodes, []),
    })),
  }))
}

const FILES = RECORDED_LINES.flatMap((line) =>
  readdirSync(join(import.meta.dirname, '../../../../testing/recorded', line))
    .filter((name) => name.startsWith('indexes-performance'))
    .map((name) => [line, name] as const),
)

test('every line has recordings', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(15)
})

describe.each(FILES)('%s %s', (line, name) => {
  const text = recordedText(line, name)
  const bytes = encoder.encode(text)
  const wanted = contents(normal(text))

  test('has every completed batch of the text, with its documents and operations', () => {
    const { store, problems } = decode(bytes, [64 * 1024])
    expect(problems).toEqual([])
    expect(contents(store)).toEqual(wanted)
    const batches = new Map<string, unknown>()
    for (const line of text.trim().split('\n'))
      for (const { Name, Performance } of (JSON.parse(line) as { Results: { Name: string; Performance: Batch[] }[] })
        .Results)
        for (const each of Performance)
          if (each.Completed !== null)
            batches.set(`${Name} ${each.Id} ${each.Started}`, [each.InputCount, flat(each.Details)])
    const read = wanted
      .flatMap(({ tables }) => tables.flat())
      .map(({ columns, nodes }) => [columns[DOCUMENTS_IN], nodes])
    expect(read.length).toBeGreaterThan(1)
    const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()
    expect(sorted(read)).toEqual(sorted([...batches.values()]))
  })

  law(
    'in pieces of any size',
    [fc.array(fc.integer({ min: 300, max: 90_000 }), { minLength: 1, maxLength: 6 })],
    { numRuns: 5 },
    (sizes) => {
      expect(contents(decode(bytes, sizes).store)).toEqual(wanted)
    },
  )

  test('as a list of indexes, as a list of documents, and twice', () => {
    const documents = text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { Results: unknown[] })
    const list = JSON.stringify(documents)
    expect(contents(decode(encoder.encode(list), [1 << 20]).store)).toEqual(wanted)
    expect(contents(decode(encoder.encode(`${text.trim()}\n${text.trim()}`), [1 << 20]).store)).toEqual(wanted)
    const [first] = documents
    const bare = JSON.stringify(first?.Results)
    expect(contents(decode(encoder.encode(bare), [1 << 20]).store)).toEqual(contents(normal(JSON.stringify(first))))
  })
})

const node = (name: string, ms: number, operations: object[] = [], parts: object = {}) => ({
  Name: name,
  DurationInMs: ms,
  ...parts,
  Operations: operations,
})
const batch = (parts: object = {}) => ({
  Id: 7,
  Started: '2026-11-20T04:01:30.6364827Z',
  Completed: '2026-11-20T04:01:30.7364827Z',
  DurationInMs: 100,
  InputCount: 3,
  SuccessCount: 3,
  FailedCount: 0,
  OutputCount: 3,
  DocumentsSize: { SizeInBytes: 900, HumaneSize: '900 Bytes' },
  Details: node('Indexing', 100, [
    node('Map', 60, [node('Linq', 20.125)], {
      MapDetails: { BatchCompleteReason: 'No more documents to index', CurrentlyAllocated: 5 },
    }),
  ]),
  ...parts,
})
const document = (batches: unknown[], name: unknown = 'A') =>
  JSON.stringify({ Results: [{ Name: name, Performance: batches }] })

const read = (text: string, sizes = [1 << 16]) => {
  const { store, problems } = decode(encoder.encode(text), sizes)
  return { rows: contents(store), problems }
}

beforeAll(() => treeRunsReady)

describe('forms', () => {
  /** The same JSON with the keys of every object the other way round. */
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, each]) => [key, reversed(each)]),
          )
        : value

  test('names may come after what they name, at every level', () => {
    const text = JSON.stringify(reversed(JSON.parse(document([batch()]))))
    expect(text.indexOf('"Performance"')).toBeLessThan(text.indexOf('"Name":"A"'))
    expect(read(text, [40]).rows).toEqual(read(document([batch()])).rows)
  })

  test('durations keep digits beyond the two that servers write', () => {
    const { rows } = read(document([batch()]))
    expect(rows[0]?.tables[0]?.[0]?.nodes).toEqual([
      ['Indexing', 1_000_000],
      ['Map', 600_000],
      ['Map › Linq', 201_250],
    ])
  })

  test('fields that are missing or of other kinds are not reported, and never 0', () => {
    const { rows, problems } = read(
      document([batch({ InputCount: null, OutputCount: 'many', DocumentsSize: null, Details: null })]),
    )
    expect(problems).toEqual([])
    const columns = rows[0]?.tables[0]?.[0]?.columns ?? []
    expect([columns[4], columns[5], columns[12], columns[13]]).toEqual([-1, -1, -1, -1])
    expect(columns.at(-2)).toBe(1)
  })

  test('what makes no sense is left out and counted', () => {
    const flawed = [
      batch(),
      7,
      {},
      batch({ Id: 'x' }),
      batch({ Started: 'soon', Id: 8, Completed: null }),
      batch({ DurationInMs: -1, Id: 9, Completed: null }),
      batch({ DurationInMs: 1e300, Id: 10, Completed: null }),
      batch({ Id: 11, Started: '2026-11-20T05:00:00.0000000Z' }),
    ]
    const { rows, problems } = read(document(flawed))
    expect(rows[0]?.tables[0]).toHaveLength(2)
    expect(problems).toHaveLength(6)
  })

  test('an index without a name has no place', () => {
    const { rows, problems } = read(document([batch()], null))
    expect([rows, problems.length]).toEqual([[], 1])
  })

  test('a tree of a thousand levels is cut, and its batch kept', () => {
    let deep = node('X', 1)
    for (let i = 0; i < 1000; i++) deep = node(`L${i}`, 1, [deep])
    const { rows } = read(document([batch({ Details: deep })]))
    expect(rows[0]?.tables[0]?.[0]?.nodes.length).toBeLessThanOrEqual(34)
  })

  test('other documents are refused', () => {
    const store = new BatchStore()
    for (const other of [null, 7, 'x', {}, { Results: {} }, { Environments: [] }])
      expect(readBatches(bytesOf(other), store.names, () => undefined)).toMatchObject({ count: null })
    expect(readBatches(bytesOf({ Results: [] }), store.names, () => undefined)).toEqual({ count: 0, first: null })
  })
})

describe('damage', () => {
  const text = readFileSync(
    join(import.meta.dirname, '../../../../testing/recorded/7.1/indexes-performance-low-memory.json'),
  )
  const whole = contents(decode(text, [1 << 16]).store).flatMap(({ tables }) => tables.flat()).length

  test('truncated anywhere: what came before stays, and it is known to be cut', () => {
    const chance = seededRandom(1)
    for (let run = 0; run < inGate(40, 150); run++) {
      const cut = text.subarray(0, Math.floor(chance() * text.length))
      const store = new BatchStore()
      const ingest = store.begin('f', Number.NaN)
      const json = new JsonBytes()
      const reader = batchReader(store.names, ingest.take, () => undefined)
      const walk = new JsonWalk(json, reader.rule, () => undefined)
      let broken = false
      try {
        json.feed(cut)
        walk.run()
        json.isLast = true
        walk.run()
      } catch (error) {
        expect(error).toBeInstanceOf(JsonBytesError)
        broken = true
      }
      reader.salvage()
      const { added } = ingest.end(true)
      expect(added).toBeLessThanOrEqual(whole)
      expect(broken || walk.isOpen || cut.length < 2).toBe(true)
    }
  })

  test('flipped bytes: an error that names its place, or rows; never more rows than there are, never a hang', () => {
    const chance = seededRandom(2)
    let survived = 0
    const runs = inGate(75, 300)
    for (let run = 0; run < runs; run++) {
      const flipped = Uint8Array.from(text)
      for (let i = 0; i < 1 + Math.floor(chance() * 8); i++)
        flipped[Math.floor(chance() * flipped.length)] = Math.floor(chance() * 256)
      try {
        const { store } = decode(flipped, [16_384])
        expect(contents(store).flatMap(({ tables }) => tables.flat()).length).toBeLessThanOrEqual(whole)
        survived++
      } catch (error) {
        expect(error).toBeInstanceOf(JsonBytesError)
      }
    }
    expect(survived).toBeGreaterThan(runs / 15)
  })
})
