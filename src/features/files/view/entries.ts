import type { FileEntry } from '../../../capture/client/state.ts'
import type { TableSort } from '../../../ui/table/table-columns.ts'

/** Entries whose path contains `filter`, whatever the case. */
export function filterEntries(entries: readonly FileEntry[], filter: string): readonly FileEntry[] {
  const wanted = filter.trim().toLowerCase()
  return wanted === '' ? entries : entries.filter(({ path }) => path.toLowerCase().includes(wanted))
}

/** What is broken comes before what is shown, and that before what is text. */
const RANKS: Readonly<Record<FileEntry['phase'], number>> = { broken: 0, refused: 1, reading: 2, read: 3, listed: 4 }

/** Null: the order of the package. */
export function sortEntries(entries: readonly FileEntry[], sort: TableSort | null): readonly FileEntry[] {
  if (sort === null) return entries
  const direction = sort.descending ? -1 : 1
  return entries.toSorted((a, b) => {
    const first = sort.id === 'bytes' ? a.bytes - b.bytes : sort.id === 'state' ? RANKS[a.phase] - RANKS[b.phase] : 0
    return direction * (first || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  })
}
