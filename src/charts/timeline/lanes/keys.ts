import type { TimeScale } from '../../scale.ts'
import type { SharedTime } from './shared-time.ts'

/** Range in view and the ways to move it, as far as a timeline needs them. */
export interface LaneViewport {
  readonly scale: TimeScale
  /** Pixels; positive: towards later. */
  readonly pan: (byPx: number) => void
  /** Factor below 1: in. */
  readonly zoom: (factor: number, anchorPx?: number) => void
  readonly fit: () => void
  readonly goLive: () => void
  readonly reveal: (startTicks: number, durationTicks: number) => void
  /** Left out: no other timeline has this viewport. */
  readonly shared?: SharedTime
}

const STEP = 0.15
const ZOOM_IN = 0.7

/** Earlier and later, in and out, all, beginning and end: the same keys on every timeline. */
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
