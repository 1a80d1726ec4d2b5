import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { BatchRow } from './batches.ts'
import type { OperationNode, UnlistedOperations } from './operations.ts'

export interface MapMemory {
  /** Allocations at the last check (every 128 documents); null: not measured. */
  readonly allocatedBytes: Bytes | null
  /** Granted budget; null: the batch stayed within its initial budget and requested none. */
  readonly budgetBytes: Bytes | null
  /** Managed and unmanaged allocations of the process, not its resident set. */
  readonly processPrivateBytes: Bytes | null
  readonly processWorkingSetBytes: Bytes | null
}

export interface BatchCard extends BatchRow {
  readonly endTicks: Ticks | null
  /** Reported by 7.1 only; null: not reported. */
  readonly tombstones: number | null
  readonly averageDocumentBytes: number | null
  readonly bytesPerSecond: number | null
  readonly managedBytes: Bytes | null
  readonly unmanagedBytes: Bytes | null
  /** Memory of the Map operation; all fields are null if the batch had none. */
  readonly memory: MapMemory
  /** Memory of the References operation; null: the batch had none. */
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
  /** The longest operations, with all their ancestors. */
  readonly operations: readonly OperationNode[]
  readonly unlisted: UnlistedOperations
  /** Number of operations beyond the limit of a batch; they are counted as `FURTHER_OPERATIONS` of their parents. */
  readonly operationsLeftOut: number
  /** Rank by duration among the `rankOf` batches of its index that worked; 1 = longest. */
  readonly rank: number
  readonly rankOf: number
  /** The batch in the JSON shape of the server's document; operations that were null are left out. */
  readonly json: string
}
