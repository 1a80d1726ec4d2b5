import type { TableName } from './manifest.ts'

/** `ticks`: since 1970 in files (`ticks.ts`), since 2020 here. `whole` and `ticks` have 64 bits. */
export type ColumnType = 'text' | 'json' | 'ticks' | 'whole' | 'number'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Whether a value may be null. */
  readonly optional?: true
}

export type Value = string | number | null

/** Rows by column. Ticks count from 2020; JSON is text. */
export interface TableRows {
  readonly table: TableName
  readonly length: number
  readonly columns: Readonly<Record<string, ArrayLike<Value>>>
}

const text = (name: string): Column => ({ name, type: 'text' })
const ticks = (name: string): Column => ({ name, type: 'ticks' })
const whole = (name: string): Column => ({ name, type: 'whole' })
const optional = (name: string, type: ColumnType = 'whole'): Column => ({ name, type, optional: true })
const json = (name: string): Column => ({ name, type: 'json' })

const PLACE = ['source', 'path', 'type', 'kind', 'file'].map(text)

const IO: readonly Column[] = [
  ...PLACE,
  ticks('start_ticks'),
  whole('duration_ticks'),
  optional('size_bytes'),
  optional('file_size_bytes'),
  optional('compressed_bytes'),
  optional('acceleration'),
]

/** Sums of the events that began within a second or a minute. */
const SUMS: readonly Column[] = [
  ...['source', 'path', 'type', 'kind'].map(text),
  ticks('start_ticks'),
  ...['events', 'size_bytes', 'busy_ticks', 'max_duration_ticks'].map(whole),
]

/** Fixed columns: a new database or index adds rows and never columns. Documented in docs/archive.md. */
export const COLUMNS: Readonly<Record<TableName, readonly Column[]>> = {
  io: IO,
  'io-slow': IO,
  'io-seconds': SUMS,
  'io-minutes': SUMS,
  'io-rollups': [
    ...PLACE,
    ticks('start_ticks'),
    ticks('end_ticks'),
    ...['size_bytes', 'busy_ticks', 'min_duration_ticks', 'max_duration_ticks'].map(whole),
  ],
  batches: [text('source'), text('index'), whole('id'), ticks('start_ticks'), whole('duration_ticks'), json('detail')],
  gaps: [
    text('source'),
    optional('lane', 'text'),
    optional('kind', 'text'),
    text('reason'),
    ticks('start_ticks'),
    ticks('end_ticks'),
    optional('missing_count'),
    optional('missing_bytes'),
    text('detail'),
  ],
  vitals: [text('key'), ticks('at_ticks'), { name: 'value', type: 'number' }],
  notifications: [text('id'), ticks('at_ticks'), json('detail')],
  findings: [text('id'), text('level'), text('title'), ticks('start_ticks'), ticks('end_ticks'), json('detail')],
  queries: [text('id'), ticks('start_ticks'), ticks('end_ticks'), json('detail')],
  'cluster-log': [whole('index'), whole('term'), ticks('at_ticks'), text('kind')],
  configuration: [text('key'), ticks('at_ticks'), text('kind'), optional('value', 'text'), optional('before', 'text')],
  logs: [ticks('at_ticks'), ...['level', 'resource', 'component', 'logger', 'message'].map(text)],
  stacks: [ticks('at_ticks'), text('title'), json('detail')],
}

/** Lane for gaps in the figures of a server; a gap without a lane concerns the I/O of its source. */
export const FIGURES = 'figures'
export const FIGURES_OF_DETAILS = 'figures by database and device'
/** Lane for gaps in the cluster log. */
export const CLUSTER_LOG = 'cluster log'
/** Lane of gaps of the server's log. */
export const SERVER_LOG = 'log'
/**
 * Lane of the time of a file that is missing or cannot be read; the kind is its table, `journal`, or `JOURNAL_END`.
 * Never on disk.
 */
export const LOST_FILE = 'lost file'
/** Kind of the end of a journal whose last block is cut, as by a recorder that was killed. */
export const JOURNAL_END = 'journal end'
/** Lane of a row that takes back the lost parts of a file, whose path is the detail. Never on disk. */
export const READ_AGAIN = 'file read again'

const BY_PLACE = ['source', 'path', 'kind', 'start_ticks']

/** Columns by which the rows of a file are sorted; the last one is the time. */
export const SORTED_BY: Readonly<Record<TableName, readonly string[]>> = {
  io: BY_PLACE,
  'io-rollups': BY_PLACE,
  'io-slow': BY_PLACE,
  'io-seconds': BY_PLACE,
  'io-minutes': BY_PLACE,
  batches: ['source', 'index', 'start_ticks'],
  gaps: ['source', 'start_ticks'],
  vitals: ['key', 'at_ticks'],
  notifications: ['at_ticks'],
  findings: ['start_ticks'],
  queries: ['start_ticks'],
  'cluster-log': ['index', 'at_ticks'],
  configuration: ['key', 'at_ticks'],
  logs: ['at_ticks'],
  stacks: ['at_ticks'],
}
