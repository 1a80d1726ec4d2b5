import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/brand.ts'
import { formatCount, formatPlural, type Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import { IconButton } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import type { CaptureInfo } from '../contract/snapshots.ts'
import styles from './snapshot.module.css'
import { choiceOf, formatChoice, newestOf, parseChoice, type CaptureChoice } from './choice.ts'
import { captureTitle } from './words.ts'

/** Beyond so many a list is no help; times and the time view are. */
const LISTED = 200

const HOLD = 'hold'

const held = ({ startTicks, endTicks }: TimeRange): CaptureChoice => ({
  type: 'between',
  startTicks: Math.max(0, Math.floor(startTicks)) as Ticks,
  endTicks: Math.max(0, Math.ceil(endTicks)) as Ticks,
})

export interface CaptureSelectProps {
  readonly label: string
  readonly captures: readonly CaptureInfo[]
  readonly clock: Clock
  /** Null: none (only where `none` is offered). */
  readonly choice: CaptureChoice | null
  /** In view; it can be held, while the view moves on to the one to compare it with. */
  readonly range: TimeRange
  /** How many captures the choice comes to. */
  readonly count: number
  /** Words for no choice; not given: there is always one. */
  readonly none?: string
  readonly onChange: (choice: CaptureChoice | null) => void
}

/** Which captures are looked at, or compared with. */
export function CaptureSelect(props: CaptureSelectProps): ReactNode {
  const { label, captures, clock, choice, range, count, none, onChange } = props
  const value = choice === null ? '' : formatChoice(choice)
  const options = [
    ...(none === undefined ? [] : [{ value: '', text: none }]),
    ...(none === undefined
      ? [{ value: 'latest', text: 'Newest capture' }]
      : [
          { value: 'previous', text: 'The capture before' },
          { value: 'first', text: 'The first capture' },
        ]),
    { value: 'all', text: `All ${formatCount(captures.length)} captures` },
    { value: 'view', text: 'Captures in the time range' },
    { value: HOLD, text: 'Those in the range as it is now' },
    ...captures.slice(-LISTED).map((capture, i) => {
      const nth = Math.max(0, captures.length - LISTED) + i
      return { value: formatChoice(choiceOf(capture, captures)), text: captureTitle(capture, nth, clock) }
    }),
  ]
  const known = options.some((option) => option.value === value)
  return (
    <span className={styles.which}>
      <span aria-hidden="true">{label}</span>
      <Select
        label={label}
        hideLabel
        value={value}
        options={known ? options : [...options, { value, text: `A range: ${formatPlural(count, 'capture')}` }]}
        onChange={(text) =>
          onChange(text === '' ? null : text === HOLD ? held(range) : (parseChoice(text) ?? { type: 'latest' }))
        }
      />
    </span>
  )
}

/** One capture back and forth. */
export function CaptureSteps({
  captures,
  chosen,
  onChange,
}: {
  readonly captures: readonly CaptureInfo[]
  readonly chosen: readonly CaptureInfo[]
  readonly onChange: (choice: CaptureChoice) => void
}): ReactNode {
  return (
    <span className={styles.arrows}>
      <IconButton
        small
        icon="earlier"
        label="Capture before ([)"
        disabled={stepCapture(captures, chosen, -1) === null}
        onClick={() => stepTo(captures, chosen, -1, onChange)}
      />
      <IconButton
        small
        icon="later"
        label="Capture after (])"
        disabled={stepCapture(captures, chosen, 1) === null}
        onClick={() => stepTo(captures, chosen, 1, onChange)}
      />
    </span>
  )
}

/** The capture before the first, or after the last of the chosen ones; null: none. */
export function stepCapture(
  captures: readonly CaptureInfo[],
  chosen: readonly CaptureInfo[],
  by: -1 | 1,
): CaptureInfo | null {
  const from = by < 0 ? chosen[0] : chosen.at(-1)
  if (from === undefined) return newestOf(captures)
  return captures[captures.indexOf(from) + by] ?? null
}

export function stepTo(
  captures: readonly CaptureInfo[],
  chosen: readonly CaptureInfo[],
  by: -1 | 1,
  onChange: (choice: CaptureChoice) => void,
): void {
  const next = stepCapture(captures, chosen, by)
  if (next === null) return
  // The newest stays the newest while others come.
  onChange(next === newestOf(captures) ? { type: 'latest' } : choiceOf(next, captures))
}
