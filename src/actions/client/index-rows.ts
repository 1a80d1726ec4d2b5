import { sortKnown } from '../../base/sort-known.ts'
import { compareNames } from '../../base/text/compare-names.ts'
import type { TableSort } from '../../ui/table/VirtualTable.tsx'
import type { ActionIndex } from '../contract.ts'

/** State of an index in a word: an index in error reports itself as paused. */
export function stateOf({ facts }: ActionIndex): string {
  if (facts.state === 'Error' || facts.isInvalid === true) return 'Error'
  if (facts.state === 'Disabled' || facts.status === 'Disabled') return 'Disabled'
  return facts.status ?? facts.state ?? 'Unknown'
}

function valueOf(row: ActionIndex, column: string): string | number | null | undefined {
  const { facts } = row
  switch (column) {
    case 'state':
      return stateOf(row)
    case 'lag':
      return row.lag
    case 'entries':
      return facts.entries
    case 'errors':
      return facts.errors
    case 'size':
      return facts.sizeBytes
    case 'memory':
      return row.memoryBytes
    case 'batch':
      return row.lastIndexingTicks
    case 'priority':
      return facts.priority
    case 'lock':
      return facts.lock
    case 'type':
      return row.type
    default:
      return row.name
  }
}

/** Sorted copy. Unknown values come last in both directions; equal rows keep their order, which is that of their names. */
export function sortIndexRows(rows: readonly ActionIndex[], { id, descending }: TableSort): readonly ActionIndex[] {
  if (id === 'name') return descending ? rows.toReversed() : rows
  return sortKnown(rows, (row) => valueOf(row, id), compare, descending)
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b))
