import type { ReactNode } from 'react'
import { MenuButton } from '../../ui/controls/MenuButton.tsx'
import { choose, offersOf, type Offer } from '../client/choose.ts'
import { useAccess, useSession, useViewOnly } from '../client/session.ts'
import { countWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'

interface Target {
  readonly target: ActionTarget
  readonly facts: ActionFacts
}

interface SelectionMenuProps {
  readonly targets: readonly Target[]
  /** Only these actions, in the order of the table; by default all for this kind of target. */
  readonly only?: readonly string[]
}

interface Common {
  readonly offer: Offer
  /** Targets for which it makes sense and is allowed; if there are none, those for which it makes sense. */
  readonly of: readonly Target[]
}

/**
 * Menu of actions on several targets of one kind. Each action runs on those for which it makes sense, one after
 * another. Renders nothing without a selection.
 */
export function SelectionMenu({ targets, only }: SelectionMenuProps): ReactNode {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const kind = targets[0]?.target.kind
  if (kind === undefined) return null
  const actions = actionsOn(kind).filter(({ id }) => only === undefined || only.includes(id))
  const common = new Map<string, Common>()
  for (const each of targets)
    for (const offer of offersOf(actions, each, access, viewOnly)) {
      const key = `${offer.action.id} ${offer.title}`
      const known = common.get(key)
      // The certificate may allow it for some of them only.
      const isBetter = known === undefined || (known.offer.refusal !== null && offer.refusal === null)
      if (isBetter) common.set(key, { offer, of: [each] })
      else if ((known.offer.refusal === null) === (offer.refusal === null))
        common.set(key, { offer: known.offer, of: [...known.of, each] })
    }
  const order = actions.map(({ id }) => id)
  const items = [...common.values()].toSorted(
    (a, b) => order.indexOf(a.offer.action.id) - order.indexOf(b.offer.action.id),
  )
  if (items.length === 0) return null
  const label = `Act on ${countWords(kind, targets.length)}`
  return (
    <MenuButton
      text={label}
      label={label}
      icon="more"
      items={items.map(({ offer, of }) => ({
        id: `${offer.action.id} ${offer.title}`,
        text: `${offer.title}${of.length === targets.length ? '' : `: ${of.length} of ${targets.length}`}${of.length > 1 || offer.opensDialog ? ' …' : ''}`,
        refusal: offer.refusal,
        onChoose: () => {
          if (access !== null) choose(session, access, offer, of)
        },
      }))}
    />
  )
}
