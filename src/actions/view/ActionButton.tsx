import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { useOffers } from '../client/use-offers.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionById } from '../table.ts'

const NO_FACTS: ActionFacts = {}

interface ActionButtonProps {
  /** Id of an action without presets. */
  readonly action: string
  readonly target: ActionTarget
  readonly facts?: ActionFacts
  readonly icon?: IconName
}

/** One action on one thing, as a button where it is what the user looks for. Nothing where it makes no sense. */
export function ActionButton({ action: id, target, facts = NO_FACTS, icon }: ActionButtonProps): ReactNode {
  const action = actionById(id)
  const { offers, choose } = useOffers(action === null ? [] : [action], target, facts)
  const [offer] = offers
  if (offer === undefined) return null
  return (
    <Button
      small
      {...(icon === undefined ? {} : { icon })}
      disabled={offer.refusal !== null}
      title={offer.refusal ?? undefined}
      aria-label={target.kind === 'server' ? undefined : `${offer.title}: ${targetWords(target)}`}
      onClick={() => choose(offer)}
    >
      {offer.title}
    </Button>
  )
}
