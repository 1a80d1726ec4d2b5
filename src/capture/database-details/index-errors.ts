import { compareNames } from '../../base/text/compare-names.ts'
import type { IndexError } from '../../ravendb/databases/database-details.ts'
import type { TableSort } from '../../ui/table/VirtualTable.tsx'

/** Sorted copy, by a column of the table; equal ones newest first. */
export function sortErrors(errors: readonly IndexError[], { id, descending }: TableSort): IndexError[] {
  const sign = descending ? -1 : 1
  const text = (row: IndexError): string =>
    id === 'index'
      ? row.index
      : id === 'document'
        ? (row.document ?? '')
        : id === 'action'
          ? (row.action ?? '')
          : row.error
  return errors.toSorted((a, b) => {
    const newest = (b.atTicks ?? 0) - (a.atTicks ?? 0)
    return id === 'time' ? -sign * newest : sign * compareNames(text(a), text(b)) || newest
  })
}
