import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { csvCell, csvLine, exactCsvCell, exactCsvLine, guardFormula } from './csv.ts'
import { listCsv, listNdjson } from './list-text.ts'

const dangerous = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(' ', '\t', '\v', '\u00A0', '\u0000', '\uFEFF', '\r') }),
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'),
    fc.string({ unit: 'binary' }),
  )
  .map((parts) => parts.join(''))

describe('CSV cells', () => {
  law('no text begins like a formula, whatever hides its first character', [dangerous], { numRuns: 2000 }, (text) => {
    const guarded = guardFormula(text)
    expect(guarded === `'${text}` || /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/.test(text)).toBe(true)
    expect(csvCell(text)).toMatch(/^"?(?:'|[+-]?[\d.])/)
  })

  test.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\r\nlines', String.raw`two\r\nlines`],
    ['\u202Eevil', String.raw`\u202Eevil`],
    ['a;b', '"a;b"'],
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['-1.5e3', '-1.5e3'],
    ['-1+1', "'-1+1"],
    ['+49 30 1', "'+49 30 1"],
    [-1, '-1'],
    [0.1, '0.1'],
    [true, 'true'],
    [null, ''],
    [Number.NaN, ''],
    ['', ''],
  ])('%j goes out as %s', (cell, wanted) => expect(csvCell(cell)).toBe(wanted))

  test('a line ends as RFC 4180 has it', () => expect(csvLine(['a', 1, null])).toBe('a,1,\r\n'))
})

describe('lists', () => {
  const columns = [
    { name: 'name', value: (row: { name: string; size: number | null }) => row.name },
    { name: 'size_bytes', value: (row: { size: number | null }) => row.size },
  ]
  const rows = [
    { name: '@home', size: 1 },
    { name: '__proto__', size: null },
    { name: 'c', size: Number.NaN },
  ]

  test('as CSV: a header with units, then a line a row', () =>
    expect([...listCsv(columns, rows)].join('')).toBe("name,size_bytes\r\n'@home,1\r\n__proto__,\r\nc,\r\n"))

  test('as NDJSON: an object a line, null for what is not known', () =>
    expect([...listNdjson(columns, rows)].join('')).toBe(
      '{"name":"@home","size_bytes":1}\n{"name":"__proto__","size_bytes":null}\n{"name":"c","size_bytes":null}\n',
    ))
})

/** Cells as a reader by RFC 4180 gets them, without the guard before formulas. */
function cellsIn(line: string): (string | null)[] {
  const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(?:,|\r\n$)/g)]
  return cells.map(([, quoted, bare]) => {
    const text = quoted?.replaceAll('""', '"') ?? (bare === '' ? null : (bare ?? null))
    return text === null ? null : text.replace(/^'(?='*[\s\p{Cc}]*[\t\r\n=+\-@＝＋－＠])/u, '')
  })
}

describe('exact CSV cells', () => {
  law(
    'every text comes back, and none begins like a formula',
    [
      fc.array(
        fc.oneof(
          dangerous,
          fc.string({ unit: 'binary' }),
          fc.constantFrom('', "'", "'=1", 'two\r\nlines', '\u202Eevil', '\u0000'),
        ),
        { minLength: 2, maxLength: 4 },
      ),
    ],
    { numRuns: 2000 },
    (texts) => {
      expect(cellsIn(exactCsvLine([...texts, null, 'end']))).toEqual([...texts, null, 'end'])
      for (const text of texts) expect(exactCsvCell(text)).toMatch(/^"?(?!\s*[=＝＋－＠@])/)
    },
  )

  test.each([
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ["'tis", "'tis"],
    ['-1.5e3', '-1.5e3'],
    ['', '""'],
    [null, ''],
  ])('%j goes out as %s', (cell, wanted) => expect(exactCsvCell(cell)).toBe(wanted))
})
