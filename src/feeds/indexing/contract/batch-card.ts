import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { BatchRow } from './batches.ts'
import type { OperationNode, UnlistedOperations } from './operations.ts'

export interface MapMemory {
  /** Allocations at the last check (every 128 documents); null where they were not measured. */
  readonly allocatedBytes: Bytes | null
  /** Granted budget; null where the batch did not outgrow its initial budget, so that it requested none. */
  readonly budgetBytes: Bytes | null
  /** Managed and unmanaged allocations of the process, not its resident set. */
  readonly processPrivateBytes: Bytes | null
  readonly processWorkingSetBytes: Bytes | null
}

export interface BatchCard extends BatchRow {
  readonly endTicks: Ticks | null
  /** 7.1 only; null: not reported. */
  readonly tombstones: number | null
  readonly averageDocumentBytes: number | null
  readonly bytesPerSecond: number | null
  readonly managedBytes: Bytes | null
  readonly unmanagedBytes: Bytes | null
  /** Memory of the Map operation; all fields are null without one. */
  readonly memory: MapMemory
  /** Memory of the References operation; null without one. */
  readonly referencesMemory: MapMemory | null
  readonly commitPages: number | null
  readonly commitBytes: Bytes | null
  readonly merges: {
    readonly total: number
    readonly executed: number
    readonly files: number
    readonly documents: number
  } | null
  readonly waitTicks: TickSpan
  /** The longest, and what lies above them. */
  readonly operations: readonly OperationNode[]
  readonly unlisted: UnlistedOperations
  /** Operations that it had too many of, and that are counted as `FURTHER_OPERATIONS` of their parents. */
  readonly operationsLeftOut: number
  /** 1 = longest of `rankOf` batches of its index that worked. */
  readonly rank: number
  readonly rankOf: number
  /** The batch as the server's document has it (operations that were null are left out). */
  readonly json: string
}
