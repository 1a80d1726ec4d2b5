import { useState, type ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import styles from './RowTable.module.css'
import { ariaSort, nextSort, type TableSort } from './table-columns.ts'

export interface RowColumn<Row> {
  /** Name of the column. */
  readonly title: string
  /** Shown in the header in place of the title. */
  readonly head?: ReactNode
  /** Order of two rows by this column, ascending; the header sorts by it. For tables whose rows are all there. */
  readonly compare?: ((a: Row, b: Row) => number) | undefined
  /** Whether it has figures, such as sizes and counts: aligned at their ends, and sorted from the largest at first. */
  readonly isFigure?: boolean
  /** Explains the column. */
  readonly hint?: string | undefined
  readonly cell: (row: Row) => ReactNode
  /** Explains a cell. */
  readonly cellHint?: (row: Row) => string | undefined
  /** Accessible name of a cell whose content is more than its name. */
  readonly cellLabel?: (row: Row) => string
  /** Whether its cells take the whole width of a card (`isStacked`). */
  readonly isWide?: boolean
  /** Class of header and cells, or a function of the row (null: the header). */
  readonly className?: string | undefined | ((row: Row | null) => string | undefined)
}

export interface RowTableProps<Row> {
  /** The first column names the row. */
  readonly columns: readonly RowColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly className?: string | undefined
  /** Accessible name, not visible. */
  readonly label?: string
  readonly caption?: string
  /** Whether rows are cards on a narrow page, so that no column is out of sight there. */
  readonly isStacked?: boolean
  /** Content at the end of the header. */
  readonly corner?: ReactNode
  /** Rows below the others. */
  readonly children?: ReactNode
  readonly foot?: ReactNode
}

/** A table with few rows, all of them rendered. */
export function RowTable<Row>(props: RowTableProps<Row>): ReactNode {
  const { columns, rows, keyOf, className, label, caption, isStacked = false, corner, children, foot } = props
  const classOf = (of: RowColumn<Row>['className'], row: Row | null): string | undefined =>
    typeof of === 'function' ? of(row) : of
  const [sort, setSort] = useState<TableSort | null>(null)
  return (
    <table className={cx(className, isStacked && styles.stacked)} aria-label={label}>
      {caption === undefined ? null : <caption className="spoken">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, head, hint, compare, isFigure = false, className: of }) => {
            const sortable = compare !== undefined
            const sorted = { id: title, title, width: 0, sortable, align: isFigure ? 'end' : 'start' } as const
            return (
              <th
                key={title}
                scope="col"
                title={hint}
                className={cx(classOf(of, null), isFigure && styles.figure)}
                aria-sort={ariaSort(sort, sorted)}
              >
                {compare === undefined ? (
                  (head ?? title)
                ) : (
                  <button type="button" className="bare inline" onClick={() => setSort(nextSort(sort, sorted))}>
                    <span>{head ?? title}</span>
                    <span className="arrow" aria-hidden="true">
                      {sort?.id === title ? (sort.descending ? '↓' : '↑') : ''}
                    </span>
                  </button>
                )}
              </th>
            )
          })}
          {corner}
        </tr>
      </thead>
      <tbody>
        {sortRows(rows, columns, sort).map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, cellHint, cellLabel, isWide = false, isFigure = false, className: of }, i) => {
              const [Cell, scope] = i === 0 ? (['th', 'row'] as const) : (['td', undefined] as const)
              const names = { 'aria-label': cellLabel?.(row), title: cellHint?.(row) }
              return (
                <Cell
                  key={title}
                  scope={scope}
                  {...names}
                  {...(isStacked ? { 'data-title': title } : {})}
                  className={cx(classOf(of, row), isFigure && styles.figure, isStacked && isWide && styles.wide)}
                >
                  {cell(row)}
                </Cell>
              )
            })}
          </tr>
        ))}
        {children}
      </tbody>
      {foot === undefined || foot === null ? null : <tfoot>{foot}</tfoot>}
    </table>
  )
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly RowColumn<Row>[],
  sort: TableSort | null,
): readonly Row[] {
  const compare = columns.find(({ title }) => title === sort?.id)?.compare
  if (compare === undefined) return rows
  return rows.toSorted((a, b) => (sort?.descending === true ? compare(b, a) : compare(a, b)))
}
