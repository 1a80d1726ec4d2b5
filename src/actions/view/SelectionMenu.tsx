import type { ReactNode } from 'react'
import { MenuButton } from '../../ui/controls/MenuButton.tsx'
import { choose, offersOf, type Offer } from '../client/choose.ts'
import { useAccess, useSession, useViewOnly } from '../client/session.ts'
import type { ActionFacts, ActionTarget } from '../model.ts'
import { actionsOn } from '../table.ts'

interface Target {
  readonly target: ActionTarget
  readonly facts: ActionFacts
}

interface SelectionMenuProps {
  /** `3 indexes` */
  readonly what: string
  readonly targets: readonly Target[]
}

/** The same action on several things of one kind: those for which it makes sense, one after another. Empty where nothing is chosen. */
export function SelectionMenu({ what, targets }: SelectionMenuProps): ReactNode {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const kind = targets[0]?.target.kind
  if (kind === undefined) return null
  const offers = new Map<string, { readonly offer: Offer; readonly targets: readonly Target[] }>()
  for (const each of targets)
    for (const offer of offersOf(actionsOn(kind), each, access, viewOnly)) {
      const key = `${offer.action.id} ${offer.title}`
      offers.set(key, { offer, targets: [...(offers.get(key)?.targets ?? []), each] })
    }
  const order = actionsOn(kind).map(({ id }) => id)
  const items = [...offers.values()].toSorted(
    (a, b) => order.indexOf(a.offer.action.id) - order.indexOf(b.offer.action.id),
  )
  return (
    <MenuButton
      text={`Act on ${what}`}
      label={`Act on ${what}`}
      icon="more"
      items={items.map(({ offer, targets: of }) => ({
        text: of.length === targets.length ? `${offer.title} …` : `${offer.title}: ${of.length} of ${targets.length} …`,
        refusal: offer.refusal,
        onChoose: () => {
          if (access !== null) choose(session, access, offer, of)
        },
      }))}
    />
  )
}
