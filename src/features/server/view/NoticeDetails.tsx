import type { ReactNode } from 'react'
import { formatPlural } from '../../../base/text/format.ts'
import { noticeTable } from './notice-table.ts'
import styles from './server.module.css'

/** Details of an alert or hint: a table where they have rows, or else as the server sent them. */
export function NoticeDetails({ text }: { readonly text: string }): ReactNode {
  const table = noticeTable(text)
  return (
    <details className={styles.exception}>
      <summary>Details</summary>
      {table === null ? (
        <pre tabIndex={0}>{text}</pre>
      ) : (
        <div className={styles.noticeTable} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {table.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={JSON.stringify(row)}>
                  {table.columns.map((column) => (
                    <td key={column}>
                      <bdi>{row[column] ?? ''}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {table.more === 0 ? null : <p className={styles.note}>and {formatPlural(table.more, 'more row')}</p>}
        </div>
      )}
    </details>
  )
}
