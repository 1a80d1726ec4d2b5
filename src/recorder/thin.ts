import { TICKS_PER_MS, TICKS_PER_SECOND } from '../base/ticks.ts'
import { type ArchiveFile, SLOW_MS, type TableName } from '../capture/archive/manifest.ts'
import { COLUMNS, type Value } from '../capture/archive/tables.ts'
import { divide, youngFile } from './cut.ts'
import type { Folder } from './folder.ts'
import { writeTable } from './merge.ts'
import type { Columns } from './row-groups.ts'

const SLOW_TICKS = SLOW_MS * TICKS_PER_MS
/**
 * Quantile, among the events of a lane and kind, above which an event counts as slow, whatever its duration. Its rank is
 * that of ClickHouse's `quantileExact`, so that both keep the same events.
 */
const SLOW_PART = 0.99
const SUMS = { 'io-seconds': TICKS_PER_SECOND, 'io-minutes': 60 * TICKS_PER_SECOND } as const

const at = (columns: Columns, name: string): readonly Value[] =>
  columns[COLUMNS.io.findIndex((column) => column.name === name)] ?? []

/**
 * Replaces the rows of a file that began before a time by the slow ones among them and by sums. False: the file is no
 * longer in the manifest, or has no such rows. If the process ends at any point, either the old file counts or its
 * replacements do.
 */
export async function thinFile(
  folder: Folder,
  file: ArchiveFile,
  cut: (starts: Float64Array) => number,
): Promise<boolean> {
  const { columns: all, old, young } = await divide(folder, file, cut)
  if (old.length === 0) return false
  const columns = all.map((values) => Array.from(old, (row) => values[row] ?? null))
  const starts = at(columns, 'start_ticks').map(Number)
  const place = {
    ...file,
    minTicks: starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY),
    maxTicks: at(columns, 'duration_ticks').reduce<number>(
      (most, duration, row) => Math.max(most, (starts[row] ?? 0) + Number(duration)),
      Number.NEGATIVE_INFINITY,
    ),
  }
  const runs = runsOf(columns)
  const slow = Uint32Array.from(runs.flatMap((run) => slowRows(at(columns, 'duration_ticks'), run)))
  const files = slow.length === 0 ? [] : [writeTable(folder, [place], 'io-slow', { columns, rows: slow })]
  for (const [table, ticks] of Object.entries(SUMS) as [TableName, number][]) {
    const sums = sumsOf(columns, runs, ticks)
    files.push(
      writeTable(folder, [place], table, {
        columns: sums,
        rows: Uint32Array.from(sums[0] ?? [], (_, row) => row),
      }),
    )
  }
  return folder.supersede([file], [...files, ...youngFile(folder, file, { columns: all, young })])
}

interface Run {
  readonly from: number
  readonly to: number
}

/** Runs of consecutive rows with the same lane and kind. */
function runsOf(columns: Columns): Run[] {
  const keys = ['source', 'path', 'kind'].map((name) => at(columns, name))
  const runs: Run[] = []
  const length = keys[0]?.length ?? 0
  for (let from = 0; from < length;) {
    let to = from + 1
    while (to < length && keys.every((key) => key[to] === key[from])) to++
    runs.push({ from, to })
    from = to
  }
  return runs
}

function slowRows(durations: readonly Value[], { from, to }: Run): number[] {
  const ascending = Float64Array.from(durations.slice(from, to), Number).toSorted()
  const usual = ascending[Math.floor(SLOW_PART * ascending.length)] ?? 0
  const least = Math.min(SLOW_TICKS, usual + 1)
  return Array.from({ length: to - from }, (_, i) => from + i).filter((row) => Number(durations[row]) >= least)
}

/** Sums in the column order of their table; an event counts at its start. */
function sumsOf(columns: Columns, runs: readonly Run[], ticks: number): Value[][] {
  const place = ['source', 'path', 'type', 'kind'].map((name) => at(columns, name))
  const [starts, durations, sizes] = ['start_ticks', 'duration_ticks', 'size_bytes'].map((name) =>
    at(columns, name).map(Number),
  ) as [number[], number[], number[]]
  const rows: Value[][] = []
  for (const { from, to } of runs)
    for (let row = from; row < to;) {
      const start = Math.floor((starts[row] as number) / ticks) * ticks
      const first = row
      let [bytes, busy, longest] = [0, 0, 0]
      for (; row < to && (starts[row] as number) < start + ticks; row++) {
        bytes += sizes[row] as number
        busy += durations[row] as number
        longest = Math.max(longest, durations[row] as number)
      }
      rows.push([...place.map((values) => values[first] ?? ''), start, row - first, bytes, busy, longest])
    }
  return COLUMNS['io-seconds'].map((_, column) => rows.map((values) => values[column] ?? null))
}
