import { useEffect, useRef, useState, type ReactNode } from 'react'
import { formatCount, formatPlural } from '../../../base/text/format.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { CaptureError } from '../../../capture/client/client.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import type { QueryText } from '../contract.ts'
import { PAGE_SIZE } from './useQueryRun.ts'
import { histogramOf, latencyFigures } from './repeat-figures.ts'
import styles from './query.module.css'

const TIMES = ['10', '30', '100'] as const
const BINS = 24

interface Runs {
  readonly here: readonly number[]
  readonly server: readonly number[]
}

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : formatCount(Math.round(value))} ms`

/** Runs the same query several times in a row, and shows the duration of each run. */
export function Repeat({ query }: { readonly query: QueryText }): ReactNode {
  const capture = useCapture()
  const { attempt, failure } = useAttempt()
  const [times, setTimes] = useState<(typeof TIMES)[number]>('30')
  const [runs, setRuns] = useState<Runs>({ here: [], server: [] })
  const [isRunning, setRunning] = useState(false)
  const abortRef = useRef<AbortController | null>(null)
  useEffect(() => () => abortRef.current?.abort(), [])

  const repeat = async (signal: AbortSignal): Promise<void> => {
    let taken: Runs = { here: [], server: [] }
    for (let i = 0; i < Number(times); i++) {
      const outcome = await capture.request('query.run', { ...query, start: 0, pageSize: PAGE_SIZE }, signal)
      if (outcome.outcome !== 'results')
        throw new CaptureError({
          endpoint: 'queries',
          status: null,
          message: 'The query cannot be run any more.',
          serverMessage: null,
          hint: 'Run it again.',
        })
      const { tookMs, serverMs } = outcome.page
      taken = { here: [...taken.here, tookMs], server: serverMs === null ? taken.server : [...taken.server, serverMs] }
      setRuns(taken)
    }
  }
  const begin = (): void => {
    const abort = new AbortController()
    abortRef.current = abort
    setRuns({ here: [], server: [] })
    setRunning(true)
    void attempt('Not repeated', () => repeat(abort.signal)).then(() => setRunning(false))
  }

  const rows = [
    { what: 'Here, to the last byte', values: runs.here },
    { what: 'On the server, whole ms', values: runs.server },
  ].flatMap(({ what, values }) => (values.length === 0 ? [] : [{ what, figures: latencyFigures(values) }]))
  const bars =
    runs.here.length === 0 ? [] : histogramOf(runs.here, BINS).map((count, bin) => ({ count, bin: String(bin) }))
  const highest = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <section className="stack" aria-label="Repeat">
      <div className="row">
        <h3>Repeat</h3>
        <Select
          label="Times"
          hideLabel
          value={times}
          options={TIMES.map((value) => ({ value, text: value }))}
          onChange={setTimes}
        />
        {isRunning ? (
          <Button small onClick={() => abortRef.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button small onClick={begin}>
            Repeat {times} times
          </Button>
        )}
        <span role="status">{runs.here.length === 0 ? '' : formatPlural(runs.here.length, 'run')}</span>
        <AttemptFailure of={failure} />
      </div>
      {rows.length === 0 ? null : (
        <>
          <RowTable
            label="Latency"
            rows={rows}
            keyOf={({ what }) => what}
            columns={[
              { title: 'Where', cell: ({ what }) => what },
              { title: 'Median', isFigure: true, cell: ({ figures: { median } }) => ms(median) },
              {
                title: '95 % interval of the median',
                cell: ({ figures: { interval } }) =>
                  interval === null ? 'too few runs' : `${ms(interval[0])} to ${ms(interval[1])}`,
              },
              { title: 'p95', isFigure: true, cell: ({ figures: { p95 } }) => ms(p95) },
              { title: 'Least', isFigure: true, cell: ({ figures: { least } }) => ms(least) },
              { title: 'Most', isFigure: true, cell: ({ figures: { most } }) => ms(most) },
            ]}
          />
          <svg
            className={styles.bars}
            viewBox={`0 0 ${BINS} 10`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Distribution of ${formatPlural(runs.here.length, 'run')} from ${ms(Math.min(...runs.here))} to ${ms(Math.max(...runs.here))}`}
          >
            {bars.map(({ count, bin }) => (
              <rect
                key={bin}
                x={Number(bin) + 0.05}
                width={0.9}
                y={10 - (10 * count) / highest}
                height={(10 * count) / highest}
              />
            ))}
          </svg>
        </>
      )}
    </section>
  )
}
