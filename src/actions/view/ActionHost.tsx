import { useContext, useEffect, type ReactNode } from 'react'
import { MarkersContext, type TimeMarker } from '../../charts/timeline/markers.ts'
import { useCapture } from '../../capture/client/view.ts'
import type { ActivityEntry } from '../client/activity-entry.ts'
import {
  serverKeyOf,
  sessionOf,
  useAccess,
  useActivity,
  useLeaveGuard,
  usePendingConfirmation,
  useRightsAfterRefusals,
} from '../client/session.ts'
import { entryWords } from '../client/words.ts'
import { actionById } from '../table.ts'
import { ActionDialog } from './ActionDialog.tsx'
import { ActionNotices } from './ActionNotices.tsx'

/** Whether an action gets a marker: not if it was refused or its target was gone, which left no trace. */
const isMarked = ({ state, accepted }: ActivityEntry): boolean =>
  state !== 'sending' && state !== 'failed' && state !== 'nothing' && (state !== 'gone' || accepted !== null)

const markerOf = (entry: ActivityEntry): TimeMarker => ({
  id: entry.id,
  atTicks: entry.startedTicks,
  endTicks: entry.endedTicks,
  label: entryWords(entry),
  tone: entry.state === 'done' ? 'done' : entry.state === 'unknown' || entry.state === 'gone' ? 'failed' : 'open',
})

/** Parts that actions need once on a page: dialog, notices, markers of all timelines, and unfinished checks. */
export function ActionHost(): ReactNode {
  const client = useCapture()
  useRightsAfterRefusals()
  useLeaveGuard()
  const markers = useContext(MarkersContext)
  const access = useAccess()
  const pending = usePendingConfirmation()
  const server = access === null ? null : serverKeyOf(access)
  const entries = useActivity().filter((entry) => entry.server === server)

  useEffect(() => void sessionOf(client).viewOnly.apply(), [client])
  useEffect(() => {
    if (server !== null) sessionOf(client).runner.adopt(server)
  }, [client, server])
  useEffect(() => markers?.show(entries.filter(isMarked).map(markerOf)))
  useEffect(() => () => markers?.show([]), [markers])
  const [call] = pending?.calls ?? []
  const action = call === undefined ? null : actionById(call.action)
  return (
    <>
      {pending === null || action === null || access === null ? null : (
        <ActionDialog
          key={`${pending.title} ${JSON.stringify(call?.target)}`}
          action={action}
          pending={pending}
          access={access}
        />
      )}
      <ActionNotices entries={entries} access={access} />
    </>
  )
}
