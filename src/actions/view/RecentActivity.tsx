import type { ReactNode } from 'react'
import { formatDateTime } from '../../base/text/format.ts'
import { PanelLink } from '../../capture/frame/PanelLink.tsx'
import { useView } from '../../capture/client/view.ts'
import { StateDot } from '../../ui/Badge.tsx'
import { serverKeyOf, useAccess, useActivity } from '../client/session.ts'
import { entryWords, stateWords, STATE_TONES } from '../client/words.ts'
import { madeBy } from '../model.ts'
import { actionById } from '../table.ts'
import styles from './actions.module.css'

const MOST_SHOWN = 6

/** Latest actions of this browser on a database and its parts; the panel Activity has all. */
export function RecentActivity({ database }: { readonly database: string }): ReactNode {
  const { clock } = useView().view
  const access = useAccess()
  const server = access === null ? null : serverKeyOf(access)
  const entries = useActivity().filter(
    ({ server: of, call }) =>
      of === server && (call.target.database === database || madeBy(actionById(call.action), call) === database),
  )
  return (
    <>
      {entries.length === 0 ? (
        <p>Nothing was done to it from this browser.</p>
      ) : (
        <ol className={styles.recent} aria-label={`Actions on ${database}`}>
          {entries.slice(0, MOST_SHOWN).map((entry) => (
            <li key={entry.id}>
              <StateDot tone={STATE_TONES[entry.state]}>{stateWords(entry)}</StateDot>
              <bdi>{entryWords(entry)}</bdi>
              <span>{formatDateTime(entry.startedTicks, clock, 0)}</span>
              {entry.text === '' ? null : <bdi>{entry.text}</bdi>}
            </li>
          ))}
        </ol>
      )}
      <p>
        <PanelLink panel="activity" parts={{ params: { 'activity.view': 'done' } }}>
          Open Activity
        </PanelLink>
      </p>
    </>
  )
}
