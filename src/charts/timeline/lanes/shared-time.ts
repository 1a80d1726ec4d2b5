import { Observed } from '../../../base/observed.ts'
import type { LanePicture } from './contract.ts'

/** Draws over the lanes of another timeline, below its axis. */
export type DrawOver = (context: CanvasRenderingContext2D, picture: LanePicture, heightPx: number) => void

/** State, besides the range, that all timelines of one viewport share. */
export class SharedTime {
  /** Position of the pointer as a share of the plot's width, in any of the timelines; null: in none. */
  readonly cursor = new Observed<number | null>(null)
  /** Highlight for the timeline above of what is selected in the lanes below; null: no selection. */
  readonly lit = new Observed<DrawOver | null>(null)

  /** Calls `changed` when overlays must be drawn again. Returns a function that ends the subscription. */
  readonly subscribe = (changed: () => void): (() => void) => {
    const stops = [this.cursor.subscribe(changed), this.lit.subscribe(changed)]
    return () => {
      for (const stop of stops) stop()
    }
  }
}
