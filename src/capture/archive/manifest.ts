import { errorText } from '../../base/text/error-text.ts'
import { TICKS_PER_SECOND } from '../../base/ticks.ts'

/** List of the files in an archive, the only file that is replaced; a file counts once it is listed. */
export const MANIFEST_FILE = 'manifest.json'

/** Kinds of rows, each in a folder of its own. */
export const TABLES = [
  'io',
  'io-rollups',
  'io-slow',
  'io-seconds',
  'io-minutes',
  'batches',
  'gaps',
  'vitals',
  'notifications',
  'findings',
  'queries',
  'cluster-log',
  'configuration',
  'logs',
  'stacks',
] as const
export type TableName = (typeof TABLES)[number]

const KNOWN: ReadonlySet<string> = new Set(TABLES)
/** Whether this version knows the table of a file: a later version may write further ones. */
export const isKnown = ({ table }: { readonly table: string }): boolean => KNOWN.has(table)

/** Number of rows in files of tables that only a later version knows. */
export const newerRowsOf = ({ files }: Pick<Manifest, 'files'>): number =>
  files.reduce((sum, file) => sum + (isKnown(file) ? 0 : file.rows), 0)

/** Tables that replace single I/O events once those are too old; their rows are never shown as events. */
const THINNED: ReadonlySet<TableName> = new Set(['io-slow', 'io-seconds', 'io-minutes'])
export const isThinned = ({ table }: Pick<ArchiveFile, 'table'>): boolean => THINNED.has(table)
/** Whether the rows of a file are opened by the page. */
export const isShown = (file: Pick<ArchiveFile, 'table'>): boolean => isKnown(file) && !isThinned(file)

/** Classes of rows with limits of their own, in the order in which older ones are replaced by sums. */
export const CLASSES = ['events', 'slow', 'seconds', 'minutes', 'rest'] as const
export type RetainedClass = (typeof CLASSES)[number]
const CLASS_OF: Partial<Record<TableName, RetainedClass>> = {
  io: 'events',
  'io-slow': 'slow',
  'io-seconds': 'seconds',
  'io-minutes': 'minutes',
}
export const classOf = ({ table }: Pick<ArchiveFile, 'table'>): RetainedClass => CLASS_OF[table] ?? 'rest'

/** Row group of a file: first start, last end, number of rows, and its end in the file, where the next group starts. */
export type RowGroup = readonly [minTicks: number, maxTicks: number, rows: number, endByte: number]

export interface ArchiveFile {
  /** Path in the archive: `io/node=a_8080/day=2026-11-26/030000-17.parquet`. */
  readonly path: string
  readonly table: TableName
  readonly node: string
  /** UTC day of the start of all its rows: `2026-11-26`. */
  readonly day: string
  readonly rows: number
  readonly bytes: number
  /** First start and last end of its rows, in ticks. */
  readonly minTicks: number
  readonly maxTicks: number
  /** Number of rows by start of the hour, for a file that replaced several; without it all rows are of the first. */
  readonly hourRows?: readonly (readonly [startTicks: number, rows: number])[]
  /** Row groups of whole hours, ascending, for a file with several: a reader fetches those it needs. Without it the file is read as a whole. */
  readonly groups?: readonly RowGroup[]
}

export interface ArchiveNode {
  /** Name as in folders. */
  readonly name: string
  readonly url: string
  /** Number of the oldest journal that is still needed; the rows of earlier ones are in files. */
  readonly journal: number
}

/**
 * Sums over an hour of a server, so that a calendar needs only the manifest. Rows count in the hour in which they
 * begin; gaps count in each hour that they overlap.
 */
export interface ArchiveHour {
  readonly node: string
  /** Start of the hour. */
  readonly startTicks: number
  readonly events: number
  readonly writes: number
  /** Number of journal writes of `SLOW_MS` or more. */
  readonly slow: number
  readonly slowTicks: number
  /** Duration of the longest journal write. */
  readonly slowestTicks: number
  /** Number of findings by level. */
  readonly critical: number
  readonly warning: number
  /** Longest time without data of a source, at most an hour. */
  readonly gapTicks: number
}

/** Last day whose I/O events were replaced by sums; undefined: none. */
export const lastThinnedDay = ({ files }: Pick<Manifest, 'files'>): string | undefined =>
  files
    .filter(isThinned)
    .map(({ day }) => day)
    .toSorted()
    .at(-1)

/** Length of an hour of `ArchiveHour`. */
export const HOUR_TICKS = 3600 * TICKS_PER_SECOND

/** Start of the hour that contains a time. */
export const hourOf = (ticks: number): number => Math.floor(ticks / HOUR_TICKS) * HOUR_TICKS

/** Number of rows of a file by start of the hour for which they count. */
export const hourRowsOf = ({
  hourRows,
  minTicks,
  rows,
}: Pick<ArchiveFile, 'hourRows' | 'minTicks' | 'rows'>): NonNullable<ArchiveFile['hourRows']> =>
  hourRows ?? [[hourOf(minTicks), rows]]

/** Duration, ms, from which on a journal write counts as slow. */
export const SLOW_MS = 10

export interface Manifest {
  readonly format: typeof ARCHIVE_FORMAT
  readonly version: typeof VERSION
  readonly nodes: readonly ArchiveNode[]
  /** Sorted by path. */
  readonly files: readonly ArchiveFile[]
  /** Sorted by time, then by server; missing in archives of earlier recorders. */
  readonly hours?: readonly ArchiveHour[]
}

const ARCHIVE_FORMAT = 'rookery-archive'
const VERSION = 1

export const emptyManifest = (): Manifest => ({ format: ARCHIVE_FORMAT, version: VERSION, nodes: [], files: [] })

/** Parses a manifest. Errors: `Error` for another text, or another version. */
export function readManifest(text: string): Manifest {
  const value = parsed(text)
  if (value?.format !== ARCHIVE_FORMAT) throw new Error(`${MANIFEST_FILE} is not that of an archive.`)
  const version: unknown = value.version
  if (version !== VERSION)
    throw new Error(
      `The archive has version ${String(version)}, and this Rookery reads ${String(VERSION)}${typeof version === 'number' && version > VERSION ? ': use a newer one' : ''}.`,
    )
  if (!Array.isArray(value.nodes) || !Array.isArray(value.files)) throw new Error(`${MANIFEST_FILE} lacks its lists.`)
  const odd: unknown = value.files.find((file) => !isFile(file))
  if (odd !== undefined)
    throw new Error(
      `${MANIFEST_FILE} lists a file without its path, table, server, day, rows, bytes or time: ${JSON.stringify(odd).slice(0, 200)}.`,
    )
  return value as Manifest
}

function parsed(text: string): Partial<Manifest> | null {
  if (text.trim() === '') throw new Error(`${MANIFEST_FILE} is empty.`)
  try {
    return JSON.parse(text) as Partial<Manifest> | null
  } catch (error) {
    throw new Error(`${MANIFEST_FILE} is cut or damaged: ${errorText(error)}.`, {
      cause: error,
    })
  }
}

const isFile = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const file = value as Readonly<Record<string, unknown>>
  return (
    ['path', 'table', 'node', 'day'].every((name) => typeof file[name] === 'string') &&
    ['rows', 'bytes', 'minTicks', 'maxTicks'].every((name) => Number.isFinite(file[name]))
  )
}

/** `3` → `journal/a_8080.3.journal`. */
export const journalPath = (node: string, number: number): string => `journal/${node}.${String(number)}.journal`

/** Server and number of a journal, from its path; null: not the path of a journal. */
export function journalOf(path: string): { readonly node: string; readonly number: number } | null {
  const [, node, number] = /(?:^|\/)journal\/(.+)\.(\d+)\.journal$/.exec(path) ?? []
  return node === undefined ? null : { node, number: Number(number) }
}

/**
 * Common part of the paths of one hour of a table, which end in its number of rows while it grows:
 * `io/node=a/day=2026-11-26/010000-7.parquet` → `io/node=a/day=2026-11-26/010000`. Null: not the path of such an hour.
 */
export const hourPathOf = (path: string): string | null => /^(.*\/\d\d0000)-\d+\.parquet$/.exec(path)?.[1] ?? null

/** Folder name of a server: `http://raven.local:8080` → `raven.local_8080`. */
export const nodeName = (url: string): string => new URL(url).host.replaceAll(/[^\w.-]/g, '_')
