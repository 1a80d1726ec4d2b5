import { writtenText } from '../../../../base/json/cell-text.ts'
import { indented, itemsBeforeCut, itemsOf, kindOf, membersOf } from '../../../../base/json/exact.ts'
import type { Cell } from '../../../../capture/exporting/csv.ts'
import type { TableSort } from '../../../../ui/table/table-columns.ts'

/** An item of a list, with its values as written. */
export interface RecordRow {
  /** Index in the list, from 0. */
  readonly position: number
  readonly text: string
  /** Values by field; for a repeated field the last one. */
  readonly values: ReadonlyMap<string, string>
}

export interface RecordField {
  readonly key: string
  /** Whether every value is a number or missing. */
  readonly isNumber: boolean
}

export interface Records {
  /** Fields in the order of their first appearance. */
  readonly fields: readonly RecordField[]
  readonly rows: readonly RecordRow[]
}

/** Field for an item that is not an object. */
const OTHER = '(value)'
/** Longer values are not indented, since indentation multiplies the length of deep ones; the tree shows them. */
const INDENTED_UNITS = 2000

/** Rows and fields of a list as written, complete objects only. Throws `ExactError` without JSON. */
export function readRecords(written: string, isCut: boolean): Records {
  const items = isCut ? itemsBeforeCut(written).filter((item) => kindOf(item) === 'object') : itemsOf(written)
  const kinds = new Map<string, { hasNumber: boolean; hasOther: boolean }>()
  const rows = items.map((text, position): RecordRow => {
    const values =
      kindOf(text) === 'object'
        ? new Map(membersOf(text).map(({ key, value }) => [key, value]))
        : new Map([[OTHER, text]])
    for (const [key, value] of values) {
      const seen = kinds.get(key) ?? { hasNumber: false, hasOther: false }
      kinds.set(key, seen)
      if (value === 'null') continue
      if (kindOf(value) === 'number') seen.hasNumber = true
      else seen.hasOther = true
    }
    return { position, text, values }
  })
  const fields = [...kinds].map(([key, { hasNumber, hasOther }]) => ({ key, isNumber: hasNumber && !hasOther }))
  return { fields, rows }
}

/** Rows in which a value contains `filter`; ignores case. */
export function filterRecords(rows: readonly RecordRow[], filter: string): readonly RecordRow[] {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter(({ values }) =>
    [...values.values()].some((value) => writtenText(value).toLowerCase().includes(wanted)),
  )
}

/** Sorts by one field: numbers by value, then words, texts, objects and lists; rows without a value are always last. */
export function sortRecords(rows: readonly RecordRow[], sort: TableSort | null, key: string): readonly RecordRow[] {
  if (sort === null) return rows
  const direction = sort.descending ? -1 : 1
  const keyed = rows.map((row) => {
    const value = row.values.get(key)
    const rank = value === undefined || value === 'null' ? 3 : RANKS[kindOf(value)]
    return { row, rank, text: rank === 3 ? '' : writtenText(value ?? '') }
  })
  keyed.sort((a, b) => {
    if (a.rank === 3 || b.rank === 3) return a.rank - b.rank
    if (a.rank !== b.rank) return direction * (a.rank - b.rank)
    if (a.rank === 0) return direction * compareNumbers(a.text, b.text)
    return direction * (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
  })
  return keyed.map(({ row }) => row)
}

const RANKS = { number: 0, word: 1, string: 1, array: 2, object: 2 } as const

const WHOLE = /^-?\d+$/

/** Compares two numbers as written; exact for integers of any size. */
export function compareNumbers(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  if (a === b || !WHOLE.test(a) || !WHOLE.test(b)) return 0
  // Equal as doubles, so they have the same sign.
  const sign = a.startsWith('-') ? -1 : 1
  if (a.length !== b.length) return sign * (a.length - b.length)
  return sign * (a < b ? -1 : 1)
}

/** A value as a CSV cell, with digits and words as written. */
export function exportedCell(value: string | undefined): Cell {
  return value === undefined || value === 'null' ? null : writtenText(value)
}

/** The row as one line of JSON, as written. */
export const jsonLine = ({ text }: RecordRow): string => text.replaceAll(/[\r\n]+/g, ' ')

/** A readable form of a value: short objects and lists with line breaks. */
export function readableText(value: string): string {
  const kind = kindOf(value)
  if ((kind !== 'object' && kind !== 'array') || value.length > INDENTED_UNITS) return writtenText(value)
  try {
    return indented(value)
  } catch {
    return value
  }
}
