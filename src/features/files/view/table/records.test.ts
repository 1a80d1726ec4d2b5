import { unzipSync } from 'fflate'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_VALUE_BYTES } from '../../../../capture/raw/queries.ts'
import { rawCapture } from '../../../../testing/raw-capture.ts'
import { RECORDED_LINES } from '../../../../testing/recorded.ts'
import { findLists } from './lists.ts'
import type { RecordList } from './lists.ts'
import type { RecordRow } from './records.ts'
import {
  compareNumbers,
  exportedCell,
  filterRecords,
  jsonLine,
  readRecords,
  readableText,
  sortRecords,
} from './records.ts'

const RECORDED = join(import.meta.dirname, '../../../../testing/recorded')

/** Lists of a document, found as in the worker. */
async function listsOf(bytes: Uint8Array): Promise<{ lists: readonly RecordList[]; written: readonly string[] }> {
  const capture = rawCapture(() => ({ blob: new Blob([new Uint8Array(bytes)]) }))
  const ref = { file: 1, entry: null }
  while (!(await capture.request('raw.status', ref)).isWhole) await new Promise((done) => setTimeout(done, 1))
  const lists = await findLists((at, first, count) => capture.request('raw.children', { ...ref, at, first, count }))
  const values = lists.map(({ at }) => capture.request('raw.value', { ...ref, at, maxBytes: MAX_VALUE_BYTES }))
  return { lists, written: (await Promise.all(values)).map(({ written }) => written) }
}

const listsIn = async (text: string): Promise<readonly string[]> =>
  (await listsOf(new TextEncoder().encode(text))).lists.map(({ path, count }) => `${path} ${String(count)}`)

const columnOf = (rows: readonly RecordRow[], key: string): readonly (string | undefined)[] =>
  rows.map(({ values }) => values.get(key))

describe('lists of a document', () => {
  it('are the document, its members and theirs, where the first item is an object', async () => {
    expect(await listsIn('[{"a":1},{"a":2}]')).toEqual(['$ 2'])
    expect(await listsIn('{"@metadata":{"x":1},"Results":[{"a":1}],"Names":["a"],"None":[]}')).toEqual(['$.Results 1'])
    expect(await listsIn('{"Runaway Threads":{"List":[{"Id":1}],"Overall":2},"tx-info":[{}]}')).toEqual([
      '$["Runaway Threads"].List 1',
      '$["tx-info"] 1',
    ])
  })

  it.each(['', '1', '[]', '["a"]', '{}', '{"a":{"b":{"c":[{"d":1}]}}}', '{"a":1}\n{"a":2}', '"text"', 'no JSON'])(
    'are none in %j',
    async (text) => {
      expect(await listsIn(text)).toEqual([])
    },
  )

  it.each(RECORDED_LINES)('of a package of %s are the items that JSON.parse finds, value by value', async (line) => {
    const entries = unzipSync(readFileSync(join(RECORDED, line, 'debug-info-package-incident.zip')))
    let tables = 0
    for (const [name, bytes] of Object.entries(entries)) {
      if (!name.endsWith('.json')) continue
      const { lists, written } = await listsOf(bytes)
      lists.forEach(({ count }, i) => {
        const { rows } = readRecords(written[i]!, false)
        expect(rows).toHaveLength(count)
        expect(rows.map((row) => JSON.parse(jsonLine(row)) as unknown)).toEqual(JSON.parse(written[i]!))
        tables++
      })
    }
    expect(tables).toBeGreaterThan(15)
  })
})

describe('rows', () => {
  const { fields, rows } = readRecords(
    `[{"Etag":9007199254740993,"Name":"b","Size":1.10},
      {"Name":"a","Etag":9007199254740992,"Deep":{"x":[1]},"Size":null},
      {"Etag":10,"Extra":true}, 7]`,
    false,
  )

  it('have the fields of all items, also of those that miss some, with the digits as they are written', () => {
    expect(fields).toEqual([
      { key: 'Etag', isNumber: true },
      { key: 'Name', isNumber: false },
      { key: 'Size', isNumber: true },
      { key: 'Deep', isNumber: false },
      { key: 'Extra', isNumber: false },
      { key: '(value)', isNumber: true },
    ])
    expect(columnOf(rows, 'Etag')).toEqual(['9007199254740993', '9007199254740992', '10', undefined])
    expect(columnOf(rows, 'Size')).toEqual(['1.10', 'null', undefined, undefined])
  })

  it('are sorted by digits that a double does not distinguish, those without a value last both ways', () => {
    const etags = (descending: boolean): readonly (string | undefined)[] =>
      columnOf(sortRecords(rows, { id: '=Etag', descending }, 'Etag'), 'Etag')
    expect(etags(true)).toEqual(['9007199254740993', '9007199254740992', '10', undefined])
    expect(etags(false)).toEqual(['10', '9007199254740992', '9007199254740993', undefined])
    expect(columnOf(sortRecords(rows, { id: '=Name', descending: false }, 'Name'), 'Name')).toEqual([
      '"a"',
      '"b"',
      undefined,
      undefined,
    ])
    expect(sortRecords(rows, null, '')).toBe(rows)
  })

  it.each([
    ['2', '10', -1],
    ['-2', '-10', 1],
    ['9007199254740993', '9007199254740992', 1],
    ['-9007199254740993', '-9007199254740992', -1],
    ['1e3', '1000', 0],
    ['1.5', '1.50', 0],
  ])('order %s and %s', (a, b, sign) => {
    expect(Math.sign(compareNumbers(a, b))).toBe(sign)
    expect(Math.sign(compareNumbers(b, a)) + sign).toBe(0)
  })

  it('order numbers that are too large for a double', () => {
    expect(compareNumbers(`1${'0'.repeat(400)}`, `9${'0'.repeat(399)}`)).toBeGreaterThan(0)
    expect(compareNumbers(`-1${'0'.repeat(400)}`, `-9${'0'.repeat(399)}`)).toBeLessThan(0)
  })

  it('are filtered by what their values say, not by names of fields or escapes', () => {
    const texts = readRecords(String.raw`[{"Name":"Z\u00fcrich"},{"Name":"a\nb","Other":{"Inner":"Bern"}}]`, false).rows
    expect(filterRecords(texts, ' zÜRICH ')).toEqual([texts[0]])
    expect(filterRecords(texts, 'bern')).toEqual([texts[1]])
    expect(filterRecords(texts, 'name')).toEqual([])
    expect(filterRecords(texts, '')).toBe(texts)
  })

  it('of a list that is cut are the whole objects before the cut', () => {
    const cut = readRecords('[{"a":1},{"a":"}{"},{"a":12', true)
    expect(columnOf(cut.rows, 'a')).toEqual(['1', '"}{"'])
    expect(readRecords('[', true).rows).toEqual([])
  })

  it('of what is no JSON are an error, not rows', () => {
    expect(() => readRecords('[{"a":x}]', false)).toThrow('Expected a value')
    expect(() => readRecords('[{"a" 1}]', false)).toThrow('Expected a colon')
    expect(() => readRecords('[{"a":1}', false)).toThrow('Expected a comma or ]')
  })

  it('keep names that are names of objects in JavaScript, and the last of a repeated field', () => {
    const [row] = readRecords('[{"__proto__":1,"constructor":2,"a":1,"a":2}]', false).rows
    expect([...row!.values]).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['a', '2'],
    ])
  })
})

describe('values', () => {
  it('go out as they are written: digits, words, texts, and nothing where there is none', () => {
    expect(
      ['9007199254740993', '1.10', 'true', 'null', undefined, String.raw`"a\tb"`, '{"x":1}'].map(exportedCell),
    ).toEqual(['9007199254740993', '1.10', 'true', null, null, 'a\tb', '{"x":1}'])
    expect(jsonLine({ position: 0, text: '{\n  "a": 9007199254740993\r\n}', values: new Map() })).toBe(
      '{   "a": 9007199254740993 }',
    )
  })

  it('are read with line breaks where they are short, and never grow by depth', () => {
    expect(readableText('{"a":[1.10]}')).toBe('{\n  "a": [\n    1.10\n  ]\n}')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(readableText(deep)).toBe(deep)
    expect(readableText('"a\\nb"')).toBe('a\nb')
    expect(readableText('"a\nb"')).toBe('"a\nb"')
    expect(readableText('{"a":nothing}')).toBe('{"a":nothing}')
  })
})
