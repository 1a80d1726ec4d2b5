import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatDuration } from '../../base/text/format.ts'
import { spanFromMs } from '../../base/ticks.ts'
import { useCaptureState } from '../../capture/client/useCaptureState.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './shell.module.css'

/** Notice of a difference between this computer's clock and the server's, and which of them the page shows. */
export function ClockNotice({ leastMs }: { readonly leastMs: number }): ReactNode {
  const { clockAheadMs } = useCaptureState()
  const [isDismissed, setDismissed] = useState(false)
  if (isDismissed || Math.abs(clockAheadMs) <= leastMs) return null
  const difference = formatDuration(spanFromMs(Math.round(Math.abs(clockAheadMs) / 1000) * 1000))
  return (
    <aside className={styles.serverNotice} aria-label="Clocks">
      <Notice
        tone="info"
        title={`The clock of this computer is ${difference} ${clockAheadMs > 0 ? 'ahead of' : 'behind'} the server’s`}
        actions={
          <Button small onClick={() => setDismissed(true)}>
            Dismiss
          </Button>
        }
      >
        <p>All times on this page are the server’s.</p>
      </Notice>
    </aside>
  )
}
