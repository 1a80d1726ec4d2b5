import { useEffect, type ReactNode } from 'react'
import { setMarkers, type TimeMarker } from '../../charts/timeline/markers.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { ActivityEntry } from '../client/activity-log.ts'
import { serverKeyOf, sessionOf, useAccess, useActivity, useAsked } from '../client/session.ts'
import { entryWords } from '../client/words.ts'
import { actionById } from '../table.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { ActionNotices } from './ActionNotices.tsx'

/** What was refused left no trace on the server. */
const isMarked = ({ state }: ActivityEntry): boolean => state !== 'sending' && state !== 'failed' && state !== 'nothing'

const markerOf = (entry: ActivityEntry): TimeMarker => ({
  id: entry.id,
  atTicks: entry.beganTicks,
  endTicks: entry.endedTicks,
  label: entryWords(entry),
  tone: entry.state === 'done' ? 'done' : entry.state === 'unknown' ? 'failed' : 'open',
})

/** What actions need once on a page: the dialog, the notices, the markers of all timelines, and what was left unfinished. */
export function ActionHost(): ReactNode {
  const client = useCapture()
  const access = useAccess()
  const asked = useAsked()
  const server = access === null ? null : serverKeyOf(access)
  const entries = useActivity().filter((entry) => entry.server === server)

  useEffect(() => void sessionOf(client).viewOnly.apply(), [client])
  useEffect(() => {
    if (server !== null) sessionOf(client).doing.adopt(server)
  }, [client, server])
  useEffect(() => setMarkers(entries.filter(isMarked).map(markerOf)))
  useEffect(() => () => setMarkers([]), [])
  const [deed] = asked?.deeds ?? []
  const action = deed === undefined ? null : actionById(deed.action)
  return (
    <>
      {asked === null || action === null || access === null ? null : (
        <ActionDialog
          key={`${asked.title} ${JSON.stringify(deed?.target)}`}
          action={action}
          asked={asked}
          access={access}
        />
      )}
      <ActionNotices entries={entries} access={access} />
    </>
  )
}
