import { formatAgo } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import { useSelection, type Selection } from '../../../actions/client/use-selection.ts'
import { targetWords, type ActionFacts, type ActionTarget } from '../../../actions/model.ts'
import { ActionMenu } from '../../../actions/view/ActionMenu.tsx'
import { ChooseBox } from '../../../actions/view/ChooseBox.tsx'
import { SelectionMenu } from '../../../actions/view/SelectionMenu.tsx'
import type { Ticks } from '../../../base/ticks.ts'
import { formatDateTime, formatPlural, type Clock } from '../../../base/text/format.ts'
import { DatabaseLink } from '../../../capture/frame/DatabaseLink.tsx'
import { LateError } from '../../../capture/frame/notices/LateError.tsx'
import { StateDot } from '../../../ui/Badge.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { toneOf } from '../../../ui/severity.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { SERVER_ALERTS, type ServerAlert } from '../../../feeds/server/contract/alerts.ts'
import { type Lacking } from '../../../feeds/server/contract/watch.ts'
import { DatabaseNotices } from './DatabaseNotices.tsx'
import styles from './server.module.css'
import { useShown } from '../../../ui/hooks/useShown.ts'
import { useAlerts } from './useServerData.ts'
import { LongText } from '../../../ui/LongText.tsx'

const FIRST_ALERTS = 100
const OF_SERVER: ActionFacts = { isOfServer: true }

const targetOf = ({ id }: ServerAlert): ActionTarget => ({ kind: 'notification', database: null, name: id })

interface AlertsViewProps {
  /** Id of the alert that a link points to; empty: none. */
  readonly shown: string
  readonly clock: Clock
  readonly nowTicks: Ticks | null
  readonly lacking: readonly Lacking[]
}

/** Notifications of the server and of its loaded databases. */
export const AlertsView = (props: AlertsViewProps): ReactNode => (
  <div className={styles.part}>
    <ServerAlerts {...props} />
    <DatabaseNotices clock={props.clock} />
  </div>
)

/** Alerts that the server raised itself and keeps until a user dismisses them. */
function ServerAlerts({ shown, clock, nowTicks, lacking }: AlertsViewProps): ReactNode {
  const { response, error } = useAlerts()
  const newest = (response?.alerts ?? []).slice(0, FIRST_ALERTS)
  const selection = useSelection(newest, ({ id }) => id)
  if (response === null) return error === null ? <Spinner>Requesting alerts</Spinner> : <ErrorNotice error={error} />
  const isGone = shown !== '' && !response.alerts.some(({ id }) => id === shown)
  const refused = lacking.find(({ what }) => what === SERVER_ALERTS)
  if (response.alerts.length === 0)
    return refused === undefined ? (
      <EmptyState title="The server has raised no alert">
        It raises one when a disk gets full, a certificate ends, an index fails and the like, and keeps it until a user
        dismisses it.
      </EmptyState>
    ) : (
      <EmptyState title="Alerts are not available">{refused.message}</EmptyState>
    )
  return (
    <div className={styles.part}>
      <LateError error={error} />
      {isGone ? <p role="status">The alert of the link is gone: it was dismissed or postponed.</p> : null}
      <p>{formatPlural(response.alerts.length, 'alert')} not dismissed, newest first.</p>
      <SelectionMenu targets={selection.chosen.map((alert) => ({ target: targetOf(alert), facts: OF_SERVER }))} />
      <ul className={cx('raised', styles.alerts)}>
        {newest.map((alert) => (
          <Alert
            key={alert.id}
            alert={alert}
            selection={selection}
            isShown={alert.id === shown}
            clock={clock}
            nowTicks={nowTicks}
          />
        ))}
      </ul>
      {response.alerts.length > FIRST_ALERTS ? (
        <p className={cx('faint', styles.note)}>
          and {formatPlural(response.alerts.length - FIRST_ALERTS, 'older one')}
        </p>
      ) : null}
    </div>
  )
}

interface AlertProps {
  readonly alert: ServerAlert
  readonly selection: Selection<ServerAlert>
  readonly isShown: boolean
  readonly clock: Clock
  readonly nowTicks: Ticks | null
}

function Alert({ alert, selection, isShown, clock, nowTicks }: AlertProps): ReactNode {
  return (
    <li ref={useShown(isShown)} className={cx(styles.alert, isShown && 'shown')} aria-current={isShown || undefined}>
      <StateDot tone={toneOf(alert.severity)}>{alert.severity}</StateDot>
      <div className={styles.alertText}>
        <p>
          <b>
            <bdi>{alert.title}</bdi>
          </b>{' '}
          {alert.database === null ? null : <DatabaseLink name={alert.database} />}{' '}
          {alert.kind === null ? null : <span className="faint">{alert.kind}</span>}
        </p>
        {alert.message === null ? null : (
          <p>
            <LongText text={alert.message} isInline />
          </p>
        )}
        {alert.exception === null ? null : (
          <details className={styles.exception}>
            <summary>What the server says of its cause</summary>
            <LongText text={alert.exception} />
          </details>
        )}
      </div>
      <div className={cx(styles.when, 'line', styles.whenActions)}>
        {alert.createdTicks === null ? (
          'time unknown'
        ) : (
          <>
            {formatDateTime(alert.createdTicks, clock, 0)}
            <span className="faint"> {nowTicks === null ? '' : `${formatAgo(alert.createdTicks, nowTicks)} ago`}</span>
          </>
        )}
        <ChooseBox selection={selection} item={alert} what={targetWords(targetOf(alert))} />
        <ActionMenu target={targetOf(alert)} facts={OF_SERVER} />
      </div>
    </li>
  )
}
