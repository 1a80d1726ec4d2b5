import { lazy, Suspense, type ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatLeastBytes,
  formatPlural,
  formatAboutRate,
  formatRate,
  UNKNOWN,
} from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { useView } from '../../../capture/client/view.ts'
import { Badge, StateDot } from '../../../ui/Badge.tsx'
import type { Tone } from '../../../ui/Badge.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import type { DatabaseState } from '../../../ravendb/databases/databases.ts'
import { formatAge } from '../data/ages.ts'
import { idleFor, indexingRate, isSizeLeast, unloadingOf, type ListedDatabase } from '../data/facts.ts'
import styles from './databases.module.css'
import { cx } from '../../../ui/theme/cx.ts'

const TONES: Record<DatabaseState, Tone> = {
  online: 'ok',
  loading: 'busy',
  compacting: 'busy',
  unloaded: 'idle',
  disabled: 'warn',
  faulted: 'error',
}

export const DatabaseStateWords = ({ state }: { readonly state: DatabaseState }): ReactNode => (
  <StateDot tone={TONES[state]}>{state}</StateDot>
)

interface FigureProps {
  readonly value: number | null
  readonly format: (value: number) => string
  readonly alarm?: Tone
  /** Why the value is not known. */
  readonly unknown?: string
}

/** A figure; unknown ones are a dash, announced as "not known"; zeros are drawn faintly. */
function Figure({ value, format, alarm, unknown = 'not known' }: FigureProps): ReactNode {
  if (value === null)
    return (
      <span className="faint" title={unknown} aria-description={unknown}>
        {UNKNOWN}
      </span>
    )
  if (alarm !== undefined && value > 0) return <StateDot tone={alarm}>{format(value)}</StateDot>
  return <span className={value === 0 ? 'faint' : undefined}>{format(value)}</span>
}

const NOT_ASKED = 'Requested only while something is written or indexed in it: a request would keep it loaded'

/** `1 in error, 2 paused or disabled`; null: none known. */
function troubledWords({ facts }: ListedDatabase): string | null {
  const errored = facts?.erroredIndexes ?? 0
  const stopped = facts?.work?.stoppedIndexes ?? 0
  const words = [
    ...(errored > 0 ? [`${formatCount(errored)} in error`] : []),
    ...(stopped > 0 ? [`${formatCount(stopped)} paused or disabled`] : []),
  ]
  return words.length === 0 ? null : words.join(', ')
}

const DatabaseActions = lazy(() =>
  import('./DatabaseActions.tsx').then((module) => ({ default: module.DatabaseActions })),
)

interface DatabaseCellProps {
  readonly row: ListedDatabase
  readonly columnId: string
  readonly onDetails?: ((name: string) => void) | undefined
  /** Whether the name has the menu of actions beside it. */
  readonly hasActions?: boolean | undefined
}

/** Cell of the list, as text; the name has its details and actions beside it. */
export function DatabaseCell({ row, columnId, onDetails, hasActions }: DatabaseCellProps): ReactNode {
  switch (columnId) {
    case 'name':
      return (
        <span className={cx('line', styles.name)} title={row.name}>
          <bdi>{row.name}</bdi>
          {row.isSharded ? <Badge>shard</Badge> : null}
          {onDetails === undefined ? null : (
            <button
              type="button"
              className={styles.details}
              aria-label={`Details of ${row.name}`}
              title="Its page: indexes, storage, tasks, alerts, actions"
              onClick={() => onDetails(row.name)}
            >
              <Icon name="info" sizePx={14} />
            </button>
          )}
          {hasActions !== true ? null : (
            <Suspense fallback={null}>
              <DatabaseActions row={row} />
            </Suspense>
          )}
        </span>
      )
    case 'state':
      return (
        <span className={cx('line', styles.state)} title={row.error ?? undefined}>
          <DatabaseStateWords state={row.state} />
          {row.deletingOn === undefined ? null : (
            <Badge tone="warn">
              <span title={`Not deleted yet on node ${row.deletingOn.join(', ')}: that node is busy with it, or away`}>
                being deleted
              </span>
            </Badge>
          )}
          {row.state === 'loading' ? <Loading forMs={row.loadingForMs ?? 0} /> : null}
          {row.state === 'compacting' ? <span className="faint">offline until it is done</span> : null}
          {row.error === null ? null : <span className="faint">{row.error}</span>}
          {row.unloadsSoon === true && row.facts === undefined ? <span className="faint">unloads soon</span> : null}
        </span>
      )
    case 'documents':
      return <Figure value={row.documents} format={formatCount} />
    case 'indexes':
      return (
        <span className={cx('inline', styles.marked)} title={troubledWords(row) ?? undefined}>
          {troubledWords(row) === null ? null : (
            <StateDot tone={(row.facts?.erroredIndexes ?? 0) > 0 ? 'error' : 'warn'}>
              <span className="spoken">{troubledWords(row)}</span>
            </StateDot>
          )}
          <Figure value={row.indexes} format={formatCount} />
        </span>
      )
    case 'size':
      return isSizeLeast(row) ? (
        <span title="At least: the server’s sum leaves out journals that are flushed and wait for a data sync. The page of the database has all of them.">
          <Figure value={row.sizeBytes} format={(bytes) => `≥ ${formatLeastBytes(bytes)}`} />
        </span>
      ) : (
        <Figure value={row.sizeBytes} format={formatBytes} />
      )
    case 'temp':
      return <Figure value={row.tempBytes} format={formatBytes} />
    case 'upTime':
      return <LoadedFor row={row} />
    case 'idle':
      return <Figure value={idleFor(row)} format={formatAge} />
    case 'unloads':
      return <Unloads row={row} />
    case 'requests':
      return (
        <span title={`${rateWords(row)}${meanWords(row)}`}>
          <Figure value={row.facts?.requestsPerSecond ?? null} format={rateFormat(row)} />
        </span>
      )
    case 'writes':
      return (
        <span title={rateWords(row)}>
          <Figure value={row.facts?.writesPerSecond ?? null} format={rateFormat(row)} />
        </span>
      )
    case 'indexing':
      return row.indexingStatus !== null && row.indexingStatus !== 'Running' ? (
        <StateDot tone="warn">{row.indexingStatus.toLowerCase()}</StateDot>
      ) : (
        <span title={`Entries that the maps of its indexes put out${reduceWords(row)}. ${rateWords(row)}`}>
          <Figure value={indexingRate(row)} format={rateFormat(row)} />
        </span>
      )
    case 'stale':
      return (
        <span title={staleWords(row)}>
          <Figure
            value={row.facts?.work?.staleIndexes ?? null}
            format={formatCount}
            unknown={row.facts?.work == null ? NOT_ASKED : 'not reported'}
          />
        </span>
      )
    case 'errors':
      return (
        <span title={erroredWords(row)}>
          <Figure value={row.indexingErrors} format={formatCount} alarm="error" />
        </span>
      )
    case 'alerts':
      return <Figure value={row.alerts} format={formatCount} alarm="warn" />
    case 'hints':
      return <Figure value={row.hints} format={formatCount} alarm="warn" />
    default:
      return null
  }
}

/** Time for which it has been loading, and what that means for a request now. */
const Loading = ({ forMs }: { readonly forMs: number }): ReactNode => (
  <span
    className="faint"
    title="Requests to it wait up to 30 s and fail then (503). Unless set otherwise the server loads 8 databases at once; the next one waits up to a minute for its turn, and fails then."
  >
    {forMs < 5000 ? 'requests wait' : `for ${formatAge(forMs)}${forMs > 30_000 ? ', requests fail' : ''}`}
  </span>
)

const isCounted = ({ facts }: ListedDatabase): boolean => (facts?.countedOverMs ?? null) !== null

const rateFormat = (row: ListedDatabase): ((perSecond: number) => string) =>
  isCounted(row) ? formatRate : formatAboutRate

/** Words for the reduce rate, which is a separate step and shown beside that of the maps. */
const reduceWords = (row: ListedDatabase): string =>
  (row.facts?.reducedPerSecond ?? 0) > 0
    ? `; beside them, ${rateFormat(row)(row.facts?.reducedPerSecond ?? 0)} went into reduces`
    : ''

const rateWords = ({ facts }: ListedDatabase): string =>
  facts === undefined
    ? ''
    : facts.countedOverMs === null
      ? 'About: the server reports the sum of four seconds divided by three, rounded up; three quarters of it are shown.'
      : `Counted over ${formatDuration(spanFromMs(facts.countedOverMs))}.`

const meanWords = ({ facts }: ListedDatabase): string =>
  facts?.averageMs == null || facts.requestsPerSecond === 0
    ? ''
    : ` Recent mean ${formatDuration(spanFromMs(facts.averageMs))}, as the server reports it: the last value, where there were no requests since.`

const erroredWords = ({ facts }: ListedDatabase): string | undefined =>
  facts?.erroredIndexes == null ? undefined : `in ${formatPlural(facts.erroredIndexes, 'index', 'indexes')}`

function staleWords({ facts }: ListedDatabase): string {
  if (facts?.work == null) return NOT_ASKED
  const { staleIndexes, itemsLeft } = facts.work
  if (staleIndexes === null || itemsLeft === null) return 'Not reported'
  return staleIndexes === 0
    ? 'All indexes are up to date'
    : `${formatPlural(staleIndexes, 'index', 'indexes')} with ${formatPlural(itemsLeft, 'document')} to go`
}

/** Time for which it has been loaded, with its start in the tooltip. */
function LoadedFor({ row }: { readonly row: ListedDatabase }): ReactNode {
  const { clock } = useView().view
  const loadedTicks = row.facts?.idle?.loadedTicks ?? null
  return (
    <span title={loadedTicks === null ? undefined : `since ${formatDateTime(loadedTicks, clock, 0)}`}>
      <Figure value={row.upTimeMs} format={formatAge} />
    </span>
  )
}

/** Time at which the server will unload it without further work, or why it does not. */
function Unloads({ row }: { readonly row: ListedDatabase }): ReactNode {
  const unloading = unloadingOf(row)
  switch (unloading.kind) {
    case 'held':
      return (
        <span className={styles.held} title={`Stays loaded: ${unloading.blockers.join('; ')}`}>
          stays loaded
        </span>
      )
    case 'working':
      return (
        <span className={styles.held} title="It is in use, so its idle time restarts">
          in use
        </span>
      )
    case 'due':
      return <span title="The next sweep of the server unloads it">next sweep</span>
    case 'in':
      return <Figure value={unloading.ms} format={formatAge} />
    case 'unknown':
      return <Figure value={null} format={formatAge} />
  }
}
