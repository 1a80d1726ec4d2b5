import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { useOffers } from '../client/use-offers.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'
import styles from './actions.module.css'

interface ActionListProps {
  readonly target: ActionTarget
  readonly facts: ActionFacts
}

/** The actions on one thing, each with what it does, or why it cannot be done. Empty where none makes sense. */
export function ActionList({ target, facts }: ActionListProps): ReactNode {
  const { offers, choose, consequenceOf } = useOffers(actionsOn(target.kind), target, facts)
  if (offers.length === 0) return null
  return (
    <ul className={styles.actionList} aria-label={`What can be done to ${targetWords(target)}`}>
      {offers.map((offer) => (
        <li key={`${offer.action.id} ${offer.title}`}>
          <Button small disabled={offer.refusal !== null} onClick={() => choose(offer)}>
            {offer.asks ? `${offer.title} …` : offer.title}
          </Button>
          <span>
            {offer.refusal === null ? null : <strong>{offer.refusal} </strong>}
            <bdi>{consequenceOf(offer)}</bdi>
          </span>
        </li>
      ))}
    </ul>
  )
}
