import { bisectRight } from '../../../../base/columns/bisect.ts'
import type { AxisPiece } from '../../contract/lanes.ts'

/**
 * The pixels of all pieces, one after the other: the left edge of each on the screen, and the time range that it
 * represents.
 */
export interface PixelGrid {
  readonly xPx: Float64Array
  readonly startTicks: Float64Array
  readonly endTicks: Float64Array
}

/** Maximum number of pixels, more than any screen has, so that a hostile link cannot fill the memory. */
const MOST_PIXELS = 20_000

export function pixelGrid(pieces: readonly AxisPiece[]): PixelGrid {
  const x: number[] = []
  const start: number[] = []
  const end: number[] = []
  for (const { startPx, endPx, startTicks, endTicks } of pieces) {
    const width = Math.ceil(Math.max(0, endPx - startPx))
    const ticksPerPx = (endTicks - startTicks) / Math.max(1e-9, endPx - startPx)
    for (let px = 0; px < width && x.length < MOST_PIXELS; px++) {
      x.push(startPx + px)
      start.push(startTicks + px * ticksPerPx)
      end.push(Math.min(endTicks, startTicks + (px + 1) * ticksPerPx))
    }
  }
  return { xPx: Float64Array.from(x), startTicks: Float64Array.from(start), endTicks: Float64Array.from(end) }
}

/** First pixel that ends after `ticks`. */
export const pixelAfter = ({ endTicks }: PixelGrid, ticks: number): number => bisectRight(endTicks, ticks)
