import type { PushedOutRows } from '../../base/columns/pushed-out.ts'
import type { TimeRange } from '../../base/ticks.ts'
import type { SourceId } from '../../capture/client/state.ts'
import type { StacksState } from './contract/snapshots.ts'
import type { FrameName, FramesResponse, FramesParams } from './contract/frames.ts'
import type { NodeId } from './contract/ids.ts'
import type { JobsResponse, JobsParams } from './contract/jobs.ts'
import type { LanesResponse, LanesParams } from './contract/lanes.ts'
import type { HistoryResponse, HistoryParams, LiveState } from './contract/live.ts'
import type { StacksExportId, StacksExportParams, TreeView } from './contract/samples.ts'
import type { StackText, StackTextParams } from './contract/stack-text.ts'
import type { ThreadsResponse, ThreadsParams } from './contract/threads.ts'
import type { FlameResponse, FlameParams, TreeResponse, TreeParams } from './contract/trees.ts'

/**
 * Requests of the stacks panel to the worker; `contract/` has a file for each view. Words: a *snapshot* is one response of
 * the server, every thread's stack at one moment. A *sample* is one thread in one snapshot. A *job* is the work that a
 * thread does, by kind, database and name. A *view* is a tree of frames over the samples of some snapshots.
 */
export interface StacksRequests extends StacksLaterRequests {
  /**
   * State of the feed, cheap to read. `CaptureState.version` increases when it changes, as long as a server or database
   * is watched.
   */
  'stacks.state': { params: null; response: StacksState }
  /**
   * Takes a snapshot of all stacks of the server, unless one is running or is younger than the minimum interval. Its
   * progress and result are in `stacks.state`, as for a series or a snapshot of another tab; responds when it has
   * ended. Pauses the server.
   */
  'stacks.snapshot': { params: { readonly source: SourceId }; response: null }
  /** Starts a series (ends a running one) and responds at once. */
  'stacks.series': {
    params: { readonly source: SourceId; readonly everyMs: number; readonly count: number }
    response: StacksState
  }
  /** Ends the series, and the wait for a running snapshot (which the server completes). */
  'stacks.stop': { params: null; response: StacksState }
  /** Snapshots of a range that were removed, as there are too many. Null: none were. */
  'stacks.pushedOut': {
    params: { readonly sources: readonly SourceId[]; readonly range: TimeRange }
    response: PushedOutRows | null
  }
  /**
   * Keeps the live list open for 15 s: repeat it every few seconds while the list is shown. Costs a socket with 2–4 MB
   * a minute.
   */
  'threads.want': { params: null; response: LiveState }
  'threads.history': { params: HistoryParams; response: HistoryResponse }
}

/** Requests whose handlers are loaded later. */
export interface StacksLaterRequests {
  'stacks.threads': { params: ThreadsParams; response: ThreadsResponse }
  'stacks.jobs': { params: JobsParams; response: JobsResponse }
  'stacks.flame': { params: FlameParams; response: FlameResponse }
  'stacks.tree': { params: TreeParams; response: TreeResponse }
  'stacks.frames': { params: FramesParams; response: FramesResponse }
  'stacks.lanes': { params: LanesParams; response: LanesResponse }
  /** Finds a frame by its full text; null: never seen. */
  'stacks.findFrame': { params: { readonly text: string }; response: FrameName | null }
  /** Finds the deepest existing node on a path of full texts from the view's root. */
  'stacks.findNode': { params: { readonly view: TreeView; readonly path: readonly string[] }; response: NodeId }
  /** Path from the view's root to the node, for breadcrumbs and links. */
  'stacks.path': {
    params: { readonly view: TreeView; readonly node: NodeId }
    response: readonly (FrameName & { readonly node: NodeId })[]
  }
  /** Samples and approximate uncompressed bytes of an export. */
  'stacks.exportCount': {
    params: StacksExportParams
    response: { readonly snapshots: number; readonly samples: number; readonly frames: number }
  }
  'stacks.text': { params: StackTextParams; response: StackText | null }
}

type StacksExports = Readonly<Record<StacksExportId, StacksExportParams>>

declare module '../../capture/exporting/exporter.ts' {
  interface WorkerExports extends StacksExports {}
}

declare module '../../capture/client/requests/requests.ts' {
  interface WorkerRequests extends StacksRequests {}
}
