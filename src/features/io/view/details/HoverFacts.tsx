import type { ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import styles from '../../../../ui/card.module.css'
import { HitFacts } from './EventFacts.tsx'
import type { IoHit } from '../timeline/hits.ts'
import { useCard } from '../useIoData.ts'

export interface HoverFactsProps {
  readonly hit: IoHit
  readonly sources: readonly SourceId[]
  readonly version: number
  readonly clock: Clock
}

/** What is under the pointer. */
export function HoverFacts({ hit, sources, version, clock }: HoverFactsProps): ReactNode {
  const { card } = useCard(hit.type === 'mark' ? hit.ref : null, sources, version)
  return (
    <>
      <HitFacts hit={hit} card={card} clock={clock} />
      {hit.type === 'mark' ? <p className={styles.hint}>Click pins it</p> : null}
    </>
  )
}
