import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

export interface SideScroll {
  /** Whether content is hidden before the start; `after`: beyond the end. */
  readonly before: boolean
  readonly after: boolean
  /** Inner width of the box, CSS px; 0 before the first measurement. */
  readonly widthPx: number
  /** Space that scroll bars take at the end and at the bottom, CSS px; 0 if they overlay the content. */
  readonly barPx: number
  readonly footPx: number
}

const UNMEASURED: SideScroll = { before: false, after: false, widthPx: 0, barPx: 0, footPx: 0 }

/** Less hidden content than this is a rounding error. */
const LEAST_PX = 2

/** Sideways scroll state of a box; renders only when it changes. */
export function useSideScroll(boxRef: RefObject<HTMLElement | null>): SideScroll {
  const [side, setSide] = useState(UNMEASURED)
  useLayoutEffect(() => {
    const box = boxRef.current
    if (box === null) return undefined
    const measure = (): void => {
      const leftPx = Math.abs(box.scrollLeft)
      const next = {
        before: leftPx >= LEAST_PX,
        after: box.scrollWidth - box.clientWidth - leftPx >= LEAST_PX,
        widthPx: box.clientWidth,
        barPx: box.offsetWidth - box.clientWidth,
        footPx: box.offsetHeight - box.clientHeight,
      }
      setSide((old) => (same(old, next) ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    // The content may grow while the box does not.
    for (const child of box.children) observer.observe(child)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [boxRef])
  return side
}

const same = (a: SideScroll, b: SideScroll): boolean =>
  a.before === b.before &&
  a.after === b.after &&
  a.widthPx === b.widthPx &&
  a.barPx === b.barPx &&
  a.footPx === b.footPx
