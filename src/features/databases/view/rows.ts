import { compareNames } from '../../../base/text/compare-names.ts'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import type { DatabaseList, DatabaseState } from '../../../ravendb/databases/databases.ts'
import type { TableSort } from '../../../ui/table/VirtualTable.tsx'
import type { DatabaseSort } from '../contract.ts'
import { idleFor, indexingRate, unloadsIn, type ListedDatabase } from '../data/facts.ts'

/** States from the most to the least urgent, also for sorting the column. */
const STATES: readonly DatabaseState[] = ['faulted', 'compacting', 'loading', 'online', 'unloaded', 'disabled']

export const DEFAULT_SORT: TableSort = { id: 'name', descending: false }

/** Rows whose name contains the text; ignores case. The text is not a pattern, so it cannot hang or fail. */
export function filterRows(rows: readonly ListedDatabase[], text: string): readonly ListedDatabase[] {
  const wanted = text.trim().toLowerCase()
  return wanted === '' ? rows : rows.filter((row) => row.name.toLowerCase().includes(wanted))
}

const FIGURES: Readonly<Record<Exclude<DatabaseSort, 'name'>, (row: ListedDatabase) => number | null>> = {
  state: (row) => STATES.indexOf(row.state),
  documents: (row) => row.documents,
  indexes: (row) => row.indexes,
  size: (row) => row.sizeBytes,
  temp: (row) => row.tempBytes,
  upTime: (row) => row.upTimeMs,
  errors: (row) => row.indexingErrors,
  alerts: (row) => row.alerts,
  hints: (row) => row.hints,
  idle: idleFor,
  unloads: unloadsIn,
  requests: (row) => row.facts?.requestsPerSecond ?? null,
  writes: (row) => row.facts?.writesPerSecond ?? null,
  indexing: indexingRate,
  stale: (row) => row.facts?.work?.staleIndexes ?? null,
}

/** Columns that can be sorted by. */
export const SORTABLE = ['name', ...Object.keys(FIGURES)] as readonly DatabaseSort[]

/** Sorted copy, equal rows by name. Unknown values come last in either direction. */
export function sortRows(rows: readonly ListedDatabase[], sort: TableSort): ListedDatabase[] {
  const sign = sort.descending ? -1 : 1
  const id = SORTABLE.find((each) => each === sort.id)
  const figure = id === undefined || id === 'name' ? undefined : FIGURES[id]
  if (figure === undefined) return rows.toSorted((a, b) => sign * compareNames(a.name, b.name))
  return rows.toSorted((a, b) => {
    const left = figure(a)
    const right = figure(b)
    if (left === right) return compareNames(a.name, b.name)
    if (left === null) return 1
    if (right === null) return -1
    return sign * (left - right)
  })
}

/** `3 databases: 2 online, 1 unloaded`; with `the first` before it where the list was cut. */
export function describeList({ rows, complete }: DatabaseList): string {
  const counts = STATES.map((state) => ({ state, count: rows.filter((row) => row.state === state).length }))
  const parts = counts.filter(({ count }) => count > 0).map(({ state, count }) => `${formatCount(count)} ${state}`)
  const databases = `${complete ? '' : 'the first '}${formatPlural(rows.length, 'database')}`
  return parts.length === 0 ? databases : `${databases}: ${parts.join(', ')}`
}
