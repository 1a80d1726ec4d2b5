import { useEffect, type ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { choose, offersOf } from '../client/choose.ts'
import { useAccess, useSession, useViewOnly } from '../client/session.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { actionById } from '../table.ts'

const NO_FACTS: ActionFacts = {}

/** One action on one thing, as a button where it is what the user looks for. Nothing where it makes no sense. */
export function ActionButton({
  action: id,
  target,
  facts = NO_FACTS,
  icon,
}: {
  /** Id of an action without presets. */
  readonly action: string
  readonly target: ActionTarget
  readonly facts?: ActionFacts
  readonly icon?: IconName
}): ReactNode {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  useEffect(() => {
    if (session.viewOnly.getSnapshot() === null) void session.viewOnly.apply()
  }, [session])
  const action = actionById(id)
  const [offer] = action === null ? [] : offersOf([action], { target, facts }, access, viewOnly)
  if (offer === undefined) return null
  return (
    <Button
      small
      {...(icon === undefined ? {} : { icon })}
      disabled={offer.refusal !== null}
      title={offer.refusal ?? undefined}
      aria-label={target.kind === 'server' ? undefined : `${offer.title}: ${targetWords(target)}`}
      onClick={() => {
        if (access !== null) choose(session, access, offer, [{ target, facts }])
      }}
    >
      {offer.title}
    </Button>
  )
}
