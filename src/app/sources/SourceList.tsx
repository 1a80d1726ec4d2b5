import type { ReactNode } from 'react'
import { useState } from 'react'
import { CaptureError } from '../../capture/client/client.ts'
import { DatabaseTable, tableHeightPx } from '../../features/databases/view/DatabaseTable.tsx'
import type { ListedDatabase } from '../../features/databases/data/facts.ts'
import { DEFAULT_SORT, filterRows, sortRows } from '../../features/databases/view/rows.ts'
import type { DatabaseChoice } from '../../features/databases/view/useDatabaseChoice.ts'
import { useDatabaseList } from '../../features/databases/view/useDatabaseList.ts'
import { TextField } from '../../ui/controls/Field.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import styles from './sources.module.css'

const isNoServer = (error: Error): boolean => error instanceof CaptureError && error.info.kind === 'no-server'

/** Number of databases from which on the list has a filter. */
const FILTER_FROM = 8

interface SourceListProps {
  readonly choice: DatabaseChoice
  /** Called for a click on a row. Left out: a click ticks the row. */
  readonly onOpen?: (row: ListedDatabase) => void
}

/** The server's databases with checkboxes, by name and state. Neither the list nor a tick loads one. */
export function SourceList({ choice, onOpen }: SourceListProps): ReactNode {
  const list = useDatabaseList()
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState(DEFAULT_SORT)
  if (list.data === undefined)
    return list.error === null ? (
      <Spinner>Requesting the list of databases</Spinner>
    ) : (
      <p role={isNoServer(list.error) ? 'status' : 'alert'}>
        {isNoServer(list.error) ? '' : 'The list of databases could not be read: '}
        {list.error.message}
      </p>
    )
  const rows = sortRows(filterRows(list.data.rows, filter), sort)
  return (
    <>
      {list.data.rows.length < FILTER_FROM ? null : (
        <TextField
          label="Filter by name"
          hideLabel
          type="search"
          placeholder="Filter by name"
          value={filter}
          onChange={setFilter}
        />
      )}
      <div className={styles.pickerTable} style={{ maxHeight: tableHeightPx(Math.max(1, rows.length)) }}>
        <DatabaseTable
          short
          rows={rows}
          version={`${String(list.dataUpdatedAt)} ${filter}`}
          sort={sort}
          onSort={setSort}
          chosen={choice.chosen}
          onToggle={choice.toggle}
          {...(onOpen === undefined ? {} : { onOpen })}
        />
      </div>
    </>
  )
}
