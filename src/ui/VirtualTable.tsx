import type { KeyboardEvent, ReactNode, UIEvent } from 'react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { BodyRow, HeaderRow } from './TableRow.tsx'
import { isControl } from './tableColumns.ts'
import type { TableColumn, TableSort } from './tableColumns.ts'
import { RowPages, rowAt } from './rowPages.ts'
import type { FetchRows } from './rowPages.ts'
import { useElementSize } from './useElementSize.ts'
import {
  clampOffset,
  isScaled,
  offsetAfterScroll,
  offsetToShow,
  rowWindow,
  scrollFromOffset,
  scrollSpace,
} from './virtualScroll.ts'
import styles from './VirtualTable.module.css'

export type { TableColumn, TableSort } from './tableColumns.ts'

export interface VirtualTableProps<Row> {
  readonly label: string
  readonly columns: readonly TableColumn[]
  readonly total: number
  readonly rowHeightPx: number
  readonly fetchRows: FetchRows<Row>
  readonly renderCell: (row: Row, columnId: string) => ReactNode
  readonly sort: TableSort | null
  readonly onSort: (sort: TableSort) => void
  readonly onRowClick?: (row: Row) => void
  /** Space on a row. */
  readonly onRowToggle?: (row: Row) => void
  readonly selectedKey?: string | null
  readonly rowKey: (row: Row) => string
  /** Changes whenever a row number may hold other data: new rows, another filter. */
  readonly version: number | string
  /** The rows are renewed all the time: those of a moment ago are not greyed while the new ones come. */
  readonly isLive?: boolean
}

/** Header height; the same number is in the style sheet. */
export const HEADER_PX = 32
/** Before the first measure, and where there is no layout at all. */
const ASSUMED_VIEWPORT_PX = 480
const OVERSCAN_ROWS = 6
const LINE_PX = 32

/** A table of any number of rows; only those in sight are asked for and in the document. See `virtualScroll.ts` for its scroll law. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactNode {
  const { label, columns, total, rowHeightPx, fetchRows, renderCell, sort, onSort, rowKey } = props
  const { onRowClick, onRowToggle, selectedKey = null, isLive = false } = props
  const wanted = { version: String(props.version), order: sort === null ? '' : `${sort.id} ${String(sort.descending)}` }

  const boxRef = useRef<HTMLDivElement>(null)
  const size = useElementSize(boxRef)
  const viewportPx = size === null || size.heightPx <= HEADER_PX ? ASSUMED_VIEWPORT_PX : size.heightPx - HEADER_PX
  const space = scrollSpace(total, rowHeightPx, viewportPx)
  const [offset, setOffset] = useState(0)
  const offsetPx = clampOffset(space, offset)
  const [active, setActive] = useState(0)
  const activeRow = Math.min(active, total - 1)
  const [moves, setMoves] = useState(0)
  /** Where the bar was last, in px; tells own moves of the bar from the user's. */
  const barPxRef = useRef(0)

  const [pages] = useState(() => new RowPages<Row>())
  const snapshot = useSyncExternalStore(pages.subscribe, pages.getSnapshot)
  const shown = rowWindow(space, offsetPx, OVERSCAN_ROWS)
  useLayoutEffect(() => pages.want({ ...wanted, fetchRows, total, first: shown.first, end: shown.end }))
  useEffect(() => () => pages.dispose(), [pages])

  const moveTo = (nextPx: number): void => {
    const next = clampOffset(space, nextPx)
    setOffset(next)
    barPxRef.current = scrollFromOffset(space, next)
    if (boxRef.current !== null) boxRef.current.scrollTop = barPxRef.current
  }

  const scrolled = (event: UIEvent<HTMLDivElement>): void => {
    const barPx = event.currentTarget.scrollTop
    if (Math.abs(barPx - barPxRef.current) < 1) return
    const next = offsetAfterScroll(space, offsetPx, barPxRef.current, barPx)
    barPxRef.current = barPx
    setOffset(next)
  }

  // A scaled bar drifts from where it should point while small steps add up; it is put right once the scroll rests.
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
      const unitPx =
        event.deltaMode === WheelEvent.DOM_DELTA_PIXEL
          ? 1
          : event.deltaMode === WheelEvent.DOM_DELTA_LINE
            ? LINE_PX
            : viewportPx
      moveTo(offsetPx + event.deltaY * unitPx)
    }
    box.addEventListener('wheel', wheeled, { passive: false })
    return () => box.removeEventListener('wheel', wheeled)
  })

  useEffect(() => {
    if (moves > 0) boxRef.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true })
  }, [moves])

  const goTo = (row: number): void => {
    const next = Math.min(Math.max(0, row), total - 1)
    setActive(next)
    setMoves(moves + 1)
    moveTo(offsetToShow(space, offsetPx, next))
  }

  const pressed = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.altKey || event.metaKey) return
    const pageRows = Math.max(1, Math.floor(viewportPx / rowHeightPx) - 1)
    const current = rowAt(snapshot, pages.pageSize, wanted, activeRow)
    const steps: Record<string, number> = {
      ArrowDown: activeRow + 1,
      ArrowUp: activeRow - 1,
      PageDown: activeRow + pageRows,
      PageUp: activeRow - pageRows,
      Home: 0,
      End: total - 1,
    }
    const to = steps[event.key]
    if (to !== undefined) goTo(to)
    else if (isControl(event.target) || current === null) return
    else if (event.key === 'Enter' && onRowClick !== undefined) onRowClick(current.row)
    else if (event.key === ' ' && onRowToggle !== undefined) onRowToggle(current.row)
    else return
    event.preventDefault()
  }

  const focusRow = (row: number): void => {
    setActive(row)
    const next = offsetToShow(space, offsetPx, row)
    if (next !== offsetPx) moveTo(next)
  }

  const minWidthPx = columns.reduce((sum, column) => sum + column.width, 0)
  const rowNumbers = range(shown.first, shown.end)
  // The row that has the focus stays in the document wherever one scrolls, or the focus would be lost.
  if (activeRow >= 0 && (activeRow < shown.first || activeRow >= shown.end)) rowNumbers.push(activeRow)
  const rows = rowNumbers.map((index) => ({ index, held: rowAt(snapshot, pages.pageSize, wanted, index) }))
  const busy = rows.some((row) => row.held === null || (row.held.stale && !isLive))

  return (
    <div className={styles.frame}>
      {snapshot.error === null ? null : (
        <p className={styles.failed} role="alert">
          Rows could not be read: {snapshot.error instanceof Error ? snapshot.error.message : 'unknown error'}{' '}
          <button type="button" onClick={() => pages.retry()}>
            Try again
          </button>
        </p>
      )}
      <div
        ref={boxRef}
        className={styles.box}
        role="table"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        aria-busy={busy}
        tabIndex={total === 0 ? 0 : undefined}
        onScroll={scrolled}
      >
        <div className={styles.wide} role="presentation" style={{ minWidth: minWidthPx }}>
          <div className={styles.head} role="rowgroup">
            <HeaderRow columns={columns} sort={sort} onSort={onSort} />
          </div>
          <div className={styles.spacer} role="presentation" style={{ height: space.spacerPx }}>
            <div className={styles.layer} role="rowgroup" style={{ height: Math.min(viewportPx, space.spacerPx) }}>
              {rows.map(({ index, held }) => (
                <BodyRow
                  key={index}
                  columns={columns}
                  index={index}
                  heightPx={rowHeightPx}
                  topPx={rowTopPx(index, rowHeightPx, offsetPx, viewportPx)}
                  row={held?.row ?? null}
                  stale={held?.stale === true && !isLive}
                  selected={held !== null && selectedKey !== null && rowKey(held.row) === selectedKey}
                  active={index === activeRow}
                  renderCell={renderCell}
                  onFocus={focusRow}
                  onClick={onRowClick}
                  onKeyDown={pressed}
                />
              ))}
            </div>
          </div>
        </div>
      </div>
    </div>
  )
}

const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, index) => first + index)

/** Far away is far enough: a focused row out of sight needs no exact place, and browsers end lengths at some millions. */
function rowTopPx(index: number, rowHeightPx: number, offsetPx: number, viewportPx: number): number {
  return Math.min(Math.max(index * rowHeightPx - offsetPx, -2 * viewportPx), 2 * viewportPx)
}
