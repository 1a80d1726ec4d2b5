/** Part of a flame graph in view, in shares of its whole width; 0 ≤ start < end ≤ 1. */
export interface FlameWindow {
  readonly start: number
  readonly end: number
}

export const WHOLE: FlameWindow = { start: 0, end: 1 }

/** Narrowest window: a millionth of the whole is still well within double precision. */
const LEAST = 1e-6

function inside(start: number, width: number): FlameWindow {
  const span = Math.min(1, Math.max(LEAST, width))
  const left = Math.max(0, Math.min(1 - span, start))
  return { start: left, end: left + span }
}

/** Zooms by `factor` (below 1: in) at a share 0…1 of the window, which keeps its place unless an edge prevents it. */
export function zoomWindow(window: FlameWindow, anchor: number, factor: number): FlameWindow {
  const span = window.end - window.start
  const at = window.start + span * anchor
  return inside(at - span * factor * anchor, span * factor)
}

/** Pans by a share of the window's width; positive moves towards the right end. */
export function panWindow(window: FlameWindow, by: number): FlameWindow {
  const span = window.end - window.start
  return inside(window.start + span * by, span)
}

/** The window moved, and widened where need be, so that start…end is seen. */
export function revealIn(window: FlameWindow, start: number, end: number): FlameWindow {
  if (start >= window.start && end <= window.end) return window
  const span = Math.max(window.end - window.start, (end - start) * 1.5)
  return inside((start + end) / 2 - span / 2, span)
}

/** The window with half its width added on both sides, so that a pan finds its boxes loaded. */
export const withMargins = ({ start, end }: FlameWindow): FlameWindow => {
  const margin = (end - start) / 2
  return { start: Math.max(0, start - margin), end: Math.min(1, end + margin) }
}
