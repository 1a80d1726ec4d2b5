import { hourOf, type RowGroup, type TableName } from '../capture/archive/manifest.ts'
import { COLUMNS, SORTED_BY, type Value } from '../capture/archive/tables.ts'
import { GROUP_ROWS, type GroupColumns } from './parquet.ts'

/** Minimum size of a row group. A reader skips the groups without rows of its hour; smaller ones would save little, and each costs 1 KB of metadata. */
const LEAST_BYTES = 64 * 1024

export type Columns = readonly (readonly Value[])[]

const placeOf = (table: TableName, name: string): number => COLUMNS[table].findIndex((column) => column.name === name)

/** Index of the column that orders the rows of a table by time. */
export const startColumn = (table: TableName): number => placeOf(table, SORTED_BY[table].at(-1) ?? '')

/** Sorts row numbers in the order of the table; equal rows keep their order. */
export function sortRows(table: TableName, columns: Columns, rows: Uint32Array): Uint32Array {
  const keys = SORTED_BY[table].map((name) => columns[placeOf(table, name)] ?? [])
  const position = new Uint32Array(columns[0]?.length ?? 0)
  for (const [at, row] of rows.entries()) position[row] = at
  return rows.toSorted((a, b) => {
    for (const key of keys) {
      const [left, right] = [key[a] ?? '', key[b] ?? '']
      if (left !== right) return left < right ? -1 : 1
    }
    return (position[a] as number) - (position[b] as number)
  })
}

/**
 * Row groups of whole hours, each in the order of the table: as few hours as reach the minimum size, and several groups
 * if one cannot hold the rows. `rows`: sorted; `rowBytes`: approximate size of a row in files.
 */
export function* groupsOf(
  table: TableName,
  columns: Columns,
  rows: Uint32Array,
  rowBytes: number,
): Generator<GroupColumns> {
  for (const block of hoursTogether(columns[startColumn(table)] ?? [], rows, LEAST_BYTES / rowBytes)) {
    const size = Math.ceil(block.length / Math.ceil(block.length / GROUP_ROWS))
    for (let from = 0; from < block.length; from += size) {
      const own = block.subarray(from, from + size)
      yield columns.map((values) => Array.from(own, (row) => values[row] ?? null))
    }
  }
}

/** Rows of consecutive hours, at least `leastRows` together; the last hours join those before if they have fewer. */
function hoursTogether(starts: readonly Value[], rows: Uint32Array, leastRows: number): Uint32Array[] {
  const byHour = new Map<number, number[]>()
  for (const row of rows) {
    const hour = hourOf(Number(starts[row]))
    const own = byHour.get(hour)
    if (own === undefined) byHour.set(hour, [row])
    else own.push(row)
  }
  const blocks: Set<number>[] = []
  let [block, count] = [new Set<number>(), 0]
  for (const [hour, own] of [...byHour].toSorted(([a], [b]) => a - b)) {
    block.add(hour)
    count += own.length
    if (count < leastRows) continue
    blocks.push(block)
    block = new Set()
    count = 0
  }
  const [last] = blocks.slice(-1)
  if (last === undefined) return rows.length === 0 ? [] : [rows]
  for (const hour of block) last.add(hour)
  return blocks.map((hours) =>
    hours.size === 1
      ? Uint32Array.from([...hours].flatMap((hour) => byHour.get(hour) ?? []))
      : rows.filter((row) => hours.has(hourOf(Number(starts[row])))),
  )
}

/** Collects the byte range and the times of each row group of a file. */
export class GroupPlaces {
  readonly #table: TableName
  readonly #groups: RowGroup[] = []

  constructor(table: TableName) {
    this.#table = table
  }

  /** Places of all groups. Undefined for a file with a single group, which offers nothing to skip. */
  get groups(): readonly RowGroup[] | undefined {
    return this.#groups.length > 1 ? this.#groups : undefined
  }

  /** `endByte`: end of the group in the file. */
  add(columns: GroupColumns, endByte: number): void {
    const starts = columns[startColumn(this.#table)] ?? []
    const ends = columns[placeOf(this.#table, 'end_ticks')]
    const durations = columns[placeOf(this.#table, 'duration_ticks')]
    let [minTicks, maxTicks] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let row = 0; row < starts.length; row++) {
      const start = Number(starts[row])
      minTicks = Math.min(minTicks, start)
      maxTicks = Math.max(maxTicks, Number(ends?.[row] ?? start + Number(durations?.[row] ?? 0)))
    }
    this.#groups.push([minTicks, maxTicks, starts.length, endByte])
  }
}
