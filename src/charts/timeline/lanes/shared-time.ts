import { Observed } from '../../../base/observed.ts'
import type { LanePicture } from './contract.ts'

/** Draws over the lanes of another timeline, below its axis. */
export type DrawOver = (context: CanvasRenderingContext2D, picture: LanePicture, heightPx: number) => void

/** State that all timelines of one viewport have in common beside its range. */
export class SharedTime {
  /** Place of the pointer as a share of the plot's width, in whichever timeline it is; null: in none. */
  readonly cursor = new Observed<number | null>(null)
  /** Highlight of what is selected in the lanes below, for the timeline above them; null: nothing is. */
  readonly lit = new Observed<DrawOver | null>(null)

  /** `changed` is called when an overlay has to be drawn again. Returns how to stop. */
  readonly subscribe = (changed: () => void): (() => void) => {
    const stops = [this.cursor.subscribe(changed), this.lit.subscribe(changed)]
    return () => {
      for (const stop of stops) stop()
    }
  }
}
