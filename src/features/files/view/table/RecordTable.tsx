import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { cellText } from '../../../../base/json/cell-text.ts'
import { formatBytes, formatCount, formatPlural } from '../../../../base/text/format.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { MAX_VALUE_BYTES } from '../../../../capture/raw/queries.ts'
import type { RawRef } from '../../../../capture/raw/queries.ts'
import { Select } from '../../../../ui/controls/Select.tsx'
import { TextField } from '../../../../ui/controls/Field.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import type { TableColumn, TableSort } from '../../../../ui/table/table-columns.ts'
import { VirtualTable } from '../../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { RecordList } from './lists.ts'
import { RecordPane } from './RecordPane.tsx'
import type { RecordField, RecordRow } from './records.ts'
import { exportedCell, filterRecords, jsonLine, sortRecords } from './records.ts'
import type { KnownRecords } from './useRecords.ts'
import { useRecords } from './useRecords.ts'
import styles from './table.module.css'

const ROW_PX = 28
/** Maximum number of columns; an opened row has all of its fields. */
const MOST_COLUMNS = 100

interface RecordTableProps {
  readonly document: RawRef
  readonly label: string
  readonly lists: readonly RecordList[]
  /** Text that a value of a listed row contains. */
  readonly filter: string
  readonly onFilter: (filter: string) => void
  /** Shows a byte in the tree. */
  readonly onTree: (at: number) => void
}

/** A list of objects as a table, with values as written. */
export default function RecordTable(props: RecordTableProps): ReactNode {
  const { document, lists } = props
  const [path, setPath] = useState<string | null>(null)
  const list = lists.find((each) => each.path === path) ?? lists[0]
  if (list === undefined) return null
  return (
    <>
      {lists.length === 1 ? null : (
        <div className="row">
          <Select
            label="List"
            options={lists.map((each) => ({
              value: each.path,
              text: `${each.path} (${formatCount(each.count)})`,
            }))}
            value={list.path}
            onChange={setPath}
          />
        </div>
      )}
      <ListRows key={list.at} {...props} document={document} list={list} />
    </>
  )
}

function ListRows({ document, list, ...rest }: RecordTableProps & { readonly list: RecordList }): ReactNode {
  const { known, error } = useRecords(document, list)
  if (error !== null)
    return (
      <Notice tone="warn" title={`${list.path} cannot be shown as a table.`}>
        <p>{error instanceof Error ? error.message : 'unknown error'} The text shows it as it is.</p>
      </Notice>
    )
  if (known === null)
    return (
      <EmptyState title={list.path}>
        <Spinner>Reading the list</Spinner>
      </EmptyState>
    )
  return <KnownRows {...rest} document={document} list={list} known={known} />
}

interface KnownRowsProps extends RecordTableProps {
  readonly list: RecordList
  readonly known: KnownRecords
}

function KnownRows({ document, label, list, known, filter, onFilter, onTree }: KnownRowsProps): ReactNode {
  const { records, isCut } = known
  const [sort, setSort] = useState<TableSort | null>(null)
  const [opened, setOpened] = useState<RecordRow | null>(null)
  const fields = records.fields.slice(0, MOST_COLUMNS)
  const rows = useMemo(
    () => sortRecords(filterRecords(records.rows, filter), sort, sort?.id.slice(1) ?? ''),
    [records, filter, sort],
  )
  const name = `${list.path} of ${label}`
  return (
    <>
      <div className={cx('row', styles.tools)}>
        <TextField
          label="Filter rows"
          hideLabel
          type="search"
          placeholder="Filter rows"
          value={filter}
          onChange={onFilter}
        />
        <span className="faint" role="status">
          {rows.length === records.rows.length ? '' : `${formatCount(rows.length)} of `}
          {formatPlural(records.rows.length, 'row')}
        </span>
        <span className="push" />
        <ListExport<RecordRow>
          label="table"
          what="table"
          of={label}
          at={null}
          columns={records.fields.map(({ key }) => ({
            name: key,
            value: ({ values }) => exportedCell(values.get(key)),
          }))}
          rows={rows}
          jsonOf={jsonLine}
        />
      </div>
      {isCut ? (
        <p className="note">
          The table has the first {formatCount(records.rows.length)} of {formatCount(list.count)} rows: it reads up to{' '}
          {formatBytes(MAX_VALUE_BYTES)}. The tree and the text have all.
        </p>
      ) : null}
      {records.fields.length > fields.length ? (
        <p className="note">
          The first {formatCount(fields.length)} of {formatCount(records.fields.length)} fields are columns; a row that
          is opened has all.
        </p>
      ) : null}
      <div className={cx('raised', styles.table)}>
        <VirtualTable<RecordRow>
          label={name}
          columns={columnsOf(fields)}
          total={rows.length}
          rowHeightPx={ROW_PX}
          fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
          renderCell={(row, column) =>
            column === '#' ? formatCount(row.position + 1) : <RecordCell value={row.values.get(column.slice(1))} />
          }
          sort={sort}
          onSort={setSort}
          onRowClick={setOpened}
          rowKey={({ position }) => String(position)}
          selectedKey={opened === null ? null : String(opened.position)}
          version={`${filter} ${String(rows.length)}`}
        />
      </div>
      {opened === null ? null : (
        <RecordPane
          key={opened.position}
          document={document}
          list={list}
          row={opened}
          onTree={onTree}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

const columnsOf = (fields: readonly RecordField[]): readonly TableColumn[] => [
  { id: '#', title: '#', width: 64, align: 'end', pinned: true },
  ...fields.map(({ key, isNumber }): TableColumn => {
    // Keys may be any text, also `#`.
    const id = `=${key}`
    return isNumber
      ? { id, title: key, width: 130, align: 'end', sortable: true }
      : { id, title: key, width: 150, grow: 1, sortable: true }
  }),
]

const RecordCell = ({ value }: { readonly value: string | undefined }): ReactNode => (
  <bdi className={cx(styles.cell, value === 'null' && styles.nothing)}>{cellText(value)}</bdi>
)
