import { refusalOf, type Access } from '../access.ts'
import { opensDialog } from '../model.ts'
import { actionById } from '../table.ts'
import { isFinished, isSettled, type ActivityEntry } from './activity-entry.ts'
import { READING } from './choose.ts'
import type { ActionSession } from './session.ts'
import { withFactsNow } from './undo.ts'
import { canRetry } from './words.ts'

/** Action that the user may send again. */
export interface RetryOffer {
  readonly run: () => Promise<void>
  /** Why it is not possible now; null: it is. */
  readonly refusal: string | null
}

/**
 * Retry of an entry; null: it has not ended, was done, is gone, or had a file. An action with a confirmation needs it
 * again, since the server may have changed.
 */
export function retryOf(session: ActionSession, entry: ActivityEntry, access: Access | null): RetryOffer | null {
  const { id, call, title, server } = entry
  if (!isFinished(entry) || isSettled(entry) || !canRetry(entry)) return null
  const action = actionById(call.action)
  if (action === null) return null
  if (access === null) return { run: () => Promise.resolve(), refusal: READING }
  return {
    refusal: refusalOf(action, call.target, access),
    run: async () => {
      const now = await withFactsNow(session, call)
      if (opensDialog(action, now.facts, access.version))
        session.confirmation.request({ title, calls: [now], server, retryOf: id })
      else await session.runner.retry(id, now)
    },
  }
}
