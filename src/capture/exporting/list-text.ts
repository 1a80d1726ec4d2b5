import type { Cell } from './csv.ts'
import { csvLine } from './csv.ts'

/** A column of an exported list; `name` includes the unit (`size_bytes`, `up_time_ms`). */
export interface ListColumn<Row> {
  readonly name: string
  readonly value: (row: Row) => Cell
}

/** A list as CSV, line by line, with a header. */
export function* listCsv<Row>(columns: readonly ListColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  yield csvLine(columns.map(({ name }) => name))
  for (const row of rows) yield csvLine(columns.map(({ value }) => value(row)))
}

/** A list as newline-delimited JSON, null for unknown values. `jsonOf`: rows that are JSON text already. */
export function* listNdjson<Row>(
  columns: readonly ListColumn<Row>[],
  rows: Iterable<Row>,
  jsonOf?: (row: Row) => string,
): Generator<string> {
  for (const row of rows) {
    if (jsonOf !== undefined) {
      yield `${jsonOf(row)}\n`
      continue
    }
    const fields = columns.map(({ name, value }) => [name, value(row)] as const)
    // JSON has no NaN; it becomes null, which means the same here.
    yield `${JSON.stringify(Object.fromEntries(fields))}\n`
  }
}
