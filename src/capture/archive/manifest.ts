import { TICKS_PER_SECOND } from '../../base/ticks.ts'

/** The list of what is in an archive; the one file that is replaced, and by which a file counts as written. */
export const MANIFEST_FILE = 'manifest.json'

/** Kinds of rows, a folder each. */
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
] as const
export type TableName = (typeof TABLES)[number]

/** Tables that take the place of single I/O events when those are too old; rows of them are never shown as the events. */
const THINNED: ReadonlySet<TableName> = new Set(['io-slow', 'io-seconds', 'io-minutes'])
export const isThinned = ({ table }: Pick<ArchiveFile, 'table'>): boolean => THINNED.has(table)

/** Rows that are kept by limits of their own, in the order in which they give way to sums. */
export const CLASSES = ['events', 'slow', 'seconds', 'minutes', 'rest'] as const
export type RetainedClass = (typeof CLASSES)[number]
const CLASS_OF: Partial<Record<TableName, RetainedClass>> = {
  io: 'events',
  'io-slow': 'slow',
  'io-seconds': 'seconds',
  'io-minutes': 'minutes',
}
export const classOf = ({ table }: Pick<ArchiveFile, 'table'>): RetainedClass => CLASS_OF[table] ?? 'rest'

export interface ArchiveFile {
  /** In the archive's folder: `io/node=a_8080/day=2026-11-26/030000-17.parquet`. */
  readonly path: string
  readonly table: TableName
  readonly node: string
  /** UTC, `2026-11-26`; of the start of all of its rows. */
  readonly day: string
  readonly rows: number
  readonly bytes: number
  /** Ticks of the first start and the last end. */
  readonly minTicks: number
  readonly maxTicks: number
  /** Rows by begin of the hour, of a file that took the place of several; without it all rows count for the hour of the first. */
  readonly hourRows?: readonly (readonly [startTicks: number, rows: number])[]
}

export interface ArchiveNode {
  /** As in folders. */
  readonly name: string
  readonly url: string
  /** The oldest journal that counts; those before it are in files. */
  readonly journal: number
}

/**
 * Sums over an hour of a server, so that a calendar needs nothing but the manifest. Rows count where they begin, but for
 * gaps, which count in each hour that they reach.
 */
export interface ArchiveHour {
  readonly node: string
  /** Begin of the hour. */
  readonly startTicks: number
  readonly events: number
  readonly writes: number
  /** Journal writes of `SLOW_MS` or more. */
  readonly slow: number
  readonly slowTicks: number
  /** Longest journal write. */
  readonly slowestTicks: number
  /** Findings by level. */
  readonly critical: number
  readonly warning: number
  /** Longest time of which a source is not known, at most the hour. */
  readonly gapTicks: number
}

/** The last day of which I/O events were thinned; undefined: none were. */
export const lastThinnedDay = ({ files }: Pick<Manifest, 'files'>): string | undefined =>
  files
    .filter(isThinned)
    .map(({ day }) => day)
    .toSorted()
    .at(-1)

/** Length of an hour of `ArchiveHour`. */
export const HOUR_TICKS = 3600 * TICKS_PER_SECOND

/** Begin of the hour that a time lies in. */
export const hourOf = (ticks: number): number => Math.floor(ticks / HOUR_TICKS) * HOUR_TICKS

/** Rows of a file by begin of the hour that they count for. */
export const hourRowsOf = ({
  hourRows,
  minTicks,
  rows,
}: Pick<ArchiveFile, 'hourRows' | 'minTicks' | 'rows'>): NonNullable<ArchiveFile['hourRows']> =>
  hourRows ?? [[hourOf(minTicks), rows]]

/** Journal writes that take so long count as slow, ms. */
export const SLOW_MS = 10

export interface Manifest {
  readonly format: typeof ARCHIVE_FORMAT
  readonly version: 1
  readonly nodes: readonly ArchiveNode[]
  /** In order of path. */
  readonly files: readonly ArchiveFile[]
  /** By time, then server; left out by earlier recorders. */
  readonly hours?: readonly ArchiveHour[]
}

const ARCHIVE_FORMAT = 'rookery-archive'

export const emptyManifest = (): Manifest => ({ format: ARCHIVE_FORMAT, version: 1, nodes: [], files: [] })

/** Errors: `Error` for what is no manifest, or of a later version. */
export function readManifest(text: string): Manifest {
  const value = JSON.parse(text) as Partial<Manifest> | null
  if (value?.format !== ARCHIVE_FORMAT) throw new Error(`${MANIFEST_FILE} is not that of an archive.`)
  if (value.version !== 1)
    throw new Error(`The archive has version ${String(value.version)}, and this Rookery reads 1: use a newer one.`)
  if (!Array.isArray(value.nodes) || !Array.isArray(value.files)) throw new Error(`${MANIFEST_FILE} lacks its lists.`)
  return value as Manifest
}

/** `3` → `journal/a_8080.3.journal`. */
export const journalPath = (node: string, number: number): string => `journal/${node}.${String(number)}.journal`

/** Server and number of a journal, from its path; null: the path is not that of a journal. */
export function journalOf(path: string): { readonly node: string; readonly number: number } | null {
  const [, node, number] = /(?:^|\/)journal\/(.+)\.(\d+)\.journal$/.exec(path) ?? []
  return node === undefined ? null : { node, number: Number(number) }
}

/**
 * Common part of the paths of one hour of a table while it grows: they end in its number of rows.
 * `io/node=a/day=2026-11-26/010000-7.parquet` → `io/node=a/day=2026-11-26/010000`. Null: the path does not name such an hour.
 */
export const hourPathOf = (path: string): string | null => /^(.*\/\d\d0000)-\d+\.parquet$/.exec(path)?.[1] ?? null

/** A folder's name for a server: `http://raven.local:8080` → `raven.local_8080`. */
export const nodeName = (url: string): string => new URL(url).host.replaceAll(/[^\w.-]/g, '_')
