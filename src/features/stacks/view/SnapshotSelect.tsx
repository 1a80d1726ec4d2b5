import type { ReactNode } from 'react'
import { formatCount, formatPlural, type Clock } from '../../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import { IconButton } from '../../../ui/controls/Button.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import type { SnapshotInfo } from '../../../feeds/stacks/contract/snapshots.ts'
import styles from './snapshot.module.css'
import { choiceOf, formatChoice, newestOf, parseChoice, type SnapshotChoice } from './choice.ts'
import { snapshotTitle } from './words.ts'
import { cx } from '../../../ui/theme/cx.ts'

/** Maximum number of listed snapshots; others are found by time and in the time view. */
const LISTED = 200

const HOLD = 'hold'

const held = ({ startTicks, endTicks }: TimeRange): SnapshotChoice => ({
  type: 'between',
  startTicks: Math.max(0, Math.floor(startTicks)) as Ticks,
  endTicks: Math.max(0, Math.ceil(endTicks)) as Ticks,
})

export interface SnapshotSelectProps {
  readonly label: string
  readonly snapshots: readonly SnapshotInfo[]
  readonly clock: Clock
  /** Chosen snapshots; null: none (only if `none` is offered). */
  readonly choice: SnapshotChoice | null
  /** Range in view, which can be fixed so that the view can move to the range to compare. */
  readonly range: TimeRange
  /** Number of snapshots that the choice covers. */
  readonly count: number
  /** Words for no choice; left out: there is always one. */
  readonly none?: string
  readonly onChange: (choice: SnapshotChoice | null) => void
}

/** Menu to choose the snapshots in view, or those they are compared with. */
export function SnapshotSelect(props: SnapshotSelectProps): ReactNode {
  const { label, snapshots, clock, choice, range, count, none, onChange } = props
  const value = choice === null ? '' : formatChoice(choice)
  const options = [
    ...(none === undefined ? [] : [{ value: '', text: none }]),
    ...(none === undefined
      ? [{ value: 'latest', text: 'Newest snapshot' }]
      : [
          { value: 'previous', text: 'The snapshot before' },
          { value: 'first', text: 'The first snapshot' },
        ]),
    { value: 'all', text: `All ${formatCount(snapshots.length)} snapshots` },
    { value: 'view', text: 'Snapshots in the time range' },
    { value: HOLD, text: 'Those in the range as it is now' },
    ...snapshots.slice(-LISTED).map((snapshot, i) => {
      const nth = Math.max(0, snapshots.length - LISTED) + i
      return { value: formatChoice(choiceOf(snapshot, snapshots)), text: snapshotTitle(snapshot, nth, clock) }
    }),
  ]
  const known = options.some((option) => option.value === value)
  return (
    <span className={cx('inline', 'note', styles.which)}>
      <span aria-hidden="true">{label}</span>
      <Select
        label={label}
        hideLabel
        value={value}
        options={known ? options : [...options, { value, text: `A range: ${formatPlural(count, 'snapshot')}` }]}
        onChange={(text) =>
          onChange(text === '' ? null : text === HOLD ? held(range) : (parseChoice(text) ?? { type: 'latest' }))
        }
      />
    </span>
  )
}

interface SnapshotStepsProps {
  readonly snapshots: readonly SnapshotInfo[]
  readonly chosen: readonly SnapshotInfo[]
  readonly onChange: (choice: SnapshotChoice) => void
}

/** Buttons to the previous and the next snapshot. */
export function SnapshotSteps({ snapshots, chosen, onChange }: SnapshotStepsProps): ReactNode {
  return (
    <span className={styles.arrows}>
      <IconButton
        small
        icon="earlier"
        label="Snapshot before ([)"
        disabled={stepSnapshot(snapshots, chosen, -1) === null}
        onClick={() => stepTo(snapshots, chosen, -1, onChange)}
      />
      <IconButton
        small
        icon="later"
        label="Snapshot after (])"
        disabled={stepSnapshot(snapshots, chosen, 1) === null}
        onClick={() => stepTo(snapshots, chosen, 1, onChange)}
      />
    </span>
  )
}

/** The snapshot before the first, or after the last of the chosen ones; null: none. */
export function stepSnapshot(
  snapshots: readonly SnapshotInfo[],
  chosen: readonly SnapshotInfo[],
  by: -1 | 1,
): SnapshotInfo | null {
  const from = by < 0 ? chosen[0] : chosen.at(-1)
  if (from === undefined) return newestOf(snapshots)
  return snapshots[snapshots.indexOf(from) + by] ?? null
}

export function stepTo(
  snapshots: readonly SnapshotInfo[],
  chosen: readonly SnapshotInfo[],
  by: -1 | 1,
  onChange: (choice: SnapshotChoice) => void,
): void {
  const next = stepSnapshot(snapshots, chosen, by)
  if (next === null) return
  // The newest choice follows new snapshots.
  onChange(next === newestOf(snapshots) ? { type: 'latest' } : choiceOf(next, snapshots))
}
