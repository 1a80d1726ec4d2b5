import { useState, type ReactNode } from 'react'
import { isFinished } from '../../../actions/client/activity-log.ts'
import { useActivity } from '../../../actions/client/session.ts'
import type { ActionFacts } from '../../../actions/model.ts'
import { ActionMenu } from '../../../actions/view/ActionMenu.tsx'
import { formatDateTime, formatPlural, type Clock } from '../../../base/text/format.ts'
import { DetailState } from '../../../capture/details/DetailState.tsx'
import { useDetail } from '../../../capture/details/useDetail.ts'
import { useRequest } from '../../../capture/client/useRequest.ts'
import type { DatabaseNotice } from '../../../ravendb/databases/database-details.ts'
import { Badge, StateDot } from '../../../ui/Badge.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import { NoticeDetails } from './NoticeDetails.tsx'
import styles from './server.module.css'
import { toneOf } from './severity.ts'

const NO_FACTS: ActionFacts = {}
const ALL = { filter: '', sort: 'name', descending: false, offset: 0, limit: 500 } as const
const MOST_NOTICES = 50

/** Alerts and performance hints of loaded databases; each database is asked when it is opened, and none is loaded. */
export function DatabaseNotices({ clock }: { readonly clock: Clock }): ReactNode {
  const { response } = useRequest('server.databases', ALL, { version: Math.floor(useNow() / 5000), everyMs: 500 })
  const all = response?.rows ?? []
  const loaded = all
    .filter(({ online }) => online)
    .map(({ name, alerts, hints }) => ({ name, alerts: alerts ?? 0, hints: hints ?? 0 }))
    .toSorted((a, b) => b.alerts - a.alerts || b.hints - a.hints)
  if (loaded.length === 0) return null
  return (
    <section className={styles.part} aria-label="Notifications of databases">
      <h2>Of loaded databases</h2>
      <ul className={styles.alerts}>
        {loaded.map(({ name, alerts, hints }) => (
          <li key={name} className={styles.database}>
            <OneDatabase name={name} clock={clock} count={countWords(alerts, hints)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const countWords = (alerts: number, hints: number): string =>
  alerts + hints === 0
    ? 'no alerts or hints'
    : [
        ...(alerts === 0 ? [] : [formatPlural(alerts, 'alert')]),
        ...(hints === 0 ? [] : [formatPlural(hints, 'performance hint')]),
      ].join(', ')

function OneDatabase({
  name,
  count,
  clock,
}: {
  readonly name: string
  readonly count: string
  readonly clock: Clock
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        {/* The server counts some seconds behind the list itself. */}
        {isOpen ? null : <span className={styles.faint}>{count}</span>}
      </summary>
      {isOpen ? <Opened name={name} clock={clock} /> : null}
    </details>
  )
}

function Opened({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const asked = useDetail('databases.notices', { database: name })
  const { response } = asked
  const dismissed = useDismissed(name)
  if (response?.loaded !== true) return <DetailState asked={asked} database={name} what="Notifications" />
  const shown = response.notices.filter(({ id }) => !dismissed.has(id))
  return shown.length === 0 ? (
    <p className={styles.note}>No open alerts or hints. The server reports performance hints about once a minute.</p>
  ) : (
    <ul className={styles.notices} aria-label={`Notifications of ${name}`}>
      {shown.slice(0, MOST_NOTICES).map((notice) => (
        <Notice key={notice.id} database={name} notice={notice} clock={clock} />
      ))}
      {shown.length > MOST_NOTICES ? (
        <li className={styles.note}>and {formatPlural(shown.length - MOST_NOTICES, 'older one')}</li>
      ) : null}
    </ul>
  )
}

/** Ids of those whose dismissal from this browser was verified since the list was read. */
function useDismissed(database: string): ReadonlySet<string> {
  const [sinceMs] = useState(useNow())
  const names = useActivity().flatMap((entry) => {
    const { action, target } = entry.call
    const isOf = action === 'notification.dismiss' && target.database === database && entry.startedMs >= sinceMs
    return isOf && isFinished(entry) && entry.state === 'done' ? (target.name ?? []) : []
  })
  return new Set(names)
}

function Notice({
  database,
  notice: { id, atTicks, type, kind, severity, title, message, details },
  clock,
}: {
  readonly database: string
  readonly notice: DatabaseNotice
  readonly clock: Clock
}): ReactNode {
  return (
    <li className={styles.alert}>
      <StateDot tone={toneOf(severity)}>{severity}</StateDot>
      <div className={styles.alertText}>
        <p>
          <b>
            <bdi>{title}</bdi>
          </b>{' '}
          <Badge>{type === 'PerformanceHint' ? 'hint' : type === 'OperationChanged' ? 'operation' : 'alert'}</Badge>{' '}
          {kind === null ? null : <span className={styles.faint}>{kind}</span>}
        </p>
        {message === null ? null : (
          <p>
            <bdi>{message}</bdi>
          </p>
        )}
        {details === null ? null : <NoticeDetails text={details} />}
      </div>
      <div className={cx(styles.when, styles.whenActions)}>
        {atTicks === null ? 'time unknown' : formatDateTime(atTicks, clock, 0)}
        <ActionMenu target={{ kind: 'notification', database, name: id }} facts={NO_FACTS} />
      </div>
    </li>
  )
}
