import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatTime } from '../base/format.ts'
import { ticksFromMs } from '../base/ticks.ts'
import { useCapture, useView } from '../capture/view.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/Notice.tsx'
import { useNow } from '../ui/now.ts'
import { describeAge, lastHeardMs } from './describe.ts'
import { TwoFactorButton } from './TwoFactorButton.tsx'
import { useCaptureState } from '../capture/useCaptureState.ts'
import styles from './shell.module.css'

/** When the server is gone: since when, how old the newest data is, and that it stays. Nothing while it answers. */
export function ServerNotice(): ReactNode {
  const capture = useCapture()
  const state = useCaptureState()
  const { view } = useView()
  const nowMs = useNow()
  const { serverError } = state
  const [goneMs, setGoneMs] = useState<number | null>(null)
  if ((serverError === null) !== (goneMs === null)) setGoneMs(serverError === null ? null : nowMs)
  if (serverError === null || goneMs === null) return null

  const heardMs = lastHeardMs(state)
  const sinceMs = heardMs === null ? goneMs : Math.min(heardMs, goneMs)
  const sinceTime = formatTime(ticksFromMs(sinceMs), view.clock, 0)
  return (
    <aside className={styles.serverNotice} aria-label="State of the server">
      <ErrorNotice
        error={serverError}
        tone="warn"
        actions={
          <>
            {serverError.status === 428 ? <TwoFactorButton onLetIn={capture.retryNow} /> : null}
            <Button onClick={() => capture.retryNow()}>Try now</Button>
          </>
        }
      >
        <p>
          Since {sinceTime}
          {view.clock === 'utc' ? ' UTC' : ''}, {describeAge(nowMs - sinceMs, true)} ago.{' '}
          {heardMs === null
            ? state.server === null
              ? 'Nothing was heard of it before.'
              : 'What was collected stays. It is tried again by itself.'
            : 'What was collected stays; its newest data is as old as that. It is tried again by itself.'}
        </p>
      </ErrorNotice>
    </aside>
  )
}
