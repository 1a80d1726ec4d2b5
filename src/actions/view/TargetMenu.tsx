import type { ReactNode } from 'react'
import { MenuButton, MenuItems } from '../../ui/controls/MenuButton.tsx'
import { useDatabaseToActOn } from '../client/use-databases.ts'
import { useIndexList } from '../client/use-indexes.ts'
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

/** Menu of the actions on one target, for a card or lane that knows only its name. Reads facts while open. */
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
  const { response, error } = useIndexList(target.database, true)
  const found = response?.loaded === true ? response.indexes.find(({ name }) => name === target.name) : undefined
  return <Items target={target} only={only} facts={found?.facts} isKnown={response !== null || error !== null} />
}

function OfDatabase({ target, only }: ItemsProps): ReactNode {
  const { facts, isKnown } = useDatabaseToActOn(target.database)
  return <Items target={target} only={only} facts={facts} isKnown={isKnown} />
}

interface KnownItemsProps extends ItemsProps {
  readonly facts: ActionFacts | undefined
  /** Whether the server has responded, or cannot. */
  readonly isKnown: boolean
}

function Items({ target, only, facts, isKnown }: KnownItemsProps): ReactNode {
  const actions = actionsOn(target.kind).filter(({ id }) => only === undefined || only.includes(id))
  const items = itemsOf(useOffers(actions, target, facts ?? NOTHING_KNOWN))
  return <MenuItems items={isKnown ? items : null} />
}
