import type { ReactNode } from 'react'
import type { Ticks } from '../../../../base/ticks.ts'
import { formatCount, formatDateTime, formatPlural, UNKNOWN, type Clock } from '../../../../base/text/format.ts'
import { useDetail } from '../../../../capture/database-details/useDetail.ts'
import { changesSince, type DatabaseCounts } from '../../../../ravendb/databases/counts.ts'
import type { OngoingTask } from '../../../../ravendb/databases/ongoing-tasks.ts'
import { StateDot, type Tone } from '../../../../ui/Badge.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

const MOST_SHOWN = 50

const columnsIn = (clock: Clock, counts: DatabaseCounts | null): readonly RowColumn<OngoingTask>[] => [
  {
    title: 'Task',
    cell: (task) => (
      <>
        <bdi>{task.name}</bdi>
        <TaskNote task={task} clock={clock} counts={counts} />
      </>
    ),
  },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'State', cell: (task) => <StateDot tone={toneOf(task)}>{stateWords(task)}</StateDot> },
  { title: 'Node', cell: ({ node }) => node ?? UNKNOWN },
]

/** Configured backups, replication, ETL and subscriptions. */
export function TasksPart({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const requested = useDetail('databases.tasks', { database: name })
  const { response: counted } = useDetail('databases.counts', { database: name })
  const counts = counted?.loaded === true ? counted : null
  return (
    <DetailPart requested={requested} database={name} title="Ongoing tasks" label="Ongoing tasks" what="Ongoing tasks">
      {(response) =>
        response.total === 0 ? (
          <p className="note">It has none: no backup, replication, ETL or subscription is set up.</p>
        ) : (
          <>
            <RowTable
              className={styles.table}
              isStacked
              rows={response.tasks.slice(0, MOST_SHOWN)}
              keyOf={({ type, id }) => `${type} ${id}`}
              columns={columnsIn(clock, counts)}
            />
            {response.total > MOST_SHOWN ? (
              <p className="note">And {formatCount(response.total - MOST_SHOWN)} more.</p>
            ) : null}
          </>
        )
      }
    </DetailPart>
  )
}

interface TaskNoteProps {
  readonly task: OngoingTask
  readonly clock: Clock
  readonly counts: DatabaseCounts | null
}

function TaskNote({ task, clock, counts }: TaskNoteProps): ReactNode {
  const { error, lastFullTicks, nextTicks, type } = task
  const notes = [
    ...(error === null ? [] : [error]),
    ...(lastFullTicks === null
      ? type === 'Backup'
        ? ['no full backup yet']
        : []
      : [`last full backup ${formatDateTime(lastFullTicks, clock, 0)}`]),
    ...subscriptionNotes(task, clock, counts),
    ...(nextTicks === null ? [] : [`next ${formatDateTime(nextTicks, clock, 0)}`]),
  ]
  return notes.length === 0 ? null : (
    <span className={styles.note}>
      <bdi>{notes.join(' · ')}</bdi>
    </span>
  )
}

/**
 * How far a subscription is. Changes of other collections count as well, since the server does not say which wait for
 * it: a fact, no fault.
 */
function subscriptionNotes(
  { type, subscription, connection }: OngoingTask,
  clock: Clock,
  counts: DatabaseCounts | null,
): string[] {
  if (subscription == null) return type === 'Subscription' ? ['the server does not report how far it is'] : []
  const { sent, acknowledgedTicks, connectedTicks } = subscription
  const at = (ticks: Ticks): string => formatDateTime(ticks, clock, 0)
  const changes = counts === null ? null : changesSince(sent, counts)
  return [
    connection === 'Active'
      ? connectedTicks === null
        ? 'client connected'
        : `client connected since ${at(connectedTicks)}`
      : connectedTicks === null
        ? 'no client has connected yet'
        : `no client connected, the last one ${at(connectedTicks)}`,
    acknowledgedTicks === null ? 'nothing acknowledged yet' : `last batch acknowledged ${at(acknowledgedTicks)}`,
    ...(changes === null || changes === 0
      ? []
      : [`${formatPlural(changes, 'change')} of the database since the last one that was sent`]),
  ]
}

const toneOf = ({ state, connection, error }: OngoingTask): Tone =>
  error !== null
    ? 'error'
    : state === 'Disabled' || state === 'PartiallyEnabled'
      ? 'idle'
      : connection === 'Reconnect'
        ? 'warn'
        : 'ok'

const STATES: Readonly<Record<string, string>> = {
  PartiallyEnabled: 'partly enabled',
  NotActive: 'not active',
  NotOnThisNode: 'on another node',
  Reconnect: 'reconnecting',
}
const worded = (state: string): string =>
  Object.hasOwn(STATES, state) ? (STATES[state] ?? state) : state.toLowerCase()

/** `enabled, not active`; the connection of a disabled task is left out. */
const stateWords = ({ state, connection }: OngoingTask): string =>
  [
    state ?? 'state unknown',
    ...(connection === null || connection === 'None' || state === 'Disabled' ? [] : [connection]),
  ]
    .map(worded)
    .join(', ')
