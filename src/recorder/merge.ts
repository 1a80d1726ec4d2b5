import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { msFromTicks, type Ticks, ticksFromMs } from '../base/ticks.ts'
import {
  type ArchiveFile,
  HOUR_TICKS,
  hourOf,
  hourRowsOf,
  isKnown,
  isThinned,
  type TableName,
} from '../capture/archive/manifest.ts'
import { newerColumns, readParquet } from '../capture/archive/read-parquet.ts'
import { COLUMNS, type Value } from '../capture/archive/tables.ts'
import { clockOf, type Folder } from './folder.ts'
import { encodeTable, GROUP_ROWS } from './parquet.ts'
import { type Columns, groupsOf, GroupPlaces, sortRows } from './row-groups.ts'

/** Maximum size of a merged file: a larger one saves hardly any space, and an hour of it opens slowly. */
const MOST_ROWS = 4 * GROUP_ROWS
const MOST_BYTES = 4 << 20
export const DAY_MS = 86_400_000
/** Time, ms, after the end of an hour by which its rows are in files. */
const LATE_MS = 600_000

/** Groups of files that can be merged into one: files of an hour that is over, and files of a day that is over. */
export function mergeable(files: readonly ArchiveFile[], nowMs: number): ArchiveFile[][] {
  const endTicks = ticksFromMs(nowMs - LATE_MS)
  // A day that still has I/O events to thin will get more files of sums.
  const thinning = new Set(files.flatMap(({ table, node, day }) => (table === 'io' ? `${node} ${day}` : [])))
  const groups = new Map<string, ArchiveFile[]>()
  for (const file of files) {
    if (!isKnown(file) || (isThinned(file) && thinning.has(`${file.node} ${file.day}`))) continue
    const isDayOver = ticksFromMs(Date.parse(file.day) + DAY_MS) <= endTicks
    // The middle of the file's time decides: its first row may be a long one that began in the hour before.
    const hour = hourOf((file.minTicks + file.maxTicks) / 2)
    if (!isDayOver && hour + HOUR_TICKS > endTicks) continue
    const key = [file.table, file.node, file.day, isDayOver ? '' : String(hour)].join(' ')
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [file])
    else known.push(file)
  }
  return [...groups.values()].flatMap(inParts).filter((part) => part.length > 1)
}

/** Splits files into groups that are neighbours in time and fit into one file. */
function inParts(files: readonly ArchiveFile[]): ArchiveFile[][] {
  const parts: ArchiveFile[][] = []
  let rows = 0
  let bytes = 0
  for (const file of files.toSorted((a, b) => a.minTicks - b.minTicks)) {
    rows += file.rows
    bytes += file.bytes
    const last = parts.at(-1)
    if (last !== undefined && rows <= MOST_ROWS && bytes <= MOST_BYTES) last.push(file)
    else {
      parts.push([file])
      rows = file.rows
      bytes = file.bytes
    }
  }
  return parts
}

/** Replaces several files of a table, server and day by one. False: one of them is no longer in the manifest. */
export async function mergeFiles(folder: Folder, files: readonly ArchiveFile[]): Promise<boolean> {
  const [first] = files
  if (first === undefined) return false
  const columns = await columnsOf(folder, files)
  const rows = sortRows(
    first.table,
    columns,
    Uint32Array.from(columns[0] ?? [], (_, row) => row),
  )
  return folder.supersede(files, [writeTable(folder, files, first.table, { columns, rows })])
}

/**
 * Reads the rows of a table's files, in the order of its columns. Errors: `Error` if their number differs from the
 * manifest, or a later version wrote them with more than this one would write again.
 */
export async function columnsOf(folder: Folder, files: readonly ArchiveFile[]): Promise<Value[][]> {
  if (!files.every(isKnown)) throw new Error('Its table is of a newer version of Rookery.')
  const columns: Value[][] = COLUMNS[files[0]?.table ?? 'io'].map(() => [])
  for (const { path, rows, table } of files) {
    const before = columns[0]?.length ?? 0
    const blob = new Blob([Uint8Array.from(await readFile(join(folder.path, path)))])
    const newer = await newerColumns(table, blob)
    if (newer.length > 0) throw new Error(`${path} has columns of a newer version of Rookery: ${newer.join(', ')}.`)
    for await (const group of readParquet(table, blob)) {
      COLUMNS[table].forEach(({ name }, at) => {
        const values = group.columns[name] ?? []
        for (let row = 0; row < group.length; row++) columns[at]?.push(values[row] ?? null)
      })
      // Lets sockets be read between two groups.
      await new Promise((done) => setImmediate(done))
    }
    const read = (columns[0]?.length ?? 0) - before
    if (read !== rows) throw new Error(`${path} has ${String(read)} rows, and the manifest says ${String(rows)}.`)
  }
  return columns
}

/** Writes sorted rows that come from `files` to a new file, which is not yet in the manifest. Errors: `DiskFull`. */
export function writeTable(
  folder: Folder,
  files: readonly ArchiveFile[],
  table: TableName,
  { columns, rows: order }: { readonly columns: Columns; readonly rows: Uint32Array },
  hourRows: ArchiveFile['hourRows'] = joined(files),
): ArchiveFile {
  const { node = '', day = '' } = files[0] ?? {}
  const sum = (of: (file: ArchiveFile) => number): number => files.reduce((total, file) => total + of(file), 0)
  const rowBytes =
    sum((file) => file.bytes) /
    Math.max(
      1,
      sum((file) => file.rows),
    )
  const places = new GroupPlaces(table)
  const { bytes, rows } = encodeTable(table, groupsOf(table, columns, order, rowBytes), (group, endByte) =>
    places.add(group, endByte),
  )
  const minTicks = files.reduce((least, file) => Math.min(least, file.minTicks), Number.POSITIVE_INFINITY)
  const maxTicks = files.reduce((most, file) => Math.max(most, file.maxTicks), Number.NEGATIVE_INFINITY)
  const path = freePath(folder, `${table}/node=${node}/day=${day}/`, minTicks, maxTicks)
  folder.write(path, bytes)
  const file = { path, table, node, day, rows, bytes: bytes.length, minTicks, maxTicks }
  if (isThinned(file)) return file
  return { ...file, hourRows, ...(places.groups === undefined ? {} : { groups: places.groups }) }
}

/** Path that is not in the manifest, named by the time range of the file: `000000-to-235959`. */
function freePath(folder: Folder, place: string, minTicks: number, maxTicks: number): string {
  const known = new Set(folder.manifest.files.map(({ path }) => path))
  const name = [minTicks, maxTicks].map((ticks) => clockOf(ticks as Ticks, msFromTicks)).join('-to-')
  let path = `${place}${name}.parquet`
  for (let n = 2; known.has(path); n++) path = `${place}${name}-${String(n)}.parquet`
  return path
}

function joined(files: readonly ArchiveFile[]): NonNullable<ArchiveFile['hourRows']> {
  const byHour = new Map<number, number>()
  for (const file of files)
    for (const [hour, rows] of hourRowsOf(file)) byHour.set(hour, (byHour.get(hour) ?? 0) + rows)
  return [...byHour].toSorted(([a], [b]) => a - b)
}
