import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { useOffers } from '../client/use-offers.ts'
import { targetWords, type ActionCall, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionById } from '../table.ts'

const NO_FACTS: ActionFacts = {}

interface ActionButtonProps {
  /** Id of an action without presets. */
  readonly action: string
  readonly target: ActionTarget
  readonly facts?: ActionFacts
  readonly icon?: IconName
  /** Values that the user chose elsewhere, by field name; left out: none. */
  readonly inputs?: ActionCall['inputs']
  readonly small?: boolean
}

/** Button for one action on one target. Renders nothing if the action does not apply. */
export function ActionButton(props: ActionButtonProps): ReactNode {
  const { action: id, target, facts = NO_FACTS, icon, inputs, small = true } = props
  const action = actionById(id)
  const { offers, choose } = useOffers(action === null ? [] : [action], target, facts, inputs)
  const [offer] = offers
  if (offer === undefined) return null
  return (
    <Button
      small={small}
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
