import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { RowTable } from '../../../ui/table/RowTable.tsx'
import type { ResultTable } from './result-tables.ts'
import styles from './query.module.css'

/** Facets, suggestions and time series: one table for each list in the results. */
export const ResultTables = ({ tables }: { readonly tables: readonly ResultTable[] }): ReactNode =>
  tables.map(({ title, columns, rows, left }, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- two results may have the same title
    <section key={at} className="stack" aria-label={title}>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <div className={styles.list} tabIndex={0} role="group" aria-label={`Values of ${title}`}>
        <RowTable<readonly [number, readonly string[]]>
          label={title}
          rows={[...rows.entries()]}
          keyOf={([position]) => String(position)}
          columns={columns.map((column, i) => ({
            title: column,
            cell: ([, cells]) => <bdi className={styles.cell}>{cells[i]}</bdi>,
          }))}
        />
      </div>
      {left === 0 ? null : <p className="note">{formatPlural(left, 'more row')} in the JSON.</p>}
    </section>
  ))
