import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { cx } from '../theme/cx.ts'
import { BodyRow, HeaderRow, rowIndexOf } from './TableRow.tsx'
import { SideShades } from './SideShades.tsx'
import { isControl, pinnedPx, takesArrows, unpinned } from './table-columns.ts'
import type { TableColumn, TableSort } from './table-columns.ts'
import { RowPages, rowAt } from './row-pages.ts'
import type { FetchRows } from './row-pages.ts'
import { useSideScroll } from './useSideScroll.ts'
import { useVirtualRows, type Goal } from './useVirtualRows.ts'
import styles from './VirtualTable.module.css'

export type { TableColumn, TableSort } from './table-columns.ts'

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
  /** Called for Space on a row. */
  readonly onRowToggle?: (row: Row) => void
  readonly selectedKey?: string | null
  readonly rowKey: (row: Row) => string
  /** Changes whenever a row number may have other data: new rows, another filter. */
  readonly version: number | string
  /** As high as its rows, so that its container scrolls; for tables that are known to be short. */
  readonly isWhole?: boolean
  /** The rows change all the time: old ones are not greyed while new ones are loading. */
  readonly isLive?: boolean
  /** Row to scroll to; a new object for each request. */
  readonly goal?: Goal | null
}

/** Header height; the style sheet has the same number. */
export const HEADER_PX = 32

/** Table with any number of rows; only those in view are requested. `virtual-scroll.ts` defines how it scrolls. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>): ReactNode {
  const { label, total, rowHeightPx, fetchRows, renderCell, sort, onSort, rowKey } = props
  const { onRowClick, onRowToggle, selectedKey = null, isWhole = false, isLive = false, goal = null } = props
  const wanted = { version: String(props.version), order: sort === null ? '' : `${sort.id} ${String(sort.descending)}` }

  const boxRef = useRef<HTMLDivElement>(null)
  const side = useSideScroll(boxRef)
  // A column that is scrolled to must not be covered by pinned columns.
  const columns =
    side.widthPx > 0 && pinnedPx(props.columns) > side.widthPx / 2 ? unpinned(props.columns) : props.columns
  const virtual = useVirtualRows(boxRef, { total, rowHeightPx, headPx: HEADER_PX, goal })
  const [active, setActive] = useState(0)
  const activeRow = Math.min(active, total - 1)
  const [moves, setMoves] = useState(0)

  const [pages] = useState(() => new RowPages<Row>())
  const snapshot = useSyncExternalStore(pages.subscribe, pages.getSnapshot)
  const { first, end } = virtual
  useLayoutEffect(() => pages.want({ ...wanted, fetchRows, total, first, end }))
  useEffect(() => () => pages.dispose(), [pages])

  useEffect(() => {
    if (moves > 0) boxRef.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true })
  }, [moves])

  // A focused control may disappear with the content of its row. Then the row gets the focus, so that the next key is
  // not lost.
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      boxRef.current?.querySelector<HTMLElement>('[data-active]')?.focus({ preventScroll: true })
  })

  const goTo = (row: number): void => {
    const next = Math.min(Math.max(0, row), total - 1)
    setActive(next)
    setMoves(moves + 1)
    virtual.show(next)
  }

  const heldAt = (index: number): ReturnType<typeof rowAt<Row>> => rowAt(snapshot, pages.pageSize, wanted, index)

  const pressed = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.altKey || event.metaKey || event.defaultPrevented || takesArrows(event.target)) return
    const current = heldAt(activeRow)
    const steps: Record<string, number> = {
      ArrowDown: activeRow + 1,
      ArrowUp: activeRow - 1,
      PageDown: activeRow + virtual.pageRows,
      PageUp: activeRow - virtual.pageRows,
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

  const focusRow = (row: number | null): void => {
    if (row === null) return
    hasFocus.current = true
    setActive(row)
    virtual.show(row)
  }

  const clicked = ({ target }: MouseEvent<HTMLDivElement>): void => {
    const index = rowIndexOf(target)
    const held = index === null || isControl(target) ? null : heldAt(index)
    if (held !== null) onRowClick?.(held.row)
  }

  const minWidthPx = columns.reduce((sum, column) => sum + column.width, 0)
  const rowNumbers = range(first, end)
  // The focused row stays rendered wherever the table scrolls, so that the focus is not lost.
  if (activeRow >= 0 && (activeRow < first || activeRow >= end)) rowNumbers.push(activeRow)
  const rows = rowNumbers.map((index) => ({ index, held: heldAt(index) }))
  const busy = rows.some((row) => row.held === null || (row.held.stale && !isLive))

  return (
    <div className={cx('column', styles.frame, isWhole && styles.whole)}>
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
        onScroll={virtual.onScroll}
      >
        <div className={styles.wide} role="presentation" style={{ minWidth: minWidthPx }}>
          <div className={styles.head} role="rowgroup">
            <HeaderRow columns={columns} sort={sort} onSort={onSort} />
          </div>
          <div className={styles.spacer} role="presentation" style={{ height: virtual.spacerPx }}>
            <div className={styles.layer} role="rowgroup" style={{ height: virtual.layerPx }}>
              <div
                className={styles.block}
                role="presentation"
                style={{ transform: `translateY(${String(virtual.blockPx)}px)` }}
                onFocus={({ target }) => focusRow(rowIndexOf(target))}
                onBlur={() => (hasFocus.current = false)}
                onClick={clicked}
                onKeyDown={pressed}
              >
                {rows.map(({ index, held }) => (
                  <BodyRow
                    key={index}
                    columns={columns}
                    index={index}
                    heightPx={rowHeightPx}
                    topPx={virtual.inBlockPx(index)}
                    row={held?.row ?? null}
                    stale={held?.stale === true && !isLive}
                    selected={held !== null && selectedKey !== null && rowKey(held.row) === selectedKey}
                    active={index === activeRow}
                    // Focus scrolls to the next rows: Tab would go through all of them before it leaves the table.
                    isPassed={index !== activeRow && rows.length < total}
                    renderCell={renderCell}
                    isClickable={onRowClick !== undefined}
                  />
                ))}
              </div>
            </div>
          </div>
        </div>
      </div>
      <SideShades side={side} startPx={pinnedPx(columns)} />
    </div>
  )
}

const range = (first: number, end: number): number[] => Array.from({ length: end - first }, (_, index) => first + index)
