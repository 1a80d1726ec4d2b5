import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Point } from './gestures.ts'
import styles from './HoverBox.module.css'
import { placeCard } from '../timeline/place.ts'

/** Card beside the pointer (`at` in window coordinates). Ignores the pointer and stays within the window. */
export function HoverBox({ at, children }: { readonly at: Point; readonly children: ReactNode }): ReactNode {
  const boxRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = boxRef.current
    if (box === null) return
    const size = { widthPx: box.offsetWidth, heightPx: box.offsetHeight }
    const place = placeCard(at, size, {
      widthPx: document.documentElement.clientWidth,
      heightPx: window.innerHeight,
    })
    box.style.left = `${place.leftPx}px`
    box.style.top = `${place.topPx}px`
  })
  return (
    <div ref={boxRef} className={styles.hover} role="tooltip">
      {children}
    </div>
  )
}
