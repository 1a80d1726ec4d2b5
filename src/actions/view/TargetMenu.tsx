import type { ReactNode } from 'react'
import { MenuButton, MenuItems } from '../../ui/controls/MenuButton.tsx'
import { useDatabaseToActOn } from '../client/use-databases.ts'
import { useIndexesToActOn } from '../client/use-indexes.ts'
import { useOffers } from '../client/use-offers.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'
import { itemsOf, labelOf } from './ActionMenu.tsx'

const NOTHING_KNOWN: ActionFacts = {}

interface TargetMenuProps {
  /** An index or a database. */
  readonly target: ActionTarget
  /** Text of the button; null: only an icon. */
  readonly text?: string | null
  /** Only these actions, in the order of the table; by default all for this kind of target. */
  readonly only?: readonly string[]
}

/**
 * Menu of the actions on one target, for a card or lane that knows only its name. Facts are read while the menu is
 * open.
 */
export const TargetMenu = ({ target, text = null, only }: TargetMenuProps): ReactNode => (
  <MenuButton
    text={text}
    label={labelOf(target, text)}
    icon="more"
    renderItems={() =>
      target.kind === 'index' ? <OfIndex target={target} only={only} /> : <OfDatabase target={target} only={only} />
    }
  />
)

interface ItemsProps {
  readonly target: ActionTarget
  readonly only: readonly string[] | undefined
}

function OfIndex({ target, only }: ItemsProps): ReactNode {
  const found = useIndexesToActOn(target.database, true)?.find((index) => index.name === target.name)
  return <Items target={target} only={only} facts={found?.facts} />
}

const OfDatabase = ({ target, only }: ItemsProps): ReactNode => (
  <Items target={target} only={only} facts={useDatabaseToActOn(target.database)} />
)

function Items({ target, only, facts }: ItemsProps & { readonly facts: ActionFacts | undefined }): ReactNode {
  const actions = actionsOn(target.kind).filter(({ id }) => only === undefined || only.includes(id))
  return <MenuItems items={itemsOf(useOffers(actions, target, facts ?? NOTHING_KNOWN))} />
}
