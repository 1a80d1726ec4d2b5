import type { Bytes, Ticks } from '../../../base/brand.ts'
import type { ErrorInfo, SourceId } from '../../../capture/client/state.ts'
import type { CaptureId } from './ids.ts'

/**
 * How far a capture is. `asked`: waits for its turn. `attaching`: sent; the server starts its helper, which attaches.
 * `capturing`: seen to take samples (by a new thread of the runtime's diagnostics in the live list, which is there for a
 * tenth of a second and the list comes once a second: mostly it stays at `attaching`, since the server says nothing until
 * it is done). `joining`: the answer came and is read.
 */
export type CaptureStep = 'asked' | 'attaching' | 'capturing' | 'joining'

export type CaptureFailureKind =
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

export interface CaptureFailure {
  readonly kind: CaptureFailureKind
  readonly step: CaptureStep
  /** One sentence: what happened. */
  readonly message: string
  /** One or two sentences: what to do. */
  readonly remedy: string
  readonly error: ErrorInfo | null
}

/** What came of one. `withdrawn`: the user no longer waits for it. */
export type SnapshotOutcome =
  | { readonly kind: 'taken'; readonly capture: CaptureId }
  | { readonly kind: 'failed'; readonly failure: CaptureFailure }
  | { readonly kind: 'withdrawn' }

export interface CaptureProgress {
  readonly step: CaptureStep
  /** Wall clocks of this browser, ms since 1970. */
  readonly askedMs: number
  readonly stepSinceMs: number
  /** After which the page gives up (the server may continue), wall clock. */
  readonly giveUpMs: number
  /** Another tab of this browser captures, and what it gets comes here, too. */
  readonly isElsewhere: boolean
}

/** What a capture has cost. */
export interface CaptureCost {
  /** From the request to its last byte. */
  readonly tookMs: number
  readonly bytes: Bytes
  /** How long the server's threads were paused in all; null: not known (the server does not report it). */
  readonly pauseMs: number | null
}

export type CaptureOrigin = 'click' | 'series' | 'file'

export interface CaptureInfo {
  readonly id: CaptureId
  readonly source: SourceId
  /** Of the node that was captured; null: not reported. */
  readonly nodeTag: string | null
  readonly origin: CaptureOrigin
  /** The server's clock; NaN: the document (an export of the Studio) has none. Order by `id` then. */
  readonly atTicks: Ticks
  /** Of the series it belongs to; null: none. */
  readonly series: number | null
  /** Null for a file. */
  readonly cost: CaptureCost | null
  /** Threads with a stack (each once); 0: the document is a list of threads without stacks (`threads/runaway`). */
  readonly sampled: number
  /** Threads in the server's own list; 0: the document has none. */
  readonly listed: number
  /** Sampled, but not in the list: ended meanwhile, or the list is missing. */
  readonly sampledOnly: number
  /** In the list, but without a stack: native threads, and threads that began meanwhile. */
  readonly listedOnly: number
  /** Threads whose job no rule recognises. */
  readonly unrecognised: number
  /** Share of all cores that all listed threads used together, percent 0–100; NaN: not reported. */
  readonly cpuPercent: number
  /** Stacks came root first (the official Studio's reversed export) and were turned. */
  readonly reversed: boolean
  /** What was left out or cut: duplicate ids, too deep stacks, rows that make no sense. Empty: nothing. */
  readonly problems: readonly string[]
}

export interface SeriesState {
  readonly id: number
  readonly everyMs: number
  readonly count: number
  readonly done: number
  readonly failed: number
  /** Wall clock, ms; null: one is under way, or it is over. */
  readonly nextMs: number | null
  /** Why the next one comes later than planned; null: it does not. */
  readonly slowed: string | null
  readonly phase: 'running' | 'stopped' | 'finished' | 'failed'
  readonly startedMs: number
  /** Of its captures together. */
  readonly tookMs: number
  readonly bytes: Bytes
}

export interface StacksState {
  /** Grows with every change of this answer, and with each capture that is added or dropped. */
  readonly version: number
  readonly progress: CaptureProgress | null
  readonly failure: CaptureFailure | null
  /** When the failure happened, wall clock, ms; null: there is none. */
  readonly failedMs: number | null
  /** Of the last capture that succeeded; null: none yet. */
  readonly lastCost: CaptureCost | null
  /** Before this wall clock, ms, a further click only gets the capture that is already there. */
  readonly nextMs: number
  readonly minIntervalMs: number
  /** The newest series, also when it is over; null: none was begun. */
  readonly series: SeriesState | null
  /** Ascending by id; at most `maxCaptures`: beyond it the oldest of the same source are dropped, and counted. */
  readonly captures: readonly CaptureInfo[]
  readonly maxCaptures: number
  readonly dropped: number
}

/** Bounds of a series; `everyMs` and `count` are brought into them. */
export const SERIES_LIMITS = { minEveryMs: 2000, maxEveryMs: 600_000, maxCount: 200 } as const
