import { useState, type ReactNode } from 'react'
import { formatDateTime, formatDuration, NOT_A_TIME, parseDateTime, type Clock } from '../../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../../base/ticks.ts'
import type { CompareSide } from '../../../capture/client/compare-sides.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CommitField } from '../../../ui/controls/CommitField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import styles from './compare.module.css'
import { runOfSource, type Run } from './runs/runs.ts'
import { withTypedEnd, type Edge, type TypedEnds } from './typed-range.ts'

export interface SourceOption {
  readonly value: string
  readonly text: string
}

/** Fields for sources and range of a side, which can be changed in place. */
export function SideFields({
  title,
  side,
  range,
  options,
  sourcesWords,
  clock,
  viewRange,
  run,
  onSave,
  onChange,
}: {
  readonly title: string
  readonly side: CompareSide
  /** Measured range; null: its sources have no data. */
  readonly range: TimeRange | null
  readonly options: readonly SourceOption[]
  /** Words for sources that are not among the options. */
  readonly sourcesWords: string
  readonly clock: Clock
  readonly viewRange: TimeRange | null
  /** Run of this side, whose range is fixed; null: not a run. */
  readonly run: Run | null
  /** Stores the side as a run; null: its figures are not known yet. */
  readonly onSave: (() => void) | null
  readonly onChange: (side: CompareSide) => void
}): ReactNode {
  const chosen = side.sources.join(' ')
  const [typed, setTyped] = useState<TypedEnds>({})
  const own = options.some(({ value }) => value === chosen)
    ? options
    : [{ value: chosen, text: sourcesWords }, ...options]
  const isTyped = typed.startTicks !== undefined || typed.endTicks !== undefined
  const setEdge = (edge: Edge) => (text: string) => {
    if (range === null) return null
    const at = parseDateTime(text, clock, range[edge])
    if (Number.isNaN(at)) return NOT_A_TIME
    const next = withTypedEnd(range, typed, edge, at)
    setTyped(next.typed)
    if (next.range !== null) onChange({ ...side, range: next.range })
    return next.problem
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
        onChange={(value) =>
          onChange(
            value === chosen ? side : { sources: [value], range: isRun(value) || isRun(chosen) ? null : side.range },
          )
        }
      />
      {run === null ? null : (
        <span className="faint">
          {[run.workload, run.from, formatDuration(run.figures.endTicks - run.figures.startTicks)]
            .filter((part) => part !== '')
            .join(', ')}
        </span>
      )}
      {run !== null ? null : range === null ? (
        <span className="faint">Nothing is known of it.</span>
      ) : (
        <div className={styles.edges}>
          <CommitField
            label={`${title} from`}
            hideLabel
            value={text(typed.startTicks ?? range.startTicks)}
            onCommit={setEdge('startTicks')}
          />
          <span aria-hidden="true">–</span>
          <CommitField
            label={`${title} to`}
            hideLabel
            value={text(typed.endTicks ?? range.endTicks)}
            onCommit={setEdge('endTicks')}
          />
          <span className="faint">
            {isTyped ? 'Type the other end, too' : formatDuration(range.endTicks - range.startTicks)}
          </span>
        </div>
      )}
      {run !== null ? null : (
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
          <Button
            small
            disabled={onSave === null}
            onClick={() => onSave?.()}
            title="Keeps these figures in this browser"
          >
            Save as run
          </Button>
        </div>
      )}
    </fieldset>
  )
}

const isRun = (source: string): boolean => runOfSource(source) !== null
