import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import styles from './CanvasHost.module.css'
import { attachGestures, type Point } from './gestures.ts'
import { Stage, type Draw, type Frame } from './stage.ts'

/** Position of the pointer, and the mark under it. */
export interface Hover<Hit> {
  readonly at: Point
  readonly hit: Hit | null
}

export interface CanvasHostProps<Hit> {
  /** Accessible name of the chart. */
  readonly label: string
  /** Id of the text that explains the keyboard. */
  readonly describedBy?: string
  /** Draws the static picture. A new function is a new picture; else only a new size draws again. */
  readonly draw: Draw
  /** Draws cursor, outlines and selection. Called on every move of the pointer, so it must be cheap. */
  readonly drawOverlay: (context: CanvasRenderingContext2D, frame: Frame, hover: Hover<Hit> | null) => void
  /** Subscribes to other changes of the overlay; the result ends it. Must not change between renders. */
  readonly watchOverlay?: (changed: () => void) => () => void
  readonly hitTest: (at: Point) => Hit | null
  /** Called when the mark under the pointer changes, and when the pointer moves over a mark. */
  readonly onHover: (hover: Hover<Hit> | null) => void
  readonly onClick: (hover: Hover<Hit>) => void
  readonly onPan: (dxPx: number, dyPx: number) => void
  readonly onZoom: (factor: number, anchorPx: number) => void
  readonly onGestureEnd: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly onSize: (frame: Frame) => void
}

/**
 * Owns the canvases of a chart: size, pixel ratio, frames, pointer, wheel, pinch and keys. Fills its parent. A chart
 * passes pure functions; the hover state is kept here and reaches React only when its meaning changes.
 */
export function CanvasHost<Hit>(props: CanvasHostProps<Hit>): React.ReactNode {
  const hostRef = useRef<HTMLDivElement>(null)
  const marksRef = useRef<HTMLCanvasElement>(null)
  const overlayRef = useRef<HTMLCanvasElement>(null)
  const stageRef = useRef<Stage | null>(null)
  const hoverRef = useRef<Point | null>(null)
  const latest = useRef(props)

  useLayoutEffect(() => {
    latest.current = props
  })

  useLayoutEffect(() => {
    const [host, marks, overlay] = [hostRef.current, marksRef.current, overlayRef.current]
    if (host === null || marks === null || overlay === null) return
    const stage = new Stage(host, { marks, overlay }, (frame) => latest.current.onSize(frame))
    stageRef.current = stage
    const hoverAt = (at: Point): Hover<Hit> => ({ at, hit: latest.current.hitTest(at) })
    const setHover = (at: Point | null): void => {
      hoverRef.current = at
      latest.current.onHover(at === null ? null : hoverAt(at))
      stage.invalidate('overlay')
    }
    const detach = attachGestures(host, {
      hover: setHover,
      click: (at) => latest.current.onClick(hoverAt(at)),
      pan: (dxPx, dyPx) => latest.current.onPan(dxPx, dyPx),
      zoom: (factor, anchorPx) => latest.current.onZoom(factor, anchorPx),
      done: () => latest.current.onGestureEnd(),
    })
    return () => {
      detach()
      stage.dispose()
      stageRef.current = null
    }
  }, [])

  const { draw, drawOverlay, hitTest, watchOverlay } = props
  useEffect(() => stageRef.current?.setDraw('marks', draw), [draw])
  useEffect(() => {
    // The picture may have moved under a resting pointer: repeat the hit test.
    stageRef.current?.setDraw('overlay', (context, frame) => {
      const at = hoverRef.current
      drawOverlay(context, frame, at === null ? null : { at, hit: hitTest(at) })
    })
  }, [drawOverlay, hitTest])
  useEffect(() => watchOverlay?.(() => stageRef.current?.invalidate('overlay')), [watchOverlay])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application is a widget and takes its keys itself
    <div
      ref={hostRef}
      className={styles.host}
      role="application"
      aria-label={props.label}
      aria-describedby={props.describedBy}
      tabIndex={0}
      onKeyDown={props.onKeyDown}
    >
      <canvas ref={marksRef} className={styles.layer} />
      <canvas ref={overlayRef} className={styles.layer} />
    </div>
  )
}
