import type { ReactNode } from 'react'
import { MenuButton, type MenuItem } from '../../ui/controls/MenuButton.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { useOffers, type Offers } from '../client/use-offers.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'

export interface ActionMenuProps {
  readonly target: ActionTarget
  /** Facts about the target, for the consequence. */
  readonly facts: ActionFacts
  /** Text of the button; null: only an icon. */
  readonly text?: string | null
  readonly icon?: IconName
  /** Only these actions, in the order of the table; by default all for this kind of target. */
  readonly only?: readonly string[]
}

export const itemsOf = ({ offers, choose }: Pick<Offers, 'offers' | 'choose'>): readonly MenuItem[] =>
  offers.map((offer) => ({
    id: `${offer.action.id} ${offer.title}`,
    text: offer.opensDialog ? `${offer.title} …` : offer.title,
    refusal: offer.refusal,
    onChoose: () => choose(offer),
  }))

export const labelOf = (target: ActionTarget, text: string | null): string =>
  text === null ? `Actions on ${targetWords(target)}` : `${text}: ${targetWords(target)}`

/** Menu of the actions on one target, for a row, a card or a finding. Renders nothing if no action makes sense. */
export function ActionMenu({ target, facts, text = null, icon = 'more', only }: ActionMenuProps): ReactNode {
  const actions = actionsOn(target.kind).filter(({ id }) => only === undefined || only.includes(id))
  const { offers, choose } = useOffers(actions, target, facts)
  if (offers.length === 0) return null
  return <MenuButton text={text} label={labelOf(target, text)} icon={icon} items={itemsOf({ offers, choose })} />
}
