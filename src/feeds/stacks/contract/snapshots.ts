import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import type { SnapshotId } from './ids.ts'

/**
 * Step of a snapshot. `queued`: waits for its turn. `attaching`: sent; the server starts its helper process, which attaches.
 * `sampling`: detected by a new diagnostics thread of the runtime in the live list. That thread lives for a tenth of a
 * second and the list arrives once a second, so usually the step stays `attaching`; the server reports nothing until it
 * is done. `joining`: the response is being read.
 */
export type SnapshotStep = 'queued' | 'attaching' | 'sampling' | 'joining'

export type SnapshotFailureKind =
  | 'helper-missing'
  | 'helper-not-executable'
  | 'diagnostics-off'
  | 'permission' // the certificate lacks the right
  | 'attach-refused' // the operating system did not let the helper attach
  | 'helper-failed' // ended with an error
  | 'helper-rubbish' // wrote something that is no JSON
  | 'busy'
  | 'timeout'
  | 'server-stopped'
  | 'unsupported' // this version or platform does not offer it
  | 'not-understood' // JSON, but no stacks
  | 'other'

export interface SnapshotFailure {
  readonly kind: SnapshotFailureKind
  readonly step: SnapshotStep
  /** Sentence about what happened. */
  readonly message: string
  /** Remedy, in a sentence or two. */
  readonly remedy: string
  readonly error: ErrorInfo | null
}

export interface SnapshotProgress {
  readonly step: SnapshotStep
  /** Wall clocks of this browser, ms since 1970. */
  readonly requestedMs: number
  /** Time at which the page gives up, although the server may continue; wall clock. */
  readonly giveUpMs: number
  /** Whether another tab of this browser takes the snapshot and shares it. */
  readonly isElsewhere: boolean
}

/** Cost of a snapshot. */
export interface SnapshotCost {
  /** Time from the request to the last byte of the response. */
  readonly tookMs: number
  readonly bytes: Bytes
  /** Total pause of the server's threads; null: not reported. */
  readonly pauseMs: number | null
}

export type SnapshotOrigin = 'click' | 'series' | 'file'

export interface SnapshotInfo {
  readonly id: SnapshotId
  readonly source: SourceId
  /** Tag of the node of the threads; null: not reported. */
  readonly nodeTag: string | null
  readonly origin: SnapshotOrigin
  /** Event for which a recorder took it, such as `Journal write of 1.20 s in Documents of shop`; null: another origin. */
  readonly reason: string | null
  /** Server time; NaN: the document (an export of the Studio) has none, and the order is that of `id`. */
  readonly atTicks: Ticks
  /** Id of its series; null: none. */
  readonly series: number | null
  /** Cost for the server; null for a file. */
  readonly cost: SnapshotCost | null
  /** Number of threads with a stack; 0: the document is a list of threads without stacks (`threads/runaway`). */
  readonly sampled: number
  /** Number of all threads, including those without a stack. */
  readonly threads: number
  /** Parts that were left out or cut: duplicate ids, too deep stacks, invalid rows. */
  readonly problems: readonly string[]
}

export interface SeriesState {
  readonly id: number
  readonly everyMs: number
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Wall clock of the next snapshot, ms; null: one is running, or the last one is done. */
  readonly nextMs: number | null
  /** Why the next one is later than planned; null: it is not. */
  readonly slowed: string | null
  readonly phase: 'running' | 'stopped' | 'finished' | 'failed'
  /** Total duration of its snapshots. */
  readonly tookMs: number
  readonly bytes: Bytes
}

export interface StacksState {
  readonly progress: SnapshotProgress | null
  readonly failure: SnapshotFailure | null
  /** Wall clock of the failure, ms; null: none. */
  readonly failedMs: number | null
  /** Cost of the last successful snapshot; null: none. */
  readonly lastCost: SnapshotCost | null
  /** Wall clock, ms, until which another click only gets the existing snapshot. */
  readonly nextMs: number
  /** The newest series, even if it has ended; null: none. */
  readonly series: SeriesState | null
  /**
   * Snapshots, ascending by id, at most `maxSnapshots`: beyond it the oldest ones of the same source are removed and
   * counted.
   */
  readonly snapshots: readonly SnapshotInfo[]
  readonly dropped: number
}

/** Bounds of a series, to which `everyMs` and `count` are clipped. */
export const SERIES_LIMITS = { minEveryMs: 2000, maxEveryMs: 600_000, maxCount: 200 } as const
