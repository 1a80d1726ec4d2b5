import { cellText } from '../../../base/json/cell-text.ts'
import { itemsOf, kindOf, membersOf, plainText } from '../../../base/json/exact.ts'
import { resultRow } from './result-row.ts'

/** A list inside a result: the values of a facet, suggestions, or the entries of a time series. */
export interface ResultTable {
  readonly title: string
  readonly columns: readonly string[]
  /** Cells as the server wrote them. */
  readonly rows: readonly (readonly string[])[]
  /** Number of rows left out. */
  readonly left: number
}

/** Column that names the row. It is shown first, although the server sends it after the figures. */
const NAMING = 'Range'
const MOST_TABLES = 50
const MOST_ROWS = 500

/** Lists of these kinds in the results, in order; empty: there are none. */
export function resultTables(rows: readonly string[]): readonly ResultTable[] {
  const tables: ResultTable[] = []
  for (const [i, row] of rows.entries()) {
    if (tables.length >= MOST_TABLES) break
    tables.push(...tablesIn(row, i))
  }
  return tables.slice(0, MOST_TABLES)
}

function tablesIn(row: string, position: number): readonly ResultTable[] {
  const { values, id } = resultRow(row, position)
  const name = plainText(values.get('Name') ?? 'null')
  const facet = objectsIn(values.get('Values'))
  if (facet !== null && facet.some((item) => item.has('Range') || item.has('Count'))) return [tableOf(name, facet)]
  const suggestions = itemsIn(values.get('Suggestions'))
  if (suggestions !== null)
    return [
      {
        title: name,
        columns: ['Suggestion'],
        rows: suggestions.slice(0, MOST_ROWS).map((item) => [cellText(item)]),
        left: Math.max(0, suggestions.length - MOST_ROWS),
      },
    ]
  const title = id ?? `Result ${position + 1}`
  const own = seriesIn(row)
  if (own !== null) return [tableOf(title, own)]
  return [...values].flatMap(([key, value]) => {
    const series = seriesIn(value)
    return series === null ? [] : [tableOf(`${title}, ${key}`, series)]
  })
}

type Item = ReadonlyMap<string, string>

/** Entries or groups of a time series, `{ Count, Results: [{ Timestamp | From, … }] }`; null: none. */
function seriesIn(value: string): readonly Item[] | null {
  if (kindOf(value) !== 'object') return null
  const found = objectsIn(membersOf(value).findLast(({ key }) => key === 'Results')?.value)
  return found?.some((item) => item.has('Timestamp') || item.has('From')) === true ? found : null
}

const itemsIn = (value: string | undefined): readonly string[] | null =>
  value !== undefined && kindOf(value) === 'array' ? itemsOf(value) : null

function objectsIn(value: string | undefined): readonly Item[] | null {
  const items = itemsIn(value)
  if (items === null || items.length === 0 || items.some((item) => kindOf(item) !== 'object')) return null
  return items.map((item) => new Map(membersOf(item).map(({ key, value: text }) => [key, text])))
}

function tableOf(title: string, items: readonly Item[]): ResultTable {
  // A member that is null in all rows gets no column.
  const shown = [...new Set(items.flatMap((item) => [...item.keys()]))].filter((column) =>
    items.some((item) => (item.get(column) ?? 'null') !== 'null'),
  )
  const columns = [...shown.filter((column) => column === NAMING), ...shown.filter((column) => column !== NAMING)]
  return {
    title,
    columns,
    rows: items.slice(0, MOST_ROWS).map((item) =>
      columns.map((column) => {
        const value = item.get(column)
        return value === 'null' ? '' : cellText(value)
      }),
    ),
    left: Math.max(0, items.length - MOST_ROWS),
  }
}
