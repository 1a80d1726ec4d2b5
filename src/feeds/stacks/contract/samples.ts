import type { SnapshotId, FrameId, JobKey } from './ids.ts'
import type { WaitKind } from './jobs.ts'

/** Filter of samples: those of these snapshots that pass. Null or an empty text lets all pass. */
export interface SampleFilter {
  readonly snapshots: readonly SnapshotId[]
  readonly jobs: readonly JobKey[] | null
  readonly waits: readonly WaitKind[] | null
}

/** `samples`: one each. `threads`: mean number of threads at a time. `cpu`: mean percent of all cores (0–100). All add up. */
export type Weight = 'samples' | 'threads' | 'cpu'

/**
 * A tree of frames. `top-down`: roots first. `bottom-up`: leaves first. `callers`: who calls `focus`, `focus` first.
 * `callees`: what `focus` calls, `focus` first; where a frame calls itself, the outermost counts.
 */
export interface TreeView {
  readonly samples: SampleFilter
  /** Compare: the other side. Weights of both are per snapshot, so that ranges of different length can be compared. */
  readonly against: SampleFilter | null
  readonly direction: 'top-down' | 'bottom-up' | 'callers' | 'callees'
  readonly focus: FrameId | null
  /** Frames of the runtime and of pools that only pass a call on are joined into one `…` frame. */
  readonly fold: boolean
  readonly weight: Weight
}

/** Formats of the export of stacks. */
export type StacksExportId = 'stacks.json' | 'stacks.text' | 'stacks.folded' | 'stacks.speedscope' | 'stacks.pprof'

/** Parameters of every export format. */
export interface StacksExportParams {
  readonly samples: SampleFilter
  /** Weight in the formats that hold one: speedscope, folded, pprof. */
  readonly weight: Weight
  readonly fold: boolean
}
