import { formatDuration } from '../../base/text/format.ts'
import { TICKS_PER_MS } from '../../base/ticks.ts'
import type { Tone } from '../../ui/Badge.tsx'
import { actionById } from '../table.ts'
import { CANCELLED, callWords, madeBy, targetWords } from '../model.ts'
import type { ActivityEntry, ActivityState } from './activity-entry.ts'

const STATE_WORDS: Readonly<Record<ActivityState, string>> = {
  sending: 'Sending',
  running: 'Running',
  checking: 'Unknown: checking',
  done: 'Done',
  nothing: 'Nothing happened',
  gone: 'Already gone',
  failed: 'Failed',
  unknown: 'Unknown',
}

/** State of an entry in words. A cancelled entry has the state `failed`. */
export const stateWords = ({ state, text }: Pick<ActivityEntry, 'state' | 'text'>): string =>
  state === 'failed' && text.startsWith(CANCELLED) ? 'Cancelled' : STATE_WORDS[state]

export const STATE_TONES: Readonly<Record<ActivityState, Tone>> = {
  sending: 'busy',
  running: 'busy',
  checking: 'warn',
  done: 'ok',
  nothing: 'warn',
  gone: 'idle',
  failed: 'error',
  unknown: 'warn',
}

/** Words for the completed action, for a marker and a notice: `Paused “Orders/ByCompany” of “shop”`. */
export function entryWords({ call, title, state }: ActivityEntry): string {
  const action = actionById(call.action)
  if (state !== 'done' || action === null) return callWords(action, title, call)
  const made = madeBy(action, call)
  return `${action.done}: ${made === null ? targetWords(call.target) : `“${made}”`}`
}

/** Duration of an entry, so far if it has not ended. */
export const tookWords = ({ startedMs, endedMs }: ActivityEntry, nowMs: number): string =>
  formatDuration(Math.max(0, (endedMs ?? nowMs) - startedMs) * TICKS_PER_MS)
