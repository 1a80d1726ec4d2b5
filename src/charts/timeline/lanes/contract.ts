import type { Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { CanvasTokens } from '../../canvas/tokens.ts'
import type { Point } from '../../canvas/gestures.ts'
import type { ScalePiece, TimeScale } from '../../scale.ts'
import type { GapBand } from '../gap-bands.ts'
import type { LaneBox } from './box.ts'

export interface LaneRow extends LaneBox {
  /** A part of the row above: its border is faint. */
  readonly isNested?: boolean
}

/** Rows have a name and tile the content. Tracks are where marks are drawn: the same ones, or parts of them. */
export interface LaneLayout {
  readonly rows: readonly LaneRow[]
  readonly tracks: readonly LaneBox[]
  readonly heightPx: number
}

/** All that a frame is drawn from; a timeline adds its own data. A frame reads it and changes nothing. */
export interface LanePicture {
  readonly layout: LaneLayout
  readonly scale: TimeScale
  readonly tokens: CanvasTokens
  readonly clock: Clock
  readonly scrollPx: number
  readonly gaps: readonly GapBand[]
  /** Time that has been seen; outside of it nothing is known. Null: nothing yet, or not distinguished. */
  readonly known: TimeRange | null
  /** Set where marks stand in an order and have no time: text of the axis instead. */
  readonly untimed?: string | undefined
}

/** A mark that can be focused, outlined and stepped to. */
export interface LaneMark {
  readonly track: LaneBox
  readonly startTicks: number
  readonly durationTicks: number
}

/** Hits that the timeline itself finds under the pointer. */
export type StretchHit<Gap = TimeRange> =
  | { readonly type: 'gap'; readonly gap: Gap }
  | { readonly type: 'fold'; readonly fold: ScalePiece; readonly isMissing: boolean }

export type GapOf<Picture extends LanePicture> = Picture['gaps'][number]['gap']

/** How the keyboard moves from mark to mark. Null: there is none that way. */
export interface LaneFocus<Picture, Mark> {
  /** Where the focus begins, among the tracks in sight. */
  readonly first: (picture: Picture, inSight: ReadonlySet<string>) => Mark | null
  readonly step: (picture: Picture, from: Mark, by: 1 | -1) => Mark | null
  readonly stepTrack: (picture: Picture, from: Mark, by: 1 | -1) => Mark | null
  /** Arrows begin a focus where there is none; otherwise they move the view then. */
  readonly isArrowBegun?: boolean
}

/**
 * Parts that differ between kinds of timelines; everything else is `LaneTimeline`'s. Pure functions of the picture; `yPx` is the
 * top of the row or track on the canvas.
 */
export interface LaneContract<Picture extends LanePicture, Mark extends LaneMark, Hit> {
  /** Below the grid. */
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
  /** Over marks and gaps, below the axis. */
  readonly drawAbove?: (context: CanvasRenderingContext2D, picture: Picture, heightPx: number) => void
  /** Selection and the like, on the overlay: called on every move of the pointer. */
  readonly drawOverlay?: (
    context: CanvasRenderingContext2D,
    picture: Picture,
    heightPx: number,
    pointer: { readonly xPx: number; readonly hit: Hit | null } | null,
  ) => void
  /** Mark that is drawn there; `at.yPx` is in the content. Tried before gaps, after folds. */
  readonly hitTest: (picture: Picture, at: Point) => Hit | null
  /** The mark that a hit stands for; null: it cannot be focused. */
  readonly markOf: (hit: Hit) => Mark | null
  /** By default a frame around the mark's time in its track. */
  readonly outline?: (
    context: CanvasRenderingContext2D,
    picture: Picture,
    mark: Mark,
    colour: string,
    lineWidth: number,
  ) => void
  /** Movement of the focus; null: marks take none, and arrows move the view. */
  readonly focus: LaneFocus<Picture, Mark> | null
}
