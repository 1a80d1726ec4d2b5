import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import type { Access } from '../access.ts'
import type { ActivityEntry } from '../client/activity-entry.ts'
import { lockOf } from '../client/choose.ts'
import { remedyOf } from '../client/remedy.ts'
import { retryOf } from '../client/retry.ts'
import { useSession, useViewOnly } from '../client/session.ts'
import { cancelOf, undo, undoOf } from '../client/undo.ts'

interface EntryButtonsProps {
  readonly entry: ActivityEntry
  readonly access: Access | null
}

/** Buttons that follow from what an action did: undo, cancel, remedy, retry, as far as there is one. */
export function EntryButtons({ entry, access }: EntryButtonsProps): ReactNode {
  const session = useSession()
  const locked = lockOf(useViewOnly())
  const undoOffer = undoOf(entry, access)
  const cancel = cancelOf(session, entry, access)
  const remedy = remedyOf(session, entry, access)
  const retry = retryOf(session, entry, access)
  return (
    <>
      {undoOffer === null ? null : (
        <Button
          small
          disabled={(undoOffer.refusal ?? locked) !== null}
          title={undoOffer.refusal ?? locked ?? 'Undoes it'}
          onClick={() => void undo(session, entry, access)}
        >
          {undoOffer.title}
        </Button>
      )}
      {cancel === null ? null : (
        <Button small disabled={cancel.refusal !== null} title={cancel.refusal ?? undefined} onClick={cancel.run}>
          Cancel
        </Button>
      )}
      {remedy === null ? null : (
        <Button
          small
          disabled={(remedy.refusal ?? locked) !== null}
          title={remedy.refusal ?? locked ?? 'Removes the cause'}
          onClick={() => void remedy.run()}
        >
          {remedy.title}
        </Button>
      )}
      {retry === null ? null : (
        <Button
          small
          disabled={(retry.refusal ?? locked) !== null}
          title={retry.refusal ?? locked ?? retry.help}
          onClick={() => void retry.run()}
        >
          {retry.title}
        </Button>
      )}
    </>
  )
}
