import type { TableSort } from '../../../ui/table/VirtualTable.tsx'
import { DEFAULT_SORT, SORTABLE } from './rows.ts'

/** `size` or `size-` (descending) of a link → sort; what is not one: by name. */
export function parseSort(text: string | undefined): TableSort {
  if (text === undefined) return DEFAULT_SORT
  const descending = text.endsWith('-')
  const id = descending ? text.slice(0, -1) : text
  return SORTABLE.includes(id) ? { id, descending } : DEFAULT_SORT
}

/** Empty for the default, which a link leaves out. */
export const formatSort = (sort: TableSort): string =>
  sort.id === DEFAULT_SORT.id && sort.descending === DEFAULT_SORT.descending
    ? ''
    : sort.id + (sort.descending ? '-' : '')
