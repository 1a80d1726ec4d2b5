import { useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { AXIS_PX } from '../axis-picture.ts'
import { CanvasHost, type CanvasHostProps, type Hover } from '../../canvas/CanvasHost.tsx'
import type { Point } from '../../canvas/gestures.ts'
import type { LaneSight } from './near-sight.ts'
import styles from './LanePlot.module.css'

/** Scrolls the lanes from outside. */
export interface LanePlotHandle {
  /** Scrolls a part of the content (below the axis) into view, by as little as possible or into the middle. */
  readonly show: (topPx: number, heightPx: number, middle?: boolean) => void
  readonly scrollBy: (dyPx: number) => void
}

export interface LanePlotProps<Hit> extends Pick<
  CanvasHostProps<Hit>,
  'label' | 'describedBy' | 'draw' | 'drawOverlay' | 'watchOverlay' | 'hitTest' | 'onZoom'
> {
  readonly handle?: Ref<LanePlotHandle>
  readonly contentPx: number
  readonly onSight: (sight: LaneSight) => void
  /** Names of the rows, beside the plot; null: only the plot, as high as its box. */
  readonly gutter: ReactNode
  readonly gutterLabel?: string
  /** Without an axis: that of the timeline above applies. */
  readonly isBelow?: boolean
  /** Position of the pointer in the plot; null: it has left. */
  readonly onCursor?: (xPx: number | null) => void
  /** `at` in window coordinates. Null: nothing is under the pointer. */
  readonly onPoint: (pointed: { readonly hit: Hit; readonly at: Point } | null) => void
  readonly onClick: (hover: Hover<Hit>, shift: boolean) => void
  readonly onPan: (dxPx: number) => void
  /** Handlers by `event.key`, without Ctrl, Alt and Meta. */
  readonly keys: (event: KeyboardEvent<HTMLElement>) => Readonly<Record<string, () => void>>
  /** Content drawn over the plot. */
  readonly above?: ReactNode
  /** Hover card and announcements. */
  readonly children?: ReactNode
}

const GAP_PX = 8

/** Names and plot of the lanes. Scrolls as a normal box; the canvas stays in place and draws what is in view. */
export function LanePlot<Hit>(props: LanePlotProps<Hit>): ReactNode {
  const scrollerRef = useRef<HTMLDivElement>(null)
  const plotRef = useRef<HTMLDivElement>(null)
  const shiftRef = useRef(false)
  const isAlone = props.gutter === null
  // The canvas keeps its axis, above the visible part, so that positions on it are the same for all timelines.
  const hiddenPx = props.isBelow === true ? AXIS_PX : 0
  const [scrollPx, setScrollPx] = useState(0)
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 })
  const tell = (nextScrollPx: number, frame: { widthPx: number; heightPx: number }): void =>
    props.onSight({
      scrollPx: nextScrollPx,
      heightPx: Math.max(0, frame.heightPx - AXIS_PX),
      widthPx: frame.widthPx,
    })

  useImperativeHandle(props.handle, () => ({
    show: (topPx, heightPx, middle = false) => {
      const scroller = scrollerRef.current
      if (scroller === null) return
      const sightPx = scroller.clientHeight - AXIS_PX + hiddenPx
      const inSight = topPx >= scroller.scrollTop && topPx + heightPx <= scroller.scrollTop + sightPx
      if (inSight) return
      if (middle) scroller.scrollTop = Math.max(0, topPx - sightPx / 2)
      else if (topPx < scroller.scrollTop) scroller.scrollTop = topPx - GAP_PX
      else scroller.scrollTop = topPx + heightPx - sightPx + GAP_PX
    },
    scrollBy: (dyPx) => {
      if (scrollerRef.current !== null) scrollerRef.current.scrollTop += dyPx
    },
  }))

  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = props.keys(event)[event.key]
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  const hovered = (hover: Hover<Hit> | null): void => {
    props.onCursor?.(hover?.at.xPx ?? null)
    const box = plotRef.current?.getBoundingClientRect()
    if (hover === null || hover.hit === null || box === undefined) props.onPoint(null)
    else props.onPoint({ hit: hover.hit, at: { xPx: hover.at.xPx + box.left, yPx: hover.at.yPx + box.top } })
  }

  return (
    <div
      ref={scrollerRef}
      className={[styles.scroller, isAlone ? styles.bare : '', hiddenPx > 0 ? styles.below : ''].join(' ')}
      onPointerDownCapture={(event) => {
        shiftRef.current = event.shiftKey
      }}
      onScroll={(event) => {
        setScrollPx(event.currentTarget.scrollTop)
        tell(event.currentTarget.scrollTop, size)
      }}
      tabIndex={-1}
    >
      <div style={isAlone ? undefined : { height: props.contentPx + AXIS_PX + 1, marginTop: -hiddenPx }}>
        <div
          className={isAlone ? `${styles.sticky} ${styles.alone}` : styles.sticky}
          style={hiddenPx === 0 ? undefined : { top: -hiddenPx, height: `calc(100cqh + ${String(hiddenPx)}px)` }}
        >
          {isAlone ? null : (
            <div className={styles.gutter} role="group" aria-label={props.gutterLabel ?? 'Lanes'}>
              <div className={styles.rows} style={{ top: AXIS_PX }}>
                {props.gutter}
              </div>
              <div className={styles.corner} style={{ height: AXIS_PX }} />
            </div>
          )}
          <div ref={plotRef} className={styles.plot}>
            <CanvasHost<Hit>
              label={props.label}
              {...(props.describedBy === undefined ? {} : { describedBy: props.describedBy })}
              draw={props.draw}
              drawOverlay={props.drawOverlay}
              {...(props.watchOverlay === undefined ? {} : { watchOverlay: props.watchOverlay })}
              hitTest={props.hitTest}
              onHover={hovered}
              onClick={(hover) => props.onClick(hover, shiftRef.current)}
              onPan={(dxPx, dyPx) => {
                if (dxPx !== 0) props.onPan(-dxPx)
                if (dyPx !== 0 && scrollerRef.current !== null) scrollerRef.current.scrollTop -= dyPx
              }}
              onZoom={props.onZoom}
              onGestureEnd={() => undefined}
              onKeyDown={press}
              onSize={(frame) => {
                setSize(frame)
                tell(scrollPx, frame)
              }}
            />
            {props.above}
          </div>
        </div>
      </div>
      {props.children}
    </div>
  )
}
