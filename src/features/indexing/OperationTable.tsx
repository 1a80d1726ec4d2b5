import type { ReactNode } from 'react'
import { formatCount, formatDuration, formatShare, UNKNOWN } from '../../base/format.ts'
import type { TimeRange } from '../../base/ticks.ts'
import { ListExport } from '../../capture/exporting/ListExport.tsx'
import { cx } from '../../ui/cx.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { SideScrollBox } from '../../ui/SideScrollBox.tsx'
import { FamilySwatch } from './FamilySwatch.tsx'
import { OPERATION_COLUMNS } from './lists.ts'
import type { IndexingPalette } from './palette.ts'
import type { IndexingSummaryAnswer } from './queries/summary.ts'
import styles from './tables.module.css'

export interface OperationTableProps {
  /** Null: being worked out. */
  readonly answer: IndexingSummaryAnswer | null
  /** Whose operations: the name of an index, or all together. */
  readonly of: string
  readonly range: TimeRange
  /** It is of another range than the picture, for the moment. */
  readonly stale: boolean
  readonly palette: IndexingPalette
}

/** Time by operation. The column “Itself” sums to the total, with what no operation tells of as its last part. */
export function OperationTable({ answer, of, range, stale, palette }: OperationTableProps): ReactNode {
  return (
    <section className={cx(styles.box, stale && styles.stale)} aria-label="Time by operation" aria-busy={stale}>
      <div className={styles.heading}>
        <h2>Time by operation</h2>
        <bdi className={styles.faint}>{of}</bdi>
        <span className={styles.actions}>
          <ListExport
            label="time by operation"
            what="index-operations"
            of={of}
            at={range.startTicks}
            columns={OPERATION_COLUMNS}
            rows={answer?.operations ?? []}
          />
        </span>
      </div>
      {answer === null ? (
        <Spinner>Adding up …</Spinner>
      ) : (
        <SideScrollBox label="Time by operation, table" role="group" className={styles.scroll}>
          <Rows answer={answer} palette={palette} />
        </SideScrollBox>
      )}
    </section>
  )
}

function Rows({
  answer,
  palette,
}: {
  readonly answer: IndexingSummaryAnswer
  readonly palette: IndexingPalette
}): ReactNode {
  const all = answer.operationsOfTicks
  const most = Math.max(1, answer.otherTicks, ...answer.operations.map((each) => each.selfTicks))
  return (
    <table className={styles.operations}>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col" title="With everything inside of it">
            All
          </th>
          <th scope="col" title="Without what is inside of it: this column sums to the total">
            Itself
          </th>
          <th scope="col">Of the total</th>
          <th scope="col">Batches</th>
          <th scope="col">Longest</th>
        </tr>
      </thead>
      <tbody>
        {answer.operations.map((each) => (
          <tr key={each.path}>
            <th scope="row" style={{ paddingInlineStart: `${0.5 + each.depth * 0.85}rem` }} title={each.path}>
              <FamilySwatch family={each.family} palette={palette} /> <bdi>{each.name}</bdi>
            </th>
            <td>{formatDuration(each.totalTicks)}</td>
            <td>{formatDuration(each.selfTicks)}</td>
            <td>
              <span className={styles.barCell}>
                <span
                  className={styles.bar}
                  style={{ width: `${(6 * each.selfTicks) / most}rem`, background: palette.family(each.family) }}
                />
                {formatShare(each.selfTicks / all)}
              </span>
            </td>
            <td>{formatCount(each.batches)}</td>
            <td>{formatDuration(each.longestTicks)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">
            <FamilySwatch family="other" palette={palette} /> other: told by no operation
          </th>
          <td>{formatDuration(answer.otherTicks)}</td>
          <td>{formatDuration(answer.otherTicks)}</td>
          <td>
            <span className={styles.barCell}>
              <span
                className={styles.bar}
                style={{ width: `${(6 * answer.otherTicks) / most}rem`, background: palette.family('other') }}
              />
              {formatShare(answer.otherTicks / all)}
            </span>
          </td>
          <td>{UNKNOWN}</td>
          <td>{UNKNOWN}</td>
        </tr>
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td>{formatDuration(all)}</td>
          <td>{formatDuration(all)}</td>
          <td>{formatShare(all === 0 ? Number.NaN : 1)}</td>
          <td>{formatCount(answer.total.counts.batches)}</td>
          <td>{formatDuration(answer.total.maxTicks)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
