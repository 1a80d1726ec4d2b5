import type { FileEntry } from '../../../capture/client/state.ts'
import type { TableSort } from '../../../ui/table/table-columns.ts'

/** Entries whose path contains `filter`; ignores case. */
export function filterEntries(entries: readonly FileEntry[], filter: string): readonly FileEntry[] {
  const wanted = filter.trim().toLowerCase()
  return wanted === '' ? entries : entries.filter(({ path }) => path.toLowerCase().includes(wanted))
}

/** Order of phases: broken entries first, then those shown in panels, then text. */
const RANKS: Readonly<Record<FileEntry['phase'], number>> = {
  'not-gathered': 0,
  broken: 1,
  refused: 2,
  empty: 3,
  reading: 4,
  read: 5,
  listed: 6,
}

const isGathered = ({ phase }: FileEntry): boolean => phase !== 'not-gathered'

/** Sorts entries; with `sort` null as in the package, but those that the server could not gather first. */
export function sortEntries(entries: readonly FileEntry[], sort: TableSort | null): readonly FileEntry[] {
  if (sort === null)
    return entries.every(isGathered)
      ? entries
      : [...entries.filter((entry) => !isGathered(entry)), ...entries.filter(isGathered)]
  const direction = sort.descending ? -1 : 1
  return entries.toSorted((a, b) => {
    const first = sort.id === 'bytes' ? a.bytes - b.bytes : sort.id === 'state' ? RANKS[a.phase] - RANKS[b.phase] : 0
    return direction * (first || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  })
}
