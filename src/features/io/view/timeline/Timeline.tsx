import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { Clock } from '../../../../base/text/format.ts'
import { formatBytes, formatDateTime, formatDuration } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import type { Gap, SourceId } from '../../../../capture/client/state.ts'
import type { Viewport } from '../../../../capture/frame/useViewport.ts'
import { AXIS_PX } from '../../../../charts/timeline/axis-picture.ts'
import type { Hover } from '../../../../charts/canvas/CanvasHost.tsx'
import type { Point } from '../../../../charts/canvas/gestures.ts'
import { LanePlot, type LanePlotHandle, type LaneSight } from '../../../../charts/timeline/LanePlot.tsx'
import { drawOverlay } from './draw-overlay.ts'
import { drawPlot, type IoPicture } from './draw.ts'
import { layoutGaps } from '../gaps.ts'
import { Gutter } from './Gutter.tsx'
import { hitTestPicture, type IoHit, type MarkHit } from './hits.ts'
import { HoverCard } from '../details/HoverCard.tsx'
import { kindLook } from './kinds.ts'
import { visibleSlice } from '../../../../charts/timeline/visible-slice.ts'
import { trackOf, type IoLayout, type LayoutRow } from './layout.ts'
import { firstFocus, stepMark, stepTrack } from './mark-focus.ts'
import type { IoPalette } from './palette.ts'
import type { IoEventRef, IoFilter } from '../../contract.ts'
import type { SizeScale } from '../../../../charts/canvas/size-scale.ts'
import hidden from '../../../../ui/hidden.module.css'
import { useMarks } from '../useIoData.ts'

export interface TimelineProps {
  readonly layout: IoLayout
  readonly viewport: Viewport
  readonly gaps: readonly Gap[]
  readonly filter: IoFilter
  readonly version: number
  readonly palette: IoPalette
  readonly sizes: SizeScale
  readonly clock: Clock
  readonly known: TimeRange | null
  readonly sources: readonly SourceId[]
  readonly selected: IoEventRef | null
  readonly overlaps: readonly IoEventRef[]
  /** Counts up when the selected event should come into sight. */
  readonly reveal: number
  /** Id of the text that explains the keys. */
  readonly describedBy: string
  readonly onSelect: (ref: IoEventRef | null) => void
  readonly onToggle: (row: LayoutRow) => void
  readonly onWidth: (widthPx: number) => void
}

interface Pointed {
  readonly hit: IoHit
  readonly at: Point
}

/** Rows beyond the edges whose marks are asked for as well, in steps, so that a scroll finds them there. */
const OVERSCAN_PX = 240

/** Lanes, plot and axis. Scrolls like any box; the canvas stays and draws what is in sight. */
export function Timeline(props: TimelineProps): ReactNode {
  const { layout, viewport, palette, sizes, clock, known, selected, overlaps, filter, version } = props
  const { scale, rule } = viewport
  const lanesRef = useRef<LanePlotHandle>(null)
  const [sight, setSight] = useState<LaneSight>({ scrollPx: 0, heightPx: 0, widthPx: 0 })
  const { scrollPx, heightPx } = sight
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const [focus, setFocus] = useState<MarkHit | null>(null)

  const from = Math.floor(scrollPx / OVERSCAN_PX) * OVERSCAN_PX - OVERSCAN_PX
  const to = Math.ceil((scrollPx + heightPx) / OVERSCAN_PX) * OVERSCAN_PX + OVERSCAN_PX
  const { marks, error } = useMarks(
    sight.widthPx > 0 ? visibleSlice(layout.tracks, from, to) : [],
    scale,
    rule,
    filter,
    version,
  )
  const bands = layoutGaps(layout, props.gaps)
  const picture: IoPicture = { layout, scale, marks, gaps: bands, scrollPx, palette, sizes, clock, known }

  const draw = (context: CanvasRenderingContext2D): void => drawPlot(context, heightPx + AXIS_PX, picture)
  const overlay = (context: CanvasRenderingContext2D, _frame: unknown, hover: Hover<IoHit> | null): void => {
    const mark = hover?.hit?.type === 'mark' ? hover.hit : null
    drawOverlay(context, heightPx + AXIS_PX, {
      picture,
      cursorPx: hover?.at.xPx ?? null,
      hovered: mark,
      focused: focus,
      selected,
      overlaps,
    })
  }

  const { reveal } = props
  const layoutRef = useRef(layout)
  useLayoutEffect(() => {
    layoutRef.current = layout
  })
  useEffect(() => {
    if (reveal === 0 || selected === null) return
    const track = trackOf(layoutRef.current, selected.lane, selected.kind)
    if (track !== null) lanesRef.current?.show(track.topPx, track.heightPx, true)
  }, [reveal, selected])

  const focusOn = (next: MarkHit | null): void => {
    if (next === null) return
    setFocus(next)
    setPointed(null)
    viewport.reveal(next.startTicks, next.durationTicks)
    lanesRef.current?.show(next.track.topPx, next.track.heightPx)
  }
  const anchorPx = focus === null ? undefined : scale.toPx(focus.startTicks + focus.durationTicks / 2)
  const inSight = new Set(visibleSlice(layout.tracks, scrollPx, scrollPx + heightPx).map((track) => track.key))

  const keys = (event: React.KeyboardEvent<HTMLElement>): Record<string, () => void> => {
    const step = (by: 1 | -1): void => {
      if (focus === null || event.shiftKey) viewport.pan(by * scale.widthPx * 0.15)
      else focusOn(stepMark(marks, focus, by))
    }
    const scroll = (by: 1 | -1): void => {
      if (focus !== null) focusOn(stepTrack(layout, marks, focus, by))
      else lanesRef.current?.scrollBy(by * 60)
    }
    const begin = (): void => focusOn(firstFocus(layout, marks, scale.range.startTicks, scale.range.endTicks, inSight))
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
      Enter: () => (focus === null ? begin() : props.onSelect(focus.ref)),
      Escape: () => (focus === null ? props.onSelect(null) : setFocus(null)),
    }
  }

  return (
    <LanePlot<IoHit>
      handle={lanesRef}
      label="I/O timeline"
      describedBy={props.describedBy}
      contentPx={layout.heightPx}
      gutter={
        <Gutter
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
      onClick={({ hit }) => {
        setFocus(hit?.type === 'mark' ? hit : null)
        props.onSelect(hit?.type === 'mark' ? hit.ref : null)
      }}
      onPan={viewport.pan}
      onZoom={viewport.zoom}
      onSight={(next) => {
        setSight(next)
        props.onWidth(next.widthPx)
      }}
    >
      {pointed === null ? null : (
        <HoverCard hit={pointed.hit} at={pointed.at} sources={props.sources} version={version} clock={clock} />
      )}
      <p className={hidden.visuallyHidden} aria-live="polite">
        {focus === null
          ? ''
          : `${kindLook(focus.ref.kind).title} on ${focus.track.lane.label}, ${formatDateTime(focus.startTicks, clock, 7)}, ${formatDuration(focus.durationTicks)}, ${formatBytes(focus.ref.sizeBytes)}. Enter pins it.`}
        {error === null ? '' : error.message}
      </p>
    </LanePlot>
  )
}
