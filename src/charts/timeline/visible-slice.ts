/** Those of a list sorted by `topPx` that touch [fromPx, toPx). O(log n) to find. */
export function visibleSlice<T extends { readonly topPx: number; readonly heightPx: number }>(
  items: readonly T[],
  fromPx: number,
  toPx: number,
): readonly T[] {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && item.topPx + item.heightPx <= fromPx) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < items.length && (items[end]?.topPx ?? Infinity) < toPx) end++
  return items.slice(low, end)
}
