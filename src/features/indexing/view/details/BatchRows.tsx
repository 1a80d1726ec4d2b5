import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatRate,
  type Clock,
} from '../../../../base/text/format.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import { formatBatchRef } from '../../../../feeds/indexing/contract/batch-ref.ts'
import type {
  BatchFilter,
  BatchRef,
  BatchRow,
  BatchSort,
  IndexKey,
} from '../../../../feeds/indexing/contract/batches.ts'
import { STATE_LOOKS } from '../states.ts'
import { StateSwatch } from '../StateSwatch.tsx'
import { useRowsVersion } from '../../../../ui/table/useRowsVersion.ts'
import styles from './tables.module.css'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { bytesOrNot, indexName, reasonText } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

const COLUMNS: readonly TableColumn[] = [
  { id: 'start', title: 'Started', width: 210, sortable: true, pinned: true },
  { id: 'duration', title: 'Duration', align: 'end', width: 90, sortable: true },
  { id: 'index', title: 'Index', width: 150, grow: 1, sortable: true },
  { id: 'id', title: 'Batch', align: 'end', width: 70, sortable: true },
  { id: 'state', title: 'State', width: 130 },
  { id: 'documents', title: 'Documents', align: 'end', width: 92, sortable: true },
  { id: 'failed', title: 'Failed', align: 'end', width: 72, sortable: true },
  { id: 'bytes', title: 'Size', align: 'end', width: 84, sortable: true },
  { id: 'rate', title: 'Documents/s', align: 'end', width: 100, sortable: true },
  { id: 'allocated', title: 'At last check', align: 'end', width: 108, sortable: true },
  { id: 'budget', title: 'Granted', align: 'end', width: 108, sortable: true },
  { id: 'reason', title: 'Stopped', width: 260, grow: 2, sortable: true },
]

function cell(row: BatchRow, column: string, clock: Clock, manySources: boolean): ReactNode {
  switch (column) {
    case 'start':
      return <span className="mono">{formatDateTime(row.startTicks, clock, 7)}</span>
    case 'duration':
      return formatDuration(row.durationTicks)
    case 'index':
      return <bdi>{indexName(row, manySources)}</bdi>
    case 'id':
      return formatCount(row.id)
    case 'state':
      return (
        <span className="inline">
          <StateSwatch state={row.state} /> {STATE_LOOKS[row.state].title}
        </span>
      )
    case 'documents':
      return formatCount(row.documentsIn)
    case 'failed':
      return formatCount(row.documentsFailed)
    case 'bytes':
      return formatBytes(row.bytes)
    case 'rate':
      return formatRate(row.documentsPerSecond)
    case 'allocated':
      return bytesOrNot(row.allocatedBytes)
    case 'budget':
      return bytesOrNot(row.budgetBytes)
    case 'reason':
      return <span title={reasonText(row.reason)}>{row.reason.words}</span>
    default:
      return null
  }
}

export interface BatchRowsProps {
  readonly indexes: readonly IndexKey[]
  readonly range: TimeRange
  readonly filter: BatchFilter
  readonly version: number
  readonly clock: Clock
  readonly manySources: boolean
  readonly sort: TableSort<BatchSort>
  readonly selected: BatchRef | null
  readonly onSort: (sort: TableSort<BatchSort>) => void
  readonly onSelect: (batch: BatchRow) => void
}

/** Table version of the timeline: the same batches and range, as figures. */
export function BatchRows(props: BatchRowsProps): ReactNode {
  const { indexes, range, filter, version, clock, sort, selected } = props
  const capture = useCapture()
  const base = { ...range, indexes, filter, sort: sort.id, descending: sort.descending }
  const what = `${range.startTicks}-${range.endTicks}|${JSON.stringify(filter)}|${indexes.join('\n')}`
  const { response } = useRequest('indexing.rows', { ...base, offset: 0, limit: 0 }, { version, everyMs: 500 })
  const rowsVersion = useRowsVersion(what, response?.total)
  return (
    <div className={cx('column', styles.rows)}>
      <div className={cx('row', styles.heading)}>
        <h2>Batches in view</h2>
        <span className="faint">{response === null ? '' : formatCount(response.total)}</span>
      </div>
      <VirtualTable<BatchRow>
        label="Batches in view"
        columns={COLUMNS}
        total={response?.total ?? 0}
        rowHeightPx={26}
        version={rowsVersion}
        fetchRows={async (offset, limit, signal) =>
          (await capture.request('indexing.rows', { ...base, offset, limit }, signal)).rows
        }
        renderCell={(row, column) => cell(row, column, clock, props.manySources)}
        rowKey={formatBatchRef}
        selectedKey={selected === null ? null : formatBatchRef(selected)}
        sort={sort}
        onSort={(next) => props.onSort(next as TableSort<BatchSort>)}
        onRowClick={props.onSelect}
      />
    </div>
  )
}
