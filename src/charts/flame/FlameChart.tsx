import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { CanvasHost, type Hover } from '../canvas/CanvasHost.tsx'
import styles from './FlameChart.module.css'
import { hitTestBoxes, middleOf, type FlameBoxes } from './flame-boxes.ts'
import { drawFlame, levelAt, levelTop, outlineBox, ROW_PX, type FlameLook, type FlamePicture } from './flame-draw.ts'
import { flameMove } from './flame-keys.ts'
import { panWindow, revealIn, WHOLE, zoomWindow, type FlameWindow } from './flame-window.ts'
import { useFlameNeed, type FlameNeed } from './useFlameNeed.ts'
import type { Point } from '../canvas/gestures.ts'
import { HoverBox } from '../canvas/HoverBox.tsx'
import type { CanvasTokens } from '../canvas/tokens.ts'

export interface FlameChartProps {
  /** Accessible name. */
  readonly label: string
  readonly describedBy?: string
  readonly boxes: FlameBoxes
  /** Number of levels of the whole graph, loaded or not. */
  readonly levels: number
  /** A new key means a new graph, which is shown as a whole. */
  readonly graphKey: string
  /** Id of a box, stable over responses; −1: the box stands for several frames. */
  readonly idOf: (box: number) => number
  readonly lookOf: (box: number) => FlameLook
  readonly labelOf: (box: number) => string
  /** Sentence that describes a box for screen readers. */
  readonly describe: (box: number) => string
  /** Content of the card beside the pointer. */
  readonly renderCard: (box: number) => ReactNode
  /** Id of the selected box; null: none. */
  readonly selected: number | null
  readonly upwards: boolean
  readonly tokens: CanvasTokens
  readonly onNeed: (need: FlameNeed) => void
  /** Called at a click or Enter on a box. */
  readonly onEnter: (box: number) => void
  /** Called at Escape: one step towards the root. */
  readonly onOut: () => void
  /** Shows the whole graph. */
  readonly onAll: () => void
}

interface Pointed {
  readonly box: number
  readonly id: number
  readonly at: Point
  /** The boxes that the index `box` belongs to. */
  readonly of: FlameBoxes
}

interface Moved {
  readonly window: FlameWindow
  readonly graphKey: string
}

/** Distance at which a thin box beside the pointer is still hit. */
const SLACK_PX = 2

/**
 * Flame graph or icicle of any size; only the part in view is loaded. A click enters a box, the wheel zooms at the
 * pointer, a drag pans; each has a key as well.
 */
export function FlameChart(props: FlameChartProps): ReactNode {
  const { boxes, graphKey, upwards, tokens, selected, idOf } = props
  const scrollerRef = useRef<HTMLDivElement>(null)
  const plotRef = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 })
  const [scrollPx, setScrollPx] = useState(0)
  const [moved, setMoved] = useState<Moved | null>(null)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const [focusId, setFocusId] = useState<number | null>(null)

  const window = moved?.graphKey === graphKey ? moved.window : WHOLE
  const contentPx = Math.max(size.heightPx, props.levels * ROW_PX)
  const picture: FlamePicture = {
    boxes,
    window,
    widthPx: size.widthPx,
    lookOf: props.lookOf,
    labelOf: props.labelOf,
    tokens,
    contentPx,
    scrollPx,
    upwards,
  }
  const boxOf = (id: number | null): number | null => {
    if (id === null || id < 0) return null
    for (let box = 0; box < boxes.length; box++) if (idOf(box) === id) return box
    return null
  }
  const focus = boxOf(focusId)
  const pointedBox = pointed === null ? null : pointed.of === boxes ? pointed.box : boxOf(pointed.id)

  useFlameNeed(picture, size.heightPx, props.onNeed)

  // A flame graph is read from the bottom up, so it starts scrolled to the bottom.
  useLayoutEffect(() => {
    const scroller = scrollerRef.current
    if (scroller !== null && graphKey !== '') scroller.scrollTop = upwards ? scroller.scrollHeight : 0
  }, [upwards, graphKey])

  const move = (next: (from: FlameWindow) => FlameWindow): void =>
    setMoved((before) => ({ window: next(before?.graphKey === graphKey ? before.window : WHOLE), graphKey }))
  const shareAt = (xPx: number): number =>
    window.start + (xPx / Math.max(1, size.widthPx)) * (window.end - window.start)
  const hitTest = (at: Point): number | null => {
    const slack = (SLACK_PX / Math.max(1, size.widthPx)) * (window.end - window.start)
    const box = hitTestBoxes(boxes, levelAt(picture, at.yPx), shareAt(at.xPx), slack)
    return box < 0 ? null : box
  }

  const focusOn = (box: number): void => {
    setFocusId(idOf(box))
    setPointed(null)
    move((from) => revealIn(from, boxes.startShare[box] ?? 0, boxes.endShare[box] ?? 0))
    const scroller = scrollerRef.current
    if (scroller === null) return
    const topPx = levelTop({ upwards, contentPx, scrollPx: 0 }, boxes.depth[box] ?? 0)
    if (topPx < scroller.scrollTop) scroller.scrollTop = topPx
    else if (topPx + ROW_PX > scroller.scrollTop + size.heightPx) scroller.scrollTop = topPx + ROW_PX - size.heightPx
  }

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = flameMove(boxes, event.key, focus, boxOf(selected) ?? (boxes.length > 0 ? 0 : null), upwards)
    if (step === null) return
    event.preventDefault()
    event.stopPropagation()
    switch (step.type) {
      case 'focus':
        return focusOn(step.box)
      case 'zoom': {
        const middle = focus === null ? null : middleOf(boxes, focus)
        const anchor = middle === null ? 0.5 : (middle - window.start) / (window.end - window.start)
        return move((from) => zoomWindow(from, Math.max(0, Math.min(1, anchor)), step.factor))
      }
      case 'pan':
        return move((from) => panWindow(from, step.share))
      case 'enter':
        return focus === null ? undefined : props.onEnter(focus)
      case 'out':
        return props.onOut()
      case 'all':
        setMoved(null)
        return props.onAll()
    }
  }

  const hovered = (hover: Hover<number> | null): void => {
    const box = plotRef.current?.getBoundingClientRect()
    if (hover === null || hover.hit === null || box === undefined) setPointed(null)
    else
      setPointed({
        box: hover.hit,
        id: idOf(hover.hit),
        of: boxes,
        at: { xPx: hover.at.xPx + box.left, yPx: hover.at.yPx + box.top },
      })
  }
  const draw = (context: CanvasRenderingContext2D): void => drawFlame(context, size.heightPx, picture)
  const overlay = (context: CanvasRenderingContext2D, _frame: unknown, hover: Hover<number> | null): void => {
    const chosen = boxOf(selected)
    if (chosen !== null) outlineBox(context, picture, chosen, tokens.accent, 2)
    if (focus !== null) outlineBox(context, picture, focus, tokens.focus, 2.5)
    if (hover !== null && hover.hit !== null) outlineBox(context, picture, hover.hit, tokens.fg, 1.5)
  }

  return (
    <div
      ref={scrollerRef}
      className={styles.scroller}
      tabIndex={-1}
      onScroll={(event) => setScrollPx(event.currentTarget.scrollTop)}
    >
      <div style={{ height: contentPx }}>
        <div ref={plotRef} className={styles.plot}>
          <CanvasHost<number>
            label={props.label}
            {...(props.describedBy === undefined ? {} : { describedBy: props.describedBy })}
            draw={draw}
            drawOverlay={overlay}
            hitTest={hitTest}
            onHover={hovered}
            onClick={({ hit }) => {
              setFocusId(null)
              setPointed(null)
              if (hit !== null) props.onEnter(hit)
            }}
            onPan={(dxPx, dyPx) => {
              if (dxPx !== 0) move((from) => panWindow(from, -dxPx / Math.max(1, size.widthPx)))
              if (dyPx !== 0 && scrollerRef.current !== null) scrollerRef.current.scrollTop -= dyPx
            }}
            onZoom={(factor, anchorPx) =>
              move((from) => zoomWindow(from, anchorPx / Math.max(1, size.widthPx), factor))
            }
            onGestureEnd={() => undefined}
            onKeyDown={press}
            onSize={setSize}
          />
        </div>
      </div>
      {pointed === null || pointedBox === null ? null : (
        <HoverBox at={pointed.at}>{props.renderCard(pointedBox)}</HoverBox>
      )}
      <p className="spoken" aria-live="polite">
        {focus === null ? '' : props.describe(focus)}
      </p>
    </div>
  )
}
