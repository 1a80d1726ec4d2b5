import { formatSpanMs } from '../../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import { formatCount, formatDuration, formatPlural } from '../../../../base/text/format.ts'
import { spanFromMs } from '../../../../base/ticks.ts'
import { useAttempt } from '../../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { useNow } from '../../../../ui/hooks/now.ts'
import type { LatencyRow } from '../../../../feeds/server/contract/latency.ts'
import styles from './cards.module.css'
import { useLatency } from '../useServerData.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const MOST_ROWS = 6
const WORDS: Readonly<Record<string, string>> = { None: 'Other', BulkDocs: 'Bulk writes', MultiGet: 'Multi get' }

/**
 * Latency of single requests by kind, measured when the user clicks a button. Without that the server reports
 * only a smoothed mean, from which percentiles cannot be computed (on 7.1.5 three requests of 1.5 s among 20 a second
 * moved it from 18 ms to 24 ms).
 */
export function LatencyCard(): ReactNode {
  const capture = useCapture()
  const nowMs = useNow()
  const { response, error } = useLatency()
  const { failure, isRunning, attempt } = useAttempt()
  const running = isRunning || response?.phase === 'running'
  return (
    <section className={cx('raised', styles.card)} aria-label="Latency of requests">
      <div className={styles.line}>
        <h2>Latency of requests</h2>
        <span className="push" />
        <Button
          small
          disabled={running}
          title="The server then sends this page every request that it answers, with its text; only the durations are kept. It never starts by itself."
          onClick={() => void attempt('Could not measure', () => capture.request('server.latency', { start: true }))}
        >
          {running ? (response?.atMs === null ? 'Connecting' : 'Listening') : 'Measure for 10 s'}
        </Button>
      </div>
      <AttemptFailure of={failure} />
      {error === null ? null : <p>{error.message}</p>}
      {response === null || response.message === '' ? null : <p>{response.message}</p>}
      {response === null || response.rows.length === 0 ? (
        <p className="faint">
          {response?.phase === 'done'
            ? 'No request of another client was answered in that time.'
            : 'The server reports only a mean, smoothed over tens of seconds: a few slow requests among many hardly move it. A measurement reads every request for ten seconds.'}
        </p>
      ) : (
        <>
          <RowTable
            className={cx('figures', styles.table)}
            columns={COLUMNS}
            rows={response.rows.slice(0, MOST_ROWS)}
            keyOf={({ type }) => type}
          />
          <p className="faint">
            {formatPlural(response.requests, 'request')}
            {response.atMs === null ? '' : `, ${formatSpanMs(nowMs - response.atMs)} ago`}; whole milliseconds, as the
            server counts them
            {response.ours === 0 ? '' : `; ${formatPlural(response.ours, 'request')} of this browser’s pages left out`}.
          </p>
        </>
      )}
    </section>
  )
}

/** Formats a latency; the server counts whole milliseconds. */
const formatLatency = (ms: number): string => (ms === 0 ? '< 1 ms' : formatDuration(spanFromMs(ms)))

const duration = (title: string, hint: string, of: (row: LatencyRow) => number): RowColumn<LatencyRow> => ({
  title,
  hint,
  cell: (row) => formatLatency(of(row)),
})

const COLUMNS: readonly RowColumn<LatencyRow>[] = [
  { title: 'Kind', cell: ({ type }) => <bdi>{Object.hasOwn(WORDS, type) ? WORDS[type] : type}</bdi> },
  {
    title: 'Requests',
    cell: ({ requests }) => formatCount(requests),
    cellHint: ({ failed }) => (failed === 0 ? undefined : `${formatCount(failed)} of them failed`),
  },
  duration('p50', 'Half of them took at most this', ({ p50Ms }) => p50Ms),
  duration('p95', '19 of 20 took at most this', ({ p95Ms }) => p95Ms),
  duration('p99', '99 of 100 took at most this', ({ p99Ms }) => p99Ms),
  { title: 'Longest', cell: ({ longestMs }) => formatLatency(longestMs) },
]
