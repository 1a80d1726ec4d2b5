import type { ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import styles from '../../../../ui/card.module.css'
import { HitFacts } from './EventFacts.tsx'
import type { IoHit } from '../timeline/hits.ts'
import { useCard } from '../useIoData.ts'
import { stallOf, type StallsOfLanes } from '../stalls/marks.ts'
import { StallFacts } from '../stalls/StallFacts.tsx'
import { StallMarker } from '../stalls/StallMarker.tsx'

export interface HoverFactsProps {
  readonly hit: IoHit
  readonly stalls: StallsOfLanes
  readonly sources: readonly SourceId[]
  readonly version: number
  readonly clock: Clock
}

/** Facts about the mark, stall or roll-up under the pointer. */
export function HoverFacts({ hit, stalls, sources, version, clock }: HoverFactsProps): ReactNode {
  const { card } = useCard(hit.type === 'mark' ? hit.ref : null, sources, version)
  if (hit.type === 'stall') return <StallFacts stall={hit.stall} clock={clock} />
  const stall = hit.type === 'mark' ? stallOf(stalls, hit.ref) : null
  return (
    <>
      <HitFacts hit={hit} card={card} clock={clock} />
      {stall === null ? null : (
        <p className={styles.note}>
          <StallMarker cause={stall.cause} /> Stalled, cause: {stall.title}
        </p>
      )}
      {hit.type === 'mark' ? <p className={styles.hint}>Click pins it</p> : null}
    </>
  )
}
