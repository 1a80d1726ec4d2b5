import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import { formatPlural } from '../../base/format.ts'
import { CaptureError } from '../../capture/client.ts'
import { useCapture } from '../../capture/view.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { useNow } from '../../ui/now.ts'
import type { useDatabaseList } from './useDatabaseList.ts'
import styles from './databases.module.css'

/** What went wrong with the newest poll; the rows of the one before stay below it, with their age. */
export function ListProblem({ list }: { readonly list: ReturnType<typeof useDatabaseList> }): ReactNode {
  const nowMs = useNow()
  const capture = useCapture()
  const serverSilent = useSyncExternalStore(capture.subscribe, () => capture.getState().serverError !== null)
  if (list.error === null) return null
  const ageSeconds = Math.max(0, Math.round((nowMs - list.dataUpdatedAt) / 1000))
  const age = list.data === undefined ? null : <p>The list below is {formatPlural(ageSeconds, 'second')} old.</p>
  // The shell says already that the server does not answer; once is enough.
  if (serverSilent)
    return (
      <div className={styles.faint} role="status">
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
