import { useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react'
import { MenuButton } from '../../../ui/controls/MenuButton.tsx'
import { LaneName, NameFigure } from '../../../ui/lanes/LaneName.tsx'
import { foldLane, moveLaneBy, removeLane, resizeLane, stepHeight, type ChosenLane } from './chosen.ts'
import type { ComposedRow } from './composed.ts'
import styles from './lanes.module.css'
import { MENU_BUTTON } from '../../../charts/timeline/LaneTimeline.tsx'
import { uncertaintyOf } from './servers/alignment.ts'

interface LaneHeadProps {
  readonly row: ComposedRow
  readonly title: string
  readonly shortTitle: string
  /** Whether the definitions of all lanes are still on their way. */
  readonly isLoading: boolean
  readonly isDragged: boolean
  readonly onFold: () => void
  /** Called during a drag with its distance in pixels; `isDone` at its end. */
  readonly onMove: (dyPx: number, isDone: boolean) => void
  readonly onResize: (dyPx: number, isDone: boolean) => void
}

/** Name of a lane: a click folds it, the grip moves it, the lower edge resizes it. */
export function LaneHead({
  row,
  title,
  shortTitle,
  isLoading,
  isDragged,
  onFold,
  onMove,
  onResize,
}: LaneHeadProps): ReactNode {
  const { definition, reading, chosen, heightPx } = row
  const state =
    definition === null
      ? isLoading
        ? 'loading …'
        : 'not in this build'
      : reading.error !== null
        ? 'failed'
        : reading.data === null
          ? 'reading …'
          : reading.data.tracks.length === 0
            ? (reading.data.nothing ?? 'no data')
            : reading.alignment === null
              ? null
              : uncertaintyOf(reading.alignment)
  return (
    <div className={styles.head} data-dragged={isDragged ? '' : undefined}>
      <Handle className={styles.grip} onDrag={onMove} />
      <LaneName
        level="lane"
        title={`${title === shortTitle ? '' : `${title}. `}${
          reading.error?.message ?? definition?.explains ?? `No feature publishes the lane ${chosen.id}.`
        }`}
        onToggle={onFold}
        expanded={!chosen.isFolded}
        isTop={heightPx > 40}
        figures={state === null ? undefined : <NameFigure isTrouble={reading.error !== null}>{state}</NameFigure>}
      >
        {isLoading && definition === null ? '' : shortTitle}
      </LaneName>
      <Handle className={styles.edge} onDrag={onResize} />
    </div>
  )
}

interface HandleProps {
  readonly className: string | undefined
  readonly onDrag: (dyPx: number, isDone: boolean) => void
}

/** For the pointer only; the keyboard uses the menu of the lane. */
function Handle({ className, onDrag }: HandleProps): ReactNode {
  const fromRef = useRef<number | null>(null)
  const drag = (event: PointerEvent<HTMLElement>, isDone: boolean): void => {
    if (fromRef.current === null) return
    onDrag(event.clientY - fromRef.current, isDone)
    if (isDone) fromRef.current = null
  }
  return (
    <span
      className={className}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        fromRef.current = event.clientY
      }}
      onPointerMove={(event) => drag(event, false)}
      onPointerUp={(event) => drag(event, true)}
      onPointerCancel={(event) => drag(event, true)}
    />
  )
}

interface LaneMenuProps {
  readonly row: ComposedRow
  readonly title: string
  readonly lanes: readonly ChosenLane[]
  readonly onChange: (lanes: readonly ChosenLane[]) => void
}

/** Menu of commands for a lane. */
export function LaneMenu({ row, title, lanes, onChange }: LaneMenuProps): ReactNode {
  const { key, heightPx, chosen } = row
  const at = lanes.indexOf(chosen)
  const ref = useRef<HTMLSpanElement>(null)
  const movedFrom = useRef<number | null>(null)
  // An element that moves in the document loses the focus.
  useLayoutEffect(() => {
    if (movedFrom.current === null || movedFrom.current === at) return
    movedFrom.current = null
    ref.current?.querySelector('button')?.focus()
  })
  const move = (by: 1 | -1): void => {
    movedFrom.current = at
    onChange(moveLaneBy(lanes, key, by))
  }
  const remove = (): void => {
    const menus = [...(ref.current?.closest('[role=group]')?.querySelectorAll<HTMLElement>(MENU_BUTTON) ?? [])]
    const own = menus.findIndex((menu) => ref.current?.contains(menu))
    ;(menus[own + 1] ?? menus[own - 1])?.focus()
    onChange(removeLane(lanes, key))
  }
  return (
    <span ref={ref}>
      <MenuButton
        text={null}
        label={`Lane ${title}`}
        icon="more"
        items={[
          {
            text: 'Move up',
            refusal: at === 0 ? 'It is the first lane.' : null,
            onChoose: () => move(-1),
          },
          {
            text: 'Move down',
            refusal: at === lanes.length - 1 ? 'It is the last lane.' : null,
            onChoose: () => move(1),
          },
          { text: 'Taller', onChoose: () => onChange(resizeLane(lanes, key, stepHeight(heightPx, 1))) },
          { text: 'Shorter', onChoose: () => onChange(resizeLane(lanes, key, stepHeight(heightPx, -1))) },
          { text: chosen.isFolded ? 'Unfold' : 'Fold', onChoose: () => onChange(foldLane(lanes, key)) },
          { text: 'Remove', onChoose: remove },
        ]}
      />
    </span>
  )
}
