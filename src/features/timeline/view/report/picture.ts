import type { Clock } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { CanvasTokens } from '../../../../charts/canvas/tokens.ts'
import { buildTimeScale } from '../../../../charts/scale.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import { drawLanes } from '../../../../charts/timeline/lanes/draw.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import { COMPOSED_LANES, composedGaps, layoutComposed } from '../../../../capture/frame/lanes/composed.ts'
import type { Composed } from '../../../../capture/frame/lanes/useComposed.ts'

const WIDTH_PX = 1200
const NAMES_PX = 190
/** Device pixels per CSS pixel, so that the picture is sharp on high-resolution screens and in print. */
const RATIO = 2

export interface PictureOptions {
  readonly composed: Composed
  readonly range: TimeRange
  readonly clock: Clock
  readonly gaps: readonly Gap[]
  readonly tokens: CanvasTokens
}

/** Picture of the lanes of a timeline with their names, as `data:image/png;…`; empty if there is no canvas. */
export function pictureOf({ composed, range, clock, gaps, tokens }: PictureOptions): string {
  const layout = layoutComposed(composed.lanes, composed.definitions, composed.readings)
  const heightPx = layout.heightPx + AXIS_PX
  const canvas = document.createElement('canvas')
  canvas.width = (WIDTH_PX + NAMES_PX) * RATIO
  canvas.height = heightPx * RATIO
  const context = canvas.getContext('2d')
  if (context === null) return ''
  context.scale(RATIO, RATIO)
  context.fillStyle = tokens.bg
  context.fillRect(0, 0, WIDTH_PX + NAMES_PX, heightPx)
  context.textBaseline = 'middle'
  context.font = `12px ${tokens.font}`
  for (const row of layout.rows) {
    context.fillStyle = tokens.fg
    context.fillText(
      composed.shortTitleOf(row.chosen),
      6,
      AXIS_PX + row.topPx + Math.min(row.heightPx, 26) / 2,
      NAMES_PX - 12,
    )
    context.fillStyle = tokens.border
    context.fillRect(0, AXIS_PX + row.topPx + row.heightPx - 1, NAMES_PX, 1)
  }
  context.translate(NAMES_PX, 0)
  const picture = {
    layout,
    marks: new Map(layout.tracks.map(({ key, own }) => [key, own.marks])),
    scale: buildTimeScale({ range, widthPx: WIDTH_PX }),
    tokens,
    clock,
    scrollPx: 0,
    gaps: composedGaps(layout, gaps),
    known: null,
    selected: null,
    selectedTrack: null,
    related: [],
  }
  drawLanes(context, heightPx, picture, COMPOSED_LANES)
  return canvas.toDataURL('image/png')
}
