import { useState, type RefObject } from 'react'

/** Height of an element, whole CSS pixels; `firstPx` before the first measurement. */
export function useHeight(
  area: RefObject<HTMLElement | null>,
  firstPx: number,
): readonly [(element: HTMLElement | null) => void, number] {
  const [heightPx, setHeightPx] = useState(firstPx)
  const [observe] = useState(() => {
    let observer: ResizeObserver | null = null
    return (element: HTMLElement | null): void => {
      area.current = element
      observer?.disconnect()
      if (element === null) return
      // Also sets it immediately, so that the first frame has its final layout.
      setHeightPx(element.clientHeight)
      observer = new ResizeObserver(() => setHeightPx(element.clientHeight))
      observer.observe(element)
    }
  })
  return [observe, heightPx]
}
