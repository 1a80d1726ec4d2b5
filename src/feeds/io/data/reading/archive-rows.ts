import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import type { TableRows, Value } from '../../../../capture/archive/tables.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { IoStore } from '../table.ts'
import { ACCELERATION, COMPRESSED, FILE_SIZE, IO_COLUMNS, type IoRollUpRow, NO_SIZE, wireKind } from './wire.ts'

/** Where rows of a table of an archive belong. */
const PLACE = ['source', 'path', 'type', 'kind', 'file'] as const

type Columns = TableRows['columns']

/** Takes events and roll-ups of an archive; false: the table holds neither. */
export function takeRows(
  store: IoStore,
  { table, columns, length }: TableRows,
  sourceOf: (own: SourceId) => SourceId,
): boolean {
  if (table !== 'io' && table !== 'io-rollups') return false
  for (const rows of rowsByPlace(columns, length)) {
    const first = rows[0] as number
    const [source, path, type, kind, name] = PLACE.map((column) => String(columns[column]?.[first] ?? ''))
    const events = table === 'io' ? eventsOf(columns, rows) : { columns: noColumns(), length: 0 }
    const rollUps = table === 'io' ? [] : rows.map((row) => rollUpOf(columns, row))
    const kinds = [{ kind: wireKind(kind ?? ''), events, rollUps }]
    const environments = [{ path: path ?? '', type: type ?? '', files: [{ name: name ?? '', status: null, kinds }] }]
    store.ingest(sourceOf(source ?? ''), { environments, problems: { count: 0, first: null } }, true)
  }
  return true
}

/** Numbers of the rows of each place. Those of one follow each other for the most part. */
function rowsByPlace(columns: Columns, length: number): Iterable<number[]> {
  const byPlace = new Map<string, number[]>()
  let last: number[] = []
  for (let row = 0; row < length; row++) {
    const isSame = row > 0 && PLACE.every((column) => columns[column]?.[row] === columns[column]?.[row - 1])
    if (!isSame) {
      const key = PLACE.map((column) => String(columns[column]?.[row])).join('\u0000')
      last = byPlace.get(key) ?? []
      byPlace.set(key, last)
    }
    last.push(row)
  }
  return byPlace.values()
}

const noColumns = (): Float64Array[] => Array.from({ length: IO_COLUMNS }, () => new Float64Array())

function eventsOf(columns: Columns, rows: readonly number[]) {
  const read = (name: string, missing: number): Float64Array<ArrayBuffer> => {
    const values: ArrayLike<Value> = columns[name] ?? []
    const numbers = new Float64Array(rows.length)
    for (let i = 0; i < rows.length; i++) numbers[i] = Number(values[rows[i] as number] ?? missing)
    return numbers
  }
  const own = noColumns().map(() => new Float64Array(rows.length))
  own[START] = read('start_ticks', Number.NaN)
  own[DURATION] = read('duration_ticks', Number.NaN)
  own[SIZE] = read('size_bytes', 0)
  own[FILE_SIZE] = read('file_size_bytes', -1)
  own[COMPRESSED] = read('compressed_bytes', -1)
  own[ACCELERATION] = read('acceleration', -1)
  rows.forEach((row, at) => {
    if (columns['size_bytes']?.[row] === null) own[FILE_SIZE]?.fill(NO_SIZE, at, at + 1)
  })
  return { columns: own, length: rows.length }
}

function rollUpOf(columns: Columns, row: number): IoRollUpRow {
  const read = (name: string): number => Number(columns[name]?.[row])
  return {
    startTicks: read('start_ticks'),
    endTicks: read('end_ticks'),
    sizeBytes: read('size_bytes'),
    busyTicks: read('busy_ticks'),
    minTicks: read('min_duration_ticks'),
    maxTicks: read('max_duration_ticks'),
  }
}
