import { useEffect, useRef, type ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatPlural,
  UNKNOWN,
  type Clock,
} from '../../../base/text/format.ts'
import { DetailState } from '../../../capture/details/DetailState.tsx'
import { IndexErrorList } from '../../../capture/details/IndexErrorList.tsx'
import { useDetail, useDetailsOnceLoaded } from '../../../capture/details/useDetail.ts'
import { formatList } from '../../../capture/client/param-text.ts'
import type { PanelId } from '../../../capture/client/panel-id.ts'
import { useView } from '../../../capture/client/view.ts'
import type { DatabaseNotice, IndexState } from '../../../ravendb/databases/database-details.ts'
import { Badge, StateDot, type Tone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import styles from './detail.module.css'
import type { ListedDatabase } from '../data/facts.ts'

/** What is known of one database beside its row, and what only it can tell: indexes, their errors, alerts and hints. */
export function DatabaseDetail({
  name,
  row,
  onClose,
}: {
  readonly name: string
  /** Null: the server has none of this name any more. */
  readonly row: ListedDatabase | null
  readonly onClose: () => void
}): ReactNode {
  const store = useView()
  const { clock } = store.view
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const source = `db:${name}`
  const go = (panel: PanelId): void => store.open(panel, { sources: [source], range: null, selection: null })
  return (
    <section ref={ref} className={styles.detail} aria-label={`Database ${name}`}>
      <header className={styles.head}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {row === null ? null : <span>{row.state}</span>}
        <span className={styles.push} />
        {row === null ? null : (
          <>
            <Button small onClick={() => go('io')}>
              Open I/O
            </Button>
            <Button small onClick={() => go('indexing')}>
              Open Indexing
            </Button>
          </>
        )}
        <Button small onClick={onClose}>
          Close details
        </Button>
      </header>
      {row === null ? (
        <p role="status">There is no database of this name: it was deleted, or this certificate may not see it.</p>
      ) : (
        <Known row={row} name={name} clock={clock} />
      )}
    </section>
  )
}

function Known({
  row,
  name,
  clock,
}: {
  readonly row: ListedDatabase
  readonly name: string
  readonly clock: Clock
}): ReactNode {
  const isAskable = row.state === 'online' || row.state === 'unloaded'
  useDetailsOnceLoaded(name, row.state === 'online')
  return (
    <>
      <p className={styles.facts}>{factsOf(row).join(' · ')}</p>
      {row.error === null ? null : (
        <pre className={styles.error} tabIndex={0} aria-label="Why it failed">
          {row.error}
        </pre>
      )}
      {isAskable ? (
        <div className={styles.parts}>
          <Indexes row={row} name={name} />
          <Notices name={name} clock={clock} />
          {(row.indexingErrors ?? 0) === 0 ? null : (
            <section className={styles.wide} aria-label={`Index errors of ${name}`}>
              <h3>Index errors</h3>
              <IndexErrorList database={name} indexes={[]} clock={clock} />
            </section>
          )}
        </div>
      ) : (
        <p className={styles.faint}>Its indexes, alerts and hints are known once it is loaded.</p>
      )}
    </>
  )
}

function factsOf(row: ListedDatabase): string[] {
  const { facts, documents, sizeBytes, indexingStatus } = row
  const work = facts?.work ?? null
  return [
    ...(documents === null ? [] : [formatPlural(documents, 'document')]),
    ...(sizeBytes === null ? [] : [`${formatBytes(sizeBytes)} on disk`]),
    ...(indexingStatus === null || indexingStatus === 'Running' ? [] : [`indexing ${indexingStatus.toLowerCase()}`]),
    ...(work?.waiting == null ? [] : [`${formatPlural(work.waiting, 'write')} waiting for the transaction merger`]),
    ...(facts?.idle?.blockers.length ? [`stays loaded: ${facts.idle.blockers.join(' ')}`] : []),
  ]
}

const MOST_INDEXES = 50
const isNormal = ({ state, status, errorsCount }: IndexState): boolean =>
  (state === 'Normal' || state === 'Idle') && (status === null || status === 'Running') && (errorsCount ?? 0) === 0

/** Those with something wrong; the others are only counted. */
function Indexes({ row, name }: { readonly row: ListedDatabase; readonly name: string }): ReactNode {
  const asked = useDetail('databases.indexStates', { database: name })
  const { answer } = asked
  return (
    <section aria-label={`Indexes of ${name}`}>
      <h3>Indexes</h3>
      {answer?.loaded === true ? (
        <IndexTable indexes={answer.indexes} name={name} />
      ) : (
        <>
          {row.indexes === null ? null : (
            <p className={styles.faint}>{formatPlural(row.indexes, 'index', 'indexes')}.</p>
          )}
          <DetailState asked={asked} database={name} what="States of indexes" />
        </>
      )}
    </section>
  )
}

function IndexTable({ indexes, name }: { readonly indexes: readonly IndexState[]; readonly name: string }): ReactNode {
  const { href, open } = useView()
  const troubled = indexes.filter((index) => !isNormal(index))
  const others = indexes.length - troubled.length
  const partsOf = (index: string): Parameters<typeof href>[1] => {
    const key = `db:${name}|${index}`
    return {
      sources: [`db:${name}`],
      range: null,
      params: {
        'indexing.find': '',
        'indexing.focus': key,
        'indexing.open': formatList(new Set([key])),
        'indexing.errors': 'on',
      },
    }
  }
  return (
    <>
      {troubled.length === 0 ? null : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Index</th>
              <th scope="col">State</th>
              <th scope="col">Stale</th>
              <th scope="col">Errors</th>
            </tr>
          </thead>
          <tbody>
            {troubled.slice(0, MOST_INDEXES).map((each) => (
              <tr key={each.index}>
                <th scope="row" aria-label={each.index}>
                  <a
                    href={href('indexing', partsOf(each.index))}
                    onClick={(event) => {
                      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
                      event.preventDefault()
                      open('indexing', partsOf(each.index))
                    }}
                  >
                    <bdi>{each.index}</bdi>
                  </a>
                </th>
                <td>
                  <StateDot tone={toneOf(each)}>{stateWords(each)}</StateDot>
                </td>
                <td>{each.isStale === null ? UNKNOWN : each.isStale ? 'yes' : 'no'}</td>
                <td>{each.errorsCount === null ? UNKNOWN : formatCount(each.errorsCount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.faint}>
        {troubled.length > MOST_INDEXES ? `And ${formatCount(troubled.length - MOST_INDEXES)} more. ` : ''}
        {indexes.length === 0
          ? 'It has no index.'
          : troubled.length === 0
            ? `${formatPlural(indexes.length, 'index', 'indexes')}, all running without errors.`
            : others === 0
              ? ''
              : `${formatPlural(others, 'other index', 'other indexes')} running without errors.`}
      </p>
    </>
  )
}

const isFailed = ({ state }: IndexState): boolean => state === 'Error'
const isStopped = ({ status, state }: IndexState): boolean =>
  status === 'Paused' || status === 'Disabled' || state === 'Disabled'
const toneOf = (index: IndexState): Tone => (isFailed(index) ? 'error' : isStopped(index) ? 'warn' : 'ok')
/** An index in error is paused too: that is no news. */
const stateWords = (index: IndexState): string =>
  isFailed(index)
    ? 'error'
    : (isStopped(index) && index.status !== null && index.status !== 'Running'
        ? index.status
        : index.state
      ).toLowerCase()

const TONES: Readonly<Record<string, Tone>> = { Error: 'error', Warning: 'warn', Success: 'ok', Info: 'busy' }
const MOST_NOTICES = 50

function Notices({ name, clock }: { readonly name: string; readonly clock: Clock }): ReactNode {
  const asked = useDetail('databases.notices', { database: name })
  const { answer, renew, isAsking } = asked
  return (
    <section aria-label={`Alerts and hints of ${name}`}>
      <h3>Alerts and performance hints</h3>
      {answer?.loaded !== true ? (
        <DetailState asked={asked} database={name} what="Alerts and hints" />
      ) : (
        <>
          {answer.notices.length === 0 ? null : (
            <ul className={styles.notices}>
              {answer.notices.slice(0, MOST_NOTICES).map((notice) => (
                <NoticeItem key={notice.id} notice={notice} clock={clock} />
              ))}
            </ul>
          )}
          <p className={styles.faint}>
            {answer.total === 0
              ? 'None that is not dismissed. The server reports performance hints about once a minute.'
              : answer.total > MOST_NOTICES
                ? `The newest ${formatCount(MOST_NOTICES)} of ${formatCount(answer.total)}.`
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
