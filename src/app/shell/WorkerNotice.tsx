import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatTime } from '../../base/text/format.ts'
import { serverTicks } from '../../capture/client/server-ticks.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { useView } from '../../capture/client/view.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './shell.module.css'

/** Notice if the worker with the data does not respond, was restarted, or cannot be created. */
export function WorkerNotice(): ReactNode {
  const state = useCaptureState()
  const { view } = useView()
  const [dismissedMs, setDismissedMs] = useState<number | null>(null)
  const { phase, atMs, message } = state.worker
  if (phase === 'running' || dismissedMs === atMs) return null
  const at = `${formatTime(serverTicks(state, atMs), view.clock, 0)}${view.clock === 'utc' ? ' UTC' : ''}`
  return (
    <aside className={styles.serverNotice} aria-label="State of the capture worker">
      {phase === 'silent' ? (
        <Notice tone="warn" title="The capture worker of this page is not responding">
          <p>Nothing new has been shown since {at}. If this lasts, the worker is restarted.</p>
        </Notice>
      ) : phase === 'restarted' ? (
        <Notice
          tone="warn"
          title={`The capture worker of this page was restarted at ${at}`}
          actions={
            <Button small onClick={() => setDismissedMs(atMs)}>
              Dismiss
            </Button>
          }
        >
          <p>
            {message} What it had recorded is lost where the server no longer has it, and is shown as a gap. Open files
            again that you had opened.
          </p>
        </Notice>
      ) : (
        <Notice
          tone="error"
          title="The capture worker of this page cannot be started"
          actions={<Button onClick={() => location.reload()}>Reload the page</Button>}
        >
          <p>{message} Without it nothing is recorded.</p>
        </Notice>
      )}
    </aside>
  )
}
