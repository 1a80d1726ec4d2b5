import type { ReactNode } from 'react'

export interface RowColumn<Row> {
  readonly title: string
  /** What the column means. */
  readonly hint?: string
  readonly cell: (row: Row) => ReactNode
  /** What this cell means. */
  readonly cellHint?: (row: Row) => string | undefined
}

export interface RowTableProps<Row> {
  /** The first one names the row. */
  readonly columns: readonly RowColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly className: string | undefined
  /** What it is called, out of sight. */
  readonly label?: string
  /** Rows below the others. */
  readonly children?: ReactNode
}

/** A table of few rows, which are all there. */
export function RowTable<Row>(props: RowTableProps<Row>): ReactNode {
  const { columns, rows, keyOf, className, label, children } = props
  return (
    <table className={className} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, hint }) => (
            <th key={title} scope="col" title={hint}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, cellHint }, i) => {
              const [Cell, scope] = i === 0 ? (['th', 'row'] as const) : (['td', undefined] as const)
              return (
                <Cell key={title} scope={scope} title={cellHint?.(row)}>
                  {cell(row)}
                </Cell>
              )
            })}
          </tr>
        ))}
        {children}
      </tbody>
    </table>
  )
}
