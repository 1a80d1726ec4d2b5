import { bisectAfter } from '../../base/columns/bisect.ts'

/** Items of a list sorted by `topPx` that overlap [fromPx, toPx). O(log n) to find. */
export function visibleSlice<T extends { readonly topPx: number; readonly heightPx: number }>(
  items: readonly T[],
  fromPx: number,
  toPx: number,
): readonly T[] {
  const first = bisectAfter(items, fromPx, ({ topPx, heightPx }) => topPx + heightPx)
  let end = first
  while (end < items.length && (items[end]?.topPx ?? Infinity) < toPx) end++
  return items.slice(first, end)
}
