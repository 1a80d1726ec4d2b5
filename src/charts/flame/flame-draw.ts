import { visibleText } from '../../base/text/visible.ts'
import { boxesIn, type FlameBoxes } from './flame-boxes.ts'
import type { FlameWindow } from './flame-window.ts'
import { drawHatch } from '../canvas/hatch.ts'
import type { CanvasTokens } from '../canvas/tokens.ts'

/** Style of one box. */
export interface FlameLook {
  readonly fill: string
  /** Text colour that is legible on `fill`. */
  readonly ink: string
  /** Colour of hatching, for those who cannot distinguish the hue; null: no hatching. */
  readonly hatch: string | null
  /** Drawn faintly: not a match of the search. */
  readonly faint: boolean
}

/** Vertical layout of the levels on the canvas. */
export interface FlamePlace {
  /** Icicle: roots at the top. Flame graph: roots at the bottom. */
  readonly upwards: boolean
  /** Height of the whole graph; at least that of the canvas. */
  readonly contentPx: number
  readonly scrollPx: number
}

export interface FlamePicture extends FlamePlace {
  readonly boxes: FlameBoxes
  readonly window: FlameWindow
  readonly widthPx: number
  readonly lookOf: (box: number) => FlameLook
  readonly labelOf: (box: number) => string
  readonly tokens: CanvasTokens
}

export const ROW_PX = 20
const FONT_PX = 11
/** Narrower boxes have no label. */
const LABEL_PX = 22
const HATCHED_PX = 5
const LEAST_PX = 1

/** Top of a level on the canvas, CSS pixels. */
export const levelTop = (place: FlamePlace, level: number): number =>
  (place.upwards ? place.contentPx - (level + 1) * ROW_PX : level * ROW_PX) - place.scrollPx

/** Level at a height on the canvas; may be out of range. */
export const levelAt = (place: FlamePlace, yPx: number): number =>
  Math.floor((place.upwards ? place.contentPx - yPx - place.scrollPx : yPx + place.scrollPx) / ROW_PX)

/** Levels in view on a canvas of that height, half open, not below 0. */
export function levelsInSight(place: FlamePlace, heightPx: number): { readonly first: number; readonly end: number } {
  const [a, b] = [levelAt(place, 0.5), levelAt(place, heightPx - 0.5)]
  return { first: Math.max(0, Math.min(a, b)), end: Math.max(0, Math.max(a, b) + 1) }
}

interface Span {
  readonly xPx: number
  readonly widthPx: number
}

/** Horizontal extent of a box within the window, CSS pixels; at least one pixel, so that no box disappears. */
export function spanOf(picture: Pick<FlamePicture, 'boxes' | 'window' | 'widthPx'>, box: number): Span {
  const { boxes, window, widthPx } = picture
  const perShare = widthPx / (window.end - window.start)
  const leftPx = Math.max(0, ((boxes.startShare[box] ?? 0) - window.start) * perShare)
  const rightPx = Math.min(widthPx, ((boxes.endShare[box] ?? 0) - window.start) * perShare)
  return { xPx: leftPx, widthPx: Math.max(LEAST_PX, rightPx - leftPx) }
}

/** Draws the levels in view: boxes, hatching, and names where they fit. */
export function drawFlame(context: CanvasRenderingContext2D, heightPx: number, picture: FlamePicture): void {
  const { boxes, window, tokens } = picture
  const sight = levelsInSight(picture, heightPx)
  context.font = `${FONT_PX}px ${tokens.mono}`
  context.textBaseline = 'middle'
  const letterPx = context.measureText('0').width
  for (let level = sight.first; level < sight.end; level++) {
    const run = boxesIn(boxes, level, window.start, window.end)
    const yPx = levelTop(picture, level)
    for (let box = run.first; box < run.end; box++) drawBox(context, picture, box, yPx)
    for (let box = run.first; box < run.end; box++) drawLabel(context, picture, box, yPx, letterPx)
  }
}

function drawBox(context: CanvasRenderingContext2D, picture: FlamePicture, box: number, yPx: number): void {
  const look = picture.lookOf(box)
  const { xPx, widthPx } = spanOf(picture, box)
  // Leaves a seam of a pixel between neighbours, except at very thin boxes.
  const inkPx = widthPx > 3 ? widthPx - 1 : widthPx
  context.globalAlpha = look.faint ? 0.3 : 1
  context.fillStyle = look.fill
  context.fillRect(xPx, yPx, inkPx, ROW_PX - 1)
  context.globalAlpha = 1
  if (look.hatch !== null && inkPx >= HATCHED_PX)
    drawHatch(context, { xPx, yPx, widthPx: inkPx, heightPx: ROW_PX - 1 }, look.hatch, 6)
}

function drawLabel(
  context: CanvasRenderingContext2D,
  picture: FlamePicture,
  box: number,
  yPx: number,
  letterPx: number,
): void {
  const { xPx, widthPx } = spanOf(picture, box)
  if (widthPx < LABEL_PX) return
  const text = fitLabel(picture.labelOf(box), Math.floor((widthPx - 8) / letterPx))
  if (text === '') return
  const look = picture.lookOf(box)
  context.fillStyle = look.faint ? picture.tokens.fgMuted : look.ink
  context.fillText(text, xPx + 4, yPx + ROW_PX / 2)
}

/** Cuts a name to `letters`; empty below three letters, which would be meaningless. */
export function fitLabel(name: string, letters: number): string {
  const label = visibleText(name)
  if (label.length <= letters) return label
  return letters < 3 ? '' : `${label.slice(0, letters - 1)}…`
}

/** Draws a frame around one box. */
export function outlineBox(
  context: CanvasRenderingContext2D,
  picture: FlamePicture,
  box: number,
  colour: string,
  lineWidth: number,
): void {
  const { xPx, widthPx } = spanOf(picture, box)
  const inset = lineWidth / 2
  context.strokeStyle = colour
  context.lineWidth = lineWidth
  context.strokeRect(
    xPx + inset,
    levelTop(picture, picture.boxes.depth[box] ?? 0) + inset,
    Math.max(1, widthPx - 1 - lineWidth),
    ROW_PX - 1 - lineWidth,
  )
}
