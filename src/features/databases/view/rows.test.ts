import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databaseRow } from '../../../testing/stub-capture.ts'
import { formatSort, parseSort } from './params.ts'
import { DEFAULT_SORT, describeList, filterRows, SORTABLE, sortRows } from './rows.ts'

const rows = ['b', '__proto__', 'A10', 'a2'].map((name) => databaseRow(name))
const names = (sorted: readonly { readonly name: string }[]): string[] => sorted.map((row) => row.name)

describe('the list of databases', () => {
  it('is filtered by text, not by a pattern', () => {
    expect(names(filterRows(rows, ' A '))).toEqual(['A10', 'a2'])
    expect(names(filterRows(rows, '__PRO'))).toEqual(['__proto__'])
    expect(filterRows(rows, '.*(')).toEqual([])
    expect(filterRows(rows, '')).toBe(rows)
  })

  it('is sorted by name as people count', () => {
    expect(names(sortRows(rows, DEFAULT_SORT))).toEqual(['__proto__', 'a2', 'A10', 'b'])
    expect(names(sortRows(rows, { id: 'name', descending: true }))).toEqual(['b', 'A10', 'a2', '__proto__'])
  })

  it('puts what is not known last in either direction', () => {
    const some = [
      databaseRow('x', { documents: null }),
      databaseRow('y', { documents: 0 }),
      databaseRow('z', { documents: 9 }),
    ]
    expect(names(sortRows(some, { id: 'documents', descending: false }))).toEqual(['y', 'z', 'x'])
    expect(names(sortRows(some, { id: 'documents', descending: true }))).toEqual(['z', 'y', 'x'])
  })

  it('keeps every row at any sort, named by a column or by nonsense', () => {
    const figure = fc.option(fc.nat())
    const some = fc.array(
      fc
        .record({ name: fc.string(), documents: figure, upTimeMs: figure, alerts: figure })
        .map(({ name, ...parts }) => databaseRow(name, parts)),
    )
    fc.assert(
      fc.property(
        some,
        fc.constantFrom(...SORTABLE, '__proto__', 'constructor'),
        fc.boolean(),
        (list, id, descending) => {
          expect(new Set(sortRows(list, { id, descending }))).toEqual(new Set(list))
        },
      ),
    )
  })

  it('is described in one sentence', () => {
    expect(
      describeList({
        rows: [databaseRow('a'), databaseRow('b'), databaseRow('c', { state: 'unloaded' })],
        complete: true,
      }),
    ).toBe('3 databases: 2 online, 1 unloaded')
    expect(describeList({ rows: [databaseRow('a', { state: 'faulted' })], complete: false })).toBe(
      'the first 1 database: 1 faulted',
    )
    expect(describeList({ rows: [], complete: true })).toBe('0 databases')
  })

  it('has its order in the link', () => {
    for (const id of SORTABLE)
      for (const descending of [true, false]) {
        const sort = { id, descending }
        expect(parseSort(formatSort(sort) === '' ? undefined : formatSort(sort))).toEqual(sort)
      }
    expect(parseSort('__proto__')).toEqual(DEFAULT_SORT)
    expect(formatSort(DEFAULT_SORT)).toBe('')
  })
})
