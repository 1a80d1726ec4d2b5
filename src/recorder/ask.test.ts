import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, tablesForPage, TABLES } from '../../tools/record/ask.mjs'
import { parseTicks } from '../base/ticks.ts'
import type { ArchiveRecord } from '../capture/archive/records.ts'
import { COLUMNS } from '../capture/archive/tables.ts'
import { QUESTIONS } from '../features/archive/view/questions.ts'
import { fold } from './fold.ts'
import { Folder } from './folder.ts'
import { Pending } from './pending.ts'

const TWO = parseTicks('2026-11-26T02:00:00.0000000Z')
const place = { source: 'db:shop', path: '/data/shop', type: 'Documents', kind: 'JournalWrite', file: '0.journal' }
const RECORDS: readonly ArchiveRecord[] = [
  {
    t: 'io',
    ...place,
    c: [
      [TWO, TWO + 500],
      [20_000, 150_000],
      [4096, 8192],
      [-1, -1],
      [-1, -1],
      [-1, -1],
    ],
  },
  { t: 'vital', key: 'cpu.process', ticks: [TWO], values: [12.5] },
  { t: 'batch', source: 'db:shop', index: 'Orders', id: 1, startTicks: TWO, durationTicks: 70, json: '{"Id":1}' },
]

let path = ''
let folder: Folder
beforeAll(async () => {
  path = mkdtempSync(join(tmpdir(), 'ask-'))
  folder = await Folder.open(path)
  const pending = new Pending()
  for (const record of RECORDS) pending.take(record)
  await fold(folder, { name: 'a_8080', url: 'http://a:8080' }, pending, 1)
})
afterAll(() => rmSync(path, { recursive: true, force: true }))

const answerTo = (sql: string) => ask(path, folder.manifest, sql)

describe('SQL over an archive', () => {
  test('has the rows of the files, with times and milliseconds', async () => {
    const { rows, columns, hasMore } = await answerTo(
      'select "start", duration_ms, size_bytes, node, cast(day as varchar) as day from io order by start_ticks',
    )
    expect(columns.map(({ name }) => name)).toEqual(['start', 'duration_ms', 'size_bytes', 'node', 'day'])
    expect(rows).toEqual([
      ['2026-11-26 02:00:00', 2, 4096, 'a_8080', '2026-11-26'],
      ['2026-11-26 02:00:00.00005', 15, 8192, 'a_8080', '2026-11-26'],
    ])
    expect(hasMore).toBe(false)
  })

  test('runs each of the ready questions, also where nothing of its table was recorded', async () => {
    const counts = await Promise.all(QUESTIONS.map(async ({ sql }) => (await answerTo(sql)).rows.length))
    expect(counts).toEqual([1, 2, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1])
  })

  test('knows the columns of all tables', async () => {
    const types = { text: 'VARCHAR', json: 'JSON', ticks: 'BIGINT', whole: 'BIGINT', number: 'DOUBLE' }
    const expected = Object.entries(COLUMNS).map(([table, columns]) => [
      table,
      columns.map(({ name, type }) => `${name} ${types[type]}`).join(', '),
    ])
    expect(Object.entries(TABLES)).toEqual(expected)
    for (const { name, columns } of tablesForPage())
      await answerTo(`select ${columns.map((column) => `"${column}"`).join(', ')} from ${name}`)
  })

  test('reads no file and no address besides, and says so', async () => {
    const secret = join(path, 'secret.txt')
    writeFileSync(secret, 'secret')
    for (const from of [
      `read_text('${secret}')`,
      `read_csv('/etc/passwd')`,
      `read_parquet('${path}/**/*.parquet')`,
      `'https://127.0.0.1:9/x.parquet'`,
      `read_json('http://127.0.0.1:9/x.json')`,
      `glob('${path}/*')`,
    ])
      await expect(answerTo(`select * from ${from}`)).rejects.toThrow(/Cannot access|disabled|[Pp]ermission/)
  })

  test('writes nothing, changes no setting and loads no extension', async () => {
    const [file] = folder.manifest.files
    const before = readFileSync(join(path, file?.path ?? ''))
    const target = join(path, 'out.csv')
    for (const sql of [
      `copy (select 1) to '${join(path, file?.path ?? '')}' (format parquet, use_tmp_file false)`,
      `copy (select 1) to '${target}'`,
      `set enable_external_access = true`,
      'install httpfs',
      'load httpfs',
      `attach '${target}' as other`,
      `export database '${path}/all'`,
      'create table x as select 1',
      `explain analyze copy (select 1) to '${target}'`,
      `select 1; copy (select 1) to '${target}'`,
      `pragma enable_external_access = true`,
    ])
      await expect(answerTo(sql)).rejects.toThrow(/Only SELECT|One statement|locked|Cannot access|disabled/)
    expect(existsSync(target)).toBe(false)
    expect(readFileSync(join(path, file?.path ?? '')).equals(before)).toBe(true)
  })

  test('says what is wrong with a question in the words of the engine', async () => {
    await expect(answerTo('select nothing from io')).rejects.toThrow(/nothing/)
  })
})
