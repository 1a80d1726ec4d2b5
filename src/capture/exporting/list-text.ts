import type { Cell } from './csv.ts'
import { csvLine } from './csv.ts'

/** A column of a list as it goes out; `name` carries the unit (`size_bytes`, `up_time_ms`). */
export interface ListColumn<Row> {
  readonly name: string
  readonly value: (row: Row) => Cell
}

/** A list as CSV, a line at a time, the header first. */
export function* listCsv<Row>(columns: readonly ListColumn<Row>[], rows: Iterable<Row>): Generator<string> {
  yield csvLine(columns.map(({ name }) => name))
  for (const row of rows) yield csvLine(columns.map(({ value }) => value(row)))
}

/** A list as newline-delimited JSON, an object a line; what is not known is null. `jsonOf`: the rows have a line of their own. */
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
    // JSON has no NaN: it becomes null, which is what it means here.
    yield `${JSON.stringify(Object.fromEntries(fields))}\n`
  }
}
