/**
 * The scroll law of tables taller than an element may be.
 *
 *   rows      0 ············································ total      content px: row × rowHeightPx
 *   offset    0 ─────────────────────────────── maxOffsetPx            top edge of the view in content px, exact
 *   scroll    0 ─────────── maxScrollPx                                 the scroll bar, at most MAX_SPACER_PX long
 *
 * While the content fits, offset = scroll. Beyond, the bar is a linear, monotone image of the offset: it is right about
 * where one is, and too coarse to move by a row, so wheel, touch and keys move the offset and the bar follows.
 */

/** Browsers limit an element to 16.7 million device pixels or more; 4 million CSS px stay below that. */
export const MAX_SPACER_PX = 4_000_000

export interface ScrollSpace {
  readonly total: number
  readonly rowHeightPx: number
  /** Height of the area for rows, without the header. */
  readonly viewportPx: number
  readonly contentPx: number
  /** Height of the element that creates the scroll bar. */
  readonly spacerPx: number
  readonly maxOffsetPx: number
  readonly maxScrollPx: number
}

export function scrollSpace(total: number, rowHeightPx: number, viewportPx: number): ScrollSpace {
  const contentPx = total * rowHeightPx
  const spacerPx = Math.min(contentPx, MAX_SPACER_PX)
  return {
    total,
    rowHeightPx,
    viewportPx,
    contentPx,
    spacerPx,
    maxOffsetPx: Math.max(0, contentPx - viewportPx),
    maxScrollPx: Math.max(0, spacerPx - viewportPx),
  }
}

export const isScaled = (space: ScrollSpace): boolean => space.spacerPx < space.contentPx

export const clampOffset = (space: ScrollSpace, offsetPx: number): number =>
  Math.min(Math.max(0, offsetPx), space.maxOffsetPx)

/** Maps both ends exactly; the last pixel counts as the end, since browsers round it. */
export function offsetFromScroll(space: ScrollSpace, scrollPx: number): number {
  if (!isScaled(space)) return clampOffset(space, scrollPx)
  if (space.maxScrollPx <= 0 || scrollPx >= space.maxScrollPx - 1) return space.maxOffsetPx
  return clampOffset(space, (scrollPx / space.maxScrollPx) * space.maxOffsetPx)
}

export function scrollFromOffset(space: ScrollSpace, offsetPx: number): number {
  if (!isScaled(space) || space.maxOffsetPx <= 0) return clampOffset(space, offsetPx)
  return (clampOffset(space, offsetPx) / space.maxOffsetPx) * space.maxScrollPx
}

/**
 * Offset after the element scrolled from `fromPx` to `toPx`. A step shorter than the view (touch, arrow of the bar)
 * moves the content by the same length; a longer one (thumb dragged, track clicked) goes to where the bar points.
 */
export function offsetAfterScroll(space: ScrollSpace, offsetPx: number, fromPx: number, toPx: number): number {
  if (!isScaled(space)) return offsetFromScroll(space, toPx)
  const stepPx = toPx - fromPx
  return Math.abs(stepPx) < space.viewportPx ? clampOffset(space, offsetPx + stepPx) : offsetFromScroll(space, toPx)
}

/** Rows to render, half open, with `overscan` more on both sides. */
export function rowWindow(
  space: ScrollSpace,
  offsetPx: number,
  overscan: number,
): { readonly first: number; readonly end: number } {
  const first = Math.floor(offsetPx / space.rowHeightPx) - overscan
  const end = Math.ceil((offsetPx + space.viewportPx) / space.rowHeightPx) + overscan
  return { first: Math.max(0, first), end: Math.min(space.total, Math.max(0, end)) }
}

/** The offset nearest to `offsetPx` that shows the whole row. */
export function offsetToShow(space: ScrollSpace, offsetPx: number, row: number): number {
  const topPx = row * space.rowHeightPx
  const lowestPx = topPx + space.rowHeightPx - space.viewportPx
  return clampOffset(space, Math.min(topPx, Math.max(lowestPx, offsetPx)))
}
