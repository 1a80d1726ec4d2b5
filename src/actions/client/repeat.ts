import type { ErrorInfo } from '../../capture/client/state.ts'
import type { ActionCall } from '../model.ts'
import { actionById } from '../table.ts'
import { isFinished, isSettled, type ActivityEntry } from './activity-entry.ts'

/**
 * How an entry can be repeated here. `same`: the same request may succeed later. `corrected`: only with other values in its dialog.
 * `none`: it has not ended, was done, is gone, had a file or text, or would be refused again.
 */
export type Repeat = 'same' | 'corrected' | 'none'

/** Refusals for what a request says, not for the state of the server. */
const FINAL: ReadonlySet<ErrorInfo['kind']> = new Set(['bad-request', 'licence', 'route-missing'])

/** Words for a lock, which the user can take away. */
const LOCKED = /lock mode|PreventDeletes/i

export const isLocked = (text: string): boolean => LOCKED.test(text)

/** Whether the call is meant for one version of its target, which another client has replaced when it was refused. */
const isForVersion = ({ inputs, facts }: ActionCall): boolean =>
  inputs['expected'] !== undefined || facts.changeVector !== undefined

/** Whether the server would refuse the same request again. A check before sending may have another result (no status). */
function isFinal({ kind, status, serverMessage }: ErrorInfo, call: ActionCall, canCorrect: boolean): boolean {
  if (!FINAL.has(kind) || status === null || status === 408 || isLocked(serverMessage ?? '')) return false
  return status !== 409 || canCorrect || isForVersion(call)
}

export function repeatOf(entry: ActivityEntry): Repeat {
  const { call, error } = entry
  const action = actionById(call.action)
  if (!isFinished(entry) || isSettled(entry)) return 'none'
  if (action === null || action.transfer !== undefined || action.payload !== undefined) return 'none'
  const canCorrect = action.fields !== undefined && action.fields.length > 0
  if (error == null || !isFinal(error, call, canCorrect)) return 'same'
  return canCorrect ? 'corrected' : 'none'
}
