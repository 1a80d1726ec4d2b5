import type { TimeScale } from '../../scale.ts'
import type { SharedTime } from './shared-time.ts'

/** Range in view and the ways to move it that a timeline needs. */
export interface LaneViewport {
  readonly scale: TimeScale
  /** In pixels; positive: towards later. */
  readonly pan: (byPx: number) => void
  /** A factor below 1 zooms in. */
  readonly zoom: (factor: number, anchorPx?: number) => void
  readonly fit: () => void
  readonly goLive: () => void
  readonly reveal: (startTicks: number, durationTicks: number) => void
  /** State shared with other timelines of the viewport; left out: there are none. */
  readonly shared?: SharedTime
}

const STEP = 0.15
const ZOOM_IN = 0.7

/** Keys that all timelines share: earlier and later, in and out, everything, start and end. */
export function movingKeys(viewport: LaneViewport, anchorPx?: number): Record<string, () => void> {
  const pan = (by: 1 | -1) => () => viewport.pan(by * viewport.scale.widthPx * STEP)
  const zoom = (factor: number) => () => viewport.zoom(factor, anchorPx)
  return {
    ArrowLeft: pan(-1),
    ArrowRight: pan(1),
    a: pan(-1),
    d: pan(1),
    w: zoom(ZOOM_IN),
    s: zoom(1 / ZOOM_IN),
    '+': zoom(ZOOM_IN),
    '=': zoom(ZOOM_IN),
    '-': zoom(1 / ZOOM_IN),
    '0': viewport.fit,
    Home: () => viewport.pan(-1e9),
    End: viewport.goLive,
  }
}
