import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { CaptureError } from '../../../capture/client/client.ts'
import { useCapture } from '../../../capture/client/view.ts'
import type { LoadStory } from '../../../ravendb/databases/databases.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/Notice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { formatAge } from '../data/ages.ts'
import type { ListedDatabase } from '../data/facts.ts'
import styles from './databases.module.css'

const MOST_LISTED = 8

/** Databases that are loading, with the time so far and, at a click, the server's progress. */
export function LoadingDatabases({ rows }: { readonly rows: readonly ListedDatabase[] }): ReactNode {
  const loading = rows.filter(({ state }) => state === 'loading')
  if (loading.length === 0) return null
  const more = loading.length - MOST_LISTED
  return (
    <Notice
      tone="info"
      title={`${formatPlural(loading.length, 'database')} ${loading.length === 1 ? 'is' : 'are'} loading`}
    >
      <p>
        Requests to {loading.length === 1 ? 'it' : 'them'} wait, by default for 30 s, and fail then. The server loads 8
        at once unless its settings say otherwise; others wait for their turn.
      </p>
      <ul>
        {loading.slice(0, MOST_LISTED).map((row) => (
          <LoadingDatabase key={row.name} row={row} />
        ))}
      </ul>
      {more > 0 ? <p>and {formatCount(more)} more.</p> : null}
    </Notice>
  )
}

type LoadRequest =
  | { readonly state: 'not' }
  | { readonly state: 'waiting' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'read'; readonly story: LoadStory }

function LoadingDatabase({ row }: { readonly row: ListedDatabase }): ReactNode {
  const capture = useCapture()
  const [requested, setRequested] = useState<LoadRequest>({ state: 'not' })
  const load = (): void => {
    setRequested({ state: 'waiting' })
    capture.request('databases.loadStory', { name: row.name }).then(
      (story) => setRequested({ state: 'read', story }),
      (error: unknown) => setRequested({ state: 'failed', error }),
    )
  }
  const forMs = row.loadingForMs ?? 0
  return (
    <li>
      <span>
        <bdi>{row.name}</bdi> <span className="faint">for at least {formatAge(forMs)}</span>
      </span>{' '}
      {requested.state === 'waiting' ? (
        <Spinner>Waiting with one request, as its clients do; the server then says what it has done.</Spinner>
      ) : (
        <Button
          tone="quiet"
          aria-label={`${requested.state === 'not' ? 'Ask how far it is' : 'Ask again'}: ${row.name}`}
          title="One request waits for the database, as those of its clients do. The server then reports what it has done so far."
          onClick={load}
        >
          {requested.state === 'not' ? 'Ask how far it is' : 'Ask again'}
        </Button>
      )}
      {requested.state === 'read' ? <Story story={requested.story} /> : null}
      {requested.state === 'failed' ? <Failure error={requested.error} /> : null}
    </li>
  )
}

const Failure = ({ error }: { readonly error: unknown }): ReactNode =>
  error instanceof CaptureError ? <ErrorNotice error={error.info} tone="warn" /> : <p>{String(error)}</p>

/** Steps with their durations, in whole seconds as the server reports them; the last one is still running. */
function Story({ story }: { readonly story: LoadStory }): ReactNode {
  if (story.state === 'ended') return <p>The load has ended; the list shows it in a moment.</p>
  const { message, hint } = story
  const steps = story.steps.map(({ atMs, words }, at) => ({
    at,
    words,
    tookMs: (story.steps[at + 1]?.atMs ?? NaN) - atMs,
  }))
  return (
    <div>
      <p>{message}</p>
      {steps.length === 0 ? null : (
        <ol className={styles.steps} aria-label="What the server has done">
          {steps.map(({ at, words, tookMs }) => (
            <li key={at}>
              {words} <span className="faint">{tookWords(tookMs)}</span>
            </li>
          ))}
        </ol>
      )}
      <p>{hint}</p>
    </div>
  )
}

/** Words for the duration of a step; NaN: still running. Empty for less than a second. */
const tookWords = (ms: number): string => (Number.isNaN(ms) ? 'goes on' : ms > 0 ? formatAge(ms) : '')
