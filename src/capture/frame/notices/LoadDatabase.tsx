import type { ReactNode } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { useAttempt } from '../../client/requests/useAttempt.ts'
import { useCapture } from '../../client/view.ts'
import { AttemptFailure } from './AttemptFailure.tsx'
import { useClosure } from './ClosedNotice.tsx'

interface LoadDatabaseProps {
  readonly database: string
  /** Called once the database is loaded. */
  readonly onLoaded?: () => void
}

/** Button that loads a database, for what was refused because it is not loaded; or why it cannot be loaded. */
export function LoadDatabase({ database, onLoaded }: LoadDatabaseProps): ReactNode {
  const capture = useCapture()
  const { attempt, failure, isRunning } = useAttempt()
  const closure = useClosure(database)
  const load = async (): Promise<void> => {
    const { ok } = await attempt('Not loaded', () => capture.request('databases.counts', { database, load: true }))
    if (ok) onLoaded?.()
  }
  if (closure !== null) return <strong role="status">{closure}</strong>
  return (
    <>
      <Button
        disabled={isRunning}
        title="The server opens its files and starts its indexes, until the database is idle again."
        onClick={() => void load()}
      >
        {isRunning ? 'Loading' : `Load “${database}”`}
      </Button>
      <AttemptFailure of={failure} />
    </>
  )
}
