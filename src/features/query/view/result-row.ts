import { compareValues } from '../../../base/json/compare-values.ts'
import { kindOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'
import { sortKnown } from '../../../base/sort-known.ts'
import { compareNames } from '../../../base/text/compare-names.ts'
import type { TableSort } from '../../../ui/table/VirtualTable.tsx'

export interface ResultRow {
  /** Position among all results. */
  readonly position: number
  /** JSON text, as the server sent it. */
  readonly text: string
  /** Values by field, as written; the last one of a repeated field. Empty if the result is not an object. */
  readonly values: ReadonlyMap<string, string>
  /** Id of the document; null: the result is not a document. */
  readonly id: string | null
}

export function resultRow(text: string, position: number): ResultRow {
  if (kindOf(text) !== 'object') return { position, text, values: new Map(), id: null }
  const values = new Map(membersOf(text).map(({ key, value }) => [key, value]))
  const metadata = values.get('@metadata')
  const id = metadata === undefined ? null : memberOf(metadata, '@id')
  return { position, text, values, id: id === null ? null : plainText(id) }
}

/** Fields whose values are numbers in all of `rows` that have one. */
export function figuresOf(rows: readonly ResultRow[]): ReadonlySet<string> {
  const figures = new Set<string>()
  const others = new Set<string>()
  for (const { values } of rows)
    for (const [key, value] of values) if (value !== 'null') (kindOf(value) === 'number' ? figures : others).add(key)
  return new Set([...figures].filter((key) => !others.has(key)))
}

/** Sorts results by a column: `#`, `@id`, or `=` and a field. Those without a value come last. */
export function sortResults(rows: readonly ResultRow[], { id: column, descending }: TableSort): readonly ResultRow[] {
  if (column === '#') return descending ? rows.toReversed() : rows
  return column === '@id'
    ? sortKnown(rows, ({ id }) => id, compareNames, descending)
    : sortKnown(rows, ({ values }) => values.get(column.slice(1)), compareValues, descending)
}
