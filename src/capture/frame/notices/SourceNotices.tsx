import type { ReactNode } from 'react'
import { formatTime, type Clock } from '../../../base/text/format.ts'
import { AttemptFailure } from './AttemptFailure.tsx'
import { PAUSED_BY_ROOKERY } from './gap-words.ts'
import { ResumeButton } from './ResumeButton.tsx'
import { sourceLabel, type SourceState } from '../../client/state.ts'
import { useAttempt } from '../../client/requests/useAttempt.ts'
import { useServerTicks } from '../../client/server-ticks.ts'
import { useCapture, useView } from '../../client/view.ts'
import { useCaptureState } from '../../client/useCaptureState.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { PanelLink } from '../PanelLink.tsx'
import { useWatched } from '../useWatched.ts'
import styles from './SourceNotices.module.css'
import { cx } from '../../../ui/theme/cx.ts'

interface SourceNoticesProps {
  readonly sources: readonly SourceState[]
  /** Content of the panel, after `the`: `I/O`, `indexing`. */
  readonly what: string
  readonly clock: Clock
}

/** Notices about sources that are not live: what is wrong with each, since when, and what can be done. */
export function SourceNotices({ sources, what, clock }: SourceNoticesProps): ReactNode {
  const { serverError } = useCaptureState()
  // An error of the whole server has a notice above all panels and is not repeated for each source.
  const isSaid = (source: SourceState): boolean =>
    serverError !== null && (isLost(source) || source.error?.message === serverError.message)
  const speaking = sources.filter((source) => hasNotice(source) && !isSaid(source))
  if (speaking.length === 0) return null
  const lost = speaking.filter(isLost)
  const single = lost.length > 1 ? speaking.filter((source) => !isLost(source)) : speaking
  return (
    <div className="stack">
      {lost.length > 1 ? <LostNotice sources={lost} clock={clock} /> : null}
      {single.map((source) => (
        <SourceNotice key={source.id} source={source} what={what} clock={clock} />
      ))}
    </div>
  )
}

const QUIET: ReadonlySet<SourceState['phase']> = new Set(['live', 'checking', 'connecting'])

/** Whether data that came before is missing now; the notice stays between attempts. */
const isReconnecting = ({ phase, frames }: SourceState): boolean =>
  frames > 0 && (phase === 'checking' || phase === 'connecting')

/**
 * Whether the overhead limit paused a source that has data. The status bar shows this, so that no notice appears and
 * disappears with each pause.
 */
const isBetweenLooks = ({ phase, frames }: SourceState): boolean => phase === 'paused-by-rookery' && frames > 0

/** Whether the source is waiting for the server or reconnecting, which is the same trouble for all sources. */
const isLost = (source: SourceState): boolean => source.phase === 'waiting' || isReconnecting(source)

const MOST_NAMES = 5

/** Whether a source has a notice at the top of the page or panel, so that nothing needs to be shown below. */
export const hasNotice = (source: SourceState): boolean =>
  // The file strip above all panels reports the state of files.
  source.ref.kind !== 'file' && (!QUIET.has(source.phase) || isReconnecting(source)) && !isBetweenLooks(source)

interface LostNoticeProps {
  readonly sources: readonly SourceState[]
  readonly clock: Clock
}

/** Notice for all sources that a stopped server takes down. */
function LostNotice({ sources, clock }: LostNoticeProps): ReactNode {
  const serverTicks = useServerTicks()
  const capture = useCapture()
  const waiting = sources.filter(({ phase }) => phase === 'waiting')
  const messages = new Set(waiting.map(({ message }) => message).filter((message) => message !== ''))
  const [message] = messages
  const names = sources.slice(0, MOST_NAMES).map(({ ref }) => sourceLabel(ref))
  const more = sources.length - names.length
  const retries = waiting.flatMap(({ retryAtMs }) => retryAtMs ?? [])
  const hint = waiting.find(({ error }) => error !== null && error.hint !== '')?.error?.hint
  const since = formatTime(serverTicks(Math.min(...sources.map(({ sinceMs }) => sinceMs))), clock, 0)
  return (
    <Notice
      tone="warn"
      title={
        messages.size === 1 && message !== undefined
          ? `${String(sources.length)} sources: ${message}`
          : `The connections to ${String(sources.length)} sources were lost`
      }
      actions={<Button onClick={capture.retryNow}>Try now</Button>}
    >
      <p>
        <bdi>{names.join(', ')}</bdi>
        {more > 0 ? ` and ${String(more)} more` : ''}.{' '}
        <Countdown retryAtMs={retries.length === 0 ? null : Math.min(...retries)} /> Since {since}. What was collected
        before stays.
      </p>
      {hint === undefined ? null : <p>{hint}</p>}
    </Notice>
  )
}

interface SourceNoticeProps {
  readonly source: SourceState
  readonly what: string
  readonly clock: Clock
}

function SourceNotice({ source, what, clock }: SourceNoticeProps): ReactNode {
  const serverTicks = useServerTicks()
  const capture = useCapture()
  const name = sourceLabel(source.ref)
  const { ref } = source
  const since = `Since ${formatTime(serverTicks(source.sinceMs), clock, 0)}. Collected data stays.`
  const tryNow = <Button onClick={capture.retryNow}>Try now</Button>
  switch (source.phase) {
    case 'unloaded':
      return (
        <Notice
          tone="info"
          title={`${name} is idle: not loaded on the server`}
          actions={ref.kind === 'database' ? <LoadButton name={ref.name}>Load {ref.name}</LoadButton> : undefined}
        >
          <p>
            Monitoring starts when a client uses it; Rookery does not load it by itself. Loading it takes memory on the
            server and starts its indexes.
          </p>
        </Notice>
      )
    case 'loading':
      return source.error === null ? (
        <Notice tone="info" title={`The server is loading ${name}`} actions={<RequestLoadState source={source} />}>
          <p>Watching begins when it is loaded. {since}</p>
        </Notice>
      ) : (
        <ErrorNotice error={source.error} tone="warn" actions={<RequestLoadState source={source} />}>
          <p>Watching begins when it is loaded. {since}</p>
        </ErrorNotice>
      )
    case 'compacting':
      return (
        <Notice tone="info" title={`The server is compacting ${name}`}>
          <p>It is offline until that is done; monitoring then resumes by itself. {since}</p>
        </Notice>
      )
    case 'waiting':
      return (
        <Notice
          tone="warn"
          title={source.message === '' ? `The connection to ${name} was lost` : source.message}
          actions={tryNow}
        >
          <p>
            <Countdown retryAtMs={source.retryAtMs} /> {since}
          </p>
          {source.error === null || source.error.hint === '' ? null : <p>{source.error.hint}</p>}
        </Notice>
      )
    case 'checking':
    case 'connecting':
      return (
        <Notice tone="warn" title={`Reconnecting to ${name}`}>
          <p>
            {source.message} {since}
          </p>
        </Notice>
      )
    case 'refused':
      return source.error === null ? (
        <Notice
          tone="error"
          title={source.message === '' ? `The server refuses the ${what} of ${name}` : source.message}
        >
          <p>{ref.kind === 'server' ? REFUSED.server : REFUSED.database}</p>
        </Notice>
      ) : (
        <ErrorNotice error={source.error} actions={tryNow}>
          {ref.kind === 'server' ? <p>Databases that this certificate is granted can still be watched.</p> : null}
        </ErrorNotice>
      )
    case 'disabled':
      return (
        <Notice tone="warn" title={`${name} is disabled`} actions={tryNow}>
          <p>
            Enable it on{' '}
            <PanelLink panel="database" parts={{ database: name }}>
              its page
            </PanelLink>
            ; monitoring then starts by itself. {since}
          </p>
        </Notice>
      )
    case 'faulted':
      return source.error === null ? (
        <Notice tone="error" title={source.message === '' ? `${name} cannot be read` : source.message} actions={tryNow}>
          <p>{since}</p>
        </Notice>
      ) : (
        <ErrorNotice error={source.error} actions={tryNow}>
          <p>{since}</p>
        </ErrorNotice>
      )
    case 'gone':
      return (
        <Notice tone="warn" title={`The server has no database ${name}`} actions={tryNow}>
          <p>It was deleted, or never existed under this name. {since}</p>
        </Notice>
      )
    case 'paused-by-rookery':
      return (
        <Notice tone="info" title={`${name}: ${PAUSED_BY_ROOKERY}`} actions={<ResumeButton />}>
          <p>
            {source.message}
            {source.retryAtMs === null
              ? ''
              : ` It resumes at ${formatTime(serverTicks(source.retryAtMs), clock, 0)}.`}{' '}
            Collected data stays.
          </p>
        </Notice>
      )
    case 'paused':
      return (
        <Notice tone="info" title={`${name} is paused while this tab is hidden`}>
          <p>
            Nothing is requested meanwhile; monitoring resumes when the tab is shown. The time between is marked as a
            gap.
          </p>
        </Notice>
      )
    default:
      return null
  }
}

const RequestLoadState = ({ source: { ref } }: { readonly source: SourceState }): ReactNode =>
  ref.kind !== 'database' ? null : (
    <LoadButton
      name={ref.name}
      title="One request waits for the database, as those of its clients do (30 s by default). The server then reports what it has done so far."
    >
      Ask how far it is
    </LoadButton>
  )

interface LoadButtonProps {
  readonly name: string
  readonly title?: string
  readonly children: ReactNode
}

function LoadButton({ name, title, children }: LoadButtonProps): ReactNode {
  const capture = useCapture()
  const { attempt, failure, isRunning } = useAttempt()
  return (
    <>
      <Button
        {...(title === undefined ? {} : { title })}
        disabled={isRunning}
        onClick={() => void attempt(`Could not load ${name}`, () => capture.request('databases.load', { name }))}
      >
        {children}
      </Button>
      <AttemptFailure of={failure} />
    </>
  )
}

const REFUSED = {
  server:
    'The server’s own storage needs the right Operator. Databases that this certificate is granted can still be watched.',
  database: 'This needs read access to the database. An administrator grants it on the certificate.',
} as const

const FIRST_MINUTE_MS = 60_000

interface FirstMinuteProps {
  /** Data that the server still has about the time before. */
  readonly remembers: string
}

/** Explains that in the first minute most of the picture is history that the server remembers. */
export function FirstMinute({ remembers }: FirstMinuteProps): ReactNode {
  const { clock } = useView().view
  const serverTicks = useServerTicks()
  const nowMs = useNow()
  const live = useWatched().filter((source) => source.phase === 'live' && source.ref.kind !== 'file')
  const sinceMs = Math.min(...live.map((source) => source.sinceMs))
  if (live.length === 0 || nowMs - sinceMs > FIRST_MINUTE_MS) return null
  return (
    <p className={cx('note', styles.firstMinute)}>
      Watching since {formatTime(serverTicks(sinceMs), clock, 0)}. What is older is what the server still remembers:{' '}
      {remembers}
    </p>
  )
}

function Countdown({ retryAtMs }: { readonly retryAtMs: number | null }): ReactNode {
  const nowMs = useNow()
  if (retryAtMs === null) return <>Retries are automatic.</>
  const seconds = Math.max(0, Math.ceil((retryAtMs - nowMs) / 1000))
  return <>{seconds === 0 ? 'Trying again now.' : `Trying again in ${seconds} s.`}</>
}
