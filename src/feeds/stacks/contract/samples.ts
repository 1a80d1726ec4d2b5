import type { SnapshotId, FrameId, JobKey } from './ids.ts'
import type { WaitKind } from './jobs.ts'

/** Filter for the samples of these snapshots. Null or an empty text does not filter. */
export interface SampleFilter {
  readonly snapshots: readonly SnapshotId[]
  readonly jobs: readonly JobKey[] | null
  readonly waits: readonly WaitKind[] | null
}

/**
 * `samples`: one each. `threads`: mean number of threads. `cpu`: mean percent of all cores (0–100). All are additive.
 */
export type Weight = 'samples' | 'threads' | 'cpu'

/**
 * A tree of frames. `top-down`: from the roots. `bottom-up`: from the leaves. `callers`: from `focus` to its callers.
 * `callees`: from `focus` to what it calls; of recursive calls the outermost counts.
 */
export interface TreeView {
  readonly samples: SampleFilter
  /** The other side of a comparison. Weights are per snapshot, so that ranges of different lengths can be compared. */
  readonly against: SampleFilter | null
  readonly direction: 'top-down' | 'bottom-up' | 'callers' | 'callees'
  readonly focus: FrameId | null
  /** Whether frames of the runtime and of pools that only pass on a call are joined into one `…` frame. */
  readonly fold: boolean
  readonly weight: Weight
}

/** Formats of the export of stacks. */
export type StacksExportId = 'stacks.json' | 'stacks.text' | 'stacks.folded' | 'stacks.speedscope' | 'stacks.pprof'

/** Parameters of every export format. */
export interface StacksExportParams {
  readonly samples: SampleFilter
  /** Weight, for the formats that have one: speedscope, folded, pprof. */
  readonly weight: Weight
  readonly fold: boolean
}
