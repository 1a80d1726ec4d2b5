import { useState, type RefObject } from 'react'

/** Height of an element, whole CSS pixels; 0 before the first measure. */
export function useHeight(
  area: RefObject<HTMLElement | null>,
): readonly [(element: HTMLElement | null) => void, number] {
  const [heightPx, setHeightPx] = useState(0)
  const [observe] = useState(() => {
    let observer: ResizeObserver | null = null
    return (element: HTMLElement | null): void => {
      area.current = element
      observer?.disconnect()
      if (element === null) return
      observer = new ResizeObserver(() => setHeightPx(element.clientHeight))
      observer.observe(element)
    }
  })
  return [observe, heightPx]
}
