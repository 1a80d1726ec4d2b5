import { refusalOf, type Access } from '../access.ts'
import { actionById } from '../table.ts'
import { titleOf, type Deed } from '../model.ts'
import type { ActivityEntry } from './activity-log.ts'
import type { ActionSession } from './session.ts'

interface Undoing {
  readonly deed: Deed
  readonly title: string
  /** Why it cannot be undone by this user; null: it can. */
  readonly refusal: string | null
}

/** What undoes an entry; null: nothing does, or it was undone already. */
export function undoOf({ deed, state, undoneBy }: ActivityEntry, access: Access | null): Undoing | null {
  if (undoneBy !== null || (state !== 'done' && state !== 'running')) return null
  const inverse = actionById(deed.action)?.inverse?.(deed) ?? null
  const action = inverse === null ? null : actionById(inverse.action)
  if (inverse === null || action === null) return null
  const facts = state === 'running' ? { ...deed.facts, hasReplacement: true } : deed.facts
  // What was built beside the old one is the one now: there is nothing left to discard.
  if (state === 'done' && action.id === 'index.discard-replacement') return null
  return {
    deed: { ...deed, ...inverse, facts },
    title: titleOf(action, inverse.inputs),
    refusal: access === null ? null : refusalOf(action, deed.target, access),
  }
}

/** Undoes it; both entries say so. */
export async function undo(session: ActionSession, entry: ActivityEntry, access: Access | null): Promise<void> {
  const undoing = undoOf(entry, access)
  if (undoing === null) return
  const undoneBy = await session.doing.begin(entry.server, undoing.deed, undoing.title)
  if (session.log.get(undoneBy)?.state !== 'failed') session.log.patch(entry.id, { undoneBy })
}
