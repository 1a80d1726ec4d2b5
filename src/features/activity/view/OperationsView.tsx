import { useState, type ReactNode } from 'react'
import { isFinished } from '../../../actions/client/activity-entry.ts'
import { serverKeyOf, useAccess, useActivity } from '../../../actions/client/session.ts'
import { useSelection, type Selection } from '../../../actions/client/use-selection.ts'
import { targetWords } from '../../../actions/model.ts'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import { ChooseBox } from '../../../actions/view/ChooseBox.tsx'
import { SelectionMenu } from '../../../actions/view/SelectionMenu.tsx'
import { formatDateTime, formatDuration, formatPlural, formatShare, type Clock } from '../../../base/text/format.ts'
import { type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { useWanted } from '../../../capture/client/requests/useWanted.ts'
import { LateError } from '../../../capture/frame/notices/LateError.tsx'
import { useCaptureState } from '../../../capture/client/useCaptureState.ts'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { DatabaseLink } from '../../../capture/frame/DatabaseLink.tsx'
import { isRunning, taskWords } from '../../../ravendb/operations-wire.ts'
import { StateDot, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import type { Operation } from '../contract.ts'
import { coverageWords, isComplete } from './coverage-words.ts'
import styles from './activity.module.css'
import { filterOperations, isFiltered, type OperationFilter } from './operation-filter.ts'
import { factsOf, targetOf } from './operation-target.ts'
import { OperationFilters } from './OperationFilters.tsx'
import { LongText } from '../../../ui/LongText.tsx'
import type {} from '../../../feeds/server/contract.ts'

const EVERY_MS = 2000

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  InProgress: ['busy', 'Running'],
  Completed: ['ok', 'Completed'],
  Faulted: ['error', 'Failed'],
  Canceled: ['warn', 'Cancelled'],
  Unknown: ['warn', 'Unknown'],
}

interface OperationsViewProps {
  readonly filter: OperationFilter
  readonly onFilter: (filter: OperationFilter) => void
  readonly clock: Clock
  /** Shows only running ones, without filters. */
  readonly isRunningOnly?: boolean
}

/** Long operations of the server and its loaded databases, by any client, with their progress. */
export function OperationsView(props: OperationsViewProps): ReactNode {
  const { filter, onFilter, clock, isRunningOnly = false } = props
  const { nowTicks } = useCaptureState()
  const nowMs = useNow()
  const [{ round, all }, setRound] = useState(() => ({ round: nowMs, all: false }))
  // The figures that show which databases are in use arrive only on request.
  useWanted('server.want', null)
  const also = useDatabasesActedOn()
  const version = Math.floor(nowMs / EVERY_MS)
  const { response, error } = useRequest('activity.operations', { round, also, all }, { version, everyMs: 500 })
  const listed = filterOperations(response?.operations ?? [], filter)
  const listedRunning = listed.filter(isRunning)
  const selection = useSelection(
    listedRunning.filter(({ isKillable }) => isKillable),
    keyOf,
  )
  if (response === null)
    return error === null ? <Spinner>Reading the operations</Spinner> : <ErrorNotice error={error} />
  const running = response.operations.filter(isRunning)
  const ended = listed.filter((operation) => !isRunning(operation))
  const list = (operations: readonly Operation[], label: string): ReactNode => (
    <ol className={styles.list} aria-label={label}>
      {operations.map((operation) => (
        <OperationEntry
          key={keyOf(operation)}
          operation={operation}
          selection={selection}
          nowTicks={nowTicks}
          clock={clock}
        />
      ))}
    </ol>
  )
  return (
    <>
      <div className={styles.head}>
        <p role="status">
          {runningWords(running.length, isComplete(response))} {coverageWords(response)}
        </p>
        <span className={styles.entryActions}>
          <SelectionMenu
            targets={selection.chosen.map((operation) => ({
              target: targetOf(operation),
              facts: factsOf(operation),
            }))}
          />
          <Button small onClick={() => setRound({ round: nowMs, all: true })}>
            Refresh
          </Button>
        </span>
      </div>
      <LateError error={error} />
      {response.isBlind ? (
        <p className="note">
          This certificate does not see when a database has work: “Refresh” finds operations that began since.
        </p>
      ) : null}
      {response.failed.length === 0 ? null : (
        <ul className={styles.faint} aria-label="Databases without a response">
          {response.failed.map(({ database, message }) => (
            <li key={database}>
              The operations of “<DatabaseLink name={database} />” are unknown: <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
      {isRunningOnly || (response.operations.length === 0 && !isFiltered(filter)) ? null : (
        <OperationFilters operations={response.operations} shown={listed.length} filter={filter} onChange={onFilter} />
      )}
      {listedRunning.length === 0 ? null : list(listedRunning, 'Running operations')}
      {isRunningOnly ? null : ended.length === 0 ? (
        response.operations.length === 0 && isComplete(response) ? (
          <EmptyState title="No operations">
            Patches and deletes by query, bulk inserts, exports, imports, backups, restores and compactions of any
            client are listed here while they run, and for some hours afterwards.
          </EmptyState>
        ) : null
      ) : (
        <>
          <h2 className={styles.section}>Ended</h2>
          {list(ended, 'Ended operations')}
          {response.more === 0 ? null : <p className={styles.faint}>and {formatPlural(response.more, 'older one')}</p>}
        </>
      )}
    </>
  )
}

/** An unknown number is not shown as none. */
const runningWords = (running: number, isKnown: boolean): string =>
  running > 0
    ? `${formatPlural(running, 'operation')} running.`
    : isKnown
      ? 'No operation is running.'
      : 'No operation is reported so far.'

/** Databases with a running action of this browser. */
function useDatabasesActedOn(): readonly string[] {
  const access = useAccess()
  const server = access === null ? null : serverKeyOf(access)
  const names = useActivity().flatMap((entry) => {
    const { database } = entry.call.target
    return entry.server === server && !isFinished(entry) && database !== null ? [database] : []
  })
  return [...new Set(names)].toSorted()
}

const keyOf = ({ database, id }: Operation): string => `${database ?? ''}|${id}`

interface OperationEntryProps {
  readonly operation: Operation
  readonly selection: Selection<Operation>
  readonly nowTicks: Ticks | null
  readonly clock: Clock
}

function OperationEntry({ operation, selection, nowTicks, clock }: OperationEntryProps): ReactNode {
  const { database, id, task, description, query, status, text, share, startTicks, endTicks, isKillable } = operation
  const [tone, word] = Object.hasOwn(STATES, status)
    ? (STATES[status] ?? ['idle', status])
    : (['idle', status] as const)
  const until = endTicks ?? (isRunning(operation) ? nowTicks : null)
  return (
    <li className={styles.entry} aria-label={`Operation ${id} of ${database ?? 'the server'}`}>
      <span>
        <StateDot tone={tone}>{word}</StateDot>
      </span>
      <div className={styles.what}>
        <h2 className={styles.title}>
          {taskWords(task)}
          {': '}
          {database === null ? 'the server' : <DatabaseLink name={database} />}
        </h2>
        <p>
          <LongText text={text} isInline />
        </p>
        {share === null ? null : <progress value={share} aria-label="Progress" title={formatShare(share)} />}
        {query === null ? null : <LongText text={query} className={styles.query} />}
        <p className={styles.faint}>
          Number {id}
          {description === '' ? null : (
            <>
              , <bdi>{description}</bdi>
            </>
          )}
        </p>
      </div>
      <p className={styles.when}>
        <span>{startTicks === null ? 'start unknown' : formatDateTime(startTicks, clock, 0)}</span>
        <span className={styles.faint}>
          {startTicks === null || until === null ? '' : length(Math.max(0, until - startTicks))}
        </span>
      </p>
      <div className={styles.entryActions}>
        {isRunning(operation) && isKillable ? (
          <>
            <ChooseBox selection={selection} item={operation} what={targetWords(targetOf(operation))} />
            <ActionButton action="operation.kill" target={targetOf(operation)} facts={factsOf(operation)} />
          </>
        ) : null}
      </div>
    </li>
  )
}

/** In whole seconds from one second on. */
const length = (ticks: number): string =>
  formatDuration(ticks < 10 * TICKS_PER_SECOND ? ticks : Math.round(ticks / TICKS_PER_SECOND) * TICKS_PER_SECOND)
