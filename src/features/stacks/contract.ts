import type { SourceId } from '../../capture/client/state.ts'
import type { StacksState } from './contract/snapshots.ts'
import type { FrameName, FramesAnswer, FramesAsk } from './contract/frames.ts'
import type { CaptureId, NodeId } from './contract/ids.ts'
import type { JobsAnswer, JobsAsk } from './contract/jobs.ts'
import type { LanesAnswer, LanesAsk } from './contract/lanes.ts'
import type { HistoryAnswer, HistoryAsk, LiveState } from './contract/live.ts'
import type { StacksExportAsk, TreeView } from './contract/samples.ts'
import type { StackText, StackTextAsk } from './contract/stack-text.ts'
import type { ThreadsAnswer, ThreadsAsk } from './contract/threads.ts'
import type { FlameAnswer, FlameAsk, TreeAnswer, TreeAsk } from './contract/trees.ts'

declare module '../../capture/client/panel-id.ts' {
  interface PanelIds {
    stacks: true
  }
}

/**
 * What the stacks panel may ask of the worker; `contract/` has a file for each view. Words: a *capture* is one answer of
 * the server, every thread's stack at one moment. A *sample* is one thread in one capture. A *job* is in whose name a
 * thread works. A *view* is a tree of frames over the samples of some captures.
 *
 * `capture.ask<StacksQueries['stacks.state']['answer']>('stacks.state', null)`.
 */
export interface StacksQueries {
  /** Cheap. `CaptureState.version` grows when it changed, as long as a server or database is watched. */
  'stacks.state': { ask: null; answer: StacksState }
  /**
   * Asks the server for all stacks now, and answers when that is over. While one is under way, or younger than the
   * minimum interval, the same one is answered. Null: it failed (`StacksState.failure`). Costs the server a pause.
   */
  'stacks.capture': { ask: { readonly source: SourceId }; answer: { readonly capture: CaptureId | null } }
  /** Begins a series (ends a running one) and answers at once. */
  'stacks.series': {
    ask: { readonly source: SourceId; readonly everyMs: number; readonly count: number }
    answer: StacksState
  }
  /** Ends the series, and no longer waits for a capture under way (the server finishes it all the same). */
  'stacks.stop': { ask: null; answer: StacksState }
  /** Drops these captures; null: all. */
  'stacks.forget': { ask: { readonly captures: readonly CaptureId[] | null }; answer: StacksState }
  'stacks.threads': { ask: ThreadsAsk; answer: ThreadsAnswer }
  'stacks.jobs': { ask: JobsAsk; answer: JobsAnswer }
  'stacks.flame': { ask: FlameAsk; answer: FlameAnswer }
  'stacks.tree': { ask: TreeAsk; answer: TreeAnswer }
  'stacks.frames': { ask: FramesAsk; answer: FramesAnswer }
  'stacks.lanes': { ask: LanesAsk; answer: LanesAnswer }
  'stacks.text': { ask: StackTextAsk; answer: StackText | null }
  /** By its full text; null: never seen. */
  'stacks.findFrame': { ask: { readonly text: string }; answer: FrameName | null }
  /** From the view's root downwards by full texts; the deepest node that is there. */
  'stacks.findNode': { ask: { readonly view: TreeView; readonly path: readonly string[] }; answer: NodeId }
  /** From the view's root to the node, for breadcrumbs and links. */
  'stacks.path': {
    ask: { readonly view: TreeView; readonly node: NodeId }
    answer: readonly (FrameName & { readonly node: NodeId })[]
  }
  /** Samples and bytes (uncompressed, about) of an export. */
  'stacks.exportCount': {
    ask: StacksExportAsk
    answer: { readonly captures: number; readonly samples: number; readonly frames: number }
  }
  /** Keeps the live list open for 15 s more: ask again every few seconds while it is shown. Costs a socket, 2–4 MB a minute. */
  'threads.want': { ask: null; answer: LiveState }
  'threads.history': { ask: HistoryAsk; answer: HistoryAnswer }
}
