import { useEffect, useRef, useState } from 'react'
import { useActivity } from '../../../../actions/client/session.ts'
import type { ActionTarget } from '../../../../actions/model.ts'

/** Calls back when an action on that document has ended that began while it is shown. Returns how many have. */
export function useAfterChanges(target: ActionTarget, changed: () => void): number {
  const [sinceMs] = useState(() => Date.now())
  const ended = useActivity().filter(
    ({ call, endedMs, startedMs }) =>
      call.target.name === target.name &&
      call.target.database === target.database &&
      call.target.kind === 'document' &&
      call.action !== 'document.save' &&
      startedMs >= sinceMs &&
      endedMs !== null,
  ).length
  const seen = useRef(0)
  useEffect(() => {
    if (ended > seen.current) changed()
    seen.current = ended
  }, [ended, changed])
  return ended
}
