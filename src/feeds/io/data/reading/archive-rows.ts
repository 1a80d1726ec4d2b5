import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { TableRows, Value } from '../../../../capture/archive/tables.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { rollUpOf } from '../archive-records.ts'
import type { IoStore } from '../table.ts'
import { ACCELERATION, COMPRESSED, FILE_SIZE, IO_COLUMNS, type IoRollUpRow, NO_SIZE, wireKind } from './wire.ts'

/** Columns that determine where rows of an archive table belong. */
const PLACE = ['source', 'path', 'type', 'kind', 'file'] as const

type Columns = TableRows['columns']

/** Reads events and roll-ups of an archive; false: the table contains neither. */
export function takeRows(
  store: IoStore,
  { table, columns, length }: TableRows,
  sourceOf: (own: SourceId) => SourceId,
): boolean {
  if (table !== 'io' && table !== 'io-rollups') return false
  for (const runs of runsByPlace(columns, length)) {
    const first = runs[0]?.from ?? 0
    const [source, path, type, kind, name] = PLACE.map((column) => String(columns[column]?.[first] ?? ''))
    const events = table === 'io' ? eventsOf(columns, runs) : { columns: noColumns(), length: 0 }
    const rollUps = table === 'io' ? [] : rowsOf(runs).map((row) => rollUpAt(columns, row))
    const kinds = [{ kind: wireKind(kind ?? ''), events, rollUps }]
    const environments = [{ path: path ?? '', type: type ?? '', files: [{ name: name ?? '', status: null, kinds }] }]
    store.ingest(sourceOf(source ?? ''), { environments, problems: { count: 0, first: null } }, true)
  }
  return true
}

/** Consecutive rows, end exclusive. */
interface Run {
  readonly from: number
  readonly to: number
}

/** Groups the rows by place. */
function runsByPlace(columns: Columns, length: number): Iterable<readonly Run[]> {
  const place = PLACE.map((column) => columns[column] ?? [])
  const byPlace = new Map<string, Run[]>()
  for (let from = 0; from < length;) {
    let to = from + 1
    while (to < length && place.every((values) => values[to] === values[from])) to++
    const key = place.map((values) => String(values[from])).join('\u0000')
    const runs = byPlace.get(key)
    if (runs === undefined) byPlace.set(key, [{ from, to }])
    else runs.push({ from, to })
    from = to
  }
  return byPlace.values()
}

const rowsOf = (runs: readonly Run[]): number[] =>
  runs.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))

const noColumns = (): Float64Array[] => Array.from({ length: IO_COLUMNS }, () => new Float64Array())

function eventsOf(columns: Columns, runs: readonly Run[]) {
  const length = runs.reduce((sum, { from, to }) => sum + to - from, 0)
  const read = (name: string, missing: number): Float64Array<ArrayBuffer> => {
    const numbers = new Float64Array(length)
    const values: ArrayLike<Value> = columns[name] ?? []
    let at = 0
    for (const { from, to } of runs)
      if (values instanceof Float64Array) {
        numbers.set(values.subarray(from, to), at)
        at += to - from
      } else for (let row = from; row < to; row++) numbers[at++] = (values[row] as number | null) ?? missing
    return numbers
  }
  const own = noColumns().map(() => new Float64Array(length))
  own[START] = read('start_ticks', Number.NaN)
  own[DURATION] = read('duration_ticks', Number.NaN)
  own[SIZE] = read('size_bytes', Number.NaN)
  own[FILE_SIZE] = read('file_size_bytes', -1)
  own[COMPRESSED] = read('compressed_bytes', -1)
  own[ACCELERATION] = read('acceleration', -1)
  const [sizes, fileSizes] = [own[SIZE], own[FILE_SIZE]]
  for (let at = 0; at < length; at++)
    if (Number.isNaN(sizes[at])) {
      sizes[at] = 0
      fileSizes[at] = NO_SIZE
    }
  return { columns: own, length }
}

function rollUpAt(columns: Columns, row: number): IoRollUpRow {
  const read = (name: string): number => Number(columns[name]?.[row])
  return rollUpOf([
    read('start_ticks'),
    read('end_ticks'),
    read('size_bytes'),
    read('busy_ticks'),
    read('min_duration_ticks'),
    read('max_duration_ticks'),
  ])
}
