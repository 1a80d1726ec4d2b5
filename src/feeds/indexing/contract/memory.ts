import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IndexKey } from './batches.ts'
import type { AxisPiece } from './lanes.ts'

export const LOW_MEMORY_SEVERITIES = ['None', 'Low', 'ExtremelyLow'] as const

export interface LowMemoryEvent {
  readonly atTicks: Ticks
  /** The server's name: LowMemOnTimeoutChk, LowMemHandler, LowMemStateSimulation, BackToNormal … */
  readonly event: string
  /** Whether memory became low, rather than normal again. */
  readonly isLow: boolean
  readonly freeBytes: Bytes | null
  /** The server's text; null: not reported. */
  readonly thresholdText: string | null
}

export interface IndexingMemoryParams {
  /** Sources, of which the first with reported memory decides the machine: that of a package is not the server's. */
  readonly sources: readonly SourceId[]
  readonly pieces: readonly AxisPiece[]
}

/**
 * Machine and process memory, from the dashboard: at most one sample a pixel, the one with the least available memory.
 * Samples come every 5 to 15 s: between two that are further apart than 40 s nothing is known. Bytes; NaN: not
 * reported.
 */
export interface IndexingMemoryResponse {
  readonly length: number
  readonly atTicks: Float64Array
  readonly physicalBytes: Float64Array
  readonly workingSetBytes: Float64Array
  /** Anonymous and shared memory of the process: of samples of the kernel. */
  readonly privateBytes: Float64Array
  /** Free memory, which holds nothing. */
  readonly availableBytes: Float64Array
  /** Available memory with the clean pages, which the system can give back at once. */
  readonly availableForProcessingBytes: Float64Array
  /** Available memory below which the server calls memory low; NaN where no machine is known. */
  readonly lowLimitBytes: number
  /** Events within the requested pieces, ascending; at most 1,000. */
  readonly lowMemory: readonly LowMemoryEvent[]
}

/** Bar of the machine's memory: the parts sum to `physicalBytes`. */
export interface MemoryBar {
  /** Distance of the sample from the cursor. */
  readonly ageTicks: TickSpan
  readonly physicalBytes: Bytes
  readonly parts: readonly {
    /**
     * - `private`: of the server's process, which nothing else can give back; only where the kernel reported it
     * - `other`: everything else that is in use; all that is, where private memory is not known
     * - `clean`: what the system gives back at once: caches and clean pages of files
     * - `free`
     */
    readonly part: 'private' | 'other' | 'clean' | 'free'
    readonly bytes: Bytes
  }[]
  /** Available memory (clean and free) below which the server calls memory low. */
  readonly lowLimitBytes: Bytes
  readonly severity: string | null
}

export interface IndexingBarParams {
  readonly sources: readonly SourceId[]
  readonly atTicks: Ticks
}

export interface IndexingBarResponse {
  /** Bar of the nearest sample; null without a sample within 40 s. */
  readonly bar: MemoryBar | null
  /** Memory that each index held then, largest first; indexes without a figure are left out and counted. */
  readonly indexes: readonly {
    readonly index: IndexKey
    readonly name: string
    readonly nowBytes: Bytes | null
    readonly checkedBytes: Bytes | null
    readonly grantedBytes: Bytes | null
  }[]
  readonly notMeasured: number
}
