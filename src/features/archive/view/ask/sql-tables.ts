import type { TimeRange } from '../../../../base/ticks.ts'
import { TABLES, type TableName } from '../../../../capture/archive/manifest.ts'
import { COLUMNS, type ColumnType } from '../../../../capture/archive/tables.ts'
import { archiveTicks } from '../../../../capture/archive/ticks.ts'
import type { AskTable } from '../asked.ts'

/** Schema of the rows; the views that SQL names are made of them. */
export const KEPT = 'kept'

/** Name in SQL: `io_rollups`. */
export const sqlName = (table: TableName): string => table.replaceAll('-', '_')

const BY_NAME = new Map(TABLES.map((table) => [sqlName(table), table]))

/** Table of a name that SQL uses, which may have a schema; undefined: none. */
export const tableNamed = (name: string): TableName | undefined =>
  BY_NAME.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase())

/** Types as of the native engine, except JSON, which is text without the extension. */
const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'VARCHAR',
  json: 'VARCHAR',
  ticks: 'BIGINT',
  whole: 'BIGINT',
  number: 'DOUBLE',
}

/** Columns that a view adds: times and milliseconds beside ticks. Equal to those of `tools/record/ask.mjs`; a test checks this. */
const EXTRA: Readonly<Record<string, readonly [sql: string, name: string]>> = {
  start_ticks: ['make_timestamp(start_ticks // 10)', 'start'],
  end_ticks: ['make_timestamp(end_ticks // 10)', 'end'],
  at_ticks: ['make_timestamp(at_ticks // 10)', 'at'],
  duration_ticks: ['duration_ticks / 10000.0', 'duration_ms'],
}

const namesOf = (table: TableName): readonly string[] => COLUMNS[table].map(({ name }) => name)
const extrasOf = (names: readonly string[]) =>
  Object.entries(EXTRA).flatMap(([name, extra]) => (names.includes(name) ? [extra] : []))
const quoted = (name: string): string => `"${name}"`

/** Tables and their columns, as the page shows them. */
export const SQL_TABLES: readonly AskTable[] = (Object.keys(COLUMNS) as TableName[]).map((table) => {
  const names = namesOf(table)
  return { name: sqlName(table), columns: ['node', 'day', ...names, ...extrasOf(names).map(([, name]) => name)] }
})

/** Creates the empty table of the rows, or empties it. */
export const createTable = (table: TableName): string =>
  `CREATE OR REPLACE TABLE ${KEPT}.${sqlName(table)} (${[
    ...COLUMNS[table].map(({ name, type }) => `${quoted(name)} ${SQL_TYPES[type]}`),
    'node VARCHAR',
  ].join(', ')})`

/** Creates the view that SQL names, with the columns in the order of the native engine. `range` null: all rows. */
export function createView(table: TableName, range: TimeRange | null): string {
  const names = namesOf(table)
  const start = names.includes('start_ticks') ? 'start_ticks' : 'at_ticks'
  const end = names.includes('end_ticks')
    ? 'end_ticks'
    : names.includes('duration_ticks')
      ? 'start_ticks + duration_ticks'
      : start
  const columns = [
    ...names.map(quoted),
    `CAST(make_timestamp(${start} // 10) AS DATE) AS day`,
    'node',
    ...extrasOf(names).map(([sql, name]) => `${sql} AS ${quoted(name)}`),
  ]
  const where =
    range === null
      ? ''
      : ` WHERE ${start} < ${String(archiveTicks(range.endTicks))} AND ${end} >= ${String(archiveTicks(range.startTicks))}`
  return `CREATE OR REPLACE VIEW ${sqlName(table)} AS SELECT ${columns.join(', ')} FROM ${KEPT}.${sqlName(table)}${where}`
}
