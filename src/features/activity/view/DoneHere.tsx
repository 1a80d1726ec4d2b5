import type { ReactNode } from 'react'
import { formatDateTime, formatPlural, formatShare, type Clock } from '../../../base/text/format.ts'
import { isFinished, isSettled, type ActivityEntry } from '../../../actions/client/activity-entry.ts'
import { serverKeyOf, useAccess, useActivity, useKeeping, useSession } from '../../../actions/client/session.ts'
import { entryWords, STATE_TONES, stateWords, tookWords } from '../../../actions/client/words.ts'
import { EntryButtons } from '../../../actions/view/EntryButtons.tsx'
import { useView } from '../../../capture/client/view.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { Effect } from './Effect.tsx'
import styles from './activity.module.css'

/** Actions on this server from this browser, newest first, and their results. */
export function DoneHere(): ReactNode {
  const session = useSession()
  const access = useAccess()
  const server = access === null ? null : serverKeyOf(access)
  const entries = useActivity().filter((entry) => entry.server === server)
  const running = entries.filter((entry) => !isFinished(entry)).length
  if (entries.length === 0)
    return (
      <>
        <KeepingNotice />
        <EmptyState title="Nothing was done from this browser">
          Actions are in the menus of rows, lanes and findings. What they do, and what became of it, is listed here and
          marked on all timelines.
        </EmptyState>
      </>
    )
  return (
    <>
      <KeepingNotice />
      <div className={styles.head}>
        <p>
          {formatPlural(entries.length, 'action')} from this browser,{' '}
          {running === 0 ? 'all finished' : `${running} running`}. They are kept in this browser only: the server
          records who did what in its audit log, if it has one.
        </p>
        <Button
          small
          disabled={running === entries.length}
          onClick={() => server !== null && session.log.clear(server)}
        >
          Clear the list
        </Button>
      </div>
      <ol className={styles.list} aria-label="Actions from this browser">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </>
  )
}

/** Notice about entries that the browser did not store, and stored ones that could not be read. */
function KeepingNotice(): ReactNode {
  const { log } = useSession()
  const { unstored, dropped } = useKeeping()
  return (
    <>
      {unstored === 0 ? null : (
        <Notice tone="warn" title={`This browser did not store ${formatPlural(unstored, 'action')}.`}>
          Its storage is full or switched off, as in a private window. They are known to this page only, and gone when
          it is closed or reloaded.
        </Notice>
      )}
      {dropped === 0 ? null : (
        <Notice
          tone="warn"
          title={`${formatPlural(dropped, 'stored entry', 'stored entries')} could not be read.`}
          actions={
            <Button small onClick={() => log.forgetDropped()}>
              Dismiss
            </Button>
          }
        >
          Another version of Rookery, or something else at this address, wrote them. They are not listed, and were
          removed.
        </Notice>
      )}
    </>
  )
}

function Entry({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const nowMs = useNow()
  const { view } = useView()
  const { state, text, progress, error, startedTicks } = entry
  return (
    <li className={styles.entry}>
      <span>
        <StateDot tone={STATE_TONES[state]}>{stateWords(entry)}</StateDot>
      </span>
      <div className={styles.what}>
        <h2 className={styles.title}>
          <bdi>{entryWords(entry)}</bdi>
        </h2>
        {text === '' ? null : (
          <p>
            <bdi>{text}</bdi>
          </p>
        )}
        {state === 'running' && progress !== null ? (
          <progress value={progress} aria-label="Progress" title={formatShare(progress)} />
        ) : null}
        {entry.detail === undefined ? null : (
          <details className={styles.faint}>
            <summary>What the server says</summary>
            <bdi>{entry.detail}</bdi>
          </details>
        )}
        {error === null ? null : (
          <p className={styles.faint}>
            {error.message} {isSettled(entry) ? '' : error.hint} <code>{error.endpoint}</code>
          </p>
        )}
        <Effect entry={entry} />
        {entry.undoneBy === null ? null : <p className={styles.faint}>Undone.</p>}
      </div>
      <p className={styles.when}>
        <WhenWords ticks={startedTicks} clock={view.clock} />
        <span className={styles.faint}>
          {tookWords(entry, nowMs)}
          {entry.attempts > 1 ? `, ${formatPlural(entry.attempts, 'attempt')}` : ''}
        </span>
      </p>
      <EntryActions entry={entry} />
    </li>
  )
}

interface WhenWordsProps {
  readonly ticks: ActivityEntry['startedTicks']
  readonly clock: Clock
}

const WhenWords = ({ ticks, clock }: WhenWordsProps): ReactNode => (
  <span>
    {formatDateTime(ticks, clock, 0)}
    {clock === 'utc' ? ' UTC' : ''}
  </span>
)

/** Actions on an entry. */
function EntryActions({ entry }: { readonly entry: ActivityEntry }): ReactNode {
  const session = useSession()
  const access = useAccess()
  return (
    <div className={styles.entryActions}>
      <EntryButtons entry={entry} access={access} />
      {entry.state === 'unknown' ? (
        <Button small onClick={() => session.runner.checkAgain(entry.id)}>
          Check again
        </Button>
      ) : null}
      {entry.error === null ? null : (
        <CopyButton label="Copy error" text={() => JSON.stringify(entry.error, undefined, 2)} />
      )}
    </div>
  )
}
