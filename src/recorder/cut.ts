import { type ArchiveFile, hourOf } from '../capture/archive/manifest.ts'
import type { Folder } from './folder.ts'
import { columnsOf, writeTable } from './merge.ts'
import { type Columns, sortRows, startColumn } from './row-groups.ts'

/** Columns of a file and the numbers of its rows, sorted as in its table; `old` began before a time. */
export interface Cut {
  readonly columns: Columns
  readonly old: Uint32Array
  readonly young: Uint32Array
}

/** Reads a file and divides its rows at a time, which `cut` chooses from all starts in ascending order. */
export async function divide(folder: Folder, file: ArchiveFile, cut: (starts: Float64Array) => number): Promise<Cut> {
  const columns = await columnsOf(folder, [file])
  const starts = Float64Array.from(columns[startColumn(file.table)] ?? [], Number)
  const ticks = cut(starts.toSorted())
  const rows = sortRows(
    file.table,
    columns,
    Uint32Array.from(starts, (_, row) => row),
  )
  const isOld = (row: number): boolean => (starts[row] as number) < ticks
  return { columns, old: rows.filter(isOld), young: rows.filter((row) => !isOld(row)) }
}

/** Removes the rows of a file that began before a time. False: not in the manifest, or none. */
export async function cutFile(
  folder: Folder,
  file: ArchiveFile,
  cut: (starts: Float64Array) => number,
): Promise<boolean> {
  const { columns, old, young } = await divide(folder, file, cut)
  return old.length > 0 && folder.supersede([file], youngFile(folder, file, { columns, young }))
}

/** Writes the file of the remaining rows. Empty if no rows remain. */
export function youngFile(folder: Folder, file: ArchiveFile, { columns, young }: Omit<Cut, 'old'>): ArchiveFile[] {
  if (young.length === 0) return []
  const starts = columns[startColumn(file.table)] ?? []
  const minTicks = young.reduce((least, row) => Math.min(least, Number(starts[row])), Number.POSITIVE_INFINITY)
  const hours = new Map<number, number>()
  for (const row of young) {
    const hour = hourOf(Number(starts[row]))
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  const hourRows = [...hours].toSorted(([a], [b]) => a - b)
  return [writeTable(folder, [{ ...file, minTicks }], file.table, { columns, rows: young }, hourRows)]
}
