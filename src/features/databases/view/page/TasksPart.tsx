import type { ReactNode } from 'react'
import { formatCount, formatDateTime, UNKNOWN, type Clock } from '../../../../base/text/format.ts'
import { useDetail } from '../../../../capture/database-details/useDetail.ts'
import type { OngoingTask } from '../../../../ravendb/databases/ongoing-tasks.ts'
import { StateDot, type Tone } from '../../../../ui/Badge.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'

const MOST_SHOWN = 50

const columnsIn = (clock: Clock): readonly RowColumn<OngoingTask>[] => [
  {
    title: 'Task',
    cell: (task) => (
      <>
        <bdi>{task.name}</bdi>
        <TaskNote task={task} clock={clock} />
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
  return (
    <DetailPart requested={requested} database={name} title="Ongoing tasks" label="Ongoing tasks" what="Ongoing tasks">
      {(response) =>
        response.total === 0 ? (
          <p className="note">It has none: no backup, replication, ETL or subscription is set up.</p>
        ) : (
          <>
            <RowTable
              className={styles.table}
              rows={response.tasks.slice(0, MOST_SHOWN)}
              keyOf={({ type, id }) => `${type} ${id}`}
              columns={columnsIn(clock)}
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

function TaskNote({ task, clock }: { readonly task: OngoingTask; readonly clock: Clock }): ReactNode {
  const { error, lastFullTicks, nextTicks, type } = task
  const notes = [
    ...(error === null ? [] : [error]),
    ...(lastFullTicks === null
      ? type === 'Backup'
        ? ['no full backup yet']
        : []
      : [`last full backup ${formatDateTime(lastFullTicks, clock, 0)}`]),
    ...(nextTicks === null ? [] : [`next ${formatDateTime(nextTicks, clock, 0)}`]),
  ]
  return notes.length === 0 ? null : (
    <span className={styles.note}>
      <bdi>{notes.join(' · ')}</bdi>
    </span>
  )
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
