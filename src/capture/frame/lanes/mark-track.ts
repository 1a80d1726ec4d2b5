import { formatDuration, formatPlural } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { withAlpha } from '../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../charts/canvas/hatch.ts'
import type { CanvasTokens } from '../../../charts/canvas/tokens.ts'
import { markSpans } from '../../../charts/timeline/mark-spans.ts'
import { indexMarks, markSpan, type Indexed, type MarkColumns } from '../../../charts/timeline/marks.ts'
import type { TimeScale } from '../../../charts/scale.ts'
import type { LaneFrame, LaneItem, LaneLook, LaneTrack, TrackBox } from './lane.ts'

/** Marks of one track, with the style of each. */
export interface MarkTrackOptions {
  readonly key: string
  readonly title?: string
  readonly marks: Indexed<MarkColumns>
  /** Styles; where marks share a pixel, later ones take precedence. */
  readonly looks: readonly LaneLook[]
  /** Index in `looks`. */
  readonly lookAt: (mark: number) => number
  readonly itemAt: (mark: number) => LaneItem
  /** Label for marks that are wide enough. */
  readonly labelAt?: (mark: number) => string
}

/** Width of a mark without duration, px. */
const MOMENT_PX = 3
/** Height, px, below which a track has no labels and no space around its marks. */
const LABEL_PX = 13
const HATCH_PX = 5
/** Distance from a fold up to which its edge is drawn. */
const ZIGZAG_PX = 4

/** Track of rectangles, to scale; marks that share a pixel are drawn in the most important style. */
export const markTrack = ({ key, title = '', marks, itemAt, ...options }: MarkTrackOptions): LaneTrack => ({
  key,
  title,
  marks,
  isTiled: false,
  itemAt,
  draw: (context, frame, box) => drawMarks(context, frame, box, { marks, ...options }),
})

type Drawn = Pick<MarkTrackOptions, 'marks' | 'looks' | 'lookAt' | 'labelAt'>

function drawMarks(
  context: CanvasRenderingContext2D,
  { scale, tokens }: LaneFrame,
  box: TrackBox,
  { marks, looks, lookAt, labelAt }: Drawn,
): void {
  const { yPx, heightPx } = insideOf(box)
  const { wide, narrow } = markSpans(scale, marks, looks.length, lookAt)
  for (const layer of [wide, narrow])
    layer.forEach((spans, code) => {
      const look = looks[code]
      if (look === undefined || spans.length === 0) return
      for (let i = 0; i < spans.length; i += 2)
        drawLook(context, tokens, look, { xPx: spans[i] ?? 0, yPx, widthPx: spans[i + 1] ?? 0, heightPx })
    })
  drawMoments(context, { scale, tokens }, { yPx, heightPx }, { marks, looks, lookAt })
  if (labelAt !== undefined && heightPx >= LABEL_PX)
    drawLabels(context, { scale, tokens }, { yPx, heightPx }, marks, labelAt)
}

const insideOf = ({ yPx, heightPx }: TrackBox): TrackBox => {
  const padPx = heightPx >= LABEL_PX ? 2 : heightPx > 4 ? 1 : 0
  return { yPx: yPx + padPx, heightPx: Math.max(1, heightPx - padPx * 2 - 1) }
}

interface Box extends TrackBox {
  readonly xPx: number
  readonly widthPx: number
}

const hueOf = (tokens: CanvasTokens, look: LaneLook): string => tokens.kinds.get(look.token) ?? tokens.accent

function drawLook(context: CanvasRenderingContext2D, tokens: CanvasTokens, look: LaneLook, box: Box): void {
  const hue = hueOf(tokens, look)
  const { xPx, yPx, widthPx, heightPx } = box
  if (look.pattern === 'low') {
    context.fillStyle = hue
    context.fillRect(xPx, yPx + heightPx / 2 - 1, widthPx, 2)
    return
  }
  context.fillStyle = look.pattern === 'solid' ? hue : withAlpha(hue, 0.35)
  context.fillRect(xPx, yPx, widthPx, heightPx)
  if (look.pattern === 'hatched' && widthPx > 3) drawHatch(context, box, hue, HATCH_PX)
}

/** Draws marks without duration as bars, at most one a pixel. */
function drawMoments(
  context: CanvasRenderingContext2D,
  { scale, tokens }: LaneFrame,
  { yPx, heightPx }: TrackBox,
  { marks, looks, lookAt }: Drawn,
): void {
  let lastPx = Number.NEGATIVE_INFINITY
  let lastCode = -1
  for (let i = 0; i < marks.length; i++) {
    if ((marks.durationTicks[i] ?? 0) > 0) continue
    const xPx = Math.round(scale.toPx(marks.startTicks[i] ?? 0)) - 1
    if (xPx < -MOMENT_PX) continue
    if (xPx > scale.widthPx) break
    const code = lookAt(i)
    if (xPx === lastPx && code <= lastCode) continue
    const look = looks[code]
    if (look !== undefined) {
      context.fillStyle = hueOf(tokens, look)
      context.fillRect(xPx, yPx, MOMENT_PX, heightPx)
    }
    lastPx = xPx
    lastCode = code
  }
}

function drawLabels(
  context: CanvasRenderingContext2D,
  { scale, tokens }: LaneFrame,
  { yPx, heightPx }: TrackBox,
  marks: MarkColumns,
  labelAt: (mark: number) => string,
): void {
  context.font = `11px ${tokens.font}`
  context.textBaseline = 'middle'
  for (let i = 0; i < marks.length; i++) {
    const { startPx, endPx } = markSpan(scale, marks.startTicks[i] ?? 0, marks.durationTicks[i] ?? 0)
    if (endPx <= 0 || endPx - startPx < 24) continue
    if (startPx >= scale.widthPx) break
    const label = labelAt(i)
    const textPx = context.measureText(label).width
    const leftPx = placeOf(scale, Math.max(0, startPx), Math.min(endPx, scale.widthPx), textPx + 6)
    if (leftPx === null) continue
    context.fillStyle = withAlpha(tokens.bg, 0.75)
    context.fillRect(leftPx + 2, yPx + heightPx / 2 - 7, textPx + 4, 14)
    context.fillStyle = tokens.fg
    context.fillText(label, leftPx + 4, yPx + heightPx / 2 + 0.5)
  }
}

/** Left end of the first `neededPx` between two places that no fold is drawn over; null: there are not so many. */
function placeOf({ folds }: TimeScale, startPx: number, endPx: number, neededPx: number): number | null {
  let leftPx = startPx
  for (const fold of folds) {
    if (fold.endPx + ZIGZAG_PX <= leftPx) continue
    if (Math.min(fold.startPx - ZIGZAG_PX, endPx) - leftPx >= neededPx) return leftPx
    leftPx = fold.endPx + ZIGZAG_PX
  }
  return endPx - leftPx >= neededPx ? leftPx : null
}

/** Spans, sorted by time, as columns. */
export function spanMarks(spans: readonly Pick<LaneItem, 'startTicks' | 'durationTicks'>[]): Indexed<MarkColumns> {
  return indexMarks({
    length: spans.length,
    startTicks: Float64Array.from(spans, ({ startTicks }) => startTicks),
    durationTicks: Float64Array.from(spans, ({ durationTicks }) => durationTicks),
  })
}

/** Distributes items over rows without overlaps, each ascending. */
export function inRows<Item extends Pick<LaneItem, 'startTicks' | 'durationTicks'>>(
  items: readonly Item[],
  mostRows: number,
): readonly (readonly Item[])[] {
  const rows: Item[][] = []
  const ends: number[] = []
  for (const item of items.toSorted((a, b) => a.startTicks - b.startTicks)) {
    const free = ends.findIndex((end) => end <= item.startTicks)
    const row = free >= 0 ? free : rows.length < mostRows ? rows.length : mostRows - 1
    ;(rows[row] ??= []).push(item)
    ends[row] = Math.max(ends[row] ?? 0, item.startTicks + item.durationTicks)
  }
  return rows
}

interface SummaryOptions {
  readonly one: string
  readonly many?: string
  /** Number of things that a mark stands for; 1 by default. */
  readonly countAt?: (track: number, mark: number) => number
  /** False for moments, which have no longest one. */
  readonly isTimed?: boolean
}

/** `31 journal writes, the longest 61 ms`, for the marks that begin in a range. */
export const summarizeMarks =
  (tracks: readonly MarkColumns[], { one, many, countAt = () => 1, isTimed = true }: SummaryOptions) =>
  ({ startTicks, endTicks }: TimeRange): string => {
    let count = 0
    let longest = 0
    tracks.forEach((marks, track) => {
      for (let i = 0; i < marks.length; i++) {
        const start = marks.startTicks[i] ?? 0
        const duration = marks.durationTicks[i] ?? 0
        if (start >= endTicks || start + duration < startTicks) continue
        count += countAt(track, i)
        longest = Math.max(longest, duration)
      }
    })
    if (count === 0) return ''
    const words = many === undefined ? formatPlural(count, one) : formatPlural(count, one, many)
    return isTimed && longest > 0 ? `${words}, the longest ${formatDuration(longest)}` : words
  }
