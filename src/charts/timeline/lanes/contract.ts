import type { Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { CanvasTokens } from '../../canvas/tokens.ts'
import type { Point } from '../../canvas/gestures.ts'
import type { ScalePiece, TimeScale } from '../../scale.ts'
import type { GapBand } from '../gap-bands.ts'
import type { LaneBox } from './box.ts'

export interface LaneRow extends LaneBox {
  /** The row is a part of the row above: its border is faint. */
  readonly isNested?: boolean
}

/** Rows have a name and tile the content. Marks are drawn in tracks, which are rows or parts of rows. */
export interface LaneLayout {
  readonly rows: readonly LaneRow[]
  readonly tracks: readonly LaneBox[]
  readonly heightPx: number
}

/** Everything that a frame is drawn from, read-only; each timeline adds its own data. */
export interface LanePicture {
  readonly layout: LaneLayout
  readonly scale: TimeScale
  readonly tokens: CanvasTokens
  readonly clock: Clock
  readonly scrollPx: number
  readonly gaps: readonly GapBand[]
  /** Range with data; time outside of it is unknown. Null: no data yet, or not distinguished. */
  readonly known: TimeRange | null
  /** Text in place of the axis, for marks that have an order but no time. */
  readonly untimed?: string | undefined
}

/** Mark that can be focused and outlined, and reached by keys. */
export interface LaneMark {
  readonly track: LaneBox
  readonly startTicks: number
  readonly durationTicks: number
}

/** Hits that `LaneTimeline` itself finds under the pointer. */
export type StretchHit<Gap = TimeRange> =
  | { readonly type: 'gap'; readonly gap: Gap }
  | { readonly type: 'fold'; readonly fold: ScalePiece; readonly isMissing: boolean }

export type GapOf<Picture extends LanePicture> = Picture['gaps'][number]['gap']

/** Keyboard movement from mark to mark. Null: there is no mark in that direction. */
export interface LaneFocus<Picture, Mark> {
  /** Initial focus, among the tracks in view. */
  readonly first: (picture: Picture, inSight: ReadonlySet<string>) => Mark | null
  readonly step: (picture: Picture, from: Mark, by: 1 | -1) => Mark | null
  readonly stepTrack: (picture: Picture, from: Mark, by: 1 | -1) => Mark | null
  /** Whether an arrow key sets the initial focus; otherwise it pans while no mark has the focus. */
  readonly isArrowBegun?: boolean
}

/**
 * Parts that differ between kinds of timelines; `LaneTimeline` does the rest. Pure functions of the picture. `yPx` is
 * the top of the row or track on the canvas.
 */
export interface LaneContract<Picture extends LanePicture, Mark extends LaneMark, Hit> {
  /** Drawn below the grid. */
  readonly drawGround?: (
    context: CanvasRenderingContext2D,
    picture: Picture,
    row: Picture['layout']['rows'][number],
    yPx: number,
  ) => void
  readonly drawTrack: (
    context: CanvasRenderingContext2D,
    picture: Picture,
    track: Picture['layout']['tracks'][number],
    yPx: number,
  ) => void
  /** Drawn over marks and gaps, below the axis. */
  readonly drawAbove?: (context: CanvasRenderingContext2D, picture: Picture, heightPx: number) => void
  /** Draws the selection and the like on the overlay, on every move of the pointer. */
  readonly drawOverlay?: (
    context: CanvasRenderingContext2D,
    picture: Picture,
    heightPx: number,
    pointer: { readonly xPx: number; readonly hit: Hit | null } | null,
  ) => void
  /** Mark drawn at a point; `at.yPx` is in the content. Called after the test for folds and before that for gaps. */
  readonly hitTest: (picture: Picture, at: Point) => Hit | null
  /** Mark of a hit; null: it cannot be focused. */
  readonly markOf: (hit: Hit) => Mark | null
  /** Draws the focus; by default a frame around the mark's time in its track. */
  readonly outline?: (
    context: CanvasRenderingContext2D,
    picture: Picture,
    mark: Mark,
    colour: string,
    lineWidth: number,
  ) => void
  /** Movement of the focus; null: marks cannot be focused, and arrows pan. */
  readonly focus: LaneFocus<Picture, Mark> | null
}
