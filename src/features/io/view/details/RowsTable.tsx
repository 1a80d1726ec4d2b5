import type { ReactNode } from 'react'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import { formatEventRef } from '../../../../feeds/io/contract/event-ref.ts'
import type { EventsInView } from '../distribution/Sizes.tsx'
import { KindSwatch } from '../timeline/KindSwatch.tsx'
import { kindLook } from '../timeline/kinds.ts'
import { useRowsVersion } from '../../../../ui/table/useRowsVersion.ts'
import styles from '../panel.module.css'
import type { IoRowsResponse, IoSort } from '../../../../feeds/io/contract/rows.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { laneName, speedText } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

type Row = IoRowsResponse['rows'][number]

const COLUMNS: readonly TableColumn[] = [
  { id: 'start', title: 'Start', width: 210, sortable: true, pinned: true },
  { id: 'duration', title: 'Duration', align: 'end', width: 90, sortable: true },
  { id: 'kind', title: 'Kind', width: 130, sortable: true },
  { id: 'lane', title: 'Index or storage', width: 150, grow: 1, sortable: true },
  {
    id: 'size',
    title: 'Size',
    header: <span title="Of a data sync: what was flushed since the last sync">Size</span>,
    align: 'end',
    width: 115,
    sortable: true,
  },
  {
    id: 'speed',
    title: 'Speed',
    header: (
      <span title="Journal writes from 256 KiB: the disk. Flushes: memory and page cache. Compression: the CPU. Smaller writes are latency, and syncs have no speed.">
        Speed
      </span>
    ),
    align: 'end',
    width: 160,
    sortable: true,
  },
  { id: 'file', title: 'File', width: 225, sortable: true },
  { id: 'fileSize', title: 'File size', align: 'end', width: 90 },
]

function cell(row: Row, column: string, clock: Clock, manySources: boolean): ReactNode {
  switch (column) {
    case 'start':
      return <span className="mono">{formatDateTime(row.startTicks, clock, 7)}</span>
    case 'duration':
      return formatDuration(row.durationTicks)
    case 'kind':
      return (
        <span className="inline">
          <KindSwatch kind={row.kind} /> {kindLook(row.kind).title}
        </span>
      )
    case 'lane':
      return <bdi>{laneName(row, manySources)}</bdi>
    case 'size':
      if (row.hasNoSize === true) return UNKNOWN
      return row.kind === 'DataSync' ? `covers ${formatBytes(row.sizeBytes)}` : formatBytes(row.sizeBytes)
    case 'speed':
      return speedText(row)
    case 'file':
      return <bdi className="mono">{row.file}</bdi>
    case 'fileSize':
      return formatBytes(row.fileSizeBytes ?? Number.NaN)
    default:
      return null
  }
}

interface RowsTableProps extends EventsInView {
  readonly manySources: boolean
  readonly sort: TableSort<IoSort>
  readonly onSort: (sort: TableSort<IoSort>) => void
  /** Export button, shown in the bar above the table. */
  readonly exporting: ReactNode
}

/** Table version of the timeline: the same rows and range, as figures. */
export function RowsTable(props: RowsTableProps): ReactNode {
  const { scope, range, filter, version, clock, sort, selected } = props
  const capture = useCapture()
  const base = { ...range, rows: scope, filter, sort: sort.id, descending: sort.descending }
  const what = `${range.startTicks}-${range.endTicks}|${JSON.stringify(filter)}|${JSON.stringify(scope)}`
  const { response } = useRequest('io.rows', { ...base, offset: 0, limit: 0 }, { version, everyMs: 500 })
  const rowsVersion = useRowsVersion(what, response?.total)
  return (
    <div className={cx('column', styles.rows)}>
      <div className={cx('line', styles.rowsBar)}>
        <h2>Events in view</h2>
        <span className="note">{response === null ? '' : formatCount(response.total)}</span>
        {props.exporting}
      </div>
      <VirtualTable<Row>
        label="Events in view"
        columns={COLUMNS}
        total={response?.total ?? 0}
        rowHeightPx={26}
        version={rowsVersion}
        fetchRows={async (offset, limit, signal) =>
          (await capture.request('io.rows', { ...base, offset, limit }, signal)).rows
        }
        renderCell={(row, column) => cell(row, column, clock, props.manySources)}
        rowKey={formatEventRef}
        selectedKey={selected === null ? null : formatEventRef(selected)}
        sort={sort}
        onSort={(next) => props.onSort(next as TableSort<IoSort>)}
        onRowClick={props.onSelect}
      />
    </div>
  )
}
