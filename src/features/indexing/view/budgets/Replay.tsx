import { useTimes } from '../../../../capture/client/times.ts'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { formatBytes, formatCount } from '../../../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { splitIndexKey } from '../../data/batches/batch-ref.ts'
import type { IndexKey } from '../../contract/batches.ts'
import { REPLAY_WINDOW, SERVER_MODEL, type BudgetModel, type IndexingReplayResponse } from '../../contract/replay.ts'
import list from '../../../../ui/side-list.module.css'
import styles from '../details/side.module.css'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { bytesOrNot } from '../words.ts'
import { STEP_WORDS } from './BudgetFacts.tsx'

const MIB = 2 ** 20
const PLAY_MS = 700
/** A ceiling at the end of its slider means none. */
const NO_CEILING_MIB = 1024

const MODEL_WORDS = {
  grant: 'would grant',
  refuse: 'would refuse',
  end: 'takes the budget back',
  unknown: 'cannot tell: a figure was not recorded',
} as const

interface ReplayProps {
  readonly indexes: readonly IndexKey[]
  readonly range: TimeRange
  readonly model: BudgetModel
  readonly version: number
  readonly onModel: (model: BudgetModel) => void
  readonly onAt: (at: Ticks) => void
}

/** Step through the recorded negotiation, beside what the rule would have done with other constants. */
export function Replay({ indexes, range, model, version, onModel, onAt }: ReplayProps): ReactNode {
  const [step, setStep] = useState(0)
  const [playing, setPlaying] = useState(false)
  // The request covers a window around the step, and moves by half a window.
  const half = REPLAY_WINDOW / 2
  const from = Math.max(0, Math.floor(step / half) * half - half / 2)
  const { response, error } = useRequest(
    'indexing.replay',
    { ...range, indexes, model, from },
    { version, everyMs: 400 },
  )
  const count = response?.total ?? 0
  const at = Math.min(step, Math.max(0, count - 1))
  const atTicks = response?.steps[at - response.from]?.recorded.atTicks
  // A step that lies outside of the window is gone to once it is known.
  const wanted = useRef(false)
  const go = (to: number): void => {
    const next = Math.max(0, Math.min(count - 1, to))
    setStep(next)
    // Steps of several indexes may share a moment.
    const ticks = response?.steps[next - response.from]?.recorded.atTicks
    wanted.current = ticks === undefined
    if (ticks !== undefined) onAt(ticks)
  }
  const tell = useEffectEvent(onAt)
  useEffect(() => {
    if (!wanted.current || atTicks === undefined) return
    wanted.current = false
    tell(atTicks)
  }, [atTicks])
  useEffect(() => {
    if (!playing) return undefined
    const timer = setTimeout(() => {
      if (at + 1 >= count) setPlaying(false)
      else go(at + 1)
    }, PLAY_MS)
    return () => clearTimeout(timer)
  })
  return (
    <section className={cx('raised', 'column', list.list, list.short)} aria-label="Replay of the negotiation">
      <div className={cx('row tight', list.heading)}>
        <h2>Replay</h2>
        <span className={list.keys}>{count === 0 ? '' : `step ${formatCount(at + 1)} of ${formatCount(count)}`}</span>
      </div>
      <div className={cx('stack', styles.model)}>
        {error === null ? null : <p>{error.message}</p>}
        {response === null || count === 0 ? (
          <p className={list.keys}>No budget was granted or refused in view. Look at a longer range.</p>
        ) : (
          <>
            <div className="row tight" role="group" aria-label="Steps">
              <Button small aria-label="First step" disabled={at === 0} onClick={() => go(0)}>
                ⇤
              </Button>
              <Button small aria-label="Previous step" disabled={at === 0} onClick={() => go(at - 1)}>
                ←
              </Button>
              <Button
                small
                icon={playing ? 'pause' : 'play'}
                aria-pressed={playing}
                onClick={() => setPlaying(!playing)}
              >
                {playing ? 'Pause' : 'Play'}
              </Button>
              <Button small aria-label="Next step" disabled={at + 1 >= count} onClick={() => go(at + 1)}>
                →
              </Button>
              <Button small aria-label="Last step" disabled={at + 1 >= count} onClick={() => go(count - 1)}>
                ⇥
              </Button>
            </div>
            <StepWords response={response} at={at} />
            <Sums response={response} at={at} />
            {response.stepsLeft === 0 ? null : (
              <p>
                The last {formatCount(response.stepsLeft)} steps (hatched) are not replayed and in no figure here. Look
                at a shorter range.
              </p>
            )}
          </>
        )}
        <p>
          <b>What if</b> the constants were others? A model.
        </p>
        <Sliders model={model} onModel={onModel} />
        {response === null || count === 0 ? null : (
          <>
            <p>
              Highest sum: {formatBytes(response.recordedPeakBytes)} as recorded, {formatBytes(response.modelPeakBytes)}{' '}
              by the model. Refusals: {formatCount(response.recordedRefusals)} recorded,{' '}
              {formatCount(response.modelRefusals)} by the model.
            </p>
            <p className={list.keys}>{response.label}</p>
          </>
        )}
      </div>
    </section>
  )
}

interface StepWordsProps {
  readonly response: IndexingReplayResponse
  readonly at: number
}

function StepWords({ response, at }: StepWordsProps): ReactNode {
  const time = useTimes()
  const step = response.steps[at - response.from]
  if (step === undefined) return null
  const { recorded } = step
  return (
    <div aria-live="polite">
      <p>
        {time(recorded.atTicks, 1)}: <bdi>{splitIndexKey(recorded.index).name}</bdi> {STEP_WORDS[recorded.kind]}:{' '}
        {bytesOrNot(recorded.fromBytes)} → {bytesOrNot(recorded.toBytes)}, {bytesOrNot(recorded.allocatedBytes)} in use,{' '}
        {bytesOrNot(step.availableBytes)} available.
      </p>
      <p>
        The model {MODEL_WORDS[step.model]}
        {step.modelBudgetBytes === null ? '' : ` (${formatBytes(step.modelBudgetBytes)})`}. {step.words}
      </p>
      <p className={list.keys}>
        All budgets then: {formatBytes(step.budgetSumBytes)} recorded, {formatBytes(step.modelSumBytes)} by the model.
      </p>
    </div>
  )
}

const WIDTH = 300
const HEIGHT = 60

/** Sums of both over the steps: solid as recorded, dashed by the model. */
function Sums({ response, at }: { readonly response: IndexingReplayResponse; readonly at: number }): ReactNode {
  const top = Math.max(1, response.recordedPeakBytes, response.modelPeakBytes)
  const shownPx = (WIDTH * response.total) / (response.total + response.stepsLeft)
  const perSum = shownPx / Math.max(1, response.recordedSums.length)
  const path = (sums: Float64Array): string =>
    Array.from(sums, (sum, i) => {
      const y = (HEIGHT - (sum / top) * (HEIGHT - 4)).toFixed(1)
      return `${i === 0 ? 'M0 ' : 'V'}${y}H${((i + 1) * perSum).toFixed(1)}`
    }).join('')
  const cursor = (at / Math.max(1, response.total - 1)) * shownPx
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Sum of budgets over the steps: at most ${formatBytes(response.recordedPeakBytes)} recorded, ${formatBytes(response.modelPeakBytes)} by the model`}
    >
      <path
        d={path(response.recordedSums)}
        fill="none"
        style={{ stroke: 'var(--fg)' }}
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={path(response.modelSums)}
        fill="none"
        style={{ stroke: 'var(--accent)' }}
        strokeDasharray="5 3"
        vectorEffect="non-scaling-stroke"
      />
      {response.stepsLeft === 0 ? null : (
        <path
          d={Array.from({ length: 12 }, (_, i) => `M${shownPx} ${i * 10}L${WIDTH} ${i * 10 - HEIGHT}`).join('')}
          style={{ stroke: 'var(--border-strong)' }}
          vectorEffect="non-scaling-stroke"
        />
      )}
      <path
        d={`M${cursor.toFixed(1)} 0V${HEIGHT}`}
        style={{ stroke: 'var(--focus)' }}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

interface SlidersProps {
  readonly model: BudgetModel
  readonly onModel: (model: BudgetModel) => void
}

/** MiB. */
const SLIDERS = [
  { label: 'Begins with', of: 'initialBytes', min: 4, max: 256, step: 4 },
  { label: 'Step', of: 'stepBytes', min: 4, max: 256, step: 4 },
  { label: 'Ceiling', of: 'ceilingBytes', min: 32, max: NO_CEILING_MIB, step: 16 },
  { label: 'Reserve', of: 'reserveBytes', min: 0, max: 16_384, step: 128 },
] as const

function Sliders({ model, onModel }: SlidersProps): ReactNode {
  const isServer = JSON.stringify(model) === JSON.stringify(SERVER_MODEL)
  return (
    <>
      {SLIDERS.map(({ label, of, ...range }) => {
        const bytes = model[of]
        return (
          <Slider
            key={of}
            label={label}
            {...range}
            value={bytes === null ? NO_CEILING_MIB : Math.round(bytes / MIB)}
            text={bytes === null ? 'none' : formatBytes(bytes)}
            onChange={(mib) =>
              onModel({ ...model, [of]: of === 'ceilingBytes' && mib >= NO_CEILING_MIB ? null : mib * MIB })
            }
          />
        )
      })}
      <div className="row tight">
        <Button small disabled={isServer} onClick={() => onModel(SERVER_MODEL)}>
          The server’s own
        </Button>
      </div>
    </>
  )
}

interface SliderProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly step: number
  readonly text: string
  readonly onChange: (value: number) => void
}

function Slider({ label, value, min, max, step, text, onChange }: SliderProps): ReactNode {
  return (
    <label className={styles.slider}>
      {label}
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output>{text}</output>
    </label>
  )
}
