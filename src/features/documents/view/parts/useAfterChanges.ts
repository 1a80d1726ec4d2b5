import { useEffect, useRef, useState } from 'react'
import { useActivity } from '../../../../actions/client/session.ts'
import type { ActivityEntry } from '../../../../actions/client/activity-entry.ts'
import type { ActionTarget } from '../../../../actions/model.ts'

const changesParts = ({ call }: ActivityEntry): boolean => call.action !== 'document.save'

/**
 * Calls `changed` when an action on that document ends that began while it is shown. Returns the number of such
 * actions. `isMeant`: the entries that count; by default all except saves.
 */
export function useAfterChanges(target: ActionTarget, changed: () => void, isMeant = changesParts): number {
  const [sinceMs] = useState(() => Date.now())
  const ended = useActivity().filter((entry) => {
    const { call, endedMs, startedMs } = entry
    return (
      call.target.name === target.name &&
      call.target.database === target.database &&
      call.target.kind === 'document' &&
      startedMs >= sinceMs &&
      endedMs !== null &&
      isMeant(entry)
    )
  }).length
  const seen = useRef(0)
  useEffect(() => {
    if (ended > seen.current) changed()
    seen.current = ended
  }, [ended, changed])
  return ended
}
