import type { TableSort } from '../../../ui/table/VirtualTable.tsx'
import type { DatabasesLinkParams } from '../contract.ts'
import { DEFAULT_SORT, SORTABLE } from './rows.ts'

/** Parses `size` or `size-` (descending); any other text sorts by name. */
export function parseSort(text: string | undefined): TableSort {
  if (text === undefined) return DEFAULT_SORT
  const descending = text.endsWith('-')
  const id = descending ? text.slice(0, -1) : text
  return SORTABLE.some((each) => each === id) ? { id, descending } : DEFAULT_SORT
}

/** Formats the sort; empty for the default, which a link leaves out. */
export function formatSort({ id, descending }: TableSort): DatabasesLinkParams['sort'] | '' {
  const sort = SORTABLE.find((each) => each === id)
  return sort === undefined || (sort === DEFAULT_SORT.id && descending === DEFAULT_SORT.descending)
    ? ''
    : `${sort}${descending ? '-' : ''}`
}
