import { refusalOf, type Access } from '../access.ts'
import { actionById } from '../table.ts'
import { titleOf } from '../model.ts'
import { isFinished, isSettled, type ActivityEntry } from './activity-entry.ts'
import { choose } from './choose.ts'
import { isLocked } from './repeat.ts'
import type { ActionSession } from './session.ts'
import { withFactsNow } from './undo.ts'

/** Action that removes the cause of a failure. */
export interface RemedyOffer {
  readonly title: string
  readonly run: () => Promise<void>
  /** Why this user cannot do it; null: they can. */
  readonly refusal: string | null
}

const UNLOCKS = new Map([
  ['index.delete', 'index.lock'],
  ['database.delete', 'database.lock'],
])
const UNLOCK = { mode: 'Unlock' }

/** Remedy for a failed entry; null: it has not ended, or no remedy is known. */
export function remedyOf(session: ActionSession, entry: ActivityEntry, access: Access | null): RemedyOffer | null {
  const { call, text } = entry
  const action = actionById(UNLOCKS.get(call.action) ?? '')
  if (!isFinished(entry) || isSettled(entry) || action === null || access === null || !isLocked(text)) return null
  const title = titleOf(action, UNLOCK)
  return {
    title,
    refusal: refusalOf(action, call.target, access),
    run: async () => {
      const { target, facts } = await withFactsNow(session, { ...call, action: action.id, inputs: UNLOCK })
      choose(session, access, { action, inputs: UNLOCK, title }, [{ target, facts }])
    },
  }
}
