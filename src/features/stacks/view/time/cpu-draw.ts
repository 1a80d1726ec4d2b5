import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { toned, withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import type { LaneContract, LaneMark, LanePicture } from '../../../../charts/timeline/lanes/contract.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'
import type { HistoryResponse } from '../../contract/live.ts'
import { bandAt, bucketAt, type BandRects, type CpuBand } from './cpu-areas.ts'

/** After Okabe and Ito: distinct with any of the common colour blindnesses; the legend and the card name each. */
const HUES = ['#3f8fe0', '#e08a2c', '#2fa58a', '#c96fb0', '#c8b02f', '#8a78e0'] as const

/** Hue of a band in a theme. */
export function bandColour(tokens: CanvasTokens, band: Pick<CpuBand, 'slot' | 'pattern'>): string {
  if (band.slot >= 0) return toned(HUES[band.slot % HUES.length] ?? HUES[0], tokens.theme === 'dark' ? 0.68 : 0.6)
  return band.pattern === 'solid' ? tokens.borderStrong : tokens.gap
}

/** Snapshot on the axis: in view (`A`), compared with (`B`), or neither. */
export interface SnapshotMark {
  readonly atTicks: number
  readonly side: 'A' | 'B' | null
}

export interface CpuPicture extends LanePicture {
  readonly history: HistoryResponse
  readonly cpuBands: readonly CpuBand[]
  readonly bands: readonly BandRects[]
  /** Stretches in which the live list was received (`receivedSpans`). */
  readonly received: readonly number[]
  readonly snapshots: readonly SnapshotMark[]
}

export type CpuHit =
  | { readonly type: 'bucket'; readonly bucket: number; readonly band: CpuBand | null }
  | { readonly type: 'snapshot'; readonly mark: SnapshotMark }

const NEAR_PX = 5

function snapshotNear({ scale, snapshots }: CpuPicture, xPx: number): SnapshotMark | null {
  let best: SnapshotMark | null = null
  let bestPx = NEAR_PX + 1
  for (const mark of snapshots) {
    const px = Math.abs(scale.toPx(mark.atTicks) - xPx)
    if (px < bestPx) [best, bestPx] = [mark, px]
  }
  return best
}

/** CPU of the machine in one lane, 0 to 100 %, with the snapshots over it. */
export const CPU_LANES: LaneContract<CpuPicture, LaneMark, CpuHit> = {
  drawGround: (context, picture, { heightPx }) => drawReceived(context, heightPx + AXIS_PX, picture),
  drawTrack: (context, { scale, tokens, bands }, { heightPx }) => {
    context.fillStyle = withAlpha(tokens.border, 0.55)
    for (const share of [0.25, 0.5, 0.75]) context.fillRect(0, AXIS_PX + heightPx * (1 - share), scale.widthPx, 1)
    for (const { band, rects } of bands) {
      const colour = bandColour(tokens, band)
      context.fillStyle = band.pattern === 'solid' ? colour : withAlpha(colour, 0.35)
      for (let i = 0; i < rects.length; i += 4)
        context.fillRect(rects[i] ?? 0, AXIS_PX + (rects[i + 2] ?? 0), rects[i + 1] ?? 0, rects[i + 3] ?? 0)
      if (band.pattern !== 'solid') drawTexture(context, rects, colour, band.pattern === 'hatched' ? 4 : 8)
    }
  },
  drawAbove: (context, picture, heightPx) => {
    const { tokens, scale } = picture
    drawSnapshots(context, heightPx, picture)
    context.font = `10px ${tokens.font}`
    context.textBaseline = 'middle'
    context.fillStyle = tokens.fgMuted
    context.fillText('100 %', 3, AXIS_PX + 7)
    if (picture.received.length > 0) return
    context.font = `12px ${tokens.font}`
    const text = 'CPU of threads was not watched in this range.'
    context.fillText(text, Math.max(8, (scale.widthPx - context.measureText(text).width) / 2), (AXIS_PX + heightPx) / 2)
  },
  hitTest: (picture, at) => {
    const mark = snapshotNear(picture, at.xPx)
    if (mark !== null) return { type: 'snapshot', mark }
    const bucket = bucketAt(picture.history, picture.scale.toTicks(at.xPx))
    if (bucket === null) return null
    const share = 1 - at.yPx / Math.max(1, picture.layout.heightPx)
    return { type: 'bucket', bucket, band: bandAt(picture.cpuBands, bucket, share) }
  },
  markOf: () => null,
  focus: null,
}

/** Diagonals over all rectangles of a band at once: one clip instead of one a bucket. */
function drawTexture(context: CanvasRenderingContext2D, rects: Float32Array, colour: string, stepPx: number): void {
  if (rects.length === 0) return
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  context.save()
  context.beginPath()
  for (let i = 0; i < rects.length; i += 4) {
    const [x = 0, width = 0, y = 0, height = 0] = rects.subarray(i, i + 4)
    context.rect(x, AXIS_PX + y, width, height)
    left = Math.min(left, x)
    right = Math.max(right, x + width)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + height)
  }
  context.clip()
  drawHatch(context, { xPx: left, yPx: AXIS_PX + top, widthPx: right - left, heightPx: bottom - top }, colour, stepPx)
  context.restore()
}

/** Hatches the times without a received live list: unknown is not idle. */
function drawReceived(
  context: CanvasRenderingContext2D,
  heightPx: number,
  { scale, tokens, received }: CpuPicture,
): void {
  context.fillStyle = tokens.bgSunken
  context.fillRect(0, AXIS_PX, scale.widthPx, heightPx - AXIS_PX)
  context.fillStyle = tokens.bg
  for (let i = 0; i < received.length; i += 2) {
    const fromPx = Math.max(0, scale.toPx(received[i] ?? 0))
    const toPx = Math.min(scale.widthPx, scale.toPx(received[i + 1] ?? 0))
    if (toPx > fromPx) context.fillRect(fromPx, AXIS_PX, toPx - fromPx, heightPx - AXIS_PX)
  }
}

const FLAG_PX = 11

function drawSnapshots(context: CanvasRenderingContext2D, heightPx: number, picture: CpuPicture): void {
  const { scale, tokens } = picture
  context.font = `bold 9px ${tokens.font}`
  context.textBaseline = 'middle'
  // Snapshots in view come last, so that they are on top.
  for (const snapshot of picture.snapshots.toSorted((a, b) => Number(a.side !== null) - Number(b.side !== null))) {
    const xPx = Math.round(scale.toPx(snapshot.atTicks))
    if (xPx < -FLAG_PX || xPx > scale.widthPx + FLAG_PX) continue
    const colour = snapshot.side === 'A' ? tokens.accent : snapshot.side === 'B' ? tokens.warn : tokens.fgMuted
    context.fillStyle = withAlpha(colour, snapshot.side === null ? 0.5 : 1)
    context.fillRect(xPx, AXIS_PX, 1, heightPx - AXIS_PX)
    context.fillStyle = colour
    if (snapshot.side === null) {
      context.fillRect(xPx - 2, AXIS_PX, 5, 5)
      continue
    }
    context.fillRect(xPx - 5, AXIS_PX, FLAG_PX, FLAG_PX)
    context.fillStyle = tokens.bg
    context.fillText(snapshot.side, xPx - context.measureText(snapshot.side).width / 2, AXIS_PX + FLAG_PX / 2 + 0.5)
  }
}
