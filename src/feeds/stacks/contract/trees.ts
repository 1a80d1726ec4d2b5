import type { CssPx } from '../../../base/brand.ts'
import type { FrameName } from './frames.ts'
import type { NodeId } from './ids.ts'
import type { TreeView } from './samples.ts'
import type { SearchResult, TextMatch } from './search.ts'

export interface FlameParams {
  readonly view: TreeView
  /** Node that fills the width; 0: the root. */
  readonly zoom: NodeId
  /** Visible part of the zoomed node, as shares of its weight: 0 ≤ start < end ≤ 1. */
  readonly startShare: number
  readonly endShare: number
  readonly widthPx: CssPx
  /** Range [first, end) of depths; the zoomed node has depth 0. */
  readonly firstDepth: number
  readonly endDepth: number
  readonly search: TextMatch | null
}

/**
 * Marks by depth, then from left to right (the panel finds them by bisection). Only what a pixel can show: adjacent
 * children of one parent that are narrower than a pixel are joined into one mark (`frame` −1, `joined` of them), below
 * which nothing is drawn.
 */
export interface FlameMarks {
  readonly length: number
  readonly depth: Uint16Array
  /** Shares of the zoomed node's weight, not of the visible part. */
  readonly startShare: Float64Array
  readonly endShare: Float64Array
  readonly node: Int32Array
  readonly frame: Int32Array
  /** Number of nodes in the mark; 1: a single node. */
  readonly joined: Uint32Array
  /** Weights in the unit of the view, by side; `against` is 0 without a comparison. */
  readonly weight: Float64Array
  readonly against: Float64Array
  /** Weight that ends here (leaf). */
  readonly self: Float64Array
  /** 1: the frame, or one of the joined ones, matches the search. */
  readonly matched: Uint8Array
}

export interface FlameResponse {
  readonly marks: FlameMarks
  /** Every frame of the marks once. */
  readonly names: readonly FrameName[]
  /** Weights of the view's root and of the zoomed node. */
  readonly total: { readonly weight: number; readonly against: number; readonly samples: number }
  /** Number of levels below the zoomed node. */
  readonly depth: number
  /** Number of samples without a known CPU, which therefore have no weight; 0 for other weights. */
  readonly unknownCpu: number
  readonly search: SearchResult | null
}

/** A row of the tree as a table (equivalent to the flame graph), children by weight. */
export interface TreeRow {
  readonly node: NodeId
  readonly depth: number
  readonly name: FrameName
  readonly weight: number
  readonly self: number
  readonly against: number
  readonly share: number
  readonly children: number
  readonly isOpen: boolean
  readonly matched: boolean
}

export interface TreeParams {
  readonly view: TreeView
  readonly zoom: NodeId
  /** Open nodes in addition to the root. Below an open node, chains of single children are open as well. */
  readonly open: readonly NodeId[]
  readonly search: TextMatch | null
  readonly offset: number
  readonly limit: number
}

export interface TreeResponse {
  readonly total: number
  readonly rows: readonly TreeRow[]
  readonly weight: number
  readonly against: number
}
