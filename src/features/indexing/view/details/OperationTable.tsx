import { useState, type ReactNode } from 'react'
import { formatCount, formatDuration, formatPlural, formatShare, UNKNOWN } from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { Spinner } from '../../../../ui/Progress.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { FamilySwatch } from '../FamilySwatch.tsx'
import { OPERATION_COLUMNS } from '../lists.ts'
import type { IndexingPalette } from '../palette.ts'
import type { IndexingOperationsResponse } from '../../../../feeds/indexing/contract/operations.ts'
import styles from './tables.module.css'
import { leftOutText } from '../words.ts'

export interface OperationTableProps {
  /** Operations of the range; null: still being computed. */
  readonly response: IndexingOperationsResponse | null
  /** Owner of the operations: the name of an index, or a text for all together. */
  readonly of: string
  readonly range: TimeRange
  /** Whether the response currently belongs to another range than the picture. */
  readonly stale: boolean
  readonly palette: IndexingPalette
}

/** Share of the time below which an operation is folded; there are dozens of rows below it. */
const SMALL_SHARE = 0.01
/** Maximum number of rows before the rest is folded: each row costs layout whenever the view rests. */
const MOST_ROWS = 40

/** Time by operation. The column “Self” adds up to the total; its last part is the unattributed rest. */
export function OperationTable({ response, of, range, stale, palette }: OperationTableProps): ReactNode {
  const [isWhole, setIsWhole] = useState(false)
  const all = response?.operations ?? []
  const leastTicks = leastShown(all, response?.busyTicks ?? 0)
  // An operation takes no more time than its parent, so the parent of a shown row is also shown.
  const large = all.filter(({ totalTicks }) => totalTicks > 0 && totalTicks >= leastTicks)
  const leastShare = formatShare(leastTicks / (response?.busyTicks ?? 0))
  return (
    <section className={cx('raised', styles.box, stale && 'stale')} aria-label="Time by operation" aria-busy={stale}>
      <div className={cx('row', styles.heading)}>
        <h2>Time by operation</h2>
        <bdi className="faint">{of}</bdi>
        <span className={styles.actions}>
          {large.length === all.length ? null : (
            <Button
              small
              aria-expanded={isWhole}
              title={`${formatCount(all.length - large.length)} of them took less than ${leastShare} of the time`}
              onClick={() => setIsWhole(!isWhole)}
            >
              {isWhole ? 'Largest only' : `Show all ${formatCount(all.length)}`}
            </Button>
          )}
          <ListExport
            label="time by operation"
            what="index-operations"
            of={of}
            at={range.startTicks}
            columns={OPERATION_COLUMNS}
            rows={all}
          />
        </span>
      </div>
      {response === null ? (
        <Spinner>Adding up …</Spinner>
      ) : (
        <SideScrollBox label="Time by operation, table" role="group" className={styles.scroll}>
          {response.leftOut === 0 ? null : <p className="faint">{leftOutText(response.leftOut)}</p>}
          <Rows response={response} operations={isWhole ? all : large} leastShare={leastShare} palette={palette} />
        </SideScrollBox>
      )}
    </section>
  )
}

/** Minimum time, including children, of an operation that is shown at first. */
function leastShown(all: IndexingOperationsResponse['operations'], allTicks: number): number {
  const largest = all.map(({ totalTicks }) => totalTicks).toSorted((a, b) => b - a)
  return Math.max(allTicks * SMALL_SHARE, largest[MOST_ROWS - 1] ?? 0)
}

interface RowsProps {
  readonly response: IndexingOperationsResponse
  /** Operations to show. */
  readonly operations: IndexingOperationsResponse['operations']
  /** Share of the time below which operations are folded, as text. */
  readonly leastShare: string
  readonly palette: IndexingPalette
}

function Rows({ response, operations, leastShare, palette }: RowsProps): ReactNode {
  const all = response.busyTicks
  const selfOf = (rows: typeof operations): number => rows.reduce((sum, { selfTicks }) => sum + selfTicks, 0)
  const { unlisted } = response
  const folded = response.operations.length - operations.length + unlisted.count
  const foldedTicks = selfOf(response.operations) - selfOf(operations) + unlisted.selfTicks
  const most = Math.max(1, response.otherTicks, ...response.operations.map((each) => each.selfTicks))
  return (
    <table className={cx('figures', styles.operations)}>
      <thead>
        <tr>
          <th scope="col">Operation</th>
          <th scope="col" title="With everything inside of it">
            With children
          </th>
          <th scope="col" title="Without what is inside of it: this column sums to the total">
            Self
          </th>
          <th scope="col">Self, % of busy time</th>
          <th scope="col">Batches</th>
          <th scope="col">Longest</th>
        </tr>
      </thead>
      <tbody>
        {operations.map((each) => (
          <tr key={each.path}>
            <th scope="row" style={{ paddingInlineStart: `${0.5 + each.depth * 0.85}rem` }} title={each.path}>
              <FamilySwatch family={each.family} palette={palette} /> <bdi>{each.name}</bdi>
            </th>
            <td>{formatDuration(each.totalTicks)}</td>
            <td>{formatDuration(each.selfTicks)}</td>
            <td>
              <span className={cx('line', styles.barCell)}>
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
        {folded === 0 ? null : (
          <tr>
            <th scope="row">
              {operations.length < response.operations.length
                ? `${formatPlural(folded, 'operation')} under ${leastShare}, folded`
                : `${formatPlural(folded, 'smaller operation')}, folded`}
            </th>
            <td>{UNKNOWN}</td>
            <td>{formatDuration(foldedTicks)}</td>
            <td>{formatShare(foldedTicks / all)}</td>
            <td>{UNKNOWN}</td>
            <td>{UNKNOWN}</td>
          </tr>
        )}
        <tr>
          <th scope="row">
            <FamilySwatch family="other" palette={palette} /> other: unattributed
          </th>
          <td>{formatDuration(response.otherTicks)}</td>
          <td>{formatDuration(response.otherTicks)}</td>
          <td>
            <span className={cx('line', styles.barCell)}>
              <span
                className={styles.bar}
                style={{ width: `${(6 * response.otherTicks) / most}rem`, background: palette.family('other') }}
              />
              {formatShare(response.otherTicks / all)}
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
          <td>{formatCount(response.batches)}</td>
          <td>{formatDuration(response.longestTicks)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
