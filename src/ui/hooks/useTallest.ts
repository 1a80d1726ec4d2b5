import { useLayoutEffect, useRef, type RefObject } from 'react'

/**
 * Keeps an element as high as it was since its width last changed, so that nothing below moves up and down as its text
 * changes. Sets the `min-height` of its style.
 */
export function useTallest(): RefObject<HTMLParagraphElement | null> {
  const ref = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    let widthPx = element.offsetWidth
    let frame = 0
    const keep = (): void => {
      if (element.offsetWidth !== widthPx) {
        widthPx = element.offsetWidth
        element.style.minHeight = ''
      }
      element.style.minHeight = `${String(element.offsetHeight)}px`
    }
    // Within the callback a change of layout is reported as an error of the page.
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(keep)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
  return ref
}
