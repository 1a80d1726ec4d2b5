import { useState, type ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import { useAttempt } from '../../../capture/client/requests/useAttempt.ts'
import { AttemptFailure } from '../../../capture/frame/notices/AttemptFailure.tsx'
import { useCapture } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { Dialog } from '../../../ui/controls/Dialog.tsx'
import { useNow } from '../../../ui/hooks/now.ts'
import { NumberField } from '../../../ui/controls/ValueFields.tsx'
import { SERIES_LIMITS, type SnapshotProgress, type StacksState } from '../../../feeds/stacks/contract/snapshots.ts'
import styles from './snapshot.module.css'
import {
  describeCost,
  describeSeries,
  describeSeriesCost,
  ELSEWHERE,
  formatMs,
  STEP_MEANINGS,
  STEP_WORDS,
  STEPS,
} from './words.ts'

export interface SnapshotBarProps {
  readonly stacks: StacksState
  /** Server or database through which snapshots are taken; null: only files are in view. */
  readonly source: SourceId | null
  readonly onSnapshot: () => void
  readonly children?: ReactNode
}

/** Button that takes a snapshot, with its cost and progress; the same for a series. */
export function SnapshotBar({ stacks, source, onSnapshot, children }: SnapshotBarProps): ReactNode {
  const client = useCapture()
  const [isChoosing, setChoosing] = useState(false)
  const { progress, series } = stacks
  const running = series?.phase === 'running'
  const { failure, attempt } = useAttempt()
  const stop = (): void => void attempt('Could not stop', () => client.request('stacks.stop', null))
  if (source === null) return <div className={cx('row', styles.bar)}>{children}</div>
  return (
    <div className={cx('row', styles.bar)}>
      <div className="row tight">
        <Button
          tone="primary"
          icon="camera"
          disabled={progress !== null}
          onClick={onSnapshot}
          aria-describedby={COST_ID}
        >
          Take stack snapshot
        </Button>
        {running || progress !== null ? (
          <Button icon="close" onClick={stop}>
            {running ? 'Stop series' : 'Stop waiting'}
          </Button>
        ) : (
          <Button aria-haspopup="dialog" onClick={() => setChoosing(true)}>
            Series …
          </Button>
        )}
        {children}
      </div>
      {progress === null ? (
        <p id={COST_ID} className={cx('note', styles.cost)}>
          {describeCost(stacks.lastCost)}
          <Fresh nextMs={stacks.nextMs} />
        </p>
      ) : (
        <Steps progress={progress} />
      )}
      {series === null ? null : <SeriesLine stacks={stacks} />}
      <AttemptFailure of={failure} />
      {isChoosing ? (
        <SeriesDialog
          stacks={stacks}
          onClose={() => setChoosing(false)}
          onStart={(everyMs, count) => {
            setChoosing(false)
            void attempt('Could not begin the series', () =>
              client.request('stacks.series', { source, everyMs, count }),
            )
          }}
        />
      ) : null}
    </div>
  )
}

const COST_ID = 'stacks-snapshot-cost'

/** Says, before the click, that within the minimum interval it returns the existing snapshot. */
function Fresh({ nextMs }: { readonly nextMs: number }): ReactNode {
  const leftMs = nextMs - useNow()
  return leftMs <= 0 ? null : <> For {formatCount(Math.ceil(leftMs / 1000))} s more a click shows that one again.</>
}

/** Steps of a running snapshot. Only the seconds are animated, since the server reports no progress. */
function Steps({ progress }: { readonly progress: SnapshotProgress }): ReactNode {
  const nowMs = useNow()
  const at = STEPS.indexOf(progress.step)
  const seconds = Math.max(0, Math.round((nowMs - progress.requestedMs) / 1000))
  const leftMs = Math.max(0, progress.giveUpMs - nowMs)
  return (
    <div className="row" role="status">
      <ol className={cx('wrap', styles.steps)} aria-label="Steps of the snapshot">
        {STEPS.map((step, i) => (
          <li
            key={step}
            className={cx('note', styles.step, i < at && styles.past, i === at && styles.now)}
            aria-current={i === at ? 'step' : undefined}
            title={STEP_MEANINGS[step]}
          >
            {STEP_WORDS[step]}
          </li>
        ))}
      </ol>
      <span className={cx('note', styles.cost)}>
        {progress.isElsewhere ? ELSEWHERE : STEP_MEANINGS[progress.step]} · {formatCount(seconds)} s
        {leftMs < 60_000 ? `, gives up in ${formatMs(Math.ceil(leftMs / 1000) * 1000)}` : ''}
      </span>
    </div>
  )
}

function SeriesLine({ stacks }: { readonly stacks: StacksState }): ReactNode {
  const nowMs = useNow()
  const { series } = stacks
  if (series === null) return null
  return (
    <p className={cx('note', styles.cost)} role={series.phase === 'running' ? undefined : 'status'}>
      {describeSeries(series, nowMs)}
      {series.slowed === null ? null : <> Slower than planned: {series.slowed}</>}
    </p>
  )
}

const FIRST_SECONDS = 10
const FIRST_COUNT = 30

interface SeriesDialogProps {
  readonly stacks: StacksState
  readonly onClose: () => void
  readonly onStart: (everyMs: number, count: number) => void
}

function SeriesDialog({ stacks, onClose, onStart }: SeriesDialogProps): ReactNode {
  const [seconds, setSeconds] = useState(FIRST_SECONDS)
  const [count, setCount] = useState(FIRST_COUNT)
  return (
    <Dialog
      title="Take a series of snapshots"
      onClose={onClose}
      onSubmit={() => onStart(seconds * 1000, count)}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" icon="play" submits>
            Start series
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>
          Many snapshots are samples: what appears in many of them takes much of the time. The intervals vary, so that
          they do not march in step with the server’s own timers; when the server gets slow, they become longer.
        </p>
        <div className={cx('wrap', styles.fields)}>
          <NumberField
            label="Every"
            unit="s"
            value={seconds}
            min={SERIES_LIMITS.minEveryMs / 1000}
            max={SERIES_LIMITS.maxEveryMs / 1000}
            onChange={(value) => setSeconds(value ?? FIRST_SECONDS)}
          />
          <NumberField
            label="How many"
            value={count}
            min={1}
            max={SERIES_LIMITS.maxCount}
            onChange={(value) => setCount(Math.round(value ?? FIRST_COUNT))}
          />
        </div>
        <p role="status">{describeSeriesCost(seconds * 1000, count, stacks.lastCost)}</p>
        <p className={cx('note', styles.cost)}>It can be stopped at any time; earlier snapshots stay.</p>
      </div>
    </Dialog>
  )
}
