import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/brand.ts'
import { formatDateTime, formatDuration, NOT_A_TIME, parseDateTime, type Clock } from '../../../base/text/format.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { CompareSide } from '../../../capture/client/compare-sides.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import styles from './compare.module.css'

export interface SourceOption {
  readonly value: string
  readonly text: string
}

/** Which sources and which range a side is: both can be changed in place. */
export function SideFields({
  title,
  side,
  range,
  options,
  clock,
  viewRange,
  onChange,
}: {
  readonly title: string
  readonly side: CompareSide
  /** As it is measured; null: nothing is known of its sources. */
  readonly range: TimeRange | null
  readonly options: readonly SourceOption[]
  readonly clock: Clock
  readonly viewRange: TimeRange | null
  readonly onChange: (side: CompareSide) => void
}): ReactNode {
  const chosen = side.sources.join(' ')
  const own = options.some(({ value }) => value === chosen)
    ? options
    : [{ value: chosen, text: `${String(side.sources.length)} sources` }, ...options]
  const setEdge = (edge: 'startTicks' | 'endTicks') => (text: string) => {
    if (range === null) return null
    const at = parseDateTime(text, clock, range[edge])
    if (Number.isNaN(at)) return NOT_A_TIME
    const next = { ...range, [edge]: at }
    if (next.endTicks <= next.startTicks) return 'The end lies before the start.'
    onChange({ ...side, range: next })
    return null
  }
  const text = (at: Ticks | undefined): string => (at === undefined ? '' : formatDateTime(at, clock, 1))
  return (
    <fieldset className={styles.side}>
      <legend>{title}</legend>
      <Select
        label={`Source of ${title.toLowerCase()}`}
        hideLabel
        options={own}
        value={chosen}
        onChange={(value) => onChange({ ...side, sources: value === chosen ? side.sources : [value] })}
      />
      {range === null ? (
        <span className={styles.faint}>Nothing is known of it.</span>
      ) : (
        <div className={styles.edges}>
          <CommitField
            label={`${title} from`}
            hideLabel
            value={text(range.startTicks)}
            onCommit={setEdge('startTicks')}
          />
          <span aria-hidden="true">–</span>
          <CommitField label={`${title} to`} hideLabel value={text(range.endTicks)} onCommit={setEdge('endTicks')} />
          <span className={styles.faint}>{formatDuration(range.endTicks - range.startTicks)}</span>
        </div>
      )}
      <div className={styles.edges}>
        <Button
          small
          disabled={viewRange === null}
          title="The range that the timelines show"
          onClick={() => onChange({ ...side, range: viewRange })}
        >
          Use range in view
        </Button>
        <Button small disabled={side.range === null} onClick={() => onChange({ ...side, range: null })}>
          Use all
        </Button>
      </div>
    </fieldset>
  )
}
