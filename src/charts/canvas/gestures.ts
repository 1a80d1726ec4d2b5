/** Position within the element, CSS pixels. */
export interface Point {
  readonly xPx: number
  readonly yPx: number
}

export interface GestureHandlers {
  /** Position of the pointer; null when it has left or a gesture has begun. */
  readonly hover: (at: Point | null) => void
  readonly click: (at: Point) => void
  /** `dxPx` > 0 moves the content to the right, towards earlier times. */
  readonly pan: (dxPx: number, dyPx: number) => void
  /** A factor below 1 zooms in. */
  readonly zoom: (factor: number, anchorPx: number) => void
  /** Called at the end of a drag, a pinch or a series of wheel events. */
  readonly done: () => void
}

/** A shorter movement counts as a click. */
const CLICK_SLACK_PX = 4
const LINE_PX = 16
const WHEEL_REST_MS = 120

/** Zoom factor of one wheel event. `fine`: a pinch on a touch pad, reported in small steps with Ctrl. */
export function wheelZoomFactor(deltaPx: number, fine: boolean): number {
  return Math.exp(Math.max(-120, Math.min(120, deltaPx)) * (fine ? 0.01 : 0.0022))
}

/**
 * Attaches listeners: the wheel zooms at the pointer; Shift + wheel and horizontal wheel pan; a drag pans; two fingers
 * pinch and pan. Vertical movement of one finger scrolls the page (`touch-action: pan-y`), so that a chart does not
 * block it. Returns a function that removes the listeners.
 */
export function attachGestures(element: HTMLElement, handlers: GestureHandlers): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const pointers = new Map<number, Point>()
  let dragging = false
  let pressedAt: Point | null = null
  let wheelRest: ReturnType<typeof setTimeout> | undefined

  const pointOf = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect()
    return { xPx: event.clientX - box.left, yPx: event.clientY - box.top }
  }
  const spread = (points: readonly Point[]): { middlePx: number; distancePx: number } => {
    const [a, b] = points
    if (a === undefined || b === undefined) return { middlePx: 0, distancePx: 1 }
    return { middlePx: (a.xPx + b.xPx) / 2, distancePx: Math.max(10, Math.hypot(a.xPx - b.xPx, a.yPx - b.yPx)) }
  }

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return
    const at = pointOf(event)
    pointers.set(event.pointerId, at)
    if (pointers.size === 1) pressedAt = at
    else dragging = true
    element.setPointerCapture(event.pointerId)
  }

  const move = (event: PointerEvent): void => {
    const at = pointOf(event)
    const before = pointers.get(event.pointerId)
    if (before === undefined) {
      if (event.pointerType !== 'touch') handlers.hover(at)
      return
    }
    if (pointers.size >= 2) {
      const old = spread([...pointers.values()])
      pointers.set(event.pointerId, at)
      const now = spread([...pointers.values()])
      handlers.zoom(old.distancePx / now.distancePx, now.middlePx)
      handlers.pan(now.middlePx - old.middlePx, 0)
      return
    }
    if (!dragging) {
      if (pressedAt === null || Math.hypot(at.xPx - pressedAt.xPx, at.yPx - pressedAt.yPx) < CLICK_SLACK_PX) return
      dragging = true
      element.dataset['dragging'] = ''
      handlers.hover(null)
    }
    pointers.set(event.pointerId, at)
    handlers.pan(at.xPx - before.xPx, at.yPx - before.yPx)
  }

  const up = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return
    delete element.dataset['dragging']
    if (dragging) handlers.done()
    else if (event.type === 'pointerup') handlers.click(pointOf(event))
    dragging = false
    pressedAt = null
  }

  const wheel = (event: WheelEvent): void => {
    event.preventDefault()
    const unitPx = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE_PX : 400
    const [dx, dy] = [event.deltaX * unitPx, event.deltaY * unitPx]
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) handlers.pan(-(Math.abs(dx) > Math.abs(dy) ? dx : dy), 0)
    else handlers.zoom(wheelZoomFactor(dy, event.ctrlKey && Math.abs(dy) < 50), pointOf(event).xPx)
    clearTimeout(wheelRest)
    wheelRest = setTimeout(handlers.done, WHEEL_REST_MS)
  }

  element.addEventListener('pointerdown', down, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', up, { signal })
  element.addEventListener('pointercancel', up, { signal })
  element.addEventListener('pointerleave', () => handlers.hover(null), { signal })
  element.addEventListener('wheel', wheel, { signal, passive: false })
  return () => {
    stop.abort()
    clearTimeout(wheelRest)
  }
}
