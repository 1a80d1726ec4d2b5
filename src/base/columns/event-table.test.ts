import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { CHUNK_ROWS, DURATION, SIZE, START } from './event-chunk.ts'
import { inGate } from '../../testing/gate.ts'
import type { EventBatch } from './event-table.ts'
import { EventTable } from './event-table.ts'
import { emptyAggregate } from './pyramid.ts'

type Row = readonly [start: number, duration: number, size: number, extra: number]

const shape = { columnCount: 4, identity: [DURATION, SIZE], fillable: [3] }

const batchOf = (rows: readonly Row[]): EventBatch => ({
  columns: [0, 1, 2, 3].map((column) => Float64Array.from(rows, (row) => row[column] as number)),
  length: rows.length,
})

const rowsOf = (table: EventTable): Row[] =>
  Array.from(
    { length: table.length },
    (_, row) => [0, 1, 2, 3].map((column) => table.read(column, row)) as unknown as Row,
  )

const byStart = (rows: readonly Row[]) => rows.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])

const row = fc.tuple(fc.nat({ max: 2000 }), fc.nat({ max: 5000 }), fc.nat({ max: 1e6 }), fc.constant(1))
const batches = fc.array(fc.array(row, { maxLength: 300 }), { maxLength: 12 })

/** Unique by start, so that nothing counts as seen. */
const distinct = (all: readonly (readonly Row[])[]): Row[][] => {
  const used = new Set<number>()
  return all.map((rows) => rows.filter(([start]) => !used.has(start) && used.add(start)))
}

describe('event table', () => {
  law('whatever the order of arrival, the rows are there once and sorted', [batches], (all) => {
    const table = new EventTable(shape)
    const unique = distinct(all)
    for (const rows of unique) expect(table.merge(batchOf(rows))).toEqual({ added: rows.length, seen: 0 })
    expect(byStart(rowsOf(table))).toEqual(byStart(unique.flat()))
    const starts = rowsOf(table).map(([start]) => start)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  })

  law('batches that are sent again add nothing', [batches, fc.nat()], (all, again) => {
    const table = new EventTable(shape)
    for (const rows of all) table.merge(batchOf(rows))
    const before = rowsOf(table)
    const rows = all[again % Math.max(1, all.length)] ?? []
    expect(table.merge(batchOf(rows.toReversed()))).toEqual({ added: 0, seen: rows.length })
    expect(rowsOf(table)).toEqual(before)
  })

  law(
    'sums and extremes of any range equal those of its rows, at every level',
    [fc.array(row, { minLength: 1, maxLength: 400 }), fc.nat(), fc.nat()],
    (rows, a, b) => {
      const table = new EventTable(shape)
      table.merge(batchOf(rows))
      const from = Math.min(a, b) % (table.length + 1)
      const to = Math.max(from, Math.max(a, b) % (table.length + 1))
      const got = emptyAggregate()
      table.addTo(got, from, to)
      const part = rowsOf(table).slice(from, to)
      expect(got.count).toBe(part.length)
      expect(got.busy).toBe(part.reduce((sum, [, duration]) => sum + duration, 0))
      expect(got.bytes).toBe(part.reduce((sum, [, , size]) => sum + size, 0))
      if (part.length > 0) {
        expect(table.read(DURATION, got.slowest)).toBe(Math.max(...part.map(([, duration]) => duration)))
        expect(table.read(SIZE, got.largest)).toBe(Math.max(...part.map(([, , size]) => size)))
      }
      for (const chunk of table.chunks)
        for (const level of chunk.pyramid.levels)
          expect(level.bytes.reduce((sum, bytes) => sum + bytes, 0)).toBe(chunk.totals.bytes)
    },
  )

  law(
    'bisection finds the first row at or after a time',
    [batches, fc.integer({ min: -1, max: 2001 })],
    (all, ticks) => {
      const table = new EventTable(shape)
      for (const rows of all) table.merge(batchOf(rows))
      const expected = rowsOf(table).findIndex(([start]) => start >= ticks)
      expect(table.lowerBound(ticks)).toBe(expected === -1 ? table.length : expected)
    },
  )

  test('law: many rows of one moment are recognised like few, each at most once', () => {
    const few = fc.tuple(fc.constant(7), fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.constant(1))
    const moment = fc.array(few, { maxLength: 60 })
    fc.assert(
      fc.property(moment, moment, (first, second) => {
        const table = new EventTable(shape)
        table.merge(batchOf(first))
        const left = first.map(String)
        const seen = second.filter((each) => {
          const at = left.indexOf(String(each))
          if (at >= 0) left.splice(at, 1)
          return at >= 0
        }).length
        expect(table.merge(batchOf(second))).toEqual({ added: second.length - seen, seen })
      }),
    )
  })

  test('rows of one moment that come again are looked up, not compared with each other', () => {
    const table = new EventTable(shape)
    const rows = Array.from({ length: 5000 }, (_, i): Row => [7, i, i % 3, 1])
    table.merge(batchOf(rows))
    let reads = 0
    const read = table.read.bind(table)
    table.read = (column, row) => {
      reads++
      return read(column, row)
    }
    expect(table.merge(batchOf(rows.toReversed()))).toEqual({ added: 0, seen: 5000 })
    expect(reads).toBeLessThan(10 * 5000)
  })

  test('equal rows of one batch are as many events; a repeated row fills in what was not reported', () => {
    const table = new EventTable(shape)
    table.merge(
      batchOf([
        [5, 1, 1, -1],
        [5, 1, 1, -1],
        [9, 2, 2, -1],
      ]),
    )
    expect(
      table.merge(
        batchOf([
          [5, 1, 1, 70],
          [5, 1, 1, 71],
          [5, 1, 1, 72],
        ]),
      ),
    ).toEqual({ added: 1, seen: 2 })
    expect(rowsOf(table).map((row) => row[3])).toEqual([70, 71, 72, -1])
  })

  const BATCHES = inGate(250, 1000)

  test(`${BATCHES} thousand rows in small batches stay under 32 bytes a row, pyramid included, in few chunks`, () => {
    const table = new EventTable(shape)
    let start = 0
    for (let batch = 0; batch < BATCHES; batch++)
      table.merge(
        batchOf(
          Array.from({ length: 1000 }, (_, i) => [
            (start += 9000 + (i % 7) * 311),
            1500 + ((i * 7919) % 9000),
            4096 * (1 + (i % 50)),
            4,
          ]),
        ),
      )
    expect(table.length).toBe(BATCHES * 1000)
    expect(table.byteLength / table.length).toBeLessThan(32)
    expect(table.chunks.length).toBeLessThan((3 * table.length) / CHUNK_ROWS)
    expect(table.read(START, table.length - 1)).toBe(start)
  })
})
