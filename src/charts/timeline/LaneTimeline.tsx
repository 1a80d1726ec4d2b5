import { useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject } from 'react'
import { HoverBox } from '../canvas/HoverBox.tsx'
import type { Hover } from '../canvas/CanvasHost.tsx'
import type { Point } from '../canvas/gestures.ts'
import { AXIS_PX } from './axis-picture.ts'
import type { GapOf, LaneContract, LaneMark, LanePicture, StretchHit } from './lanes/contract.ts'
import { drawLaneOverlay, drawLanes, hitTestLanes, type Found } from './lanes/draw.ts'
import { movingKeys, type LaneViewport } from './lanes/keys.ts'
import { LanePlot } from './lanes/LanePlot.tsx'
import type { Lanes } from './lanes/useLanes.ts'
import { visibleSlice } from './visible-slice.ts'
import { TimeMarkers } from './TimeMarkers.tsx'
import styles from './LaneTimeline.module.css'

export interface LaneTimelineProps<Picture extends LanePicture, Mark extends LaneMark, Hit> {
  readonly label: string
  /** Id of the text that explains the keyboard. */
  readonly describedBy?: string
  /** Label of the column with row names; `Lanes` by default. */
  readonly gutterLabel?: string
  readonly lanes: Lanes
  readonly contract: LaneContract<Picture, Mark, Hit>
  readonly picture: Picture
  readonly viewport: LaneViewport
  /** The timeline is below another one with the same viewport, whose axis and markers apply to it. */
  readonly isBelow?: boolean
  /** Name of a row, beside the plot. Without it there is only the plot, as high as its box. */
  readonly renderName?: (row: Picture['layout']['rows'][number]) => ReactNode
  /**
   * Button with a menu of actions, beside the name of a row. The menu key opens it as well, on the row and on the lane
   * of the focused mark. Null: no actions.
   */
  readonly renderMenu?: (row: Picture['layout']['rows'][number]) => ReactNode
  /** Content of the card of a hit under the pointer; null: no card. */
  readonly renderCard: (hit: Hit) => ReactNode
  /** Content of the card of a gap or a fold. */
  readonly renderStretch?: (stretch: StretchHit<GapOf<Picture>>) => ReactNode
  /** Text that screen readers announce for the focused mark. */
  readonly describe: (focus: Mark | null) => string
  readonly error?: { readonly message: string } | null
  /** Called at a click, or Enter on a mark. Null: a click beside all marks, or Escape. */
  readonly onSelect: (hit: Hit | Mark | null, shift: boolean) => void
  /** Keys of this timeline, by `event.key`; they take precedence over the common ones. */
  readonly keys?: (focus: Mark | null, shift: boolean) => Readonly<Record<string, () => void>>
  /** Time at which keys zoom while no mark has the focus. */
  readonly anchorTicks?: number | null
  readonly onWidth?: (widthPx: number) => void
}

const SCROLL_PX = 60
/** Selector of the button that opens a lane's menu; the panel renders the button. */
export const MENU_BUTTON = '[aria-haspopup=menu]'

/**
 * Lanes over time: names, plot, axis, pointer, keyboard, card and announcements. Draws the part of a picture that is in
 * view; `lanes/contract.ts` defines what each kind of timeline adds.
 */
export function LaneTimeline<Picture extends LanePicture, Mark extends LaneMark, Hit>(
  props: LaneTimelineProps<Picture, Mark, Hit>,
): ReactNode {
  const { lanes, contract, picture, viewport, renderName, renderMenu, onSelect, onWidth, isBelow = false } = props
  const { shared } = viewport
  const rowsRef = useRef(new Map<string, HTMLElement>())
  const { sight, setSight, plotRef } = lanes
  const { layout, scale } = picture
  const [pointed, setPointed] = useState<{ readonly hit: Found<Picture, Hit>; readonly at: Point } | null>(null)
  const [focus, setFocus] = useState<Mark | null>(null)
  const canvasPx = sight.heightPx + AXIS_PX

  const draw = (context: CanvasRenderingContext2D): void => drawLanes(context, canvasPx, picture, contract)
  const overlay = (
    context: CanvasRenderingContext2D,
    _frame: unknown,
    hover: Hover<Found<Picture, Hit>> | null,
  ): void => {
    const pointer = hover === null ? null : { xPx: hover.at.xPx, hit: hover.hit }
    const share = shared?.cursor.get() ?? null
    drawLaneOverlay(context, canvasPx, picture, contract, {
      pointer,
      cursorPx: share === null ? null : share * scale.widthPx,
      lit: isBelow ? null : (shared?.lit.get() ?? null),
      focus,
    })
  }

  const focusOn = (next: Mark | null): void => {
    if (next === null) return
    setFocus(next)
    setPointed(null)
    if (!Number.isNaN(next.startTicks)) viewport.reveal(next.startTicks, next.durationTicks)
    plotRef.current?.show(next.track.topPx, next.track.heightPx)
  }
  const openMenuOf = ({ track }: Mark): void => {
    const row = layout.rows.find(({ topPx, heightPx }) => track.topPx >= topPx && track.topPx < topPx + heightPx)
    if (row !== undefined) openMenu(rowsRef.current.get(row.key))
  }
  const menuKeys = (shiftKey: boolean): Record<string, () => void> =>
    focus === null || renderMenu === undefined
      ? {}
      : { ContextMenu: () => openMenuOf(focus), ...(shiftKey ? { F10: () => openMenuOf(focus) } : {}) }
  const keys = ({ shiftKey }: KeyboardEvent): Record<string, () => void> => {
    const anchorTicks = focus === null ? (props.anchorTicks ?? null) : focus.startTicks + focus.durationTicks / 2
    const moving = movingKeys(viewport, anchorTicks === null ? undefined : scale.toPx(anchorTicks))
    const own = props.keys?.(focus, shiftKey)
    const scroll = (by: 1 | -1): void => plotRef.current?.scrollBy(by * SCROLL_PX)
    const moves = contract.focus
    if (moves === null)
      return {
        ...moving,
        ArrowUp: () => scroll(-1),
        ArrowDown: () => scroll(1),
        Escape: () => onSelect(null, false),
        ...own,
      }
    const begin = (): void => {
      const inSight = visibleSlice(layout.tracks, sight.scrollPx, sight.scrollPx + sight.heightPx)
      focusOn(moves.first(picture, new Set(inSight.map(({ key }) => key))))
    }
    const step = (key: 'ArrowLeft' | 'ArrowRight', by: 1 | -1) => () => {
      if (focus === null && moves.isArrowBegun === true) begin()
      else if (focus === null || shiftKey) moving[key]?.()
      else focusOn(moves.step(picture, focus, by))
    }
    const stepTrack = (by: 1 | -1) => () => {
      if (focus !== null) focusOn(moves.stepTrack(picture, focus, by))
      else if (moves.isArrowBegun === true) begin()
      else scroll(by)
    }
    return {
      ...moving,
      ArrowLeft: step('ArrowLeft', -1),
      ArrowRight: step('ArrowRight', 1),
      ArrowUp: stepTrack(-1),
      ArrowDown: stepTrack(1),
      m: begin,
      Enter: () => (focus === null ? begin() : onSelect(focus, shiftKey)),
      Escape: () => (focus === null ? onSelect(null, false) : setFocus(null)),
      ...menuKeys(shiftKey),
      ...own,
    }
  }
  const card =
    pointed === null
      ? null
      : pointed.hit.stretch === null
        ? props.renderCard(pointed.hit.own)
        : (props.renderStretch?.(pointed.hit.stretch) ?? null)

  return (
    <LanePlot<Found<Picture, Hit>>
      handle={plotRef}
      label={props.label}
      {...(props.describedBy === undefined ? {} : { describedBy: props.describedBy })}
      {...(props.gutterLabel === undefined ? {} : { gutterLabel: props.gutterLabel })}
      contentPx={layout.heightPx}
      gutter={
        renderName === undefined ? null : (
          <Names
            rows={visibleSlice(layout.rows, sight.scrollPx, sight.scrollPx + sight.heightPx)}
            scrollPx={sight.scrollPx}
            renderName={renderName}
            renderMenu={renderMenu}
            elementsRef={rowsRef}
          />
        )
      }
      draw={draw}
      drawOverlay={overlay}
      hitTest={(at) => hitTestLanes(picture, contract, at)}
      keys={keys}
      onPoint={setPointed}
      isBelow={isBelow}
      {...(shared === undefined ? {} : { watchOverlay: shared.subscribe })}
      onCursor={(xPx) => shared?.cursor.set(xPx === null ? null : xPx / scale.widthPx)}
      onClick={({ hit }, shift) => {
        const own = hit?.own ?? null
        setFocus(own === null ? null : contract.markOf(own))
        onSelect(own, shift)
      }}
      onPan={viewport.pan}
      above={picture.untimed === undefined && !isBelow ? <TimeMarkers scale={scale} /> : null}
      onZoom={viewport.zoom}
      onSight={(next) => {
        setSight(next)
        onWidth?.(next.widthPx)
      }}
    >
      {pointed === null || card === null ? null : <HoverBox at={pointed.at}>{card}</HoverBox>}
      <p className="spoken" aria-live="polite">
        {props.describe(focus)}
      </p>
      {props.error == null ? null : (
        <p className={styles.failure} role="alert">
          The marks are not up to date: {props.error.message}
        </p>
      )}
    </LanePlot>
  )
}

interface NamesProps<Row> {
  readonly rows: readonly Row[]
  readonly scrollPx: number
  readonly renderName: (row: Row) => ReactNode
  readonly renderMenu: ((row: Row) => ReactNode) | undefined
  /** Elements of the rows in view, by key. */
  readonly elementsRef: RefObject<Map<string, HTMLElement>>
}

function Names<Row extends LanePicture['layout']['rows'][number]>({
  rows,
  scrollPx,
  renderName,
  renderMenu,
  elementsRef,
}: NamesProps<Row>): ReactNode {
  return rows.map((row) => (
    <div
      key={row.key}
      ref={(element) => {
        const { current: elements } = elementsRef
        if (element !== null) elements.set(row.key, element)
        return () => void elements.delete(row.key)
      }}
      className={styles.row}
      style={{ top: row.topPx - scrollPx, height: row.heightPx }}
      onContextMenu={openMenuHere}
    >
      {renderName(row)}
      {renderMenu === undefined ? null : <div className={styles.menu}>{renderMenu(row)}</div>}
    </div>
  ))
}

/** Returns false if the row has no menu. */
function openMenu(row: HTMLElement | undefined): boolean {
  const button = row?.querySelector<HTMLElement>(MENU_BUTTON)
  button?.click()
  return button != null
}

/** Handles the context menu event, from the mouse or the menu key. */
function openMenuHere(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target, buttons } = event
  if (row.querySelector(MENU_BUTTON) === null || (target instanceof Element && target.closest('[role=menu]') !== null))
    return
  event.preventDefault()
  // With a button pressed, its release would close the menu at once.
  if (buttons === 0) openMenu(row)
  else row.ownerDocument.addEventListener('pointerup', () => setTimeout(() => openMenu(row)), { once: true })
}
