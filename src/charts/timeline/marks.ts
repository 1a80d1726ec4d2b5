import type { TimeScale } from '../scale.ts'

/** Time spans of one row as columns, sorted by start. */
export interface MarkColumns {
  readonly length: number
  readonly startTicks: Float64Array
  readonly durationTicks: Float64Array
}

/** Marks with an index for fast lookup. */
export type Indexed<Marks extends MarkColumns> = Marks & {
  /** Latest end of marks 0…i. A search backwards stops when it is before the pointer. */
  readonly latestEndTicks: Float64Array
}

export function indexMarks<Marks extends MarkColumns>(marks: Marks): Indexed<Marks> {
  const latestEndTicks = new Float64Array(marks.length)
  let latest = -Infinity
  for (let i = 0; i < marks.length; i++) {
    latest = Math.max(latest, (marks.startTicks[i] ?? 0) + (marks.durationTicks[i] ?? 0))
    latestEndTicks[i] = latest
  }
  return { ...marks, latestEndTicks }
}

/** Minimum drawn width, so that every mark is visible. */
export const MIN_MARK_PX = 1
/** Distance within which a mark beside the pointer is hit if none is under it. */
const SLACK_PX = 4

export interface PxSpan {
  readonly startPx: number
  readonly endPx: number
}

/** Position of an event on the axis: to scale, but at least one pixel wide. */
export function markSpan(scale: TimeScale, startTicks: number, durationTicks: number): PxSpan {
  const startPx = scale.toPx(startTicks)
  return { startPx, endPx: Math.max(startPx + MIN_MARK_PX, scale.toPx(startTicks + durationTicks)) }
}

/** Number of starts ≤ `at`. */
export function countUntil(starts: Float64Array, length: number, at: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Mark at `xPx`: the narrowest of those under it (it is drawn on top), else the longest within a few pixels; −1: none.
 * O(log n + marks that overlap the place)
 */
export function hitMark(marks: Indexed<MarkColumns>, scale: TimeScale, xPx: number): number {
  const leftTicks = scale.toTicks(xPx - SLACK_PX - MIN_MARK_PX)
  let under = -1
  let underPx = Infinity
  let near = -1
  for (let i = countUntil(marks.startTicks, marks.length, scale.toTicks(xPx + SLACK_PX)) - 1; i >= 0; i--) {
    if ((marks.latestEndTicks[i] ?? 0) < leftTicks && (marks.startTicks[i] ?? 0) < leftTicks) break
    const { startPx, endPx } = markSpan(scale, marks.startTicks[i] ?? 0, marks.durationTicks[i] ?? 0)
    if (startPx <= xPx && xPx < endPx) {
      if (endPx - startPx < underPx) {
        under = i
        underPx = endPx - startPx
      }
    } else if (startPx - SLACK_PX <= xPx && xPx < endPx + SLACK_PX) {
      if (near < 0 || (marks.durationTicks[i] ?? 0) > (marks.durationTicks[near] ?? 0)) near = i
    }
  }
  return under >= 0 ? under : near
}

/** Mark whose start is nearest to `atTicks`; −1: the row is empty. */
export function nearestMark(marks: MarkColumns, atTicks: number): number {
  const next = countUntil(marks.startTicks, marks.length, atTicks)
  if (next >= marks.length) return marks.length - 1
  if (next === 0) return 0
  return (marks.startTicks[next] ?? 0) - atTicks < atTicks - (marks.startTicks[next - 1] ?? 0) ? next : next - 1
}
