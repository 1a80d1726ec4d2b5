import type { RefObject } from 'react'
import { useShortcuts } from '../../../ui/hooks/useShortcuts.ts'

/** Steps with `n` and `p` through a list of what stands out, while the focus is in the area. */
export function useWalk<Item>(
  area: RefObject<HTMLElement | null>,
  items: readonly Item[],
  isSelected: (item: Item) => boolean,
  show: (item: Item) => void,
): void {
  const walk = (by: 1 | -1): void => {
    const at = items.findIndex(isSelected)
    const next = by === 1 ? Math.min(items.length - 1, at + 1) : at < 0 ? items.length - 1 : Math.max(0, at - 1)
    const item = items[next]
    if (item !== undefined) show(item)
  }
  useShortcuts(area, { n: () => walk(1), p: () => walk(-1) })
}
