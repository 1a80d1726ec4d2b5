import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Clock } from '../../base/format.ts'
import type { SourceId } from '../../capture/state.ts'
import { placeCard } from '../../charts/place.ts'
import styles from './card.module.css'
import { HitFacts } from './EventFacts.tsx'
import type { IoHit } from './hits.ts'
import { useCard } from './useIoData.ts'

export interface HoverCardProps {
  readonly hit: IoHit
  /** In the window, CSS pixels. */
  readonly clientX: number
  readonly clientY: number
  readonly sources: readonly SourceId[]
  readonly version: number
  readonly clock: Clock
}

/** The card beside the pointer. It never takes the pointer itself, and stays on the screen. */
export function HoverCard({ hit, clientX, clientY, sources, version, clock }: HoverCardProps): ReactNode {
  const boxRef = useRef<HTMLDivElement>(null)
  const { card } = useCard(hit.type === 'mark' ? hit.ref : null, sources, version)
  useLayoutEffect(() => {
    const box = boxRef.current
    if (box === null) return
    const size = { widthPx: box.offsetWidth, heightPx: box.offsetHeight }
    const place = placeCard({ xPx: clientX, yPx: clientY }, size, {
      widthPx: document.documentElement.clientWidth,
      heightPx: window.innerHeight,
    })
    box.style.left = `${place.leftPx}px`
    box.style.top = `${place.topPx}px`
  })
  return (
    <div ref={boxRef} className={styles.hover} role="tooltip">
      <HitFacts hit={hit} card={card} clock={clock} />
      {hit.type === 'mark' ? <p className={styles.hint}>Click pins it</p> : null}
    </div>
  )
}
