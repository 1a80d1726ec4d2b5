import { formatAgo } from '../../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import {
  formatCount,
  formatDuration,
  formatPlural,
  formatRate,
  formatShare,
  UNKNOWN,
} from '../../../../base/text/format.ts'
import { spanFromMs, type Ticks } from '../../../../base/ticks.ts'
import type { DatabaseAtWork, ServerNow } from '../../../../feeds/server/contract/now.ts'
import { DatabaseLink } from '../../../../capture/frame/DatabaseLink.tsx'
import styles from './cards.module.css'
import { formatMean } from './Fact.tsx'
import { cx } from '../../../../ui/theme/cx.ts'

const MOST_ROWS = 6

interface WorkCardProps {
  readonly work: ServerNow['work']
  readonly nowTicks: Ticks | null
}

/** The transaction mergers of the databases being written to; no server reports them together. */
export function WorkCard({ work, nowTicks }: WorkCardProps): ReactNode {
  const reported = (work?.reported ?? []).filter(hasMerged)
  return (
    <section className={cx('raised', styles.card)} aria-label="Transaction merger">
      <h2>Transaction merger</h2>
      {reported.length === 0 ? (
        <p className="faint">{emptyWords(work)}</p>
      ) : (
        <table className={cx('figures', styles.table)}>
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
            {reported.slice(0, MOST_ROWS).map(({ database, atTicks, waiting, merger }) => (
              <tr key={database} title={nowTicks === null ? undefined : `reported ${formatAgo(atTicks, nowTicks)} ago`}>
                <th scope="row">
                  <DatabaseLink name={database} className={cx('cut', styles.name)} />
                </th>
                <td>{waiting === null ? UNKNOWN : formatCount(waiting)}</td>
                {merger === null ? (
                  <td colSpan={3} className="faint">
                    not reported
                  </td>
                ) : (
                  <>
                    <td>{formatShare(Math.min(1, merger.busyMs / merger.spanMs))}</td>
                    <td
                      title={`${formatRate(merger.operations / (merger.spanMs / 1000))} writes in ${formatCount(merger.transactions)} transactions, ${formatDuration(spanFromMs(merger.busyMs / merger.transactions))} each on average`}
                    >
                      {merger.transactions === 0 ? UNKNOWN : formatMean(merger.operations / merger.transactions)}
                    </td>
                    <td>{formatDuration(spanFromMs(merger.longestMs))}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="faint">
        Figures of the last minute; only databases that others use now are polled, a few every 20 s.
        {reported.length > MOST_ROWS ? ` ${formatCount(reported.length - MOST_ROWS)} more are less busy.` : ''}
      </p>
    </section>
  )
}

/**
 * Whether the database merged transactions, has waiting writes, or does not report its merger. False: it reported that
 * nothing was written.
 */
const hasMerged = ({ merger, waiting }: DatabaseAtWork): boolean =>
  merger === null || merger.transactions > 0 || (waiting ?? 0) > 0

/**
 * Text that explains why there are no rows. It says that nothing is written only if the server reported which databases
 * it writes to.
 */
function emptyWords(work: ServerNow['work']): string {
  if (work === null) return 'No data yet on which databases are written to.'
  if (work.unpolled > 0)
    return `Something is written or indexed in ${formatPlural(work.working, 'database')}; ${work.working === 1 ? 'it is' : 'they are'} polled next.`
  return work.working > 0
    ? 'Something is indexed, and nothing was written in the last minute in the databases polled so far.'
    : 'Nothing is written or indexed in any database now.'
}
