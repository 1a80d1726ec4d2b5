import type { ReactNode } from 'react'
import { formatCount, formatDateTime, type Clock } from '../../../../base/text/format.ts'
import { DetailState } from '../../../../capture/details/DetailState.tsx'
import { useDetail } from '../../../../capture/details/useDetail.ts'
import type { DatabaseNotice } from '../../../../ravendb/databases/database-details.ts'
import { Badge, StateDot, type Tone } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import styles from './page.module.css'

const TONES: Readonly<Record<string, Tone>> = { Error: 'error', Warning: 'warn', Success: 'ok', Info: 'busy' }
const MOST_NOTICES = 50

/** Alerts and performance hints that the database keeps. */
export function NoticesPart({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const asked = useDetail('databases.notices', { database: name })
  const { response, renew, isAsking } = asked
  return (
    <section aria-label={`Alerts and hints of ${name}`}>
      <h3>Alerts and performance hints</h3>
      {response?.loaded !== true ? (
        <DetailState asked={asked} database={name} what="Alerts and hints" />
      ) : (
        <>
          {response.notices.length === 0 ? null : (
            <ul className={styles.notices}>
              {response.notices.slice(0, MOST_NOTICES).map((notice) => (
                <NoticeItem key={notice.id} notice={notice} clock={clock} />
              ))}
            </ul>
          )}
          <p className={styles.faint}>
            {response.total === 0
              ? 'No open alerts or hints. The server reports performance hints about once a minute.'
              : response.total > MOST_NOTICES
                ? `The newest ${formatCount(MOST_NOTICES)} of ${formatCount(response.total)}.`
                : ''}{' '}
            <Button small disabled={isAsking} onClick={() => renew()}>
              Refresh
            </Button>
          </p>
        </>
      )}
    </section>
  )
}

function NoticeItem({ notice, clock }: { readonly notice: DatabaseNotice; readonly clock: Clock }): ReactNode {
  const { atTicks, type, kind, severity, title, message, details } = notice
  return (
    <li>
      <p className={styles.noticeHead}>
        <StateDot tone={Object.hasOwn(TONES, severity) ? (TONES[severity] ?? 'idle') : 'idle'}>{severity}</StateDot>
        <b>
          <bdi>{title}</bdi>
        </b>
        <Badge>{type === 'PerformanceHint' ? 'hint' : 'alert'}</Badge>
        {kind === null ? null : <span className={styles.faint}>{kind}</span>}
        <span className={styles.faint}>
          {atTicks === null ? 'time not reported' : formatDateTime(atTicks, clock, 0)}
        </span>
      </p>
      {message === null ? null : (
        <p>
          <bdi>{message}</bdi>
        </p>
      )}
      {details === null ? null : (
        <details>
          <summary>Details</summary>
          <pre tabIndex={0}>{details}</pre>
        </details>
      )}
    </li>
  )
}
