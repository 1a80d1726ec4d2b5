import { useState, type ReactNode } from 'react'
import type { ActivityEntry } from '../../../actions/client/activity-entry.ts'
import { useActivity } from '../../../actions/client/session.ts'
import { databaseKey } from '../../../base/text/database-key.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'

export const CHANGES_BY_QUERY = ['database.patch-by-query', 'database.delete-by-query'] as const

/**
 * Newest completed action of these kinds on a database that began after `sinceMs` (wall clock; default: the time when
 * the component was mounted). Null: none.
 */
export function useDoneSince(database: string, actions: readonly string[], sinceMs?: number): ActivityEntry | null {
  const [shownMs] = useState(() => Date.now())
  return (
    useActivity().find(
      ({ call, state, startedMs }) =>
        state === 'done' &&
        startedMs >= (sinceMs ?? shownMs) &&
        actions.includes(call.action) &&
        databaseKey(call.target.database ?? '') === databaseKey(database),
    ) ?? null
  )
}

interface DoneNoticeProps {
  /** Title of the notice: says what is outdated. */
  readonly title: string
  readonly entry: ActivityEntry
  readonly button: string
  readonly onRun: () => void
}

/** Notice that an action has changed the data shown, with a button to read it again. */
export const DoneNotice = ({ title, entry, button, onRun }: DoneNoticeProps): ReactNode => (
  <Notice
    tone="info"
    title={title}
    actions={
      <Button tone="primary" onClick={onRun}>
        {button}
      </Button>
    }
  >
    <p>{entry.text}</p>
  </Notice>
)
