import type { ReactNode } from 'react'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatPlural,
  formatTime,
  type Clock,
} from '../../../base/text/format.ts'
import { spanFromMs, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { DatabaseLink } from '../../../capture/frame/DatabaseLink.tsx'
import { LateError } from '../../../capture/frame/notices/LateError.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { useRequest } from '../../../capture/client/requests/useRequest.ts'
import { queryKey, queryName } from '../../../ravendb/query-key.ts'
import { StateDot } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { useShown } from '../../../ui/hooks/useShown.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import type { EndedQuery, RunningQuery } from '../../../feeds/server/contract.ts'
import { toIndex } from './links.ts'
import styles from './queries.module.css'
import { LongText } from '../../../ui/LongText.tsx'

interface QueriesViewProps {
  /** Key of the query to highlight; empty: none. */
  readonly shown: string
  readonly onShow: (key: string) => void
  readonly clock: Clock
  /** Shows only running ones. */
  readonly isRunningOnly?: boolean
}

/** Running queries of all loaded databases, and long ones that have ended. */
export function QueriesView({ shown, onShow, clock, isRunningOnly = false }: QueriesViewProps): ReactNode {
  const { response, error } = useRequest('server.queries', null, { version: Math.floor(useNow() / 1000), everyMs: 500 })
  if (response === null)
    return error === null ? <Spinner>Requesting running queries</Spinner> : <ErrorNotice error={error} />
  const { running, ended, atTicks, nodeTag } = response
  const known = [...(running ?? []), ...ended]
  const isGone = shown !== '' && running !== null && !known.some((query) => queryKey(query) === shown)
  const asOf = atTicks === null ? '' : ` as of ${formatTime(atTicks, clock, 0)}`
  const card = (query: RunningQuery | EndedQuery, isRunning: boolean): ReactNode => (
    <QueryCard
      key={`${queryKey(query)} ${String(query.startTicks)}`}
      query={query}
      isRunning={isRunning}
      isShown={queryKey(query) === shown}
      nodeTag={nodeTag}
      clock={clock}
    />
  )
  return (
    <div className={styles.queries}>
      <LateError error={error} />
      {isGone ? (
        <p role="status">
          The query of the link is over and no longer remembered.{' '}
          <Button small onClick={() => onShow('')}>
            Show all
          </Button>
        </p>
      ) : null}
      {running === null && isRunningOnly ? (
        // In one line, since it passes: what follows would move.
        <p className="note" role="status">
          Running queries are unknown: the connection on which the server reports them is not open.
        </p>
      ) : running === null ? (
        <EmptyState title="Running queries are unknown">
          The server reports them each second over a connection of its own, which is not open now.
        </EmptyState>
      ) : (
        <section className={styles.part} aria-label="Running queries">
          <p role="status">
            {running.length === 0
              ? `No query runs for more than 0.1 s${asOf}.`
              : `${formatPlural(running.length, 'query', 'queries')} running${asOf}, longest first.`}
          </p>
          <ul className={styles.queries}>{running.map((query) => card(query, true))}</ul>
        </section>
      )}
      {isRunningOnly || ended.length === 0 ? null : (
        <section className={styles.part} aria-label="Ended queries">
          <h2>Ended: ran for 5 s and more</h2>
          <ul className={styles.queries}>{ended.map((query) => card(query, false))}</ul>
        </section>
      )}
    </div>
  )
}

interface QueryCardProps {
  readonly query: RunningQuery | EndedQuery
  readonly isRunning: boolean
  readonly isShown: boolean
  readonly nodeTag: string | null
  readonly clock: Clock
}

function QueryCard({ query, isRunning, isShown, nodeTag, clock }: QueryCardProps): ReactNode {
  const { database, index, id, runningMs, startTicks, isStreaming, waitsForIndex, start, pageSize } = query
  const isCollection = index.startsWith('collection/')
  const facts: readonly (readonly [string, string])[] = [
    ['Started', startTicks === null ? 'not reported' : moment(startTicks, clock)],
    ...('lastTicks' in query ? [['Last seen', moment(query.lastTicks, clock)] as const] : []),
    [
      'Limit',
      pageSize === null
        ? `none, skipped ${formatCount(start ?? 0)}`
        : `${formatCount(pageSize)}, skipped ${formatCount(start ?? 0)}`,
    ],
    ['Node', nodeTag ?? 'not known'],
    ['Number', String(id)],
  ]
  return (
    <li
      ref={useShown(isShown)}
      className={cx(styles.query, isShown && styles.shown)}
      aria-current={isShown || undefined}
      aria-label={`Query ${String(id)} on ${database}`}
    >
      <header>
        <h3>
          <DatabaseLink name={database} />
        </h3>
        <StateDot tone={isRunning ? 'busy' : 'idle'}>
          {isRunning ? `running for ${length(runningMs)}` : `ended after ${length(runningMs)} or more`}
        </StateDot>
        <span>
          {isCollection ? 'no index: reads the documents of ' : 'index '}
          {isCollection ? (
            <bdi>{index.slice('collection/'.length)}</bdi>
          ) : (
            <PanelLink panel="indexing" parts={toIndex(database, index)}>
              <bdi>{index}</bdi>
            </PanelLink>
          )}
        </span>
        {isStreaming ? <span className={styles.faint}>stream</span> : null}
        {waitsForIndex ? <span className={styles.faint}>waits until the index is up to date</span> : null}
        <span className={styles.push} />
        {isRunning ? (
          <ActionButton action="query.kill" target={{ kind: 'query', database, name: queryName(id, index) }} />
        ) : null}
        <CopyButton label="Copy query" text={() => query.query} />
      </header>
      <LongText text={query.query} />
      <dl className={styles.queryFacts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>The server reports neither its parameters nor its thread.</p>
    </li>
  )
}

const moment = (at: Ticks, clock: Clock): string => formatDateTime(at, clock, 0)
const length = (ms: number): string =>
  formatDuration(ms < 10_000 ? spanFromMs(ms) : Math.round(ms / 1000) * TICKS_PER_SECOND)
