import { refusalOf, type Access } from '../access.ts'
import { opensDialog } from '../model.ts'
import { actionById } from '../table.ts'
import type { ActivityEntry } from './activity-entry.ts'
import { READING } from './choose.ts'
import { repeatOf } from './repeat.ts'
import type { ActionSession } from './session.ts'
import { withFactsNow } from './undo.ts'

/** Action that the user may send again. */
export interface RetryOffer {
  /** Text of the button. */
  readonly title: string
  /** Effect of the button. */
  readonly help: string
  readonly run: () => Promise<void>
  /** Why it is not possible now; null: it is. */
  readonly refusal: string | null
}

const SAME = { title: 'Retry', help: 'Sends the same request again: look first whether it was done' }
const CORRECTED = { title: 'Correct …', help: 'Shows what was entered: the server would refuse the same again' }

/** Retry of an entry; null: it cannot be repeated (`repeatOf`). A confirmation is needed again. */
export function retryOf(session: ActionSession, entry: ActivityEntry, access: Access | null): RetryOffer | null {
  const { id, call, title, server } = entry
  const repeat = repeatOf(entry)
  const action = actionById(call.action)
  if (repeat === 'none' || action === null) return null
  const words = repeat === 'same' ? SAME : CORRECTED
  if (access === null) return { ...words, run: () => Promise.resolve(), refusal: READING }
  return {
    ...words,
    refusal: refusalOf(action, call.target, access),
    run: async () => {
      const now = await withFactsNow(session, call)
      if (opensDialog(action, now.facts, access.version))
        session.confirmation.request({ title, calls: [now], server, retryOf: id })
      else await session.runner.retry(id, now)
    },
  }
}
