import type { Bytes } from '../../../../base/brand.ts'
import { DURATION, SIZE, START } from '../../../../base/columns/event-chunk.ts'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../../../base/ticks.ts'
import type { BatchRow } from '../../contract/batches.ts'
import type { BatchStore } from '../table.ts'
import {
  BUDGET,
  BYTES_UNKNOWN,
  CHECKED,
  DOCUMENTS_FAILED,
  DOCUMENTS_IN,
  DOCUMENTS_OUT,
  ID,
  REASON,
} from '../index-table.ts'
import type { Part } from './parts.ts'
import { stateOf } from './parts.ts'

/** Value of a column; null: not reported (−1). */
export const measuredOrNull = (value: number): number | null => (value === -1 ? null : value)
export const measuredOrNaN = (value: number): number => (value === -1 ? Number.NaN : value)

/** Converts a batch to the form that lists and cards show. A count that was not reported is NaN. */
export function batchRow(
  store: BatchStore,
  { index, kind, events }: Pick<Part, 'index' | 'kind' | 'events'>,
  row: number,
): BatchRow {
  const read = (column: number): number => events.read(column, row)
  const startTicks = read(START)
  const id = read(ID)
  const durationTicks = read(DURATION)
  const documentsIn = measuredOrNaN(read(DOCUMENTS_IN))
  return {
    index: index.key,
    startTicks: startTicks as Ticks,
    id,
    source: index.source,
    indexName: index.name,
    state: stateOf(store, index, kind, startTicks, id),
    durationTicks: durationTicks as TickSpan,
    documentsIn,
    documentsOut: measuredOrNaN(read(DOCUMENTS_OUT)),
    documentsFailed: measuredOrNaN(read(DOCUMENTS_FAILED)),
    bytes: (read(BYTES_UNKNOWN) === 1 ? Number.NaN : read(SIZE)) as Bytes,
    documentsPerSecond: durationTicks === 0 ? Number.NaN : documentsIn / (durationTicks / TICKS_PER_SECOND),
    reason: store.reasons.get(read(REASON)),
    allocatedBytes: measuredOrNull(read(CHECKED)) as Bytes | null,
    budgetBytes: measuredOrNull(read(BUDGET)) as Bytes | null,
  }
}
