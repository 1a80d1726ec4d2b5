import type { ReactNode } from 'react'
import type { Ticks } from '../../base/ticks.ts'
import { Button } from '../../ui/controls/Button.tsx'
import type { ActivityEntry } from '../client/activity-entry.ts'
import { serverKeyOf, useAccess, useActivity, useSession, useViewOnly } from '../client/session.ts'
import { undo, undoOf } from '../client/undo.ts'
import { actionById } from '../table.ts'
import { remindersOf } from './Reminders.tsx'
import styles from './actions.module.css'

interface StoppedHereProps {
  readonly database: string
  /** Paused indexes; empty: all of the database. */
  readonly indexes: readonly string[]
  /** Formats a moment. */
  readonly at: (ticks: Ticks) => string
}

/** “Paused from this browser at 15:58:41 · Resume”, for indexes that were paused here; otherwise nothing. */
export function StoppedHere({ database, indexes, at }: StoppedHereProps): ReactNode {
  const session = useSession()
  const access = useAccess()
  const viewOnly = useViewOnly()
  const server = access === null ? null : serverKeyOf(access)
  const stopped = remindersOf(
    useActivity().filter((entry) => entry.server === server),
    database,
  ).filter(({ call: { target } }) => target.name === null || indexes.length === 0 || indexes.includes(target.name))
  if (stopped.length === 0) return null
  const isOne = indexes.length === 1
  return (
    <ul className={styles.reminders} aria-label="Stopped from this browser">
      {stopped.map((entry) => (
        <li key={entry.id}>
          {wordsOf(entry, isOne, at)}
          <UndoButton
            offer={undoOf(entry, access)}
            isLocked={viewOnly?.isOn !== false}
            onUndo={() => void undo(session, entry, access)}
          />
        </li>
      ))}
    </ul>
  )
}

function wordsOf(
  { call, startedTicks, endedTicks }: ActivityEntry,
  isOne: boolean,
  at: StoppedHereProps['at'],
): ReactNode {
  const word = actionById(call.action)?.reminds ?? 'stopped'
  const how = `from this browser at ${at(endedTicks ?? startedTicks)}`
  if (isOne || call.target.name === null) return `${word.charAt(0).toUpperCase()}${word.slice(1)} ${how} `
  return (
    <>
      <bdi>{call.target.name}</bdi> {word} {how}{' '}
    </>
  )
}

interface UndoButtonProps {
  readonly offer: ReturnType<typeof undoOf>
  readonly isLocked: boolean
  readonly onUndo: () => void
}

function UndoButton({ offer, isLocked, onUndo }: UndoButtonProps): ReactNode {
  if (offer === null) return null
  return (
    <Button small disabled={offer.refusal !== null || isLocked} onClick={onUndo}>
      {offer.title}
    </Button>
  )
}
