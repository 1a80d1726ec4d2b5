import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { BatchRef, IndexKey } from './batches.ts'

export interface IndexCounts {
  /** Number of batches without those that only trained a dictionary. */
  readonly batches: number
  readonly empty: number
  readonly failed: number
  readonly training: number
}

/** Facts from `indexes/stats`; null members are not reported by that version. */
export interface IndexFacts {
  /** Time of the report of these facts. */
  readonly atTicks: Ticks
  readonly type: string | null
  readonly sourceType: string | null
  readonly searchEngine: string | null
  /** Normal, Disabled, Idle, Error … */
  readonly state: string | null
  /** Running, Paused, Disabled, Pending … */
  readonly status: string | null
  readonly isStale: boolean | null
  readonly isInvalid: boolean | null
  readonly entriesCount: number | null
  readonly errorsCount: number | null
  readonly mappedPerSecond: number | null
  readonly reducedPerSecond: number | null
  readonly mostOutputsPerDocument: number | null
  readonly createdTicks: Ticks | null
  readonly lastIndexingTicks: Ticks | null
  readonly lastQueryingTicks: Ticks | null
  /** 5.4 only. */
  readonly threadAllocationBytes: Bytes | null
  /** 5.4 only. */
  readonly budgetBytes: Bytes | null
}

export interface IndexProgress {
  readonly atTicks: Ticks
  readonly itemsLeft: number
  readonly itemsTotal: number
  readonly tombstonesLeft: number
  readonly processedPerSecond: number | null
}

export interface IndexInfo {
  readonly key: IndexKey
  readonly source: SourceId
  readonly name: string
  /** Built side by side to replace that one (`ReplacementOf/…`); null: it is no replacement. */
  readonly replaces: IndexKey | null
  /** `faulty`: it could not be opened, or is in error. `gone`: no longer reported. `reset`: restarted while watched. */
  readonly trouble: 'faulty' | 'error' | 'gone' | null
  /** Sentence on the last change of the index while watched (deleted, reset, replaced); empty without one. */
  readonly note: string
  readonly counts: IndexCounts
  /** The batch that is running; null: none is known to. */
  readonly running: BatchRef | null
  readonly runningState: 'running' | 'waiting' | null
  /** Start of the first batch; NaN without one. */
  readonly firstTicks: Ticks
  readonly endTicks: Ticks
  readonly busyTicks: TickSpan
  readonly facts: IndexFacts | null
  /** Documents that it has not processed yet, over all collections (`indexes/progress`); null: unknown. */
  readonly behind: number | null
  /** Remaining work; null where nothing is left to do, or nothing is reported. */
  readonly progress: IndexProgress | null
}

export interface IndexingIndexesResponse {
  /** Indexes in order of source and name. */
  readonly indexes: readonly IndexInfo[]
  /** Indexes of these sources that are not kept apart: they are one, `FURTHER_INDEXES`. */
  readonly further: number
  /** Memory or low-memory events of their machine are known: there is something to see even where there is no index. */
  readonly reportsMemory: boolean
  /** Databases of these sources without a first response: which indexes they have is not known. */
  readonly awaited: readonly SourceId[]
}
