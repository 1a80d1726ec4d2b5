import { DURATION_STEPS } from '../../../../base/columns/duration-steps.ts'
import { formatDate, formatDateTime, formatDuration, formatTime } from '../../../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS, type TimeRange } from '../../../../base/ticks.ts'
import { withAlpha } from '../../../../charts/canvas/colour.ts'
import { drawHatch } from '../../../../charts/canvas/hatch.ts'
import { SIZE_STEPS } from '../../../../charts/canvas/size-scale.ts'
import type { LaneContract } from '../../../../charts/timeline/lanes/contract.ts'
import { drawSelectedTime, plotY } from '../../../../charts/timeline/lanes/draw.ts'
import { markFocus } from '../../../../charts/timeline/lanes/focus.ts'
import { countUntil, markSpan } from '../../../../charts/timeline/marks.ts'
import type { IoEventRef } from '../../../../feeds/io/contract/rows.ts'
import { drawStalls } from '../stalls/marks.ts'
import type { MarkHit } from '../timeline/hits.ts'
import { drawRowGround } from '../timeline/draw.ts'
import type { HeatMarks, RowHeat, TrackHeat } from './heat.ts'
import { HEAT_STALLS, heatMark, hitTestHeat, type HeatHit } from './hits.ts'
import { trackOfEvent, type HeatTrack } from './layout.ts'
import { COUNTS, yOfDuration, type HeatPicture } from './picture.ts'

/** Durations that have a line. */
const LINES = [TICKS_PER_MS, 100 * TICKS_PER_MS] as const
const DOT_PX = 2.5
/** Left edge of the text of an empty lane, to the right of the labels of the lines. */
const EMPTY_PX = 56

/** Latencies over time: each track counts events by start and duration; outliers are dots. */
export const HEAT_LANES: LaneContract<HeatPicture, MarkHit, HeatHit> = {
  drawGround: drawRowGround,
  drawTrack: (context, picture, track, yPx) => {
    drawLines(context, picture, track, yPx)
    const heat = picture.heats.get(track.key)
    if (heat === undefined) return
    drawRollUpBoxes(context, picture, heat, { ...track, topPx: yPx })
    drawCells(context, picture, heat, { ...track, topPx: yPx })
    drawDots(context, picture, heat, { ...track, topPx: yPx })
    drawLabels(context, picture, { ...track, topPx: yPx })
    if (isEmptyInView(picture, heat)) drawEmpty(context, picture, track, yPx)
  },
  drawAbove: (context, picture, heightPx) => {
    drawStalls(context, picture, heightPx, HEAT_STALLS)
  },
  drawOverlay: (context, picture, heightPx) => {
    const { selected, overlaps, tokens } = picture
    if (selected === null) return
    drawSelectedTime(context, picture, heightPx, selected, withAlpha(tokens.accent, 0.12))
    for (const other of overlaps) drawRing(context, picture, other, tokens.warn, 1.5)
    drawRing(context, picture, selected, tokens.accent, 2)
  },
  hitTest: hitTestHeat,
  markOf: (hit) => (hit.type === 'mark' ? hit : hit.type === 'cell' ? hit.slowest : null),
  outline: (context, picture, { ref, track }, colour, lineWidth) =>
    ring(context, picture, ref, plotY(picture, yOfDuration(track, ref.durationTicks)), colour, lineWidth),
  focus: markFocus<HeatMarks, HeatPicture, MarkHit>(heatMark),
}

/** Faint lines at 1 ms and 100 ms. */
function drawLines(
  context: CanvasRenderingContext2D,
  { scale, tokens }: HeatPicture,
  track: HeatTrack,
  yPx: number,
): void {
  for (const ticks of LINES) {
    const lineY = Math.round(yOfDuration({ ...track, topPx: yPx }, ticks))
    context.fillStyle = withAlpha(tokens.borderStrong, 0.4)
    context.fillRect(0, lineY, scale.widthPx, 1)
  }
}

/** Draws the labels of the lines over the cells. */
function drawLabels(context: CanvasRenderingContext2D, { tokens }: HeatPicture, track: HeatTrack): void {
  context.font = `10px ${tokens.font}`
  context.textBaseline = 'middle'
  for (const ticks of LINES) {
    const text = formatDuration(ticks)
    const yPx = yOfDuration(track, ticks)
    context.fillStyle = withAlpha(tokens.bg, 0.75)
    context.fillRect(0, yPx - 6, context.measureText(text).width + 6, 12)
    context.fillStyle = tokens.fgMuted
    context.fillText(text, 3, yPx + 0.5)
  }
}

/** Whether the view is known to be empty. Known only for the range of the responses, which are late during a pan. */
const isEmptyInView = ({ scale: { range } }: HeatPicture, { rows, columnTicks, widthTicks }: TrackHeat): boolean =>
  countUntil(columnTicks, columnTicks.length, range.endTicks) ===
    countUntil(columnTicks, columnTicks.length, range.startTicks - widthTicks) &&
  rows.every(
    (row) =>
      row !== null &&
      isHeld(row, range) &&
      !row.rollUps.startTicks.some(
        (ticks, i) => ticks < range.endTicks && (row.rollUps.endTicks[i] ?? ticks) >= range.startTicks,
      ),
  )

const isHeld = ({ pieces }: RowHeat, { startTicks, endTicks }: TimeRange): boolean =>
  (pieces[0]?.startTicks ?? Number.POSITIVE_INFINITY) <= startTicks &&
  (pieces.at(-1)?.endTicks ?? Number.NEGATIVE_INFINITY) >= endTicks

/** Draws that there are no events in view, and when the last one was. Draws nothing if a gap may hide events. */
function drawEmpty(
  context: CanvasRenderingContext2D,
  { scale: { range }, tokens, clock, gaps, isFiltered }: HeatPicture,
  { lane, refs, topPx, heightPx }: HeatTrack,
  yPx: number,
): void {
  const hasGap = (startTicks: number, endTicks: number): boolean =>
    gaps.some(
      ({ gap, topPx: gapPx, heightPx: gapHeightPx }) =>
        gap.startTicks < endTicks &&
        gap.endTicks > startTicks &&
        gapPx < topPx + heightPx &&
        gapPx + gapHeightPx > topPx,
    )
  if (hasGap(range.startTicks, range.endTicks)) return
  // The last event is known only for whole kinds, over all durations and sizes.
  const isOfKinds = !isFiltered && refs.every(({ file }) => file === null)
  const last = lane.kinds
    .filter(({ kind }) => isOfKinds && refs.some((ref) => ref.kind === kind))
    .reduce((latest, { lastTicks }) => Math.max(latest, lastTicks), Number.NEGATIVE_INFINITY) as Ticks
  const isKnown = Number.isFinite(last) && last < range.startTicks && !hasGap(last, range.startTicks)
  const isSameDay = isKnown && formatDate(last, clock) === formatDate(range.startTicks, clock)
  const at = isSameDay ? formatTime(last, clock, 0) : formatDateTime(last, clock, 0)
  context.fillStyle = tokens.fgMuted
  context.fillText(
    `No ${isFiltered ? 'matching events' : 'events'} in view${isKnown ? `, the last at ${at}` : ''}`,
    EMPTY_PX,
    yPx + heightPx / 2,
  )
}

/** Draws a rectangle for each run of cells with the same appearance, grouped by colour. */
function drawCells(
  context: CanvasRenderingContext2D,
  { scale, palette }: HeatPicture,
  heat: TrackHeat,
  track: HeatTrack,
): void {
  const { refs } = track
  const { columnTicks, widthTicks, counts, lead } = heat
  const stepPx = track.heightPx / DURATION_STEPS
  const rects: number[][] = Array.from({ length: refs.length * SIZE_STEPS }, () => [])
  const first = Math.max(0, countUntil(columnTicks, columnTicks.length, scale.range.startTicks - widthTicks))
  const xs: number[] = []
  const ends: number[] = []
  let end = first
  for (; end < columnTicks.length; end++) {
    const startTicks = columnTicks[end] ?? 0
    const xPx = Math.round(scale.toPx(startTicks))
    if (xPx > scale.widthPx) break
    xs.push(xPx)
    ends.push(Math.max(xPx + 1, Math.round(scale.toPx(startTicks + widthTicks))))
  }
  for (let step = 0; step < DURATION_STEPS; step++) {
    const yPx = track.topPx + (DURATION_STEPS - 1 - step) * stepPx
    let open: number[] | null = null
    let openLook = -1
    for (let column = first; column < end; column++) {
      const cell = column * DURATION_STEPS + step
      const count = counts[cell] ?? 0
      if (count === 0) {
        open = null
        continue
      }
      const look = (lead[cell] ?? 0) * SIZE_STEPS + COUNTS.step(count)
      const [xPx, endPx] = [xs[column - first] ?? 0, ends[column - first] ?? 0]
      if (open !== null && look === openLook && xPx <= (open[0] ?? 0) + (open[2] ?? 0)) {
        open[2] = endPx - (open[0] ?? 0)
        const own = rects[look]
        if (own !== undefined) own[own.length - 2] = open[2]
        continue
      }
      open = [xPx, yPx, endPx - xPx, stepPx]
      openLook = look
      rects[look]?.push(...open)
    }
  }
  rects.forEach((own, look) => {
    if (own.length === 0) return
    context.fillStyle =
      palette.ramp(refs[Math.floor(look / SIZE_STEPS)]?.kind ?? '')[look % SIZE_STEPS] ?? palette.tokens.fg
    for (let i = 0; i < own.length; i += 4)
      context.fillRect(own[i] ?? 0, own[i + 1] ?? 0, own[i + 2] ?? 0, own[i + 3] ?? 0)
  })
}

/** Draws the slowest event of a column and kind, at its exact position, if it is far slower than others of its kind. */
function drawDots(
  context: CanvasRenderingContext2D,
  { scale, palette, tokens }: HeatPicture,
  heat: TrackHeat,
  track: HeatTrack,
): void {
  const { marks } = heat
  for (let i = countUntil(marks.startTicks, marks.length, scale.toTicks(-DOT_PX)); i < marks.length; i++) {
    const xPx = scale.toPx(marks.startTicks[i] ?? 0)
    if (xPx > scale.widthPx + DOT_PX) break
    if (marks.isApart[i] !== 1) continue
    context.beginPath()
    context.arc(xPx, yOfDuration(track, marks.durationTicks[i] ?? 0), DOT_PX, 0, 2 * Math.PI)
    context.strokeStyle = tokens.bg
    context.lineWidth = 2
    context.stroke()
    context.fillStyle = palette.hue(track.refs[marks.place[i] ?? 0]?.kind ?? '')
    context.fill()
  }
}

/** Draws a hatched box over a roll-up, from its shortest to its longest event; no more is known. */
function drawRollUpBoxes(
  context: CanvasRenderingContext2D,
  { scale, palette }: HeatPicture,
  heat: TrackHeat,
  track: HeatTrack,
): void {
  for (const [place, row] of heat.rows.entries()) {
    if (row === null) continue
    const { rollUps } = row
    const hue = palette.hue(track.refs[place]?.kind ?? '')
    for (let i = 0; i < rollUps.length; i++) {
      const startTicks = rollUps.startTicks[i] ?? 0
      const span = markSpan(scale, startTicks, (rollUps.endTicks[i] ?? 0) - startTicks)
      if (span.endPx < 0 || span.startPx > scale.widthPx) continue
      const [xPx, endPx] = [Math.max(-2, span.startPx), Math.min(scale.widthPx + 2, span.endPx)]
      const [shortest, longest] = [rollUps.minTicks[i] ?? Number.NaN, rollUps.maxTicks[i] ?? Number.NaN]
      const top = Number.isFinite(longest) ? yOfDuration(track, longest) : track.topPx
      const bottom = Number.isFinite(shortest) ? yOfDuration(track, shortest) : track.topPx + track.heightPx
      const box = { xPx, yPx: top, widthPx: endPx - xPx, heightPx: Math.max(2, bottom - top) }
      context.fillStyle = withAlpha(hue, 0.1)
      context.fillRect(box.xPx, box.yPx, box.widthPx, box.heightPx)
      drawHatch(context, box, withAlpha(hue, 0.5), 6)
      context.strokeStyle = withAlpha(hue, 0.7)
      context.lineWidth = 1
      if (box.widthPx > 2) context.strokeRect(box.xPx + 0.5, box.yPx + 0.5, box.widthPx - 1, box.heightPx - 1)
    }
  }
}

function drawRing(
  context: CanvasRenderingContext2D,
  picture: HeatPicture,
  ref: IoEventRef,
  colour: string,
  lineWidth: number,
): void {
  const track = trackOfEvent(picture.layout, ref)
  if (track !== null)
    ring(context, picture, ref, plotY(picture, yOfDuration(track, ref.durationTicks)), colour, lineWidth)
}

function ring(
  context: CanvasRenderingContext2D,
  { scale }: HeatPicture,
  { startTicks }: Pick<IoEventRef, 'startTicks'>,
  yPx: number,
  colour: string,
  lineWidth: number,
): void {
  context.beginPath()
  context.arc(scale.toPx(startTicks), yPx, DOT_PX + 3, 0, 2 * Math.PI)
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  context.stroke()
}
