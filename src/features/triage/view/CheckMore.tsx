import { useState, type ReactNode } from 'react'
import { formatPlural, formatTime } from '../../../base/text/format.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { ServerCheck } from '../contract/check.ts'
import { SavePackage } from './SavePackage.tsx'
import styles from './triage.module.css'

/**
 * Checks with requests of their own. Only the user starts them, since the requests restart the idle time of databases.
 */
export function CheckMore(): ReactNode {
  const capture = useCapture()
  const { clock } = useView().view
  const { attempt, failure, isRunning } = useAttempt()
  const [check, setCheck] = useState<ServerCheck | null>(null)
  const run = async (): Promise<void> => {
    const attempted = await attempt('Could not check', () => capture.request('triage.check', null))
    if (attempted.ok) setCheck(attempted.result)
  }
  return (
    <section className={cx('wrap', styles.more)} aria-label="More checks">
      <Button
        small
        disabled={isRunning}
        title="A few requests to the server and to each loaded database, whose idle time begins again; one that is not loaded is left alone"
        onClick={() => void run()}
      >
        {isRunning ? 'Checking' : check === null ? 'Run more checks' : 'Check again'}
      </Button>
      <p className="note" aria-live="polite">
        {check === null
          ? 'Backups, deletions that cannot be removed, open transactions, connections, threads, certificates, the cluster and its log, indexes at rest, free storage.'
          : `Judged by what ${formatPlural(check.databases, 'loaded database')} and the server answered at ${formatTime(check.atTicks, clock, 0)}.${
              check.skipped === 0 ? '' : ` ${formatPlural(check.skipped, 'database was', 'databases were')} left alone.`
            }${check.failed.length === 0 ? '' : ` ${formatPlural(check.failed.length, 'response')} could not be had: ${check.failed[0]?.message ?? ''}`}`}
      </p>
      <AttemptFailure of={failure} />
      <SavePackage />
    </section>
  )
}
