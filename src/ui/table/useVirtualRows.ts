import type { RefObject, UIEvent } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useElementSize } from '../hooks/useElementSize.ts'
import {
  clampOffset,
  isScaled,
  offsetAfterScroll,
  offsetToShow,
  rowWindow,
  scrollFromOffset,
  scrollSpace,
} from './virtual-scroll.ts'

/** Before the first measure, and where there is no layout at all. */
const ASSUMED_VIEWPORT_PX = 480
const OVERSCAN_ROWS = 6
const LINE_PX = 32

/** A row to go to: a new object each time, so that going there again counts. */
export interface Goal {
  readonly row: number
}

export interface VirtualRows {
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void
  /** Rows to have in the document, half open. */
  readonly first: number
  readonly end: number
  readonly pageRows: number
  /** Heights of the element that makes the scroll bar, and of the layer that stays in the view. */
  readonly spacerPx: number
  readonly layerPx: number
  /** Far away is far enough: a focused row out of sight needs no exact place, and browsers end lengths at some millions. */
  readonly topPx: (row: number) => number
  /** Scrolls as little as it takes to show a row. */
  readonly show: (row: number) => void
}

export interface VirtualRowsOptions {
  readonly total: number
  readonly rowHeightPx: number
  /** Height of a head that stays at the top of the box. */
  readonly headPx?: number
  /** Gone to once it is there. */
  readonly goal?: Goal | null
}

/** Rows of one height in a box, any number of them, by the scroll law of `virtualScroll.ts`. */
export function useVirtualRows(
  boxRef: RefObject<HTMLDivElement | null>,
  { total, rowHeightPx, headPx = 0, goal = null }: VirtualRowsOptions,
): VirtualRows {
  const size = useElementSize(boxRef)
  const viewportPx = size === null || size.heightPx <= headPx ? ASSUMED_VIEWPORT_PX : size.heightPx - headPx
  const space = scrollSpace(total, rowHeightPx, viewportPx)
  const [offset, setOffset] = useState(0)
  const offsetPx = clampOffset(space, offset)
  /** Where the bar was last, in px; distinguishes own moves of the bar from the user's. */
  const barPxRef = useRef(0)

  const [reached, setReached] = useState<Goal | null>(null)
  if (goal !== null && goal !== reached && goal.row < total) {
    setReached(goal)
    const nearest = offsetToShow(space, offsetPx, goal.row)
    // Rows out of sight are shown with their neighbours.
    if (nearest !== offsetPx) setOffset(clampOffset(space, goal.row * rowHeightPx - viewportPx / 3))
  }
  useLayoutEffect(() => {
    if (reached === null || boxRef.current === null) return
    barPxRef.current = scrollFromOffset(space, offsetPx)
    boxRef.current.scrollTop = barPxRef.current
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each goal: other moves set the bar themselves
  }, [reached])

  const moveTo = (nextPx: number): void => {
    const next = clampOffset(space, nextPx)
    setOffset(next)
    barPxRef.current = scrollFromOffset(space, next)
    if (boxRef.current !== null) boxRef.current.scrollTop = barPxRef.current
  }

  // A scaled bar drifts from where it should point while small steps add up; and rows may come while it rests.
  useEffect(() => {
    if (!isScaled(space)) return undefined
    const rest = setTimeout(() => {
      const bar = scrollFromOffset(space, offsetPx)
      if (boxRef.current === null || Math.abs(boxRef.current.scrollTop - bar) < 1) return
      barPxRef.current = bar
      boxRef.current.scrollTop = bar
    }, 120)
    return () => clearTimeout(rest)
  })

  // A wheel notch on a scaled bar would skip thousands of rows, so there the wheel moves the offset itself.
  useEffect(() => {
    const box = boxRef.current
    if (box === null || !isScaled(space)) return undefined
    const wheeled = (event: WheelEvent): void => {
      if (event.ctrlKey || event.shiftKey || event.deltaY === 0) return
      event.preventDefault()
      const units: Record<number, number> = { 0: 1, 1: LINE_PX }
      moveTo(offsetPx + event.deltaY * (units[event.deltaMode] ?? viewportPx))
    }
    box.addEventListener('wheel', wheeled, { passive: false })
    return () => box.removeEventListener('wheel', wheeled)
  })

  const { first, end } = rowWindow(space, offsetPx, OVERSCAN_ROWS)
  return {
    onScroll: (event) => {
      const barPx = event.currentTarget.scrollTop
      if (Math.abs(barPx - barPxRef.current) < 1) return
      const next = offsetAfterScroll(space, offsetPx, barPxRef.current, barPx)
      barPxRef.current = barPx
      setOffset(next)
    },
    first,
    end,
    pageRows: Math.max(1, Math.floor(viewportPx / rowHeightPx) - 1),
    spacerPx: space.spacerPx,
    layerPx: Math.min(viewportPx, space.spacerPx),
    topPx: (row) => Math.min(Math.max(row * rowHeightPx - offsetPx, -2 * viewportPx), 2 * viewportPx),
    show: (row) => {
      const next = offsetToShow(space, offsetPx, row)
      if (next !== offsetPx) moveTo(next)
    },
  }
}
