import { useState, type ReactNode } from 'react'
import { NotificationList } from '../../../actions/view/NotificationList.tsx'
import { formatPlural, type Clock } from '../../../base/text/format.ts'
import { DetailState } from '../../../capture/database-details/DetailState.tsx'
import { useDetail } from '../../../capture/database-details/useDetail.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { useNow } from '../../../ui/hooks/now.ts'
import styles from './server.module.css'
import { cx } from '../../../ui/theme/cx.ts'

const ALL = { offset: 0, limit: 500 } as const

/**
 * Alerts and performance hints of loaded databases. A database gets a request when its entry is opened; no database is
 * loaded by it.
 */
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
      <ul className={cx('raised', styles.alerts)}>
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
        {isOpen ? null : <span className="faint">{count}</span>}
      </summary>
      {isOpen ? <Opened name={name} clock={clock} /> : null}
    </details>
  )
}

function Opened({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const requested = useDetail('databases.notices', { database: name })
  const { response } = requested
  if (response?.loaded !== true) return <DetailState requested={requested} database={name} what="Notifications" />
  const { notices, total, atMs } = response
  return <NotificationList database={name} notices={notices} total={total} readMs={atMs} clock={clock} />
}
