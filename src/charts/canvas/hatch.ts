/** The methods that hatching uses. A canvas pattern would not follow the pixel ratio. */
type LineContext = Pick<
  CanvasRenderingContext2D,
  'save' | 'restore' | 'beginPath' | 'rect' | 'clip' | 'moveTo' | 'lineTo' | 'stroke' | 'strokeStyle' | 'lineWidth'
>

interface Rect {
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Draws diagonal lines `stepPx` apart in a rectangle, aligned so that neighbours join without a seam. */
export function drawHatch(context: LineContext, rect: Rect, colour: string, stepPx: number): void {
  const { xPx, yPx, widthPx, heightPx } = rect
  context.save()
  context.beginPath()
  context.rect(xPx, yPx, widthPx, heightPx)
  context.clip()
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  const first = Math.floor((xPx + yPx) / stepPx) * stepPx
  for (let sum = first; sum <= xPx + widthPx + yPx + heightPx; sum += stepPx) {
    context.moveTo(sum - yPx, yPx)
    context.lineTo(sum - yPx - heightPx, yPx + heightPx)
  }
  context.stroke()
  context.restore()
}

/** Draws a zigzag from top to bottom, where the axis leaves out an idle range. */
export function drawZigzag(
  context: Pick<CanvasRenderingContext2D, 'beginPath' | 'moveTo' | 'lineTo' | 'stroke' | 'strokeStyle' | 'lineWidth'>,
  xPx: number,
  heightPx: number,
  colour: string,
): void {
  const [amplitudePx, stepPx] = [2.5, 6]
  context.strokeStyle = colour
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(xPx, 0)
  for (let y = 0, side = 1; y < heightPx + stepPx; y += stepPx, side = -side)
    context.lineTo(xPx + side * amplitudePx, y)
  context.stroke()
}
