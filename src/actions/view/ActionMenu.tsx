import type { ReactNode } from 'react'
import { MenuButton, type MenuItem } from '../../ui/controls/MenuButton.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { useOffers, type Offers } from '../client/use-offers.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'

export interface ActionMenuProps {
  readonly target: ActionTarget
  /** Facts about the target; the more, the more the consequence says. */
  readonly facts: ActionFacts
  /** Text of the button; null: only the icon is seen. */
  readonly text?: string | null
  readonly icon?: IconName
  /** Only these, in the order of the table; by default all of the target's kind. */
  readonly only?: readonly string[]
}

export const itemsOf = ({ offers, choose }: Pick<Offers, 'offers' | 'choose'>): readonly MenuItem[] =>
  offers.map((offer) => ({
    text: offer.asks ? `${offer.title} …` : offer.title,
    refusal: offer.refusal,
    onChoose: () => choose(offer),
  }))

export const labelOf = (target: ActionTarget, text: string | null): string =>
  text === null ? `Actions on ${targetWords(target)}` : `${text}: ${targetWords(target)}`

/** The actions on one thing, as a menu for a row, a card or a finding. Empty where none makes sense. */
export function ActionMenu({ target, facts, text = null, icon = 'more', only }: ActionMenuProps): ReactNode {
  const actions = actionsOn(target.kind).filter(({ id }) => only === undefined || only.includes(id))
  const { offers, choose } = useOffers(actions, target, facts)
  if (offers.length === 0) return null
  return <MenuButton text={text} label={labelOf(target, text)} icon={icon} items={itemsOf({ offers, choose })} />
}
