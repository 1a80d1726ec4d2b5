import { Utf8 } from 'apache-arrow'
import type { DuckDBBindings, DuckDBConnection } from '@duckdb/duckdb-wasm/blocking'
import type { TimeRange } from '../../../../base/ticks.ts'
import { TABLES, type TableName } from '../../../../capture/archive/manifest.ts'
import type { TableRows } from '../../../../capture/archive/tables.ts'
import type { Asked } from '../asked.ts'
import { arrowOf, type NodeRows } from './arrow-rows.ts'
import type { TableCount } from './protocol.ts'
import { createTable, createView, KEPT, tableNamed, sqlName } from './sql-tables.ts'

/** Maximum number of rows that are returned, as of the native engine. */
const MOST_ROWS = 20_000
/** Rows that are handed to the engine at once. */
const BATCH_ROWS = 65_536

/** Settings that are locked before any text of the user is read: no file, no address, no extension. */
const LOCKED = [
  "memory_limit = '2GB'",
  "temp_directory = ''",
  'autoinstall_known_extensions = false',
  'autoload_known_extensions = false',
  'allow_community_extensions = false',
  'enable_external_access = false',
  'lock_configuration = true',
]

/** JSON for engines without its extension: the type is text, and `->>` and its function read it. */
const JSON_AS_TEXT = [
  'CREATE TYPE JSON AS VARCHAR',
  'CREATE MACRO "->>"(json, path) AS rookery_json_text(json::VARCHAR, path::VARCHAR)',
  'CREATE MACRO json_extract_string(json, path) AS rookery_json_text(json::VARCHAR, path::VARCHAR)',
]

/** DuckDB-Wasm with the tables of an archive, in a worker or in Node. It runs SELECT, and changes nothing. */
export class Duck {
  readonly #bindings: DuckDBBindings
  readonly #connection: DuckDBConnection
  readonly #waiting = new Map<TableName, { readonly parts: NodeRows[]; length: number }>()

  /** `bindings`: instantiated, with `callJsonText` in their runtime. */
  constructor(bindings: DuckDBBindings) {
    this.#bindings = bindings
    bindings.open({ path: ':memory:' })
    this.#connection = bindings.connect()
    this.#connection.createScalarFunction('rookery_json_text', new Utf8(), () => null)
    for (const setting of LOCKED) this.#run(`SET ${setting}`)
    for (const statement of [...JSON_AS_TEXT, `CREATE SCHEMA ${KEPT}`]) this.#run(statement)
    for (const table of TABLES) this.clear(table)
  }

  /** Tables that a statement names; none where it cannot be parsed, which `run` reports. */
  tablesIn(sql: string): TableName[] {
    try {
      return [...new Set(this.#connection.getTableNames(sql).flatMap((name) => tableNamed(name) ?? []))]
    } catch {
      return []
    }
  }

  /** Removes the rows of a table. */
  clear(table: TableName): void {
    this.#waiting.delete(table)
    this.#run(createTable(table))
    this.#run(createView(table, null))
  }

  /** Limits a table to the rows of a range, and counts them; null: all. */
  show(table: TableName, range: TimeRange | null): TableCount {
    this.#run(createView(table, range))
    const name = sqlName(table)
    const counts = this.#connection.query(
      `SELECT (SELECT count(*) FROM ${name})::INTEGER AS rows, (SELECT count(*) FROM ${KEPT}.${name})::INTEGER AS held`,
    )
    const at = (column: string): number => Number(counts.getChild(column)?.get(0))
    return { table, rows: at('rows'), held: at('held') }
  }

  /** Adds rows, which are there after `flush`. */
  add(node: string, rows: TableRows): void {
    const waiting = this.#waiting.get(rows.table) ?? { parts: [], length: 0 }
    this.#waiting.set(rows.table, waiting)
    waiting.parts.push({ node, rows })
    waiting.length += rows.length
    if (waiting.length >= BATCH_ROWS) this.#flush(rows.table)
  }

  flush(): void {
    for (const table of this.#waiting.keys()) this.#flush(table)
  }

  #flush(table: TableName): void {
    const waiting = this.#waiting.get(table)
    this.#waiting.delete(table)
    if (waiting === undefined || waiting.length === 0) return
    const options = { schema: KEPT, name: sqlName(table), create: false }
    this.#connection.insertArrowFromIPCStream(arrowOf(table, waiting.parts), options)
  }

  /** Runs a SELECT. Errors: `Error` with the words of DuckDB and the place in the text. */
  run(sql: string): Asked {
    const began = performance.now()
    const text = sql.replace(/[;\s]+$/, '')
    // Preparing runs nothing, and its errors have the line of the user's text.
    this.#bindings.closePrepared(...this.#prepare(text))
    const columns = this.#describe(text)
    const result = this.#connection.query(
      `SELECT COLUMNS(*)::VARCHAR FROM (\n${text}\n) LIMIT ${String(MOST_ROWS + 1)}`,
    )
    const vectors = columns.map((_, at) => result.getChildAt(at))
    const rows = Array.from({ length: Math.min(MOST_ROWS, result.numRows) }, (_, row) =>
      columns.map(({ type }, at) => valueOf(vectors[at]?.get(row) as string | null, type)),
    )
    return { columns, rows, hasMore: result.numRows > MOST_ROWS, ms: performance.now() - began }
  }

  #prepare(sql: string): [connection: number, statement: number] {
    return this.#connection.useUnsafe((bindings, connection) => {
      try {
        return [connection, bindings.createPrepared(connection, sql)]
      } catch (error) {
        if (error instanceof Error && error.message.includes('multiple statements'))
          throw new Error('One statement at a time, please.', { cause: error })
        throw error
      }
    })
  }

  #describe(sql: string): Asked['columns'] {
    let described
    try {
      described = this.#connection.query(`DESCRIBE (\n${sql}\n)`)
    } catch (error) {
      throw new Error('Only SELECT is run here: what is open is only read.', { cause: error })
    }
    const [names, types] = [described.getChild('column_name'), described.getChild('column_type')]
    return Array.from({ length: described.numRows }, (_, at) => ({
      name: String(names?.get(at)),
      type: String(types?.get(at)),
    }))
  }

  #run(sql: string): void {
    this.#connection.query(sql)
  }
}

const WHOLE = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?)$/
const NOT_FINITE: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

/** Value of a column as the native engine gives it: numbers beyond 2^53 are text. */
function valueOf(text: string | null | undefined, type: string): unknown {
  if (text === null || text === undefined) return null
  if (type === 'BOOLEAN') return text === 'true'
  if (WHOLE.test(type)) return Number.isSafeInteger(Number(text)) ? Number(text) : text
  if (type.startsWith('DECIMAL') && Number.isFinite(Number(text))) return Number(text)
  return type === 'DOUBLE' || type === 'FLOAT' ? (NOT_FINITE[text] ?? Number(text)) : text
}
