import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

export interface ElementSize {
  readonly widthPx: number
  readonly heightPx: number
}

/** Inner size of an element (without scroll bars) in CSS px; null before the first measurement. */
export function useElementSize(ref: RefObject<HTMLElement | null>): ElementSize | null {
  const [size, setSize] = useState<ElementSize | null>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const measure = (): void =>
      setSize((old) =>
        old?.widthPx === element.clientWidth && old.heightPx === element.clientHeight
          ? old
          : { widthPx: element.clientWidth, heightPx: element.clientHeight },
      )
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}
