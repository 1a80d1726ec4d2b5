import { useState, type ReactNode } from 'react'
import { ariaSort, nextSort, type TableSort } from './table-columns.ts'

export interface RowColumn<Row> {
  /** Name of the column. */
  readonly title: string
  /** Shown in the header in place of the title. */
  readonly head?: ReactNode
  /** Order of two rows by this column, ascending; the header sorts by it. For tables whose rows are all there. */
  readonly compare?: ((a: Row, b: Row) => number) | undefined
  /** Whether it has figures, such as sizes and counts: the first click sorts from the largest. */
  readonly isFigure?: boolean
  /** Explains the column. */
  readonly hint?: string | undefined
  readonly cell: (row: Row) => ReactNode
  /** Explains a cell. */
  readonly cellHint?: (row: Row) => string | undefined
  /** Accessible name of a cell whose content is more than its name. */
  readonly cellLabel?: (row: Row) => string
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
  /** Content at the end of the header. */
  readonly corner?: ReactNode
  /** Rows below the others. */
  readonly children?: ReactNode
  readonly foot?: ReactNode
}

/** A table with few rows, all of them rendered. */
export function RowTable<Row>(props: RowTableProps<Row>): ReactNode {
  const { columns, rows, keyOf, className, label, caption, corner, children, foot } = props
  const classOf = (of: RowColumn<Row>['className'], row: Row | null): string | undefined =>
    typeof of === 'function' ? of(row) : of
  const [sort, setSort] = useState<TableSort | null>(null)
  return (
    <table className={className} aria-label={label}>
      {caption === undefined ? null : <caption className="spoken">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, head, hint, compare, isFigure = false, className: of }) => {
            const sortable = compare !== undefined
            const sorted = { id: title, title, width: 0, sortable, align: isFigure ? 'end' : 'start' } as const
            return (
              <th key={title} scope="col" title={hint} className={classOf(of, null)} aria-sort={ariaSort(sort, sorted)}>
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
            {columns.map(({ title, cell, cellHint, cellLabel, className: of }, i) => {
              const [Cell, scope] = i === 0 ? (['th', 'row'] as const) : (['td', undefined] as const)
              const names = { 'aria-label': cellLabel?.(row), title: cellHint?.(row) }
              return (
                <Cell key={title} scope={scope} {...names} className={classOf(of, row)}>
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
