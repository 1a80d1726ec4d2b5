import { TICKS_PER_MS, TICKS_PER_SECOND } from '../../base/ticks.ts'
import {
  classOf,
  HOUR_TICKS,
  isThinned,
  type RetainedClass,
  SLOW_MS,
  type TableName,
  TABLES,
} from '../../capture/archive/manifest.ts'
import { COLUMNS, type Column, SORTED_BY } from '../../capture/archive/tables.ts'

/** Version of the tables. A database with a later version is not written to. */
export const SCHEMA_VERSION = 5

/** The oldest version of ClickHouse that is known to accept the tables and the queries on them. */
export const LEAST_VERSION = '24.8'

/** First version in which T64 accepts the output of GCD and Delta. 24.8 creates such a table, but refuses its rows. */
export const PACKS_MORE_SINCE = '26.9'

/** Days for which rows are kept, by class. */
export type KeptDays = Readonly<Record<RetainedClass, number>>

/** Name of a table in SQL: `io_rollups`. */
export const sqlName = (table: TableName): string => table.replaceAll('-', '_')

/** Quotes a name: some, such as `index` and `file`, are also keywords of SQL. */
const quoted = (name: string): string => `\`${name}\``

/** Text columns with many distinct values. */
const WIDE = new Set(['id', 'title', 'detail', 'message'])

function typeOf({ name, type, optional: isOptional }: Column): string {
  if (type === 'json') return 'String'
  const plain = type === 'text' ? 'String' : type === 'number' ? 'Float64' : 'Int64'
  const inside = isOptional ? `Nullable(${plain})` : plain
  return type === 'text' && !WIDE.has(name) ? `LowCardinality(${inside})` : inside
}

/**
 * Codec of a column. Durations are multiples of 100 ticks and sizes are multiples of pages, so both need few of their
 * 64 bits. Starts of sums over a second are multiples of a second.
 */
function codecOf({ name, type }: Column, table: TableName, packsMore: boolean): string {
  if (type === 'ticks') {
    if (isSums(table)) return 'CODEC(GCD, Delta(8), ZSTD(3))'
    return packsMore && table.startsWith('io') ? 'CODEC(Delta(8), T64, ZSTD(3))' : TICKS_CODEC
  }
  if (type === 'whole') return packsMore ? "CODEC(GCD, T64('bit'), ZSTD(3))" : "CODEC(T64('bit'), ZSTD(3))"
  if (type === 'json' || WIDE.has(name)) return 'CODEC(ZSTD(6))'
  return 'CODEC(ZSTD(3))'
}

const TICKS_CODEC = 'CODEC(Delta(8), ZSTD(3))'
const isSums = (table: TableName): boolean => table === 'io-seconds' || table === 'io-minutes'

/** Columns with the types of the rows of a file, for the table function `input`. */
export const structureOf = (table: TableName): string =>
  COLUMNS[table].map((column) => `${quoted(column.name)} ${plainTypeOf(column)}`).join(', ')

const plainTypeOf = (column: Column): string => typeOf(column).replace(/^LowCardinality\((.*)\)$/, '$1')

export const columnNamesOf = (table: TableName): string => COLUMNS[table].map(({ name }) => quoted(name)).join(', ')

/** Name of the column with a row's start. */
export const startOf = (table: TableName): string => SORTED_BY[table].at(-1) ?? 'start_ticks'

function endOf(table: TableName): string {
  const names = new Set(COLUMNS[table].map(({ name }) => name))
  if (names.has('end_ticks')) return 'end_ticks'
  return names.has('duration_ticks') ? 'start_ticks + duration_ticks' : startOf(table)
}

const timeOf = (ticks: string): string => `toDateTime(intDiv(${ticks}, ${String(TICKS_PER_SECOND)}), 'UTC')`

/** Tables with so many rows that each day is a partition; the others are partitioned by month. */
const BY_DAY: ReadonlySet<TableName> = new Set(['io', 'io-rollups', 'io-seconds', 'batches', 'vitals'])

/** Class whose retention applies to hours: that of sums by minute. */
const HOURS_CLASS: RetainedClass = 'minutes'

/** Inserts of a table within which a repeated one is recognised by its token, also by `async` and views. */
const WINDOW = 'non_replicated_deduplication_window = 100000'

interface TableText {
  readonly name: string
  readonly columns: readonly string[]
  readonly engine: string
  readonly order: readonly string[]
  readonly ticks: string
  readonly isByDay: boolean
  readonly ttl: readonly string[]
}

function createTable({ name, columns, engine, order, ticks, isByDay, ttl }: TableText): string {
  const time = timeOf(ticks)
  // With a partition by day all rows of a part expire together, so that only whole parts are dropped. With a partition
  // by month expired rows are removed when parts are merged.
  const settings = isByDay ? `${WINDOW}, ttl_only_drop_parts = 1` : WINDOW
  return `CREATE TABLE IF NOT EXISTS ${name} (
  ${columns.join(',\n  ')}
)
ENGINE = ${engine}
PARTITION BY ${isByDay ? `toYYYYMMDD(${time})` : `toYYYYMM(${time})`}
ORDER BY (${order.map(quoted).join(', ')})
TTL ${ttl.join(',\n  ')}
SETTINGS ${settings}`
}

const NODE = '`node` LowCardinality(String)'
const HOUR = `\`hour_ticks\` Int64 ${TICKS_CODEC}`
const ttlOf = (ticks: string, days: number): string => `${timeOf(ticks)} + toIntervalDay(${String(days)})`

function tableOf(table: TableName, days: number, packsMore: boolean): string {
  const isSum = (name: string): boolean => ['events', 'size_bytes', 'busy_ticks'].includes(name)
  const column = (each: Column): string => {
    const plain = typeOf(each)
    const kind = !isSums(table) ? '' : isSum(each.name) ? 'sum' : each.name === 'max_duration_ticks' ? 'max' : ''
    return `${quoted(each.name)} ${kind === '' ? plain : `SimpleAggregateFunction(${kind}, ${plain})`} ${codecOf(each, table, packsMore)}`
  }
  return createTable({
    name: sqlName(table),
    columns: [NODE, ...COLUMNS[table].map(column)],
    engine: isSums(table) ? 'AggregatingMergeTree' : 'MergeTree',
    // The order of sums contains all columns that are not summed: rows equal in all of them are merged into one.
    order: ['node', ...(isSums(table) ? ['source', 'path', 'type', 'kind', 'start_ticks'] : SORTED_BY[table])],
    ticks: startOf(table),
    isByDay: BY_DAY.has(table),
    ttl: [ttlOf(startOf(table), days)],
  })
}

/** Sums of each hour of a server, for the calendar (`HourSums`), and its longest journal write. */
const HOUR_COLUMNS = [
  NODE,
  HOUR,
  ...['events', 'writes', 'slow', 'critical', 'warning'].map(
    (name) => `\`${name}\` SimpleAggregateFunction(sum, UInt64)`,
  ),
  '`slow_ticks` SimpleAggregateFunction(sum, Int64)',
  '`slowest` SimpleAggregateFunction(max, Tuple(Int64, Int64))',
  '`gap_ticks` SimpleAggregateFunction(max, Int64)',
]

const hourOf = (ticks: string): string => `intDiv(${ticks}, ${String(HOUR_TICKS)}) * ${String(HOUR_TICKS)}`

function sumsView(name: string, table: TableName, seconds: number): string {
  const start = `intDiv(start_ticks, ${String(seconds * TICKS_PER_SECOND)}) * ${String(seconds * TICKS_PER_SECOND)}`
  return view(
    name,
    sqlName(table),
    `SELECT node, source, path, type, kind, begin AS start_ticks, toInt64(count()) AS events,
  sum(coalesce(size, 0)) AS size_bytes, sum(duration_ticks) AS busy_ticks, max(duration_ticks) AS max_duration_ticks
FROM (SELECT node, source, path, type, kind, size_bytes AS size, duration_ticks, ${start} AS begin FROM io)
GROUP BY node, source, path, type, kind, begin`,
  )
}

const view = (name: string, to: string, select: string): string =>
  `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} TO ${to} AS\n${select}`

const SLOW_TICKS = SLOW_MS * TICKS_PER_MS
/** Quantile of the events of a lane and kind in one file above which an event counts as slow. */
const SLOW_PART = 0.99
/** Maximum length of a gap, hours. A longer one comes from a wrong clock. */
const MOST_GAP_HOURS = 24 * 366
const SLOW = `kind = 'JournalWrite' AND duration_ticks >= ${String(SLOW_TICKS)}`

/** Tables whose rows are sent as files. Views fill the others. */
export const SENT_TABLES: readonly TableName[] = TABLES.filter((table) => !isThinned({ table }))

function views(): string[] {
  const hour = String(HOUR_TICKS)
  return [
    view('io_to_slow', 'io_slow', `SELECT * FROM io WHERE duration_ticks >= ${String(SLOW_TICKS)}`),
    // Among few events none is longer than 99 in 100 of them. Such events are almost single in the sums by second.
    view(
      'io_to_slow_of_lane',
      'io_slow',
      `SELECT node, ${columnNamesOf('io')}
FROM (SELECT *, quantileExact(${String(SLOW_PART)})(duration_ticks) OVER (PARTITION BY node, source, path, kind) AS usual FROM io)
WHERE duration_ticks > usual AND duration_ticks < ${String(SLOW_TICKS)}`,
    ),
    sumsView('io_to_seconds', 'io-seconds', 1),
    sumsView('io_to_minutes', 'io-minutes', 60),
    view(
      'io_to_hours',
      'hours',
      `SELECT node, ${hourOf('start_ticks')} AS hour_ticks, count() AS events, countIf(kind = 'JournalWrite') AS writes,
  countIf(${SLOW}) AS slow, sumIf(duration_ticks, ${SLOW}) AS slow_ticks,
  maxIf((duration_ticks, start_ticks), kind = 'JournalWrite') AS slowest
FROM io GROUP BY node, hour_ticks`,
    ),
    view(
      'findings_to_hours',
      'hours',
      `SELECT node, ${hourOf('start_ticks')} AS hour_ticks, countIf(level = 'critical') AS critical,
  countIf(level = 'warning') AS warning
FROM findings GROUP BY node, hour_ticks`,
    ),
    view(
      'gaps_to_hours',
      'hours',
      `SELECT node, hour_ticks, max(least(end_ticks, hour_ticks + ${hour}) - greatest(start_ticks, hour_ticks)) AS gap_ticks
FROM (
  SELECT node, start_ticks, end_ticks,
    toInt64(arrayJoin(range(toUInt64(intDiv(start_ticks, ${hour})), toUInt64(intDiv(end_ticks - 1, ${hour}) + 1)))) * ${hour} AS hour_ticks
  FROM gaps
  WHERE lane IS NULL AND start_ticks >= 0 AND end_ticks > start_ticks AND end_ticks - start_ticks <= ${String(MOST_GAP_HOURS)} * ${hour}
)
GROUP BY node, hour_ticks`,
    ),
    ...SENT_TABLES.map((table) =>
      view(
        `${sqlName(table)}_to_contents`,
        'contents',
        `SELECT node, '${table}' AS feed, hour_ticks, count() AS rows, min(begin) AS min_ticks, max(finish) AS max_ticks
FROM (SELECT node, ${startOf(table)} AS begin, ${endOf(table)} AS finish, ${hourOf(startOf(table))} AS hour_ticks FROM ${sqlName(table)})
GROUP BY node, hour_ticks`,
      ),
    ),
  ]
}

const contentsTtl = (days: KeptDays, tables: readonly TableName[] = SENT_TABLES): string[] =>
  tables.map((table) => `${ttlOf('hour_ticks', days[classOf({ table })])} DELETE WHERE feed = '${table}'`)

/** First version of the tables that has a feed, where it is later than 1. */
const SINCE: Partial<Record<TableName, number>> = { configuration: 2, logs: 3, stacks: 5 }
/** First version with which an upgrade gives new feeds a limit in `contents`. */
const LIMITS_NEW_SINCE = 4

/** Versions of the tables in a database: the one with which it was made, and the newest. 0: there are none. */
export interface FoundVersions {
  readonly first: number
  readonly newest: number
}

/**
 * Statement that gives the feeds that are new since the found versions a limit in an older `contents` table, and leaves
 * the limits that it has. `before`: text of the table's TTL; empty: none. Null: nothing to change, as where a limit is
 * for more than feeds by their names, or all were removed.
 */
export function contentsTtlChange(days: KeptDays, before: string, { first, newest }: FoundVersions): string | null {
  const limited = new Set(Array.from(before.matchAll(/'([^']*)'/g), ([, text]) => text))
  const since = newest < LIMITS_NEW_SINCE ? first : newest
  const lacking = SENT_TABLES.filter((table) => (SINCE[table] ?? 1) > since && !limited.has(table))
  const entries = deletingEntries(before)
  const isOfFeeds = entries.length > 0 && entries.every((entry) => /\bWHERE feed (?:= ''|IN)\s*$/.test(entry))
  if (lacking.length === 0 || !isOfFeeds) return null
  return `ALTER TABLE contents MODIFY TTL ${[before, ...contentsTtl(days, lacking)].join(', ')}`
}

/** Entries of a TTL that delete rows, without what is in quotes and parentheses. */
function deletingEntries(ttl: string): string[] {
  let outline = ttl.replaceAll(/'(?:[^'\\]|\\.)*'/g, "''")
  for (let outer = ''; outer !== outline;) {
    outer = outline
    outline = outer.replaceAll(/\([^()]*\)/g, '')
  }
  return outline
    .split(',')
    .filter((entry) => entry.trim() !== '' && !/\b(?:TO DISK|TO VOLUME|RECOMPRESS)\b/.test(entry))
}

/** Statements that create missing tables and views. `packsMore`: use codecs that need `PACKS_MORE_SINCE`. */
export function schemaStatements(days: KeptDays, packsMore: boolean): readonly string[] {
  return [
    ...TABLES.map((table) => tableOf(table, days[classOf({ table })], packsMore)),
    createTable({
      name: 'hours',
      columns: HOUR_COLUMNS,
      engine: 'AggregatingMergeTree',
      order: ['hour_ticks', 'node'],
      ticks: 'hour_ticks',
      isByDay: false,
      ttl: [ttlOf('hour_ticks', days[HOURS_CLASS])],
    }),
    // Rows of each table by hour, from which the manifest of a server is made.
    createTable({
      name: 'contents',
      columns: [
        NODE,
        '`feed` LowCardinality(String)',
        HOUR,
        '`rows` SimpleAggregateFunction(sum, UInt64)',
        '`min_ticks` SimpleAggregateFunction(min, Int64)',
        '`max_ticks` SimpleAggregateFunction(max, Int64)',
      ],
      engine: 'AggregatingMergeTree',
      order: ['node', 'feed', 'hour_ticks'],
      ticks: 'hour_ticks',
      isByDay: false,
      ttl: contentsTtl(days),
    }),
    `CREATE TABLE IF NOT EXISTS servers (${NODE}, \`url\` String, \`seen\` DateTime) ENGINE = ReplacingMergeTree(seen) ORDER BY node`,
    ...views(),
    // Created last, so that a database has a version only if all of its tables exist.
    `CREATE TABLE IF NOT EXISTS rookery_schema (\`version\` UInt32) ENGINE = ReplacingMergeTree ORDER BY version`,
    `INSERT INTO rookery_schema SELECT ${String(SCHEMA_VERSION)} WHERE ${String(SCHEMA_VERSION)} NOT IN (SELECT version FROM rookery_schema)`,
  ]
}

/**
 * Statement that inserts the rows of a file unchanged. It reads them with one thread: a file of several blocks is then
 * split at the same rows when it is sent again, since each block is recognised by the token and its number.
 */
export const insertOf = (table: TableName, token: string): string =>
  `INSERT INTO ${sqlName(table)} (node, ${columnNamesOf(table)}) SETTINGS insert_deduplication_token = '${token}', deduplicate_blocks_in_dependent_materialized_views = 1, max_threads = 1 SELECT {node:String}, ${columnNamesOf(table)} FROM input('${structureOf(table)}') FORMAT Parquet`
