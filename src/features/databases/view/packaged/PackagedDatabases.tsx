import { useState, type ReactNode } from 'react'
import { formatBytes, formatCount, formatDateTime, formatPlural, UNKNOWN } from '../../../../base/text/format.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useView } from '../../../../capture/client/view.ts'
import { PackageHead } from '../../../../capture/frame/PackageHead.tsx'
import type { PackagedProps } from '../../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../../capture/frame/PanelFrame.tsx'
import { StateDot } from '../../../../ui/Badge.tsx'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { PackageDatabase, PackageReport } from '../../../package/contract.ts'
import styles from './packaged.module.css'
import { STATES } from './states.ts'

/** Databases of a debug package by node, as they were when it was made. */
export default function PackagedDatabases({ panel, file }: PackagedProps): ReactNode {
  const { response: report, error } = useRequest('package.report', { file }, { version: file, everyMs: 1000 })
  return (
    <PanelFrame panel={panel}>
      {error === null ? null : <ErrorNotice error={error} />}
      {report === null ? <Spinner>Reading the package</Spinner> : <Databases report={report} />}
    </PanelFrame>
  )
}

const ROW_PX = 30
const number = { width: 92, grow: 0.4, align: 'end', sortable: true } as const

const columnsOf = (isCluster: boolean): readonly TableColumn[] => [
  { id: 'name', title: 'Name', width: 152, grow: 3, sortable: true, pinned: true },
  ...(isCluster ? [{ id: 'node', title: 'Node', width: 64, sortable: true }] : []),
  { id: 'state', title: 'State', width: 110, grow: 1, sortable: true },
  { id: 'documents', title: 'Documents', ...number },
  { id: 'indexes', title: 'Indexes', ...number },
  { id: 'stale', title: 'Stale', ...number },
  { id: 'erroredIndexes', title: 'In error', ...number },
  { id: 'indexingErrors', title: 'Errors', ...number },
  { id: 'bytes', title: 'On disk', ...number },
  { id: 'tempBytes', title: 'Temp', ...number },
  { id: 'notices', title: 'Notifications', ...number, width: 108 },
  { id: 'backupTicks', title: 'Last backup', ...number, width: 150 },
]

const FORMATS: Readonly<Record<string, (value: number) => string>> = { bytes: formatBytes, tempBytes: formatBytes }

function Databases({ report }: { readonly report: PackageReport }): ReactNode {
  const { file, atTicks, nodes, databases } = report
  const { open, view } = useView()
  const [sort, setSort] = useState<TableSort | null>(null)
  const filter = view.params['databases.filter'] ?? ''
  const rows = sorted(
    databases.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())),
    sort,
  )
  return (
    <>
      <PackageHead file={file} atTicks={atTicks} />
      <div className="row">
        <Filter filter={filter} />
        <span className="faint" role="status">
          {formatPlural(rows.length, 'row')}
          {nodes.length > 1 ? `, one for each of ${formatPlural(nodes.length, 'node')}` : ''}
        </span>
      </div>
      <div className={cx('raised', styles.table)}>
        <VirtualTable<PackageDatabase>
          label="Databases of the package"
          columns={columnsOf(nodes.length > 1)}
          total={rows.length}
          rowHeightPx={ROW_PX}
          fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
          renderCell={(row, column) => <Cell row={row} column={column} />}
          sort={sort}
          onSort={setSort}
          onRowClick={({ name }) => open('database', { database: name })}
          rowKey={({ folder }) => folder}
          version={`${file} ${filter}`}
        />
      </div>
    </>
  )
}

function Filter({ filter }: { readonly filter: string }): ReactNode {
  const { change } = useView()
  return (
    <TextField
      label="Filter databases by name"
      hideLabel
      type="search"
      placeholder="Filter by name"
      value={filter}
      onChange={(text) => change({ params: { 'databases.filter': text } })}
    />
  )
}

function Cell({ row, column }: { readonly row: PackageDatabase; readonly column: string }): ReactNode {
  const { clock } = useView().view
  if (column === 'name') return <bdi>{row.name}</bdi>
  if (column === 'node') return row.node ?? UNKNOWN
  if (column === 'state') {
    const [tone, word] = STATES[row.state]
    return <StateDot tone={tone}>{word}</StateDot>
  }
  if (column === 'backupTicks') return row.backupTicks === null ? UNKNOWN : formatDateTime(row.backupTicks, clock, 0)
  const value = row[column as keyof PackageDatabase]
  return typeof value === 'number' ? (FORMATS[column] ?? formatCount)(value) : UNKNOWN
}

/** Sorts databases; unknown values come last. */
function sorted(rows: readonly PackageDatabase[], sort: TableSort | null): readonly PackageDatabase[] {
  if (sort === null) return rows
  const key = sort.id as keyof PackageDatabase
  const direction = sort.descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [a[key], b[key]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return left < right ? -direction : left > right ? direction : 0
  })
}
