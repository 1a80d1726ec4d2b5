export interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/**
 * Position of a card of that size beside a point, within the screen and not over the point: below to the right by
 * default, mirrored where there is no room, and moved inside if neither side has room.
 */
export function placeCard(
  point: { readonly xPx: number; readonly yPx: number },
  card: Size,
  screen: Size,
  gapPx = 14,
): { leftPx: number; topPx: number } {
  const place = (at: number, size: number, all: number): number => {
    if (at + gapPx + size <= all) return at + gapPx
    if (at - gapPx - size >= 0) return at - gapPx - size
    return Math.max(0, Math.min(at + gapPx, all - size))
  }
  const leftPx = place(point.xPx, card.widthPx, screen.widthPx)
  let topPx = place(point.yPx, card.heightPx, screen.heightPx)
  const covers =
    point.xPx >= leftPx &&
    point.xPx <= leftPx + card.widthPx &&
    point.yPx >= topPx &&
    point.yPx <= topPx + card.heightPx
  if (covers) topPx = point.yPx > screen.heightPx / 2 ? Math.max(0, point.yPx - gapPx - card.heightPx) : topPx
  return { leftPx, topPx }
}
