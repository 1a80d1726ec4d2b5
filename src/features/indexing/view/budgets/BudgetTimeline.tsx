import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Ticks } from '../../../../base/brand.ts'
import { formatDateTime, type Clock } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { SourceId } from '../../../../capture/client/state.ts'
import type { Viewport } from '../../../../capture/frame/useViewport.ts'
import { AXIS_PX, drawCursor } from '../../../../charts/timeline/axis-picture.ts'
import type { Hover } from '../../../../charts/canvas/CanvasHost.tsx'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { HoverBox } from '../../../../charts/canvas/HoverBox.tsx'
import { LanePlot, type LanePlotHandle, type LaneSight } from '../../../../charts/timeline/lanes/LanePlot.tsx'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { splitIndexKey } from '../../data/batch-ref.ts'
import card from '../details/card.module.css'
import { drawSetCursor } from '../timeline/draw.ts'
import type { IndexingPalette } from '../palette.ts'
import type { BudgetMeasure } from '../params.ts'
import type { IndexKey } from '../../contract/batches.ts'
import type { BudgetStep } from '../../contract/budgets.ts'
import hidden from '../../../../ui/hidden.module.css'
import { useBudgets, useMemory } from '../useIndexingData.ts'
import { BudgetFacts } from './BudgetFacts.tsx'
import { BudgetGutter } from './BudgetGutter.tsx'
import { drawPlot, type BudgetPicture } from './draw.ts'
import { hitTestBudgets, type BudgetHit } from './hits.ts'
import { layoutBudgets } from './layout.ts'
import { rankSeries, stackSeries } from './series.ts'

export interface BudgetTimelineProps {
  readonly sources: readonly SourceId[]
  readonly indexes: readonly IndexKey[]
  readonly viewport: Viewport
  readonly version: number
  readonly palette: IndexingPalette
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly measure: BudgetMeasure
  /** The set cursor; null: none is. */
  readonly atTicks: Ticks | null
  readonly describedBy: string
  readonly onAt: (at: Ticks | null) => void
  readonly onWidth: (widthPx: number) => void
  readonly onContent: (heightPx: number) => void
}

/** The machine, all budgets and each of them over one clock. A click sets the cursor at which the bar is read. */
export function BudgetTimeline(props: BudgetTimelineProps): ReactNode {
  const { viewport, palette, clock, atTicks, version } = props
  const { scale, rule } = viewport
  const { startTicks, endTicks } = scale.range
  const lanesRef = useRef<LanePlotHandle>(null)
  const [sight, setSight] = useState<LaneSight>({ scrollPx: 0, heightPx: 0, widthPx: 0 })
  const [pointed, setPointed] = useState<{ readonly hit: BudgetHit; readonly at: Point } | null>(null)
  const { scrollPx, heightPx } = sight

  const { columns, error } = useBudgets(props.indexes, scale, rule, version)
  const memory = useMemory(props.sources, scale, rule, version)
  const ranked = columns === null ? [] : rankSeries(columns, startTicks, endTicks, (key) => splitIndexKey(key).name)
  const stack = columns === null ? null : stackSeries(columns, ranked, props.measure, startTicks, endTicks)
  const layout = layoutBudgets(ranked)
  const { onContent } = props
  useEffect(() => onContent(layout.heightPx), [onContent, layout.heightPx])

  const stepsOf = new Map<string, BudgetStep[]>()
  for (const step of columns?.answer.steps ?? []) {
    const own = stepsOf.get(step.index)
    if (own === undefined) stepsOf.set(step.index, [step])
    else own.push(step)
  }
  const picture: BudgetPicture = {
    ...layout,
    scale,
    scrollPx,
    columns,
    stack,
    memory: memory.answer,
    stepsOf,
    palette,
    clock,
    known: props.known,
  }
  const draw = (context: CanvasRenderingContext2D): void => drawPlot(context, heightPx + AXIS_PX, picture)
  const overlay = (context: CanvasRenderingContext2D, _frame: unknown, hover: Hover<BudgetHit> | null): void => {
    drawSetCursor(context, { scale, tokens: palette.tokens }, atTicks, heightPx + AXIS_PX)
    if (hover !== null) drawCursor(context, { scale, tokens: palette.tokens }, heightPx + AXIS_PX, hover.at.xPx, clock)
  }
  const keys = (event: React.KeyboardEvent<HTMLElement>): Record<string, () => void> => {
    const step = (by: 1 | -1): void => {
      if (atTicks === null || event.shiftKey) viewport.pan(by * scale.widthPx * 0.15)
      else props.onAt(Math.round(atTicks + by * scale.ticksPerPx * 4) as Ticks)
    }
    const begin = (): void => props.onAt(scale.toTicks(scale.widthPx / 2))
    const anchorPx = atTicks === null ? undefined : scale.toPx(atTicks)
    return {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      ArrowUp: () => lanesRef.current?.scrollBy(-60),
      ArrowDown: () => lanesRef.current?.scrollBy(60),
      a: () => viewport.pan(-scale.widthPx * 0.15),
      d: () => viewport.pan(scale.widthPx * 0.15),
      w: () => viewport.zoom(0.7, anchorPx),
      s: () => viewport.zoom(1 / 0.7, anchorPx),
      '+': () => viewport.zoom(0.7, anchorPx),
      '=': () => viewport.zoom(0.7, anchorPx),
      '-': () => viewport.zoom(1 / 0.7, anchorPx),
      '0': viewport.fit,
      Home: () => viewport.pan(-1e9),
      End: viewport.goLive,
      m: begin,
      Enter: begin,
      Escape: () => props.onAt(null),
    }
  }

  return (
    <LanePlot<BudgetHit>
      handle={lanesRef}
      label="Memory budgets"
      describedBy={props.describedBy}
      contentPx={layout.heightPx}
      gutter={
        <BudgetGutter
          rows={visibleSlice(layout.rows, scrollPx, scrollPx + heightPx)}
          scrollPx={scrollPx}
          stack={stack}
          palette={palette}
        />
      }
      draw={draw}
      drawOverlay={overlay}
      hitTest={(at) => hitTestBudgets(picture, at)}
      keys={keys}
      onPoint={setPointed}
      onClick={({ hit }) => (hit === null ? undefined : props.onAt(Math.round(hit.atTicks) as Ticks))}
      onPan={viewport.pan}
      onZoom={viewport.zoom}
      onSight={(next) => {
        setSight(next)
        props.onWidth(next.widthPx)
      }}
    >
      {pointed === null ? null : (
        <HoverBox at={pointed.at}>
          <BudgetFacts hit={pointed.hit} picture={picture} clock={clock} />
          <p className={card.hint}>Click sets the cursor</p>
        </HoverBox>
      )}
      <p className={hidden.visuallyHidden} aria-live="polite">
        {atTicks === null ? '' : `Cursor at ${formatDateTime(atTicks, clock, 3)}`}
        {error === null ? '' : error.message}
      </p>
    </LanePlot>
  )
}
