import type { ReactNode } from 'react'
import { useView } from '../../capture/client/view.ts'
import { Button, IconButton } from '../../ui/controls/Button.tsx'
import { useNow } from '../../ui/hooks/now.ts'
import { cx } from '../../ui/theme/cx.ts'
import { useState } from 'react'
import type { Access } from '../access.ts'
import { isFinished, isSettled, type ActivityEntry } from '../client/activity-entry.ts'
import { closeNotice, useClosedNotices, useQueues, useSession } from '../client/session.ts'
import { entryWords, stateWords } from '../client/words.ts'
import { madeBy } from '../model.ts'
import { actionById } from '../table.ts'
import { EntryButtons } from './EntryButtons.tsx'
import styles from './actions.module.css'

/** Time, ms, for which a notice stays after its end; a failure stays longer. */
const SHOWN_MS = 10_000
const FAILED_SHOWN_MS = 60_000
const MOST_NOTICES = 3

/** Whether a later retry succeeded, so that the failure need not be shown. */
const isDoneAfter = ({ call, state, startedMs }: ActivityEntry, before: ActivityEntry): boolean =>
  state === 'done' &&
  startedMs > before.startedMs &&
  call.action === before.call.action &&
  call.target.database === before.call.target.database &&
  call.target.name === before.call.target.name

interface ActionNoticesProps {
  readonly entries: readonly ActivityEntry[]
  readonly access: Access | null
}

/** Recent actions of this page and their results, with a way to undo them. */
export function ActionNotices({ entries, access }: ActionNoticesProps): ReactNode {
  const session = useSession()
  const { open } = useView()
  const queues = useQueues()
  const nowMs = useNow()
  const [openedMs] = useState(nowMs)
  const closed = useClosedNotices()
  const shown = entries
    // Actions from before a reload are shown when they end.
    .filter((entry) => (entry.endedMs ?? entry.startedMs) >= openedMs && !closed.has(entry.id))
    .filter(
      (entry) => entry.endedMs === null || nowMs - entry.endedMs < (isSettled(entry) ? SHOWN_MS : FAILED_SHOWN_MS),
    )
    .filter((entry) => !isFinished(entry) || isSettled(entry) || !entries.some((later) => isDoneAfter(later, entry)))
    .slice(0, MOST_NOTICES)
  return (
    <section className={styles.notices} aria-label="Actions just done" aria-live="polite">
      {queues.map((queue) => (
        <div key={queue.calls.map(({ target }) => target.database).join(' ')} className={styles.notice}>
          <span>
            <strong>
              {queue.begun} of {queue.calls.length} begun
            </strong>{' '}
            · {queue.title}
          </span>
          <span className={styles.noticeText}>The others follow one after another, as long as this page is open.</span>
          <span className={styles.noticeActions}>
            <Button small onClick={queue.stop}>
              Do not begin the others
            </Button>
          </span>
        </div>
      ))}
      {shown.map((entry) => {
        const made = entry.state === 'done' ? madeBy(actionById(entry.call.action), entry.call) : null
        return (
          <div key={entry.id} className={cx(styles.notice, styles[entry.state])}>
            <span>
              <strong>{stateWords(entry)}</strong> · <bdi>{entryWords(entry)}</bdi>
            </span>
            <IconButton small icon="close" label="Dismiss" onClick={() => closeNotice(session, entry.id)} />
            {entry.text === '' ? null : <bdi className={styles.noticeText}>{entry.text}</bdi>}
            {entry.error === null || entry.error.hint === '' || isSettled(entry) || !isFinished(entry) ? null : (
              <span className={styles.noticeText}>{entry.error.hint}</span>
            )}
            <span className={styles.noticeActions}>
              {made === null ? null : (
                <Button small onClick={() => open('database', { database: made })}>
                  Open “{made}”
                </Button>
              )}
              <EntryButtons entry={entry} access={access} />
              <Button small tone="quiet" onClick={() => open('activity', { params: { 'activity.view': 'done' } })}>
                Open Activity
              </Button>
            </span>
          </div>
        )
      })}
    </section>
  )
}
