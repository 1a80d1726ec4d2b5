import { useState, type ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPlural,
  formatRate,
  formatShare,
} from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { HEADER_PX, VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import { sortIndexes } from './index-rows.ts'
import { INDEX_COLUMNS } from '../lists.ts'
import type { IndexSort } from '../../contract.ts'
import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import type { IndexingSummaryResponse, IndexSummary } from '../../../../feeds/indexing/contract/summary.ts'
import styles from './tables.module.css'
import { ThreadLink } from './ThreadLink.tsx'
import { describeTraining, indexName, isKnownWhole } from '../words.ts'

/** Columns by importance: if the list is beside the table, the last ones are out of view. */
const COLUMNS: readonly TableColumn[] = [
  { id: 'name', title: 'Index', width: 190, grow: 2, sortable: true, pinned: true },
  { id: 'busy', title: 'Busy time', align: 'end', width: 84, sortable: true },
  { id: 'share', title: 'Busy, % of view', align: 'end', width: 112, sortable: true },
  { id: 'batches', title: 'Batches', align: 'end', width: 72, sortable: true },
  { id: 'failed', title: 'Failed', align: 'end', width: 60, sortable: true },
  { id: 'reasons', title: 'Stopped for', width: 140, grow: 3 },
  { id: 'documents', title: 'Documents', align: 'end', width: 88, sortable: true },
  { id: 'busyRate', title: 'Documents/s busy', align: 'end', width: 126, sortable: true },
  { id: 'max', title: 'Max', align: 'end', width: 70, sortable: true },
  { id: 'p99', title: 'p99', align: 'end', width: 70, sortable: true },
  { id: 'p50', title: 'p50', align: 'end', width: 70, sortable: true },
  { id: 'rate', title: 'Documents/s of view', align: 'end', width: 142, sortable: true },
  { id: 'bytes', title: 'Bytes', align: 'end', width: 78, sortable: true },
  { id: 'waited', title: 'Waited to run', align: 'end', width: 104, sortable: true },
]

/** Marks a figure of an index whose older batches in view are not known, as the server had dropped them. */
const ofKnown = (row: IndexSummary, range: TimeRange, text: string): ReactNode =>
  isKnownWhole(row, range) ? (
    text
  ) : (
    <span title={`Of the ${formatDuration(row.knownTicks)} that are known; the server had dropped older batches`}>
      ≈ {text}
    </span>
  )

function cell(row: IndexSummary, column: string, manySources: boolean, range: TimeRange): ReactNode {
  switch (column) {
    case 'name': {
      const { source, name } = splitIndexKey(row.index ?? '')
      return <bdi className={styles.name}>{indexName({ source, indexName: name }, manySources)}</bdi>
    }
    case 'batches':
      return (
        <span
          title={`${formatCount(row.counts.empty)} of them empty, ${formatPlural(row.running, 'batch', 'batches')} under way`}
        >
          {formatCount(row.counts.batches)}
        </span>
      )
    case 'busy':
      return formatDuration(row.busyTicks)
    case 'share':
      return ofKnown(row, range, formatShare(row.busyShare))
    case 'documents':
      return <span title={describeTraining(row).trim() || undefined}>{formatCount(row.documentsIn)}</span>
    case 'busyRate':
      return formatRate(row.documentsPerBusySecond)
    case 'rate':
      return ofKnown(row, range, formatRate(row.documentsPerSecond))
    case 'bytes':
      return formatBytes(row.bytes)
    case 'p50':
      return formatDuration(row.p50Ticks)
    case 'p99':
      return formatDuration(row.p99Ticks)
    case 'max':
      return formatDuration(row.maxTicks)
    case 'failed':
      return row.documentsFailed === 0 ? '0' : <b className={styles.bad}>{formatCount(row.documentsFailed)}</b>
    case 'waited':
      return row.waitTicks === 0 ? '0 ms' : formatDuration(row.waitTicks)
    default:
      return <Reasons row={row} />
  }
}

const WEIGHTS = ['broken', 'pressure', 'limit', 'calm']

/** Counts by reason, the worst first, then the most frequent. Unusual ones are bold, not only coloured. */
function Reasons({ row }: { readonly row: IndexSummary }): ReactNode {
  const worstFirst = row.reasons.toSorted(
    (a, b) => WEIGHTS.indexOf(a.weight) - WEIGHTS.indexOf(b.weight) || b.count - a.count,
  )
  return (
    <span title={row.reasons.map((reason) => `${formatCount(reason.count)} × ${reason.words}`).join(' · ')}>
      {worstFirst.map((reason, i) => (
        <span
          key={reason.code}
          className={cx(reason.weight === 'pressure' && styles.pressed, reason.weight === 'broken' && styles.bad)}
        >
          {i === 0 ? '' : ', '}
          {reason.code.replaceAll('-', ' ')} {formatCount(reason.count)}
        </span>
      ))}
    </span>
  )
}

const ROW_PX = 25
const ROWS_SHOWN = 8
/**
 * Number of rows above which the table scrolls by itself, so that the page does not become endless; with fewer rows the
 * page grows.
 */
const MOST_ROWS = 200

/** Number of rows at first; includes the row that a link opens. */
function firstRows(rows: readonly IndexSummary[], focus: IndexKey | null): number {
  const at = rows.findIndex((row) => row.index === focus)
  return Math.min(rows.length, Math.max(ROWS_SHOWN, at + 1))
}

export interface IndexTableProps {
  readonly summary: IndexingSummaryResponse
  readonly range: TimeRange
  /** Whether the rows currently belong to another range than the picture. */
  readonly stale: boolean
  readonly manySources: boolean
  readonly sort: TableSort<IndexSort>
  readonly focus: IndexKey | null
  readonly onSort: (sort: TableSort<IndexSort>) => void
  readonly onFocus: (index: IndexKey | null) => void
}

/** Figures of the range in view by index; a click shows where the time of an index went. */
export function IndexTable(props: IndexTableProps): ReactNode {
  const { summary, range, stale, manySources, sort, focus } = props
  const [isWhole, setIsWhole] = useState(false)
  const rows = sortIndexes(summary.indexes, sort.id, sort.descending)
  const shownRows = isWhole ? rows.length : firstRows(rows, focus)
  const { total } = summary
  // Compared by the response, not by the request: a response may arrive long after its request, with the same version.
  const [shown, setShown] = useState({ of: summary, count: 0 })
  if (shown.of !== summary) setShown({ of: summary, count: shown.count + 1 })
  return (
    <section className={cx('raised', styles.box, stale && 'stale')} aria-label="Indexes in view" aria-busy={stale}>
      <div className={cx('row', styles.heading)}>
        <h2>Indexes in view</h2>
        <span className="faint">
          {formatPlural(total.counts.batches, 'batch', 'batches')}, {formatCount(total.counts.empty)} of them empty;{' '}
          {formatPlural(total.documentsIn, 'document')}; {formatDuration(total.busyTicks)} of work,{' '}
          {formatShare(total.busyShare)} of the time; p99 {formatDuration(total.p99Ticks)}.{describeTraining(total)}
        </span>
        <span className={styles.actions}>
          {focus === null ? null : (
            <>
              <ThreadLink index={focus} />
              <Button small onClick={() => props.onFocus(null)}>
                All indexes
              </Button>
            </>
          )}
          {rows.length <= ROWS_SHOWN ? null : (
            <Button small aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
              {isWhole ? `First ${ROWS_SHOWN}` : `Show all ${formatCount(rows.length)}`}
            </Button>
          )}
          <ListExport
            label="indexes"
            what="index-summary"
            of=""
            at={range.startTicks}
            columns={INDEX_COLUMNS}
            rows={rows}
          />
        </span>
      </div>
      <div style={shownRows > MOST_ROWS ? { height: HEADER_PX + MOST_ROWS * ROW_PX } : undefined}>
        <VirtualTable<IndexSummary>
          label="Indexes in view"
          columns={COLUMNS}
          total={shownRows}
          rowHeightPx={ROW_PX}
          version={`${shown.count} ${shownRows}`}
          fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
          renderCell={(row, column) => cell(row, column, manySources, range)}
          rowKey={(row) => row.index ?? ''}
          selectedKey={focus}
          isWhole={shownRows <= MOST_ROWS}
          sort={sort}
          onSort={(next) => props.onSort(next as TableSort<IndexSort>)}
          onRowClick={(row) => props.onFocus(row.index === focus ? null : row.index)}
        />
      </div>
    </section>
  )
}
