import { memo, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import { ariaSort, nextSort, pinnedStyle, trackTemplate } from './table-columns.ts'
import type { TableColumn, TableSort } from './table-columns.ts'
import styles from './VirtualTable.module.css'

const cellClass = (column: TableColumn): string =>
  cx(styles.cell, column.align === 'end' && styles.end, column.pinned === true && styles.pinned)

/** Text needs an element of its own to end in an ellipsis. */
const textCell = (content: ReactNode): ReactNode => (typeof content === 'string' ? <span>{content}</span> : content)

/** Shows truncated text in a tooltip, unless the cell has one. */
function showWhole({ currentTarget: cell }: PointerEvent<HTMLElement>): void {
  const text = cell.firstElementChild
  if (text === null || cell.childElementCount !== 1 || cell.querySelector('[title]') !== null) return
  const isCut = [text, ...text.querySelectorAll('*')].some((each) => each.scrollWidth > each.clientWidth + 1)
  cell.title = isCut ? cell.textContent : ''
}

interface HeaderRowProps {
  readonly columns: readonly TableColumn[]
  readonly sort: TableSort | null
  readonly onSort: (sort: TableSort) => void
}

export function HeaderRow({ columns, sort, onSort }: HeaderRowProps): ReactNode {
  return (
    <div className={styles.row} role="row" aria-rowindex={1} style={{ gridTemplateColumns: trackTemplate(columns) }}>
      {columns.map((column, index) => (
        <div
          key={column.id}
          className={cellClass(column)}
          style={pinnedStyle(columns, index)}
          role="columnheader"
          aria-sort={ariaSort(sort, column)}
          aria-colindex={index + 1}
        >
          {column.sortable === true ? (
            <button
              type="button"
              className={cx('bare', 'inline', styles.sorter)}
              onClick={() => onSort(nextSort(sort, column))}
            >
              <span>{column.header ?? column.title}</span>
              <span className="arrow" aria-hidden="true">
                {sort?.id === column.id ? (sort.descending ? '↓' : '↑') : ''}
              </span>
            </button>
          ) : (
            textCell(column.header ?? column.title)
          )}
        </div>
      ))}
    </div>
  )
}

interface BodyRowProps<Row> {
  readonly columns: readonly TableColumn[]
  readonly index: number
  readonly heightPx: number
  readonly topPx: number
  /** The row, null while it is loading. */
  readonly row: Row | null
  readonly stale: boolean
  readonly selected: boolean
  /** The one row that Tab reaches. */
  readonly active: boolean
  /** Whether Tab passes over its controls, which arrow keys bring into reach. */
  readonly isPassed: boolean
  readonly renderCell: (row: Row, columnId: string) => ReactNode
  readonly isClickable: boolean
}

/** Index of the row that contains an element; null: none does. */
export function rowIndexOf(element: EventTarget): number | null {
  const row = element instanceof Element ? element.closest('[role="row"]') : null
  return row === null ? null : Number(row.getAttribute('aria-rowindex')) - 2
}

const CONTROLS = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not([popover] *)'

/** Takes controls out of the order of Tab, or back into it. */
function passOver(row: HTMLElement, isPassed: boolean): void {
  if (isPassed)
    for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) {
      if (control.tabIndex < 0) continue
      control.dataset['passed'] = control.getAttribute('tabindex') ?? ''
      control.tabIndex = -1
    }
  else
    for (const control of row.querySelectorAll<HTMLElement>('[data-passed]')) {
      const { passed = '' } = control.dataset
      if (passed === '') control.removeAttribute('tabindex')
      else control.setAttribute('tabindex', passed)
      delete control.dataset['passed']
    }
}

/** Rendered again only if its props change: a table that scrolls renders the rows that come into view, and no others. */
export const BodyRow = memo(BodyRowOf) as typeof BodyRowOf

function BodyRowOf<Row>(props: BodyRowProps<Row>): ReactNode {
  const { columns, index, row, active, isPassed } = props
  const rowRef = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (rowRef.current !== null) passOver(rowRef.current, isPassed)
  })
  return (
    <div
      ref={rowRef}
      className={cx(styles.row, styles.body, props.stale && styles.stale, props.isClickable && styles.clickable)}
      role="row"
      aria-rowindex={index + 2}
      aria-current={props.selected ? 'true' : undefined}
      tabIndex={active ? 0 : -1}
      data-active={active ? '' : undefined}
      data-stale={props.stale ? '' : undefined}
      style={{
        gridTemplateColumns: trackTemplate(columns),
        height: props.heightPx,
        transform: `translateY(${String(props.topPx)}px)`,
      }}
    >
      {columns.map((column, columnIndex) => (
        <div
          key={column.id}
          className={cellClass(column)}
          style={pinnedStyle(columns, columnIndex)}
          role="cell"
          onPointerEnter={showWhole}
          aria-colindex={columnIndex + 1}
        >
          {row === null ? <span className={styles.ghost} /> : textCell(props.renderCell(row, column.id))}
        </div>
      ))}
    </div>
  )
}
