import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { BatchRef, IndexKey } from './batches.ts'

export interface IndexCounts {
  /** Number of batches, except those that only trained a dictionary. */
  readonly batches: number
  readonly empty: number
  readonly failed: number
  readonly training: number
}

/** Facts from `indexes/stats`. Null: the server's version does not report it. */
export interface IndexFacts {
  /** Time of the report. */
  readonly atTicks: Ticks
  readonly type: string | null
  readonly sourceType: string | null
  readonly searchEngine: string | null
  /** As reported by the server: Normal, Disabled, Idle, Error … */
  readonly state: string | null
  /** As reported by the server: Running, Paused, Disabled, Pending … */
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
  /** Reported by 5.4 only. */
  readonly threadAllocationBytes: Bytes | null
  /** Reported by 5.4 only. */
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
  /** Key of the index that this one is built to replace (`ReplacementOf/…`); null: it is not a replacement. */
  readonly replaces: IndexKey | null
  /** `faulty`: it could not be opened, or is in error. `gone`: no longer reported. `reset`: restarted while watched. */
  readonly trouble: 'faulty' | 'error' | 'gone' | null
  /** Sentence on the last change of the index while it was watched (deleted, reset, replaced); empty: no change. */
  readonly note: string
  readonly counts: IndexCounts
  /** The batch that is running; null: none is known. */
  readonly running: BatchRef | null
  readonly runningState: 'running' | 'waiting' | null
  /** Start of the first batch; NaN: there is no batch. */
  readonly firstTicks: Ticks
  readonly endTicks: Ticks
  readonly busyTicks: TickSpan
  readonly facts: IndexFacts | null
  /**
   * Number of documents that the index has not processed yet, over all collections (`indexes/progress`); null: unknown.
   */
  readonly behind: number | null
  /** Remaining work; null: nothing is left to do, or nothing is reported. */
  readonly progress: IndexProgress | null
}

export interface IndexingIndexesResponse {
  /** Indexes in order of source and name. */
  readonly indexes: readonly IndexInfo[]
  /** Number of indexes beyond the limit. They are combined into one index, `FURTHER_INDEXES`. */
  readonly further: number
  /**
   * Whether memory or low-memory events of the machine are known, so that there is data to show even without an index.
   */
  readonly reportsMemory: boolean
  /** Databases of these sources without a first response: their indexes are not known yet. */
  readonly awaited: readonly SourceId[]
  /** Time since which all batches of a source were received as they ran; absent: not watched, or no response yet. */
  readonly knownTicks: Readonly<Record<SourceId, Ticks>>
}
