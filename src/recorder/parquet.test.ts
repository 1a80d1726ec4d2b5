import { expect, test } from 'vitest'
import { parseTicks } from '../base/ticks.ts'
import { readParquet } from '../capture/archive/read-parquet.ts'
import { COLUMNS, type Value } from '../capture/archive/tables.ts'
import { encodeTable } from './parquet.ts'

const TIMES = [
  parseTicks('1999-12-31T23:59:59.9999999Z'),
  parseTicks('2020-01-01T00:00:00.0000000Z'),
  parseTicks('2026-11-26T02:00:00.1234567Z'),
  parseTicks('2045-01-01T00:00:00.0000001Z'),
]
const WHOLES = [0, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER - 1]

test('times and whole numbers of a file are read to the last digit, with what is not known, over pages and groups', async () => {
  const group = (rows: number): readonly (readonly Value[])[] =>
    COLUMNS.io.map(({ name, type, optional }) =>
      Array.from({ length: rows }, (_, row): Value => {
        if (type === 'ticks') return (TIMES[row % 4] ?? 0) + row
        if (type === 'text') return `${name} ${String(row % 3)}`
        return optional === true && row % 5 === 0 ? null : (WHOLES[row % 4] ?? 0)
      }),
    )
  const groups = [group(20_000), group(7)]
  const { bytes, rows } = encodeTable('io', groups)
  expect(rows).toBe(20_007)
  let at = 0
  for await (const { length, columns } of readParquet('io', new Blob([Uint8Array.from(bytes)]))) {
    const expected = groups[at++] ?? []
    expect(length).toBe(expected[0]?.length)
    for (const [i, { name }] of COLUMNS.io.entries())
      expect([name, Array.from(columns[name] ?? [])]).toEqual([name, expected[i]])
  }
  expect(at).toBe(2)
})
