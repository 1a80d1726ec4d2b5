import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import type { useDatabaseList } from './useDatabaseList.ts'

/** Age, ms, from which on the list counts as old: three polls at full pace are missing. */
const OLD_MS = 15_000

/** Failure of the newest poll, or a notice that there was none for long, above the earlier rows. */
export function ListProblem({ list }: { readonly list: ReturnType<typeof useDatabaseList> }): ReactNode {
  const nowMs = useNow()
  const capture = useCapture()
  const serverSilent = useSyncExternalStore(capture.subscribe, () => capture.getState().serverError !== null)
  const ageMs = Math.max(0, nowMs - list.dataUpdatedAt)
  if (list.error === null && (list.data === undefined || ageMs < OLD_MS)) return null
  const ageSeconds = Math.round(ageMs / 1000)
  const age = list.data === undefined ? null : <p>What is listed below is {formatPlural(ageSeconds, 'second')} old.</p>
  // The shell has a notice if the server does not answer, and the status bar shows why polls are slower or wait as the
  // server requested.
  if (serverSilent || list.error === null)
    return (
      <div className="faint" role="status">
        {age ?? <p>The list comes as soon as the server answers.</p>}
      </div>
    )
  const again = <Button onClick={list.renew}>Try now</Button>
  const tone = list.data === undefined ? 'error' : 'warn'
  return list.error instanceof CaptureError ? (
    <ErrorNotice error={list.error.info} tone={tone} actions={again}>
      {age}
    </ErrorNotice>
  ) : (
    <Notice tone={tone} title={`The list of databases could not be read: ${list.error.message}`} actions={again}>
      {age}
    </Notice>
  )
}
