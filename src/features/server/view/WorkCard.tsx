import type { ReactNode } from 'react'
import type { Ticks } from '../../../base/brand.ts'
import { formatCount, formatDuration, formatRate, formatShare, UNKNOWN } from '../../../base/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import type { DatabaseAtWork } from '../queries.ts'
import styles from './cards.module.css'
import { formatAgo } from './words.ts'

const MOST_ROWS = 6

/** The transaction mergers of the databases that are being written to: no server tells this of itself as a whole. */
export function WorkCard({
  work,
  writesPerSecond,
  nowTicks,
}: {
  readonly work: readonly DatabaseAtWork[]
  /** Of the whole server now; null: not told. */
  readonly writesPerSecond: number | null
  readonly nowTicks: Ticks | null
}): ReactNode {
  const told = work.filter(({ merger, waiting }) => merger !== null || (waiting ?? 0) > 0)
  return (
    <section className={styles.card} aria-label="Transaction merger">
      <h2>Transaction merger</h2>
      {told.length === 0 ? (
        <p className={styles.faint}>
          {writesPerSecond === null || writesPerSecond === 0
            ? 'No database was written to in the last minute.'
            : 'Not known yet: something is written, and whoever writes is asked soon.'}
        </p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Database</th>
              <th scope="col" title="Writes that wait to be merged into a transaction">
                Waiting
              </th>
              <th scope="col" title="Share of the last minute in which a transaction was executed">
                Busy
              </th>
              <th scope="col" title="Writes merged into one transaction, on average">
                Merged
              </th>
              <th scope="col" title="The longest transaction of the last minute">
                Longest
              </th>
            </tr>
          </thead>
          <tbody>
            {told.slice(0, MOST_ROWS).map(({ database, atTicks, waiting, merger }) => (
              <tr key={database} title={nowTicks === null ? undefined : `told ${formatAgo(atTicks, nowTicks)} ago`}>
                <th scope="row">
                  <bdi className={styles.name}>{database}</bdi>
                </th>
                <td>{waiting === null ? UNKNOWN : formatCount(waiting)}</td>
                {merger === null ? (
                  <td colSpan={3} className={styles.faint}>
                    none
                  </td>
                ) : (
                  <>
                    <td>{formatShare(Math.min(1, merger.busyMs / merger.spanMs))}</td>
                    <td
                      title={`${formatRate(merger.operations / (merger.spanMs / 1000))} writes in ${formatCount(merger.transactions)} transactions, ${formatDuration(spanFromMs(merger.busyMs / merger.transactions))} each on average`}
                    >
                      {formatMerged(merger.operations / merger.transactions)}
                    </td>
                    <td>{formatDuration(spanFromMs(merger.longestMs))}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.faint}>
        Of the last minute; asked only of databases in which others write or index now, a few every 20 s.
        {told.length > MOST_ROWS ? ` ${formatCount(told.length - MOST_ROWS)} more are less busy.` : ''}
      </p>
    </section>
  )
}

const formatMerged = (count: number): string => (count < 10 ? count.toFixed(1) : formatCount(Math.round(count)))
