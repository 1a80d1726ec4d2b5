import { compareNames } from '../../base/text/compare-names.ts'
import type { TableSort } from '../../ui/table/VirtualTable.tsx'
import type { ActionIndex } from '../contract.ts'

/** State of an index in a word: an index in error reports itself as paused. */
export function stateOf({ facts }: ActionIndex): string {
  if (facts.state === 'Error' || facts.isInvalid === true) return 'Error'
  if (facts.state === 'Disabled' || facts.status === 'Disabled') return 'Disabled'
  return facts.status ?? facts.state ?? 'Unknown'
}

function valueOf(row: ActionIndex, column: string): string | number {
  const { facts } = row
  switch (column) {
    case 'state':
      return stateOf(row)
    case 'lag':
      return row.lag ?? -1
    case 'entries':
      return facts.entries ?? -1
    case 'errors':
      return facts.errors ?? -1
    case 'size':
      return facts.sizeBytes ?? -1
    case 'memory':
      return row.memoryBytes ?? -1
    case 'batch':
      return row.lastIndexingTicks ?? -1
    case 'priority':
      return facts.priority ?? ''
    case 'lock':
      return facts.lock ?? ''
    case 'type':
      return row.type ?? ''
    default:
      return row.name
  }
}

/** A new array; equals in their order, which is that of their names. */
export function sortIndexRows(rows: readonly ActionIndex[], { id, descending }: TableSort): readonly ActionIndex[] {
  if (id === 'name') return descending ? rows.toReversed() : rows
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [valueOf(a, id), valueOf(b, id)]
    return (
      sign *
      (typeof left === 'number' && typeof right === 'number' ? left - right : compareNames(String(left), String(right)))
    )
  })
}
