import type { ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { HoverBox } from '../../../../charts/canvas/HoverBox.tsx'
import styles from './card.module.css'
import { HitFacts } from './EventFacts.tsx'
import type { IoHit } from '../timeline/hits.ts'
import { useCard } from '../useIoData.ts'

export interface HoverCardProps {
  readonly hit: IoHit
  /** In the window, CSS pixels. */
  readonly at: Point
  readonly sources: readonly SourceId[]
  readonly version: number
  readonly clock: Clock
}

/** What is under the pointer, beside it. */
export function HoverCard({ hit, at, sources, version, clock }: HoverCardProps): ReactNode {
  const { card } = useCard(hit.type === 'mark' ? hit.ref : null, sources, version)
  return (
    <HoverBox at={at}>
      <HitFacts hit={hit} card={card} clock={clock} />
      {hit.type === 'mark' ? <p className={styles.hint}>Click pins it</p> : null}
    </HoverBox>
  )
}
