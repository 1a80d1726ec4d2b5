import { visibleText } from '../../base/text/visible.ts'
import { beginWork } from '../timeline/settle.ts'

/** Size of a canvas. Drawing uses CSS pixels; the context is scaled. */
export interface Frame {
  readonly widthPx: number
  readonly heightPx: number
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number
}

export type Draw = (context: CanvasRenderingContext2D, frame: Frame) => void

type LayerName = 'marks' | 'overlay'

interface Layer {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D | null
  draw: Draw | null
  stale: boolean
}

/** Context that draws and measures foreign texts in their visible form (`base/text/visible.ts`), as HTML does. */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d')
  if (context === null) return null
  const fillText = context.fillText.bind(context)
  const measureText = context.measureText.bind(context)
  context.fillText = (text, ...place) => fillText(visibleText(text), ...place)
  context.measureText = (text) => measureText(visibleText(text))
  return context
}

/**
 * Holds one or two canvases on top of each other, and their frames. Marks are drawn only when their picture has changed; the
 * overlay (cursor, outlines) is cheap and drawn on every move of the pointer. Follows the element's size and the
 * display's pixel ratio.
 */
export class Stage {
  readonly #element: HTMLElement
  readonly #onSize: (frame: Frame) => void
  readonly #layers: Map<LayerName, Layer>
  readonly #observer: ResizeObserver
  #frame: Frame = { widthPx: 0, heightPx: 0, pixelRatio: 1 }
  #request = 0
  #endWork: (() => void) | null = null
  #forgetRatio: () => void = () => undefined

  constructor(
    element: HTMLElement,
    canvases: Readonly<Partial<Record<LayerName, HTMLCanvasElement>>>,
    onSize: (frame: Frame) => void,
  ) {
    this.#element = element
    this.#onSize = onSize
    this.#layers = new Map(
      (Object.entries(canvases) as [LayerName, HTMLCanvasElement][]).map(([name, canvas]) => [
        name,
        { canvas, context: contextOf(canvas), draw: null, stale: true },
      ]),
    )
    this.#observer = new ResizeObserver(() => this.#measure())
    this.#observer.observe(element)
    this.#followRatio()
    this.#measure()
  }

  setDraw(name: LayerName, draw: Draw): void {
    const layer = this.#layers.get(name)
    if (layer === undefined) return
    layer.draw = draw
    this.invalidate(name)
  }

  invalidate(name: LayerName): void {
    const layer = this.#layers.get(name)
    if (layer === undefined) return
    layer.stale = true
    this.#endWork ??= beginWork()
    if (this.#request === 0) this.#request = requestAnimationFrame(() => this.#paint())
  }

  dispose(): void {
    this.#observer.disconnect()
    this.#forgetRatio()
    cancelAnimationFrame(this.#request)
    this.#endWork?.()
    this.#endWork = null
  }

  #paint(): void {
    this.#request = 0
    for (const layer of this.#layers.values()) this.#paintLayer(layer)
    this.#endWork?.()
    this.#endWork = null
  }

  #paintLayer(layer: Layer): void {
    const { context, draw } = layer
    const { widthPx, heightPx, pixelRatio } = this.#frame
    if (!layer.stale || context === null || draw === null || widthPx === 0) return
    layer.stale = false
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
    context.clearRect(0, 0, widthPx, heightPx)
    draw(context, this.#frame)
  }

  #measure(): void {
    const { clientWidth: widthPx, clientHeight: heightPx } = this.#element
    const pixelRatio = globalThis.devicePixelRatio || 1
    if (widthPx === this.#frame.widthPx && heightPx === this.#frame.heightPx && pixelRatio === this.#frame.pixelRatio)
      return
    this.#frame = { widthPx, heightPx, pixelRatio }
    for (const [name, { canvas }] of this.#layers) {
      // Setting a canvas' size clears it: draw before the browser shows it.
      canvas.width = Math.max(1, Math.round(widthPx * pixelRatio))
      canvas.height = Math.max(1, Math.round(heightPx * pixelRatio))
      this.invalidate(name)
    }
    this.#onSize(this.#frame)
  }

  /** A media query matches one ratio only, so each change installs the next query. */
  #followRatio(): void {
    if (typeof globalThis.matchMedia !== 'function') return
    const query = globalThis.matchMedia(`(resolution: ${globalThis.devicePixelRatio || 1}dppx)`)
    const changed = (): void => {
      this.#forgetRatio()
      this.#followRatio()
      this.#measure()
    }
    query.addEventListener('change', changed)
    this.#forgetRatio = () => query.removeEventListener('change', changed)
  }
}
