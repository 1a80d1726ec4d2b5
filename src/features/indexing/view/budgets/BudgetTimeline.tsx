import { useEffect, type ReactNode } from 'react'
import { formatDateTime, type Clock } from '../../../../base/text/format.ts'
import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import { useMoving, type Viewport } from '../../../../capture/frame/range/useViewport.ts'
import { LaneTimeline } from '../../../../charts/timeline/LaneTimeline.tsx'
import { useLanes } from '../../../../charts/timeline/lanes/useLanes.ts'
import card from '../../../../ui/card.module.css'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BudgetMeasure } from '../../contract.ts'
import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type { BudgetStep } from '../../../../feeds/indexing/contract/budgets.ts'
import { useBudgets, useMemory } from '../useIndexingData.ts'
import { BudgetFacts } from './BudgetFacts.tsx'
import { BudgetMenu } from './BudgetMenu.tsx'
import { BudgetName } from './BudgetName.tsx'
import { BUDGET_LANES } from './draw.ts'
import { layoutBudgets } from './layout.ts'
import type { BudgetPicture } from './picture.ts'
import { describeMost, rankSeries, stackSeries } from './series.ts'

export interface BudgetTimelineProps {
  readonly sources: readonly SourceId[]
  readonly indexes: readonly IndexKey[]
  readonly viewport: Viewport
  readonly version: number
  readonly palette: IndexingPalette
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly measure: BudgetMeasure
  /** Time of the cursor; null: not set. */
  readonly atTicks: Ticks | null
  readonly describedBy: string
  readonly onAt: (at: Ticks | null) => void
  readonly onWidth: (widthPx: number) => void
  readonly onContent: (heightPx: number) => void
  /** Receives the text about the index with most of the memory in view. */
  readonly onMost: (words: string) => void
}

/** The machine, all budgets, and each budget, on one time axis. A click sets the cursor of the memory bar. */
export function BudgetTimeline(props: BudgetTimelineProps): ReactNode {
  const { palette, clock, atTicks, version } = props
  const viewport = useMoving(props.viewport)
  const { scale, rule } = viewport
  const { startTicks, endTicks } = scale.range
  const lanes = useLanes()
  const { columns, error } = useBudgets(props.indexes, scale, rule, version)
  const memory = useMemory(props.sources, scale, rule, version)
  const ranked = columns === null ? [] : rankSeries(columns, startTicks, endTicks, (key) => splitIndexKey(key).name)
  const stack = columns === null ? null : stackSeries(columns, ranked, props.measure, startTicks, endTicks)
  const layout = layoutBudgets(ranked)
  const { onContent, onMost, onAt } = props
  useEffect(() => onContent(layout.heightPx), [onContent, layout.heightPx])
  const most = describeMost(ranked)
  useEffect(() => onMost(most), [onMost, most])

  const stepsOf = new Map<string, BudgetStep[]>()
  for (const step of columns?.response.steps ?? []) {
    const own = stepsOf.get(step.index)
    if (own === undefined) stepsOf.set(step.index, [step])
    else own.push(step)
  }
  const picture: BudgetPicture = {
    layout,
    scale,
    scrollPx: lanes.sight.scrollPx,
    gaps: [],
    columns,
    stack,
    memory: memory.response,
    stepsOf,
    tokens: palette.tokens,
    palette,
    clock,
    known: props.known,
    atTicks,
  }
  const keys = (_focus: unknown, shift: boolean): Record<string, () => void> => {
    const step = (by: 1 | -1) => () => onAt(Math.round((atTicks ?? 0) + by * scale.ticksPerPx * 4) as Ticks)
    const begin = (): void => onAt(scale.toTicks(scale.widthPx / 2))
    const stepping = { ArrowLeft: step(-1), ArrowRight: step(1) }
    return { ...(atTicks === null || shift ? {} : stepping), m: begin, Enter: begin, Escape: () => onAt(null) }
  }
  return (
    <LaneTimeline
      label="Memory budgets"
      describedBy={props.describedBy}
      lanes={lanes}
      contract={BUDGET_LANES}
      picture={picture}
      viewport={viewport}
      renderName={(row) => <BudgetName row={row} stack={stack} palette={palette} />}
      renderMenu={({ index }) => (index === null ? null : <BudgetMenu index={index} />)}
      renderCard={(hit) => (
        <>
          <BudgetFacts hit={hit} picture={picture} clock={clock} />
          <p className={card.hint}>Click sets the cursor</p>
        </>
      )}
      describe={() => (atTicks === null ? '' : `Cursor at ${formatDateTime(atTicks, clock, 3)}`)}
      error={error}
      onSelect={(hit) => {
        if (hit !== null && 'atTicks' in hit) onAt(Math.round(hit.atTicks) as Ticks)
      }}
      keys={keys}
      anchorTicks={atTicks}
      onWidth={props.onWidth}
    />
  )
}
