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

/** Height before the first measurement, and in environments without layout. */
const ASSUMED_VIEWPORT_PX = 480
const OVERSCAN_ROWS = 6
const LINE_PX = 32
/** Distance over which rows keep their place, px; browsers lay out such lengths exactly. */
const BLOCK_PX = 100_000

/** A row to scroll to; a new object each time, so that a repeated request counts. */
export interface Goal {
  readonly row: number
}

export interface VirtualRows {
  readonly onScroll: (event: UIEvent<HTMLDivElement>) => void
  /** Rows to render, half open. */
  readonly first: number
  readonly end: number
  readonly pageRows: number
  /** Heights of the element that creates the scroll bar, and of the layer that stays in view. */
  readonly spacerPx: number
  readonly layerPx: number
  /** Approximate for rows far out of view: browsers limit lengths to some millions of pixels. */
  readonly topPx: (row: number) => number
  /** Places within a block of rows that is itself moved by `blockPx`: a row keeps its place while the table scrolls. */
  readonly inBlockPx: (row: number) => number
  readonly blockPx: number
  /** Scrolls by as little as possible to show a row. */
  readonly show: (row: number) => void
}

export interface VirtualRowsOptions {
  readonly total: number
  readonly rowHeightPx: number
  /** Height of a header that stays at the top of the box. */
  readonly headPx?: number
  /** Scrolled to as soon as the row exists. */
  readonly goal?: Goal | null
}

/** Rows of equal height in a box, any number of them; `virtual-scroll.ts` defines how it scrolls. */
export function useVirtualRows(
  boxRef: RefObject<HTMLDivElement | null>,
  { total, rowHeightPx, headPx = 0, goal = null }: VirtualRowsOptions,
): VirtualRows {
  const size = useElementSize(boxRef)
  const viewportPx = size === null || size.heightPx <= headPx ? ASSUMED_VIEWPORT_PX : size.heightPx - headPx
  const space = scrollSpace(total, rowHeightPx, viewportPx)
  const [offset, setOffset] = useState(0)
  const offsetPx = clampOffset(space, offset)
  /** Last position of the bar, px; distinguishes our own moves of the bar from the user's. */
  const barPxRef = useRef(0)

  const [reached, setReached] = useState<Goal | null>(null)
  if (goal !== null && goal !== reached && goal.row < total) {
    setReached(goal)
    const nearest = offsetToShow(space, offsetPx, goal.row)
    // A row out of view is shown together with its neighbours.
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

  // A scaled bar drifts as small steps add up, and rows may be added while it rests: align it again.
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

  // A step of the wheel on a scaled bar would skip thousands of rows, so the wheel moves the offset itself.
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
  const blockStartPx = offsetPx - (offsetPx % BLOCK_PX)
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
    inBlockPx: (row) =>
      Math.min(Math.max(row * rowHeightPx - blockStartPx, -2 * viewportPx), BLOCK_PX + 2 * viewportPx),
    blockPx: blockStartPx - offsetPx,
    topPx: (row) => Math.min(Math.max(row * rowHeightPx - offsetPx, -2 * viewportPx), 2 * viewportPx),
    show: (row) => {
      const next = offsetToShow(space, offsetPx, row)
      if (next !== offsetPx) moveTo(next)
    },
  }
}
