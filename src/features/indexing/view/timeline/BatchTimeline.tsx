import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { formatDateTime, formatDuration, formatPlural, type Clock } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap } from '../../../../capture/client/state.ts'
import type { Viewport } from '../../../../capture/frame/useViewport.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import type { Hover } from '../../../../charts/canvas/CanvasHost.tsx'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { HoverBox } from '../../../../charts/canvas/HoverBox.tsx'
import { LanePlot, type LanePlotHandle, type LaneSight } from '../../../../charts/timeline/lanes/LanePlot.tsx'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { firstFocus, stepBatch, stepLane } from './batch-focus.ts'
import { HitFacts } from '../details/BatchFacts.tsx'
import styles from '../details/card.module.css'
import { drawOverlay } from './draw-overlay.ts'
import { drawPlot, type BatchPicture } from './draw.ts'
import { hitTestPicture, type BatchHit, type IndexingHit } from './hits.ts'
import { LaneGutter } from './LaneGutter.tsx'
import { chooseLanePx, layoutGaps, layoutLanes, rowOf, type LaneRow } from './layout.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingSettings } from '../params.ts'
import type { BatchRef } from '../../contract/batches.ts'
import type { IndexInfo } from '../../contract/indexes.ts'
import { STATE_LOOKS } from '../states.ts'
import lanes from './timeline.module.css'
import { useCard, useIcicles, useMarks } from '../useIndexingData.ts'

export interface BatchTimelineProps {
  readonly indexes: readonly IndexInfo[]
  readonly settings: IndexingSettings
  readonly viewport: Viewport
  readonly gaps: readonly Gap[]
  readonly version: number
  readonly palette: IndexingPalette
  readonly sizes: SizeScale
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly sources: readonly string[]
  readonly selected: { readonly ref: BatchRef; readonly durationTicks: number } | null
  /** Counts up when the selected batch should come into sight. */
  readonly reveal: number
  /** Id of the text that explains the keys. */
  readonly describedBy: string
  readonly onSelect: (ref: BatchRef | null) => void
  readonly onToggle: (row: LaneRow) => void
  readonly onWidth: (widthPx: number) => void
  readonly onContent: (heightPx: number) => void
}

/** Lanes beyond the edges whose batches are asked for as well, in steps, so that a scroll finds them there. */
const OVERSCAN_PX = 240

/** Lanes of batches, and in expanded ones their operations. */
export function BatchTimeline(props: BatchTimelineProps): ReactNode {
  const { indexes, settings, viewport, palette, sizes, clock, known, selected, version } = props
  const { scale, rule } = viewport
  const lanesRef = useRef<LanePlotHandle>(null)
  const [sight, setSight] = useState<LaneSight>({ scrollPx: 0, heightPx: 0, widthPx: 0 })
  const [pointed, setPointed] = useState<{ readonly hit: IndexingHit; readonly at: Point } | null>(null)
  const [focus, setFocus] = useState<BatchHit | null>(null)
  const { scrollPx, heightPx } = sight

  const open = indexes.filter((index) => settings.open.has(index.key)).map((index) => index.key)
  const icicles = useIcicles(sight.widthPx > 0 ? open : [], scale, rule, settings.filter, version)
  const lanePx = chooseLanePx(indexes.length, indexes.length > 12 ? heightPx : 400)
  const { onContent, sources } = props
  // The same one while nothing in it changes, or the names of the lanes would be drawn anew for each frame of a pan.
  const layout = useMemo(() => {
    const depths = new Map([...icicles].map(([key, icicle]) => [key, icicle.depths]))
    return layoutLanes(indexes, sources, settings, depths, lanePx)
  }, [indexes, sources, settings, icicles, lanePx])
  useEffect(() => onContent(layout.heightPx), [onContent, layout.heightPx])

  const from = Math.floor(scrollPx / OVERSCAN_PX) * OVERSCAN_PX - OVERSCAN_PX
  const to = Math.ceil((scrollPx + heightPx) / OVERSCAN_PX) * OVERSCAN_PX + OVERSCAN_PX
  const near = visibleSlice(layout.rows, from, to).flatMap((row) => (row.index === null ? [] : [row.key]))
  const { marks, error } = useMarks(sight.widthPx > 0 ? near : [], scale, rule, settings.filter, version)
  const picture: BatchPicture = {
    layout,
    scale,
    marks,
    icicles,
    gaps: layoutGaps(layout.rows, props.gaps),
    scrollPx,
    palette,
    sizes,
    clock,
    known,
  }
  const draw = (context: CanvasRenderingContext2D): void => drawPlot(context, heightPx + AXIS_PX, picture)
  const overlay = (context: CanvasRenderingContext2D, _frame: unknown, hover: Hover<IndexingHit> | null): void =>
    drawOverlay(context, heightPx + AXIS_PX, {
      picture,
      cursorPx: hover?.at.xPx ?? null,
      hovered: hover?.hit ?? null,
      focused: focus,
      selected,
      atTicks: settings.at,
    })

  const { reveal } = props
  const layoutRef = useRef(layout)
  useLayoutEffect(() => {
    layoutRef.current = layout
  })
  const selectedIndex = selected?.ref.index ?? null
  useEffect(() => {
    const row = reveal === 0 || selectedIndex === null ? null : rowOf(layoutRef.current, selectedIndex)
    if (row !== null) lanesRef.current?.show(row.topPx, row.heightPx, true)
  }, [reveal, selectedIndex])

  const focusedRow = settings.focus === null ? null : rowOf(layout, settings.focus)
  const isLaidOut = focusedRow !== null
  // A link to an index leads to its lane, wherever that is.
  useEffect(() => {
    const row = isLaidOut && settings.focus !== null ? rowOf(layoutRef.current, settings.focus) : null
    if (row !== null) lanesRef.current?.show(row.topPx, row.heightPx, true)
  }, [settings.focus, isLaidOut])

  const focusOn = (next: BatchHit | null): void => {
    if (next === null) return
    setFocus(next)
    setPointed(null)
    viewport.reveal(next.ref.startTicks, next.durationTicks)
    lanesRef.current?.show(next.row.topPx, next.row.heightPx)
  }
  const anchorPx = focus === null ? undefined : scale.toPx(focus.ref.startTicks + focus.durationTicks / 2)
  const keys = (event: React.KeyboardEvent<HTMLElement>): Record<string, () => void> => {
    const step = (by: 1 | -1): void => {
      if (focus === null || event.shiftKey) viewport.pan(by * scale.widthPx * 0.15)
      else focusOn(stepBatch(marks, focus, by))
    }
    const scroll = (by: 1 | -1): void => {
      if (focus !== null) focusOn(stepLane(layout.rows, marks, focus, by))
      else lanesRef.current?.scrollBy(by * 60)
    }
    const inSight = visibleSlice(layout.rows, scrollPx, scrollPx + heightPx)
    const begin = (): void => focusOn(firstFocus(inSight, marks, scale.range.startTicks, scale.range.endTicks))
    return {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      ArrowUp: () => scroll(-1),
      ArrowDown: () => scroll(1),
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
      o: () => (focus === null ? undefined : props.onToggle(focus.row)),
      Enter: () => (focus === null ? begin() : props.onSelect(focus.ref)),
      Escape: () => (focus === null ? props.onSelect(null) : setFocus(null)),
    }
  }
  const select = (hit: IndexingHit | null): void => {
    setFocus(hit?.type === 'batch' ? hit : null)
    props.onSelect(hit?.type === 'batch' || hit?.type === 'operation' ? hit.ref : null)
  }

  return (
    <LanePlot<IndexingHit>
      handle={lanesRef}
      label="Index batches"
      describedBy={props.describedBy}
      contentPx={layout.heightPx}
      gutter={
        <LaneGutter
          rows={visibleSlice(layout.rows, scrollPx, scrollPx + heightPx)}
          scrollPx={scrollPx}
          onToggle={props.onToggle}
        />
      }
      draw={draw}
      drawOverlay={overlay}
      hitTest={(at) => hitTestPicture(picture, at)}
      keys={keys}
      onPoint={setPointed}
      onClick={({ hit }) => select(hit)}
      onPan={viewport.pan}
      onZoom={viewport.zoom}
      onSight={(next) => {
        setSight(next)
        props.onWidth(next.widthPx)
      }}
    >
      {pointed === null ? null : (
        <HoverBox at={pointed.at}>
          <Hovered hit={pointed.hit} version={version} clock={clock} palette={palette} />
        </HoverBox>
      )}
      <p className={lanes.spoken} aria-live="polite">
        {focus === null ? '' : `${describeFocus(focus, clock)} Enter pins it, O opens its lane.`}
        {error === null ? '' : error.message}
      </p>
    </LanePlot>
  )
}

const describeFocus = (focus: BatchHit, clock: Clock): string =>
  `Batch ${focus.ref.id} of ${focus.row.label}, ${STATE_LOOKS[focus.state].title.toLowerCase()}, ${formatDateTime(focus.ref.startTicks, clock, 7)}, ${formatDuration(focus.durationTicks)}, ${formatPlural(focus.documents, 'document')}.`

function Hovered({
  hit,
  version,
  clock,
  palette,
}: {
  readonly hit: IndexingHit
  readonly version: number
  readonly clock: Clock
  readonly palette: IndexingPalette
}): ReactNode {
  const { card } = useCard(hit.type === 'batch' ? hit.ref : null, version)
  return (
    <>
      <HitFacts hit={hit} card={card} clock={clock} palette={palette} />
      {hit.type === 'batch' || hit.type === 'operation' ? <p className={styles.hint}>Click pins the batch</p> : null}
    </>
  )
}
