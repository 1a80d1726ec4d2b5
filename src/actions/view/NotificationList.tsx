import type { ReactNode } from 'react'
import { formatCount, formatDateTime, type Clock } from '../../base/text/format.ts'
import type { DatabaseNotice } from '../../ravendb/databases/database-details.ts'
import { Badge, StateDot } from '../../ui/Badge.tsx'
import { toneOf } from '../../ui/severity.ts'
import { useActivity } from '../client/session.ts'
import { useSelection, type Selection } from '../client/use-selection.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../model.ts'
import { ActionMenu } from './ActionMenu.tsx'
import { ChooseBox } from './ChooseBox.tsx'
import { NotificationDetails } from './NotificationDetails.tsx'
import { SelectionMenu } from './SelectionMenu.tsx'
import styles from './notifications.module.css'

const NO_FACTS: ActionFacts = {}
const MOST_SHOWN = 50
const KINDS: Readonly<Record<string, string>> = { PerformanceHint: 'hint', OperationChanged: 'operation' }

interface NotificationListProps {
  readonly database: string
  readonly notices: readonly DatabaseNotice[]
  /** Number that the database keeps. */
  readonly total: number
  /** Wall clock of the reading, ms. */
  readonly readMs: number
  readonly clock: Clock
}

/** Alerts, performance hints and ended operations that a database keeps, newest first, each with its actions. */
export function NotificationList({ database, notices, total, readMs, clock }: NotificationListProps): ReactNode {
  const dismissed = useDismissed(database, readMs)
  const shown = notices.filter(({ id }) => !dismissed.has(id))
  const newest = shown.slice(0, MOST_SHOWN)
  const targetOf = ({ id }: DatabaseNotice): ActionTarget => ({ kind: 'notification', database, name: id })
  const selection = useSelection(newest, ({ id }) => id)
  const left = total - (notices.length - shown.length)
  if (shown.length === 0)
    return (
      <p className={styles.note}>No open alerts or hints. The server reports performance hints about once a minute.</p>
    )
  return (
    <>
      <SelectionMenu targets={selection.chosen.map((notice) => ({ target: targetOf(notice), facts: NO_FACTS }))} />
      <ul className={styles.list} aria-label={`Notifications of ${database}`}>
        {newest.map((notice) => (
          <Notification key={notice.id} target={targetOf(notice)} notice={notice} selection={selection} clock={clock} />
        ))}
      </ul>
      {left <= MOST_SHOWN ? null : (
        <p className={styles.note}>
          The newest {formatCount(MOST_SHOWN)} of {formatCount(left)}.
        </p>
      )}
    </>
  )
}

/** Ids of notifications that were dismissed from this browser since the list was read. */
function useDismissed(database: string, readMs: number): ReadonlySet<string> {
  const names = useActivity().flatMap(({ call: { action, target }, state, endedMs }) => {
    const isOf = action === 'notification.dismiss' && target.database === database && (endedMs ?? 0) >= readMs
    return isOf && (state === 'done' || state === 'gone') ? (target.name ?? []) : []
  })
  return new Set(names)
}

function Notification({
  target,
  notice,
  selection,
  clock,
}: {
  readonly target: ActionTarget
  readonly notice: DatabaseNotice
  readonly selection: Selection<DatabaseNotice>
  readonly clock: Clock
}): ReactNode {
  const { atTicks, type, kind, severity, title, message, details } = notice
  return (
    <li>
      <div className={styles.head}>
        <ChooseBox selection={selection} item={notice} what={targetWords(target)} />
        <StateDot tone={toneOf(severity)}>{severity}</StateDot>
        <b>
          <bdi>{title}</bdi>
        </b>
        <Badge>{(Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? 'alert'}</Badge>
        {kind === null ? null : <span className={styles.note}>{kind}</span>}
        <span className={styles.note}>
          {atTicks === null ? 'time not reported' : formatDateTime(atTicks, clock, 0)}
        </span>
        <span className={styles.push} />
        <ActionMenu target={target} facts={NO_FACTS} />
      </div>
      {message === null ? null : (
        <p>
          <bdi>{message}</bdi>
        </p>
      )}
      {details === null ? null : <NotificationDetails details={details} clock={clock} />}
    </li>
  )
}
