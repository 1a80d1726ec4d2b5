import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { Ticks, TimeRange } from '../../base/ticks.ts'
import styles from './Overview.module.css'
import { MIN_SPAN_TICKS } from '../scale.ts'
import { Stage, type Draw } from '../canvas/stage.ts'

export interface OverviewProps {
  readonly label: string
  /** Range of all data. The strip shows it as a whole, linearly. */
  readonly extent: TimeRange
  /** Range in view; may lag behind a movement. */
  readonly range: TimeRange
  readonly draw: Draw
  /** A range, or a function from the range in view at that moment. */
  readonly onRange: (next: TimeRange | ((now: TimeRange) => TimeRange)) => void
  readonly onWidth: (widthPx: number) => void
  /** Describes a point in time for the sliders. */
  readonly describe: (at: Ticks) => string
}

type Grip = 'start' | 'end' | 'window' | 'brush'

/** Minimum width of the drawn window, so that it stays visible and can be dragged. */
const MIN_WINDOW_PX = 6
/** Width of the grips at its ends, CSS px, the least of WCAG for a target. */
const GRIP_PX = 24
const KEY_STEP = 0.01
const PAGE_STEP = 0.1

const shares = (extent: TimeRange, range: TimeRange): { left: number; right: number } => {
  const span = Math.max(1, extent.endTicks - extent.startTicks)
  const share = (at: number): number => Math.max(0, Math.min(1, (at - extent.startTicks) / span))
  return { left: share(range.startTicks), right: share(range.endTicks) }
}

/**
 * Place of a grip: around its end of the window, but inside the strip, and beside the other grip where the window is narrower
 * than a grip. So each can be pressed over its whole width.
 */
function gripAt(grip: 'start' | 'end', left: number, right: number): { readonly left: string } {
  const middle = `${(left + right) * 50}%`
  return {
    left:
      grip === 'start'
        ? `max(0px, min(${left * 100}% - ${GRIP_PX / 2}px, ${middle} - ${GRIP_PX}px, 100% - ${2 * GRIP_PX}px))`
        : `min(100% - ${GRIP_PX}px, max(${right * 100}% - ${GRIP_PX / 2}px, ${middle}, ${GRIP_PX}px))`,
  }
}

/** The range with one end moved by that many ticks; the ends never cross. */
export function moveGrip(
  range: TimeRange,
  extent: TimeRange,
  grip: Exclude<Grip, 'brush'>,
  byTicks: number,
): TimeRange {
  const { startTicks, endTicks } = range
  if (grip === 'start')
    return {
      startTicks: Math.max(extent.startTicks, Math.min(endTicks - MIN_SPAN_TICKS, startTicks + byTicks)) as Ticks,
      endTicks,
    }
  if (grip === 'end')
    return {
      startTicks,
      endTicks: Math.min(extent.endTicks, Math.max(startTicks + MIN_SPAN_TICKS, endTicks + byTicks)) as Ticks,
    }
  const by = Math.max(
    Math.min(0, extent.startTicks - startTicks),
    Math.min(Math.max(0, extent.endTicks - endTicks), byTicks),
  )
  return { startTicks: (startTicks + by) as Ticks, endTicks: (endTicks + by) as Ticks }
}

/** Strip of the whole capture with a window for the range in view: drag the window or its ends, or draw a new one. */
export function Overview({ label, extent, range, draw, onRange, onWidth, describe }: OverviewProps): React.ReactNode {
  const hostRef = useRef<HTMLDivElement>(null)
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const stageRef = useRef<Stage | null>(null)
  const onWidthRef = useRef(onWidth)
  const [drag, setDrag] = useState<{
    readonly grip: Grip
    readonly fromTicks: number
    readonly range: TimeRange
    /** Range as changed by the drag so far. */
    readonly to: TimeRange
  } | null>(null)
  /** Shown until the range in view follows. */
  const [released, setReleased] = useState<{ readonly to: TimeRange; readonly before: TimeRange } | null>(null)
  useLayoutEffect(() => {
    onWidthRef.current = onWidth
  })
  useLayoutEffect(() => {
    if (hostRef.current === null || canvasRef.current === null) return undefined
    const stage = new Stage(hostRef.current, { marks: canvasRef.current }, (frame) => onWidthRef.current(frame.widthPx))
    stageRef.current = stage
    return () => stage.dispose()
  }, [])
  useEffect(() => stageRef.current?.setDraw('marks', draw), [draw])

  const spanTicks = extent.endTicks - extent.startTicks
  const ticksAt = (event: PointerEvent): number => {
    const box = hostRef.current?.getBoundingClientRect()
    return box === undefined || box.width === 0
      ? extent.startTicks
      : extent.startTicks + ((event.clientX - box.left) / box.width) * spanTicks
  }
  const grab = (event: PointerEvent<HTMLElement>, grip: Grip): void => {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ grip, fromTicks: ticksAt(event), range, to: range })
  }
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (drag === null) return
    const at = ticksAt(event)
    if (drag.grip === 'brush' && Math.abs(at - drag.fromTicks) <= spanTicks * 0.004) return
    const to =
      drag.grip === 'brush'
        ? {
            startTicks: Math.max(extent.startTicks, Math.min(at, drag.fromTicks)) as Ticks,
            endTicks: Math.min(extent.endTicks, Math.max(at, drag.fromTicks)) as Ticks,
          }
        : moveGrip(drag.range, extent, drag.grip, at - drag.fromTicks)
    setDrag({ ...drag, to })
    onRange(to)
  }
  const release = (event: PointerEvent<HTMLElement>): void => {
    if (drag === null) return
    // A click beside the window moves the window there.
    const isClick = drag.to === drag.range && event.type === 'pointerup'
    if (drag.grip === 'brush' && isClick)
      onRange(
        moveGrip(drag.range, extent, 'window', drag.fromTicks - (drag.range.startTicks + drag.range.endTicks) / 2),
      )
    else setReleased({ to: drag.to, before: range })
    setDrag(null)
  }
  const press = (event: KeyboardEvent, grip: Exclude<Grip, 'brush'>): void => {
    const step = {
      ArrowLeft: -KEY_STEP,
      ArrowRight: KEY_STEP,
      ArrowDown: -KEY_STEP,
      ArrowUp: KEY_STEP,
      PageDown: -PAGE_STEP,
      PageUp: PAGE_STEP,
      Home: -1,
      End: 1,
    }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onRange((now) => moveGrip(now, extent, grip, step * spanTicks))
  }

  const shown = drag?.to ?? (released?.before === range ? released.to : range)
  const { left, right } = shares(extent, shown)
  const slider = (grip: Exclude<Grip, 'brush'>, name: string, at: Ticks, valueText: string): React.ReactNode => (
    <div
      key={grip}
      className={grip === 'window' ? styles.window : grip === 'start' ? styles.start : styles.end}
      style={grip === 'window' ? undefined : gripAt(grip, left, right)}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(((at - extent.startTicks) / Math.max(1, spanTicks)) * 1000) / 10}
      aria-valuetext={valueText}
      onPointerDown={(event) => grab(event, grip)}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={(event) => press(event, grip)}
    />
  )
  return (
    <div
      ref={hostRef}
      className={styles.strip}
      role="group"
      aria-label={label}
      onPointerDown={(event) => grab(event, 'brush')}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <canvas ref={canvasRef} className={styles.canvas} />
      <div className={styles.shade} style={{ left: 0, width: `${left * 100}%` }} />
      <div className={styles.shade} style={{ left: `${right * 100}%`, right: 0 }} />
      <div
        className={styles.frame}
        style={{
          left: `min(${left * 100}%, 100% - ${MIN_WINDOW_PX}px)`,
          width: `max(${MIN_WINDOW_PX}px, ${(right - left) * 100}%)`,
        }}
      >
        {slider(
          'window',
          'Range in view',
          ((shown.startTicks + shown.endTicks) / 2) as Ticks,
          `${describe(shown.startTicks)} to ${describe(shown.endTicks)}`,
        )}
      </div>
      {slider('start', 'Start of range', shown.startTicks, describe(shown.startTicks))}
      {slider('end', 'End of range', shown.endTicks, describe(shown.endTicks))}
    </div>
  )
}
