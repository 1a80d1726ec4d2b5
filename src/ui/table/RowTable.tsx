import type { ReactNode } from 'react'

export interface RowColumn<Row> {
  /** Names the column. */
  readonly title: string
  /** Shown in its header instead of the title. */
  readonly head?: ReactNode
  /** Meaning of the column. */
  readonly hint?: string | undefined
  readonly cell: (row: Row) => ReactNode
  /** Meaning of this cell. */
  readonly cellHint?: (row: Row) => string | undefined
  /** Name of this cell, where its content is more than a name. */
  readonly cellLabel?: (row: Row) => string
  /** Class of header and cells; of a cell alone where it depends on the row. */
  readonly className?: string | undefined | ((row: Row | null) => string | undefined)
}

export interface RowTableProps<Row> {
  /** The first one names the row. */
  readonly columns: readonly RowColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly className?: string | undefined
  /** Name of the table, out of sight. */
  readonly label?: string
  readonly caption?: string
  /** At the end of the header. */
  readonly corner?: ReactNode
  /** Rows below the others. */
  readonly children?: ReactNode
  readonly foot?: ReactNode
}

/** A table of few rows, which are all there. */
export function RowTable<Row>(props: RowTableProps<Row>): ReactNode {
  const { columns, rows, keyOf, className, label, caption, corner, children, foot } = props
  const classOf = (of: RowColumn<Row>['className'], row: Row | null): string | undefined =>
    typeof of === 'function' ? of(row) : of
  return (
    <table className={className} aria-label={label}>
      {caption === undefined ? null : <caption className="spoken">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ title, head, hint, className: of }) => (
            <th key={title} scope="col" title={hint} className={classOf(of, null)}>
              {head ?? title}
            </th>
          ))}
          {corner}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
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
