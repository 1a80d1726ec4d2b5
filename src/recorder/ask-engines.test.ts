import { createRequire } from 'node:module'
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type * as Blocking from '@duckdb/duckdb-wasm/blocking'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, tablesForPage } from '../../tools/record/ask.mjs'
import { parseTicks, TICKS_PER_SECOND, type Ticks } from '../base/ticks.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { addParquet } from '../features/archive/view/ask/duck-reader.ts'
import { Duck } from '../features/archive/view/ask/duck.ts'
import { callJsonText, jsonText } from '../features/archive/view/ask/json-text.ts'
import { SQL_TABLES } from '../features/archive/view/ask/sql-tables.ts'
import type { Asked } from '../features/archive/view/asked.ts'
import { QUESTIONS } from '../features/archive/view/questions.ts'
import { isGate } from '../testing/gate.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { Pending } from './pending.ts'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const at = (seconds: number): Ticks => (TWO + seconds * TICKS_PER_SECOND) as Ticks
const EVENTS = 400
const rows = Array.from({ length: EVENTS }, (_, i) => i)

function recorded(): ArchiveRecord[] {
  return [
    ...['JournalWrite', 'DataSync'].map((kind, n): ArchiveRecord => ({
      t: 'io',
      source: 'db:größe',
      path: `/data/größe ${String(n)}`,
      type: 'Documents',
      kind,
      file: '0.journal',
      c: [
        rows.map((i) => at(i * 17) + i),
        rows.map((i) => 1000 + ((i * 7919) % 300_000)),
        rows.map((i) => 4096 * (i + 1)),
        rows.map((i) => (i % 3 === 0 ? -1 : 2 ** 40 + i)),
        rows.map(() => -1),
        rows.map(() => -1),
      ],
    })),
    { t: 'vital', key: 'cpu.process', ticks: rows.map((i) => at(i * 10)), values: rows.map((i) => (i % 90) + 0.25) },
    ...rows.slice(0, 9).map((i): ArchiveRecord => ({
      t: 'batch',
      source: 'db:größe',
      index: `Orders/${String(i % 2)}`,
      id: i,
      startTicks: at(i),
      durationTicks: 12_345 * (i + 1),
      json: JSON.stringify({ Id: i }),
    })),
    {
      t: 'gap',
      gap: {
        id: 1,
        source: 'db:größe',
        lane: null,
        kind: null,
        reason: 'ring-lapped',
        startTicks: at(3),
        endTicks: at(5),
        missingCount: null,
        missingBytes: null,
        detail: '',
      },
    },
    { t: 'finding', id: 'f', level: 'warning', title: 'Found', startTicks: at(3), endTicks: at(5), json: '{}' },
    ...rows.slice(0, 4).map((i): ArchiveRecord => ({
      t: 'query',
      id: `q${String(i)}`,
      startTicks: at(i),
      endTicks: at(i + 9),
      json: `{"database":"größe","runningMs":${String(5000 + i)}.50,"query":"from \\"Orders\\"\\nwhere x = '\\u00e9'"}`,
    })),
    {
      t: 'log',
      atTicks: at(1),
      level: 'warn',
      resource: 'Server',
      component: 'c',
      logger: 'Raven.Server',
      message: 'Slow\nwrite',
    },
  ]
}

let path = ''
let folder: Folder
let duck: Duck
/** The engine of the page, with what the library has for Node in place of what it has for a browser. */
async function duckInNode(): Promise<Duck> {
  const load = createRequire(import.meta.url)
  const { createDuckDB, VoidLogger, NODE_RUNTIME } = load('@duckdb/duckdb-wasm/blocking') as typeof Blocking
  const file = {
    mainModule: join(dirname(load.resolve('@duckdb/duckdb-wasm/blocking')), 'duckdb-eh.wasm'),
    mainWorker: '',
  }
  const runtime = { ...NODE_RUNTIME, callScalarUDF: callJsonText as never }
  const bindings = await createDuckDB({ mvp: file, eh: file }, new VoidLogger(), runtime)
  await bindings.instantiate(() => undefined)
  return new Duck(bindings)
}

/** Rows whose order a statement leaves open come in any. */
const inOrder = ({ columns, rows: found }: Asked): unknown => ({
  names: columns.map(({ name }) => name),
  rows: found.map((row) => JSON.stringify(row)).toSorted(),
})

// The page suite runs SQL in the page: loading the engine here as well would take the gate seven seconds.
describe.skipIf(isGate)('the engine of the page, beside that of rookery open', () => {
  beforeAll(async () => {
    path = mkdtempSync(join(tmpdir(), 'ask-engines-'))
    folder = await Folder.open(path)
    const pending = new Pending()
    for (const record of recorded()) pending.take(record)
    await fold(folder, { name: 'a_8080', url: 'http://a:8080' }, pending, 1)
    duck = await duckInNode()
    for (const { table, node, path: name } of folder.manifest.files)
      await addParquet(duck, { table, node, blob: await openAsBlob(join(path, name)), groups: null })
    duck.flush()
  })
  afterAll(() => rmSync(path, { recursive: true, force: true }))

  test.each(QUESTIONS)('answers $title alike', async ({ sql }) => {
    const answer = duck.run(sql)
    expect(inOrder(answer)).toEqual(inOrder(await ask(path, folder.manifest, sql)))
    expect(answer.rows.length).toBeGreaterThan(0)
  })

  test('has the same tables, columns and values', async () => {
    expect(SQL_TABLES).toEqual(tablesForPage())
    for (const { name } of SQL_TABLES)
      expect(inOrder(duck.run(`select * from ${name}`))).toEqual(
        inOrder(await ask(path, folder.manifest, `select * from ${name}`)),
      )
  })

  test('loads the tables that a statement names', () => {
    expect(duck.tablesIn(`with last as (select max("at") from vitals) select * from IO_rollups, last`)).toEqual(
      expect.arrayContaining(['vitals', 'io-rollups']),
    )
    expect(duck.tablesIn('selec')).toEqual([])
  })

  test('shows the rows of a range, those that reach into it included', () => {
    expect(duck.show('gaps', { startTicks: at(4), endTicks: at(5) })).toEqual({ table: 'gaps', rows: 1, held: 1 })
    expect(duck.run('select * from gaps').rows).toHaveLength(1)
    expect(duck.show('gaps', { startTicks: at(6), endTicks: at(7) })).toEqual({ table: 'gaps', rows: 0, held: 1 })
    expect(duck.run('select * from gaps').rows).toHaveLength(0)
    duck.show('gaps', null)
  })

  test('runs one SELECT, says what is wrong at its place, and reads nothing else', () => {
    expect(duck.run('select 1 as a; ').rows).toEqual([[1]])
    expect(() => duck.run('select 1;\nselect 2')).toThrow('One statement at a time')
    expect(() => duck.run('select 1\nfrom nothing')).toThrow(/nothing[\s\S]*LINE 2/)
    for (const sql of [
      'create table x as select 1',
      'explain select 1',
      'install httpfs',
      `attach ':memory:' as other`,
    ])
      expect(() => duck.run(sql)).toThrow(/Only SELECT/)
    for (const sql of [
      `select * from read_csv('http://127.0.0.1:9/x.csv')`,
      `select * from 'https://127.0.0.1:9/x.csv'`,
      `select * from read_text('/etc/passwd')`,
      `select * from glob('/*')`,
      `copy (select 1) to 'x.csv'`,
      `attach 'x.db' as other`,
      `export database 'x'`,
      'load json',
      'set enable_external_access = true',
      'set lock_configuration = false',
      'reset enable_external_access',
      `pragma enable_external_access = true`,
    ])
      expect(() => duck.run(sql)).toThrow(/Only SELECT|Cannot access|locked|disabled/)
  })
})

test('reads texts of JSON by key and by path, with their digits', () => {
  const json = '{"a":{"b":[1,{"c":"x"}]},"n":12345678901234567890,"t":true,"z":null,"a.b":"flat"}'
  const of = (place: string): string | null => jsonText(json, place)
  expect(['a.b', '$.a.b[1].c', 't', 'z', 'none', '$.a.b'].map(of)).toEqual([
    'flat',
    'x',
    'true',
    null,
    null,
    '[1,{"c":"x"}]',
  ])
  expect(jsonText('{"a":', 'a')).toBeNull()
})
