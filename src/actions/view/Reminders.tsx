import { useEffect, type ReactNode } from 'react'
import { formatDuration } from '../../base/text/format.ts'
import { TICKS_PER_MS } from '../../base/ticks.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { useNow } from '../../ui/hooks/now.ts'
import type { ActivityEntry } from '../client/activity-entry.ts'
import { serverKeyOf, useAccess, useActivity, useSession, useViewOnly } from '../client/session.ts'
import { undo, undoOf } from '../client/undo.ts'
import { actionById } from '../table.ts'
import styles from './actions.module.css'

/** Pauses from this browser that were not ended since, newest first. A later action on the same target ends one. */
export function remindersOf(entries: readonly ActivityEntry[], database: string): readonly ActivityEntry[] {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const { call, state } = entry
    if (call.target.database !== database || state !== 'done') return false
    const action = actionById(call.action)
    // Only actions that pause or resume it matter.
    if (action === null || (action.reminds === undefined && !STARTS.has(action.id))) return false
    const key = `${call.target.kind} ${call.target.name ?? ''}`
    if (seen.has(key)) return false
    seen.add(key)
    return action.reminds !== undefined && entry.undoneBy === null && entry.isOver !== true
  })
}

const STARTS: ReadonlySet<string> = new Set([
  'index.resume',
  'index.enable',
  'index.delete',
  'database.enable',
  'database.restart',
  'database.delete',
])

interface RemindersProps {
  readonly database: string
  /** Whether it is still paused, as far as known: another client, or a restart, may have ended it. */
  readonly still: (entry: ActivityEntry) => boolean
  /** Wall clock of that reading, ms; null: not known now. */
  readonly readMs: number | null
}

/** Time after an action, ms, from which on a reading is certainly newer. */
const LATE_MS = 5000

/** “Paused by you 12 min ago”, with a button that ends it. */
export function Reminders({ database, still, readMs }: RemindersProps): ReactNode {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const nowMs = useNow()
  const server = access === null ? null : serverKeyOf(access)
  const stopped = remindersOf(
    useActivity().filter((entry) => entry.server === server),
    database,
  )
  const all = stopped.filter(still)
  // If another client paused it again, the pause would not be this user's.
  useEffect(() => {
    for (const entry of stopped)
      if (readMs !== null && readMs > (entry.endedMs ?? readMs) + LATE_MS && !still(entry))
        session.log.patch(entry.id, { isOver: true })
  })
  if (all.length === 0) return null
  return (
    <ul className={styles.reminders} aria-label="Stopped by you">
      {all.map((entry) => {
        const undoOffer = undoOf(entry, access)
        const agoMs = Math.max(0, Math.floor((nowMs - (entry.endedMs ?? nowMs)) / 60_000) * 60_000)
        return (
          <li key={entry.id}>
            <bdi>{entry.call.target.name ?? database}</bdi> {actionById(entry.call.action)?.reminds} by you{' '}
            {agoMs === 0 ? 'less than a minute' : formatDuration(agoMs * TICKS_PER_MS)} ago
            {undoOffer === null ? null : (
              <Button
                small
                disabled={undoOffer.refusal !== null || viewOnly?.isOn !== false}
                onClick={() => void undo(session, entry, access)}
              >
                {undoOffer.title}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
