import type { ArchiveFile } from './manifest.ts'

/** Bytes of a file, the end exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Part of a file that is read at once: the whole file, or consecutive row groups. */
export interface Part {
  readonly file: ArchiveFile
  /** Path of the file, or a path of its own for some of its groups. */
  readonly path: string
  readonly minTicks: number
  readonly maxTicks: number
  readonly rows: number
  readonly bytes: number
  /** Groups; null: the whole file. */
  readonly groups: Groups | null
}

interface Groups {
  readonly first: number
  readonly last: number
}

/** The whole file. */
export const wholeOf = (file: ArchiveFile): Part => {
  const { path, minTicks, maxTicks, rows, bytes } = file
  return { file, path, minTicks, maxTicks, rows, bytes, groups: null }
}

/** Smallest readable parts of a file, ascending. */
export function unitsOf(file: ArchiveFile): Part[] {
  const { groups = [] } = file
  if (groups.length < 2) return [wholeOf(file)]
  return groups.map(([minTicks, maxTicks, rows], at) => {
    const { start, end } = bytesOf(file, { first: at, last: at })
    const path = partPath(file.path, { first: at, last: at })
    return { file, path, minTicks, maxTicks, rows, bytes: end - start, groups: { first: at, last: at } }
  })
}

/** Joins units of one file, ascending, into as few parts as possible. */
export function joinParts(units: readonly Part[]): Part[] {
  const parts: Part[] = []
  for (const unit of units) {
    const last = parts.at(-1)
    if (last?.groups && unit.groups && last.groups.last + 1 === unit.groups.first) {
      const groups = { first: last.groups.first, last: unit.groups.last }
      parts[parts.length - 1] = {
        file: unit.file,
        path: partPath(unit.file.path, groups),
        minTicks: Math.min(last.minTicks, unit.minTicks),
        maxTicks: Math.max(last.maxTicks, unit.maxTicks),
        rows: last.rows + unit.rows,
        bytes: last.bytes + unit.bytes,
        groups,
      }
    } else parts.push(unit)
  }
  const [only] = parts
  const isWhole = only?.groups?.first === 0 && only.groups.last + 1 === only.file.groups?.length
  return isWhole ? [wholeOf(only.file)] : parts
}

/** `io/…/000000-to-235959.parquet` → `io/…/000000-to-235959.groups-2-3.parquet`. */
const partPath = (path: string, { first, last }: Groups): string =>
  path.replace(/\.parquet$/, `.groups-${String(first)}-${String(last)}.parquet`)

/** Row groups that the path of a part names; null: all. */
export function groupsInPath(path: string): Groups | null {
  const [, first, last] = /\.groups-(\d+)-(\d+)\.parquet$/.exec(path) ?? []
  return first === undefined ? null : { first: Number(first), last: Number(last) }
}

/** Path of the file to which a part belongs. */
export const filePathOf = (path: string): string => path.replace(/\.groups-\d+-\d+\.parquet$/, '.parquet')

/** Paths of the units of a part. */
export function unitPaths(path: string): string[] {
  const groups = groupsInPath(path)
  if (groups === null) return [path]
  const file = filePathOf(path)
  const { first, last } = groups
  return Array.from({ length: last - first + 1 }, (_, at) => partPath(file, { first: first + at, last: first + at }))
}

/** Returns a test of whether these files and parts of files have all of a file or a part. */
export function covers(paths: readonly string[]): (path: string) => boolean {
  const listed = new Set(paths.flatMap((path) => [path, ...unitPaths(path)]))
  return (path) => listed.has(filePathOf(path)) || unitPaths(path).every((unit) => listed.has(unit))
}

/** The first group follows the magic number. */
const MAGIC_BYTES = 4

function bytesOf({ groups = [], bytes }: ArchiveFile, { first, last }: Groups): ByteRange {
  return { start: groups[first - 1]?.[3] ?? MAGIC_BYTES, end: groups[last]?.[3] ?? bytes }
}

/** Reads a part: its groups, followed by the metadata of the whole file, as `readParquet` expects. */
export async function readPart(
  { file, groups }: Part,
  read: (path: string, bytes?: ByteRange, size?: number) => Promise<Blob>,
): Promise<Blob> {
  if (groups === null) return read(file.path)
  const { start, end } = bytesOf(file, groups)
  const dataEnd = file.groups?.at(-1)?.[3] ?? end
  const pieces =
    end === dataEnd
      ? [{ start, end: file.bytes }]
      : [
          { start, end },
          { start: dataEnd, end: file.bytes },
        ]
  return new Blob(await Promise.all(pieces.map((piece) => read(file.path, piece, file.bytes))))
}
