// @ts-check
/** Runs SQL over the files of an archive with DuckDB, which is an optional dependency. */
import { resolve } from 'node:path'

const MISSING =
  'DuckDB is not installed, which answers SQL. “npm install --include=optional” in the folder of Rookery gets it (70 MB), on Linux, macOS and Windows for x64 and ARM.'
/** Maximum number of rows that are returned; further rows are left out. */
const MOST_ROWS = 20_000
const LONGEST_MS = 60_000
const MEMORY = '1GB'
const THREADS = '2'

const IO =
  'source VARCHAR, path VARCHAR, type VARCHAR, kind VARCHAR, file VARCHAR, start_ticks BIGINT, duration_ticks BIGINT, size_bytes BIGINT, file_size_bytes BIGINT, compressed_bytes BIGINT, acceleration BIGINT'
const SUMS =
  'source VARCHAR, path VARCHAR, type VARCHAR, kind VARCHAR, start_ticks BIGINT, events BIGINT, size_bytes BIGINT, busy_ticks BIGINT, max_duration_ticks BIGINT'

/**
 * Columns in the order in which the files contain them. Equal to those in `src/capture/archive/tables.ts`; a test
 * checks this.
 */
export const TABLES = /** @type {const} */ ({
  io: IO,
  'io-slow': IO,
  'io-seconds': SUMS,
  'io-minutes': SUMS,
  'io-rollups':
    'source VARCHAR, path VARCHAR, type VARCHAR, kind VARCHAR, file VARCHAR, start_ticks BIGINT, end_ticks BIGINT, size_bytes BIGINT, busy_ticks BIGINT, min_duration_ticks BIGINT, max_duration_ticks BIGINT',
  batches: 'source VARCHAR, index VARCHAR, id BIGINT, start_ticks BIGINT, duration_ticks BIGINT, detail JSON',
  gaps: 'source VARCHAR, lane VARCHAR, kind VARCHAR, reason VARCHAR, start_ticks BIGINT, end_ticks BIGINT, missing_count BIGINT, missing_bytes BIGINT, detail VARCHAR',
  vitals: 'key VARCHAR, at_ticks BIGINT, value DOUBLE',
  notifications: 'id VARCHAR, at_ticks BIGINT, detail JSON',
  findings: 'id VARCHAR, level VARCHAR, title VARCHAR, start_ticks BIGINT, end_ticks BIGINT, detail JSON',
  queries: 'id VARCHAR, start_ticks BIGINT, end_ticks BIGINT, detail JSON',
  'cluster-log': 'index BIGINT, term BIGINT, at_ticks BIGINT, kind VARCHAR',
  configuration: 'key VARCHAR, at_ticks BIGINT, kind VARCHAR, value VARCHAR, before VARCHAR',
  logs: 'at_ticks BIGINT, level VARCHAR, resource VARCHAR, component VARCHAR, logger VARCHAR, message VARCHAR',
  stacks: 'at_ticks BIGINT, title VARCHAR, detail JSON',
})

/** Name in SQL: `io_rollups`. @param {string} table */
const viewName = (table) => table.replaceAll('-', '_')

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "''")}'`

/** Columns that a view adds to those of the files: times and milliseconds beside ticks. */
const EXTRA = /** @type {const} */ ({
  start_ticks: 'make_timestamp(start_ticks // 10) AS "start"',
  end_ticks: 'make_timestamp(end_ticks // 10) AS "end"',
  at_ticks: 'make_timestamp(at_ticks // 10) AS "at"',
  duration_ticks: 'duration_ticks / 10000.0 AS duration_ms',
})

/** @param {string} columns */
const namesOf = (columns) => columns.split(', ').map((column) => column.slice(0, column.indexOf(' ')))

/** @param {string} columns */
const extrasOf = (columns) =>
  Object.entries(EXTRA).flatMap(([name, sql]) => (namesOf(columns).includes(name) ? [sql] : []))

/** Tables and their columns, as the page shows them. */
export const tablesForPage = () =>
  Object.entries(TABLES).map(([table, columns]) => ({
    name: viewName(table),
    columns: [
      'node',
      'day',
      ...namesOf(columns),
      ...extrasOf(columns).map((sql) => sql.slice(sql.lastIndexOf(' ') + 1).replaceAll('"', '')),
    ],
  }))

/** @returns {Promise<typeof import('@duckdb/node-api') | null>} null: it is not installed */
const load = () => import('@duckdb/node-api').catch(() => null)

/** @returns {Promise<string>} why SQL cannot run; empty: it can */
export const whyNot = async () => ((await load()) === null ? MISSING : '')

/**
 * @typedef {object} Asked
 * @property {readonly { name: string, type: string }[]} columns
 * @property {readonly (readonly unknown[])[]} rows numbers beyond 2^53 are text
 * @property {boolean} hasMore more rows than are returned
 * @property {number} ms
 */

/**
 * Runs one SELECT over the files that a manifest lists. Nothing else can be read or written: each path is allowed
 * individually, access to everything else is locked before the user's text is parsed, and any statement other than a
 * SELECT is refused.
 * @param {string} folder
 * @param {{ files: readonly { path: string, table: string }[] }} manifest paths in the folder, or absolute ones beside it
 * @param {string} sql
 * @returns {Promise<Asked>}
 * @throws {Error} with the words of DuckDB
 */
export async function ask(folder, { files }, sql) {
  const duck = await load()
  if (duck === null) throw new Error(MISSING)
  const { DuckDBInstance, StatementType } = duck
  const instance = await DuckDBInstance.create(':memory:', { threads: THREADS, memory_limit: MEMORY })
  const connection = await instance.connect()
  const timer = setTimeout(() => connection.interrupt(), LONGEST_MS)
  const began = performance.now()
  try {
    const pathsOf = (/** @type {string} */ table) =>
      `[${files.flatMap((file) => (file.table === table ? [quoted(resolve(folder, file.path))] : [])).join(', ')}]`
    await connection.run(`SET allowed_paths = [${files.map(({ path }) => quoted(resolve(folder, path))).join(', ')}]`)
    for (const setting of [
      "temp_directory = ''",
      'autoinstall_known_extensions = false',
      'autoload_known_extensions = false',
      'allow_community_extensions = false',
      'enable_external_access = false',
      'lock_configuration = true',
    ])
      await connection.run(`SET ${setting}`)
    for (const [table, columns] of Object.entries(TABLES)) {
      const extras = extrasOf(columns).map((column) => `, ${column}`)
      const rows = files.some((file) => file.table === table)
        ? `read_parquet(${pathsOf(table)}, hive_partitioning = true)`
        : `(SELECT ${columns
            .split(', ')
            .map(
              (column) => `NULL::${column.slice(column.indexOf(' ') + 1)} AS "${column.slice(0, column.indexOf(' '))}"`,
            )
            .join(', ')}, NULL::DATE AS day, NULL::VARCHAR AS node WHERE false)`
      await connection.run(`CREATE VIEW ${viewName(table)} AS SELECT *${extras.join('')} FROM ${rows}`)
    }
    const statements = await connection.extractStatements(sql)
    if (statements.count !== 1) throw new Error('One statement at a time, please.')
    const { statementType } = await statements.prepare(0)
    if (statementType !== StatementType.SELECT)
      throw new Error(`Only SELECT is run here, and not ${StatementType[statementType]}: an archive is only read.`)
    const reader = await connection.streamAndReadUntil(sql, MOST_ROWS + 1)
    const columns = reader.columnNames().map((name, at) => ({ name, type: String(reader.columnType(at)) }))
    const rows = reader
      .getRowsJson()
      .slice(0, MOST_ROWS)
      .map((row) => row.map((value, at) => plain(value, columns[at]?.type ?? '')))
    return { columns, rows, hasMore: reader.currentRowCount > MOST_ROWS || !reader.done, ms: performance.now() - began }
  } finally {
    clearTimeout(timer)
    connection.closeSync()
    instance.closeSync()
  }
}

const NUMBERS = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE|FLOAT)/

/**
 * Converts a value to a number if that is exact. Integers and decimals arrive as text.
 * @param {unknown} value
 * @param {string} type
 */
function plain(value, type) {
  if (typeof value !== 'string' || !NUMBERS.test(type)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) || (type.startsWith('DECIMAL') && Number.isFinite(number)) ? number : value
}
