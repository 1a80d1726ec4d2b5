import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IndexKey } from './batches.ts'
import type { AxisPiece } from './lanes.ts'

export const LOW_MEMORY_SEVERITIES = ['None', 'Low', 'ExtremelyLow'] as const

export interface LowMemoryEvent {
  readonly atTicks: Ticks
  /** The server's name of the event: LowMemOnTimeoutChk, LowMemHandler, LowMemStateSimulation, BackToNormal … */
  readonly event: string
  /** True: memory became low. False: it is normal again. */
  readonly isLow: boolean
  readonly freeBytes: Bytes | null
  /** The server's text; null: not reported. */
  readonly thresholdText: string | null
}

export interface IndexingMemoryParams {
  /**
   * The first of these sources that reported memory determines the machine. A package describes another machine than
   * the watched server.
   */
  readonly sources: readonly SourceId[]
  readonly pieces: readonly AxisPiece[]
}

/**
 * Machine and process memory, from the dashboard: at most one sample per pixel, the one with the least available
 * memory. Samples arrive every 5 to 15 s; between two samples that are more than 40 s apart, memory is unknown. Bytes;
 * NaN: not reported.
 */
export interface IndexingMemoryResponse {
  readonly length: number
  readonly atTicks: Float64Array
  readonly physicalBytes: Float64Array
  readonly workingSetBytes: Float64Array
  /** Anonymous and shared memory of the process; only in samples of the kernel. */
  readonly privateBytes: Float64Array
  /** Memory that is free, without the clean pages. */
  readonly availableBytes: Float64Array
  /** Available memory including the clean pages, which the system can release at once. */
  readonly availableForProcessingBytes: Float64Array
  /** Available memory below which the server reports low memory; NaN: no machine is known. */
  readonly lowLimitBytes: number
  /** Events within the requested pieces, ascending; at most 1,000. */
  readonly lowMemory: readonly LowMemoryEvent[]
}

/** Bar of the machine's memory. The parts sum to `physicalBytes`. */
export interface MemoryBar {
  /** Time between the sample and the cursor. */
  readonly ageTicks: TickSpan
  readonly physicalBytes: Bytes
  readonly parts: readonly {
    /**
     * - `private`: memory of the server's process that only the process can release; only if the kernel reported it
     * - `other`: all other memory in use; all memory in use if private memory is not known
     * - `clean`: memory that the system can release at once: caches and clean pages of files
     * - `free`
     */
    readonly part: 'private' | 'other' | 'clean' | 'free'
    readonly bytes: Bytes
  }[]
  /** Available memory (clean and free) below which the server reports low memory. */
  readonly lowLimitBytes: Bytes
  readonly severity: string | null
}

export interface IndexingBarParams {
  readonly sources: readonly SourceId[]
  readonly atTicks: Ticks
}

export interface IndexingBarResponse {
  /** Bar of the nearest sample; null: there is no sample within 40 s. */
  readonly bar: MemoryBar | null
  /**
   * Memory that each index held at that time, largest first. Indexes without a figure are left out and counted in
   * `notMeasured`.
   */
  readonly indexes: readonly {
    readonly index: IndexKey
    readonly name: string
    readonly nowBytes: Bytes | null
    readonly checkedBytes: Bytes | null
    readonly grantedBytes: Bytes | null
  }[]
  readonly notMeasured: number
}
