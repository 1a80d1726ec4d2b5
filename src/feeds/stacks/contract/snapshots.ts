import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import type { SnapshotId } from './ids.ts'

/**
 * Step of a snapshot. `asked`: waits for its turn. `attaching`: sent; the server starts its helper, which attaches.
 * `sampling`: seen to take samples (by a new thread of the runtime's diagnostics in the live list, which is there for a
 * tenth of a second while the list comes once a second: mostly it stays at `attaching`, since the server reports nothing
 * until it is done). `joining`: the response came and is read.
 */
export type SnapshotStep = 'asked' | 'attaching' | 'sampling' | 'joining'

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
  /** Sentence on what happened. */
  readonly message: string
  /** Remedy in one or two sentences. */
  readonly remedy: string
  readonly error: ErrorInfo | null
}

export interface SnapshotProgress {
  readonly step: SnapshotStep
  /** Wall clocks of this browser, ms since 1970. */
  readonly askedMs: number
  /** Time at which the page gives up (the server may continue), wall clock. */
  readonly giveUpMs: number
  /** Another tab of this browser takes the snapshot, and shares it. */
  readonly isElsewhere: boolean
}

/** Cost of a snapshot. */
export interface SnapshotCost {
  /** Time from the request to the last byte of the response. */
  readonly tookMs: number
  readonly bytes: Bytes
  /** Pause of the server's threads in all; null where the server does not report it. */
  readonly pauseMs: number | null
}

export type SnapshotOrigin = 'click' | 'series' | 'file'

export interface SnapshotInfo {
  readonly id: SnapshotId
  readonly source: SourceId
  /** Tag of the node whose threads it shows; null where it is not reported. */
  readonly nodeTag: string | null
  readonly origin: SnapshotOrigin
  /** The server's clock; NaN: the document (an export of the Studio) has none. Order by `id` then. */
  readonly atTicks: Ticks
  /** Id of the series it belongs to; null without one. */
  readonly series: number | null
  /** Cost for the server; null for a file. */
  readonly cost: SnapshotCost | null
  /** Threads with a stack (each once); 0: the document is a list of threads without stacks (`threads/runaway`). */
  readonly sampled: number
  /** All threads, those without a stack, too. */
  readonly threads: number
  /** Parts that were left out or cut: duplicate ids, too deep stacks, rows that make no sense. Empty without any. */
  readonly problems: readonly string[]
}

export interface SeriesState {
  readonly id: number
  readonly everyMs: number
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Wall clock of the next snapshot, ms; null while one is under way, and after the last. */
  readonly nextMs: number | null
  /** Reason why the next one comes later than planned; null where it does not. */
  readonly slowed: string | null
  readonly phase: 'running' | 'stopped' | 'finished' | 'failed'
  /** Time that its snapshots took together. */
  readonly tookMs: number
  readonly bytes: Bytes
}

export interface StacksState {
  readonly progress: SnapshotProgress | null
  readonly failure: SnapshotFailure | null
  /** Wall clock of the failure, ms; null without one. */
  readonly failedMs: number | null
  /** Cost of the last snapshot that succeeded; null without one. */
  readonly lastCost: SnapshotCost | null
  /** Wall clock up to which a further click only gets the existing snapshot, ms. */
  readonly nextMs: number
  /** The newest series, also when it is over; null: none was begun. */
  readonly series: SeriesState | null
  /** Snapshots ascending by id; at most `maxSnapshots`: beyond it the oldest of the same source are dropped, and counted. */
  readonly snapshots: readonly SnapshotInfo[]
  readonly dropped: number
}

/** Bounds of a series; `everyMs` and `count` are brought into them. */
export const SERIES_LIMITS = { minEveryMs: 2000, maxEveryMs: 600_000, maxCount: 200 } as const
