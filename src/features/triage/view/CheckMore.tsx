import { useState, type ReactNode } from 'react'
import { type Clock, formatCount, formatPlural, formatTime } from '../../../base/text/format.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useCapture, useView } from '../../../capture/client/view.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { cx } from '../../../ui/theme/cx.ts'
import type { ServerCheck } from '../contract/check.ts'
import { SavePackage } from './SavePackage.tsx'
import styles from './triage.module.css'

/**
 * Checks with requests of their own. Only the user starts them, since the requests restart the idle time of databases.
 * The worker keeps the last one, so that it is here again after the panel was left.
 */
export function CheckMore(): ReactNode {
  const capture = useCapture()
  const { clock } = useView().view
  const { attempt, failure, isRunning: isStarted } = useAttempt()
  const [ended, setEnded] = useState(0)
  const version = `${Math.floor(useNow() / 1000)} ${ended}`
  const { response: checks } = useRequest('triage.checks', null, { version, everyMs: 100 })
  const isRunning = isStarted || checks?.isRunning === true
  const check = checks?.last ?? null
  const run = async (): Promise<void> => {
    await attempt('Could not check', () => capture.request('triage.check', null))
    setEnded((count) => count + 1)
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
          ? 'Backups, alerts of databases, deletions that cannot be removed, open transactions, connections, threads, certificates, the cluster and its log, indexes at rest, free storage.'
          : describeCheck(check, clock)}
      </p>
      <AttemptFailure of={failure} />
      <SavePackage />
    </section>
  )
}

/** Describes what a check is based on: `Judged by what 50 of 300 loaded databases and the server answered at 12:00:04.` */
function describeCheck(check: ServerCheck, clock: Clock): string {
  const { databases, unchecked, unloaded, listed, total, failed, atTicks } = check
  const of = unchecked === 0 ? '' : `${formatCount(databases)} of `
  return [
    `Judged by what ${of}${formatPlural(databases + unchecked, 'loaded database')} and the server answered at ${formatTime(atTicks, clock, 0)}.`,
    ...(unloaded === 0
      ? []
      : [
          `${formatPlural(unloaded, 'database that is not loaded was', 'databases that are not loaded were')} left alone.`,
        ]),
    ...(listed >= total
      ? []
      : [
          `${formatCount(listed)} of ${formatCount(total)} databases were listed; whether the others are disabled is unknown.`,
        ]),
    ...(failed.length === 0 ? [] : [`${formatPlural(failed.length, 'response')} failed: ${failed[0]?.message ?? ''}`]),
  ].join(' ')
}
