import type { ReactNode } from 'react'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatPlural,
  type Clock,
} from '../../base/text/format.ts'
import { type Ticks, TICKS_PER_MS } from '../../base/ticks.ts'
import type { NoticeDetails, NoticeValue } from '../../ravendb/databases/notice-details.ts'
import styles from './notifications.module.css'
import { LongText } from '../../ui/LongText.tsx'

/** Details of a notification: facts, and a table of documents, writes, requests or other records. */
export function NotificationDetails({
  details: { facts, columns, rows, more },
  clock,
}: {
  readonly details: NoticeDetails
  readonly clock: Clock
}): ReactNode {
  return (
    <details className={styles.details}>
      <summary>Details</summary>
      {facts.length === 0 ? null : (
        <dl>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <LongText text={valueText(value, clock)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {rows.length === 0 ? null : (
        <div className={styles.table} role="region" aria-label="Details" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((column, i) => (
                  <th key={column} scope="col" className={isNumber(rows[0]?.[i]) ? styles.number : undefined}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={JSON.stringify(row)}>
                  {row.map((value, i) => (
                    <td key={columns[i]} className={isNumber(value) ? styles.number : undefined}>
                      <bdi>{value === null ? '' : valueText(value, clock)}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more === 0 ? null : <p className={styles.note}>and {formatPlural(more, 'more row')}</p>}
    </details>
  )
}

const isNumber = (value: NoticeValue | null | undefined): boolean =>
  value != null && value.unit !== 'text' && value.unit !== 'time'

function valueText({ unit, value }: NoticeValue, clock: Clock): string {
  if (typeof value === 'string') return value
  switch (unit) {
    case 'bytes':
      return formatBytes(value)
    case 'bytesPerSecond':
      return formatByteRate(value)
    case 'ms':
      return formatDuration(value * TICKS_PER_MS)
    case 'time':
      return formatDateTime(value as Ticks, clock, 0)
    default:
      return formatCount(value)
  }
}
