import { useId, type ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { sharedRefusal } from '../../ui/controls/shared-refusal.ts'
import { useOffers } from '../client/use-offers.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'
import styles from './actions.module.css'

interface ActionListProps {
  readonly target: ActionTarget
  readonly facts: ActionFacts
}

/**
 * Actions on one target, with the reason if one is not possible. Effects are behind a click, since the dialog states
 * them as well. Renders nothing if no action makes sense.
 */
export function ActionList({ target, facts }: ActionListProps): ReactNode {
  const { offers, choose, consequenceOf } = useOffers(actionsOn(target.kind), target, facts)
  const headId = useId()
  if (offers.length === 0) return null
  const shared = sharedRefusal(offers.map(({ refusal }) => refusal))
  return (
    <>
      {shared === null ? null : (
        <p id={headId} className={styles.shared}>
          {shared}
        </p>
      )}
      <ul className={styles.actionList} aria-label={`What can be done to ${targetWords(target)}`}>
        {offers.map((offer) => (
          <li key={`${offer.action.id} ${offer.title}`}>
            <Button
              small
              disabled={offer.refusal !== null}
              {...(offer.refusal !== null && offer.refusal === shared ? { 'aria-describedby': headId } : {})}
              onClick={() => choose(offer)}
            >
              {offer.opensDialog ? `${offer.title} …` : offer.title}
            </Button>
            {offer.refusal === null || offer.refusal === shared ? null : <strong>{offer.refusal}</strong>}
          </li>
        ))}
      </ul>
      <details className={styles.effects}>
        <summary className="faint">What each does</summary>
        <dl>
          {offers.map((offer) => (
            <div key={`${offer.action.id} ${offer.title}`}>
              <dt>{offer.title}</dt>
              <dd>
                <bdi>{consequenceOf(offer)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
