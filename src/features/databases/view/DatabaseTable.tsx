import type { ReactNode } from 'react'
import type { SourceId } from '../../../capture/client/state.ts'
import { HEADER_PX, VirtualTable } from '../../../ui/table/VirtualTable.tsx'
import type { TableColumn, TableSort } from '../../../ui/table/VirtualTable.tsx'
import { DatabaseCell } from './DatabaseCell.tsx'
import type { ListedDatabase } from '../data/facts.ts'
import styles from './databases.module.css'

const CHOOSE: TableColumn = { id: 'choose', title: 'Choose', width: 38, pinned: true }

/**
 * Columns of the table. In a window narrower than all of them it scrolls sideways, and the name stays: errors and
 * alerts come first, so that they are in view. Each is as wide as its longest common value, such as “14 min 59 s”.
 */
export const DATABASE_TABLE_COLUMNS: readonly TableColumn[] = [
  { id: 'name', title: 'Name', width: 208, grow: 3, sortable: true, pinned: true },
  { id: 'state', title: 'State', width: 100, grow: 2, sortable: true },
  {
    id: 'stale',
    title: 'Stale',
    header: (
      <span title="Indexes that are not up to date; of databases in which something is written or indexed">Stale</span>
    ),
    width: 60,
    grow: 0.3,
    align: 'end',
    sortable: true,
  },
  {
    id: 'errors',
    title: 'Errors',
    header: <span title="Errors of indexes">Errors</span>,
    width: 60,
    grow: 0.3,
    align: 'end',
    sortable: true,
  },
  { id: 'alerts', title: 'Alerts', width: 60, grow: 0.3, align: 'end', sortable: true },
  { id: 'documents', title: 'Documents', width: 92, grow: 0.4, align: 'end', sortable: true },
  { id: 'indexes', title: 'Indexes', width: 66, grow: 0.3, align: 'end', sortable: true },
  {
    id: 'size',
    title: 'On disk',
    header: <span title="Data files and journals of its documents, its configuration and its indexes">On disk</span>,
    width: 94,
    grow: 0.4,
    align: 'end',
    sortable: true,
  },
  {
    id: 'temp',
    title: 'Temp',
    header: (
      <span title="Temporary buffers on disk, and spare journals: prepared for reuse, they hold no data and are often half of it">
        Temp
      </span>
    ),
    width: 76,
    grow: 0.4,
    align: 'end',
    sortable: true,
  },
  { id: 'upTime', title: 'Loaded for', width: 98, grow: 0.4, align: 'end', sortable: true },
  { id: 'idle', title: 'Idle for', width: 98, grow: 0.3, align: 'end', sortable: true },
  { id: 'unloads', title: 'Unloads in', width: 104, grow: 1, align: 'end', sortable: true },
  { id: 'requests', title: 'Requests', width: 80, grow: 0.3, align: 'end', sortable: true },
  { id: 'writes', title: 'Writes', width: 94, grow: 0.3, align: 'end', sortable: true },
  { id: 'indexing', title: 'Indexing', width: 104, grow: 0.3, align: 'end', sortable: true },
  {
    id: 'hints',
    title: 'Hints',
    header: <span title="Performance hints">Hints</span>,
    width: 58,
    grow: 0.2,
    align: 'end',
    sortable: true,
  },
]

const SHORT: readonly TableColumn[] = [
  { id: 'name', title: 'Name', width: 140, grow: 3, sortable: true },
  { id: 'state', title: 'State', width: 110, grow: 1, sortable: true },
]

const ROW_PX = 30

/** Height of the table with header and frame. */
export const tableHeightPx = (rows: number): number => HEADER_PX + rows * ROW_PX + 2

export interface DatabaseTableProps {
  /** Filtered and sorted. */
  readonly rows: readonly ListedDatabase[]
  /** Changes with `rows`. */
  readonly version: string
  /** Whether only name and state are shown, for the picker. */
  readonly short?: boolean
  readonly sort: TableSort
  readonly onSort: (sort: TableSort) => void
  readonly chosen: ReadonlySet<SourceId>
  readonly onToggle: (id: SourceId) => void
  readonly onOpen?: (row: ListedDatabase) => void
  /** Opens the page of a database; absent: it has none here. */
  readonly onDetails?: (name: string) => void
  /** Whether each has the menu of actions beside its name. */
  readonly hasActions?: boolean
}

/** Databases with a checkbox each; only visible rows are rendered. */
export function DatabaseTable(props: DatabaseTableProps): ReactNode {
  const { rows, chosen, onToggle, onOpen } = props
  const open = onOpen ?? ((row: ListedDatabase) => onToggle(`db:${row.name}`))
  return (
    <VirtualTable
      label="Databases"
      columns={[CHOOSE_WITH_MARK, ...(props.short === true ? SHORT : DATABASE_TABLE_COLUMNS)]}
      total={rows.length}
      rowHeightPx={ROW_PX}
      version={props.version}
      fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
      rowKey={(row) => row.name}
      sort={props.sort}
      onSort={props.onSort}
      selectedKey={null}
      onRowClick={open}
      onRowToggle={(row) => onToggle(`db:${row.name}`)}
      renderCell={(row, columnId) =>
        columnId === 'choose' ? (
          <label className={styles.choose}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Choose ${row.name}`}
              checked={chosen.has(`db:${row.name}`)}
              onChange={() => onToggle(`db:${row.name}`)}
            />
          </label>
        ) : (
          <DatabaseCell row={row} columnId={columnId} onDetails={props.onDetails} hasActions={props.hasActions} />
        )
      }
    />
  )
}

const CHOOSE_WITH_MARK: TableColumn = { ...CHOOSE, header: <span className="spoken">Choose</span> }
