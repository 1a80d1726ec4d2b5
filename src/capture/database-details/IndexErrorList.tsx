import { useState, type ReactNode } from 'react'
import { formatCount, formatDateTime, formatPlural, type Clock } from '../../base/text/format.ts'
import { useServerTicks } from '../client/server-ticks.ts'
import type { IndexError } from '../../ravendb/databases/database-details.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { HEADER_PX, VirtualTable, type TableColumn, type TableSort } from '../../ui/table/VirtualTable.tsx'
import { ListExport } from '../exporting/ListExport.tsx'
import type { ListColumn } from '../exporting/list-text.ts'
import { DetailState } from './DetailState.tsx'
import styles from './details.module.css'
import { sortErrors } from './index-errors.ts'
import { useDetail, useRenewal } from './useDetail.ts'
import { firstLineOf } from '../../base/text/begin.ts'
import { LongText } from '../../ui/LongText.tsx'
import { cx } from '../../ui/theme/cx.ts'

const ROW_PX = 28
const MOST_ROWS_IN_SIGHT = 9

const COLUMNS: readonly TableColumn[] = [
  { id: 'time', title: 'Time', width: 192, sortable: true },
  { id: 'index', title: 'Index', width: 130, grow: 1, sortable: true },
  { id: 'document', title: 'Document', width: 120, grow: 1, sortable: true },
  { id: 'action', title: 'Action', width: 72, sortable: true },
  { id: 'error', title: 'Error', width: 260, grow: 5, sortable: true },
]

const EXPORTED: readonly ListColumn<IndexError>[] = [
  { name: 'time_utc', value: ({ atTicks }) => (atTicks === null ? null : formatDateTime(atTicks, 'utc', 3)) },
  { name: 'index', value: ({ index }) => index },
  { name: 'document', value: ({ document }) => document },
  { name: 'action', value: ({ action }) => action },
  { name: 'error', value: ({ error }) => error },
]

const NEWEST_FIRST: TableSort = { id: 'time', descending: true }

export interface IndexErrorListProps {
  readonly database: string
  /** Indexes to which the list is limited; empty: all. */
  readonly indexes: readonly string[]
  readonly clock: Clock
  /** Number of errors of the whole database by the server's count; a change makes the list read again. */
  readonly count?: number | null
  /** Shows only this number of the newest errors, without a table. */
  readonly first?: number
}

/** Errors that indexes of a database keep: time, index, document, action and message. */
export function IndexErrorList({ database, indexes, clock, count = null, first }: IndexErrorListProps): ReactNode {
  const serverTicks = useServerTicks()
  const [index] = indexes
  const requested = useDetail('databases.indexErrors', {
    database,
    ...(index === undefined || indexes.length > 1 ? {} : { index }),
  })
  useRenewal(requested, String(count))
  const [sort, setSort] = useState(NEWEST_FIRST)
  const [chosen, setChosen] = useState<IndexError | null>(null)
  const { response, error, renew, isRequesting } = requested
  if (response === null || !response.loaded)
    return <DetailState requested={requested} database={database} what="Index errors" />
  const wanted = new Set(indexes)
  const found = wanted.size === 0 ? response.errors : response.errors.filter((each) => wanted.has(each.index))
  const rows = sortErrors(found, sort)
  if (rows.length === 0)
    return (
      <p className="note">
        No index error is kept{wanted.size === 1 ? ` of ${[...wanted].join()}` : ''}: it was deleted, or the index was
        reset.{' '}
        <Button small onClick={() => renew()}>
          Refresh
        </Button>
      </p>
    )
  if (first !== undefined)
    return (
      <ul className={styles.errors}>
        {rows.slice(0, first).map((each) => (
          <li key={keyOf(each)}>
            <span className="note">{timeOf(each, clock)}</span>{' '}
            <b>
              <bdi>{each.index}</bdi>
            </b>
            {each.document === null ? null : (
              <>
                , <bdi>{each.document}</bdi>
              </>
            )}
            {each.action === null ? null : `, ${each.action}`}: <bdi>{firstLine(each.error)}</bdi>
          </li>
        ))}
      </ul>
    )
  const shown = chosen === null ? null : (rows.find((each) => keyOf(each) === keyOf(chosen)) ?? null)
  return (
    <div className={cx('column', styles.part)}>
      <div className={cx('row', styles.tools)}>
        <span className="note" role="status">
          {formatPlural(found.length, 'error')}
          {response.total > response.errors.length ? `, the newest of ${formatCount(response.total)}` : ''} as of{' '}
          {formatDateTime(serverTicks(response.atMs), clock, 0)}. The server keeps at most 500 of an index.
        </span>
        <Button small disabled={isRequesting} onClick={() => renew()}>
          Refresh
        </Button>
        <ListExport
          label="index errors"
          what="index-errors"
          of={database}
          at={serverTicks(response.atMs)}
          columns={EXPORTED}
          rows={rows}
        />
      </div>
      {error === null ? null : <DetailState requested={requested} database={database} what="Index errors" />}
      <div
        className={cx('raised', styles.table)}
        style={{ height: HEADER_PX + Math.min(MOST_ROWS_IN_SIGHT, rows.length) * ROW_PX + 2 }}
      >
        <VirtualTable
          label="Index errors"
          columns={COLUMNS}
          total={rows.length}
          rowHeightPx={ROW_PX}
          version={`${String(response.atMs)} ${indexes.join('|')}`}
          fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
          rowKey={keyOf}
          selectedKey={shown === null ? null : keyOf(shown)}
          sort={sort}
          onSort={setSort}
          onRowClick={(row) => setChosen(shown !== null && keyOf(row) === keyOf(shown) ? null : row)}
          renderCell={(row, id) => cell(row, id, clock)}
        />
      </div>
      {shown === null ? (
        <p className="note">Select a row to read the whole error.</p>
      ) : (
        <div className={styles.whole} role="region" aria-label="Index error">
          <p>
            {timeOf(shown, clock)} · <bdi>{shown.index}</bdi> · <bdi>{shown.document ?? 'no document'}</bdi> ·{' '}
            {shown.action ?? 'action not reported'} <CopyButton label="Copy" text={() => shown.error} />
          </p>
          <LongText key={keyOf(shown)} text={shown.error} />
        </div>
      )}
    </div>
  )
}

const keyOf = ({ index, atTicks, document, action }: IndexError): string =>
  `${String(atTicks)}|${index}|${document ?? ''}|${action ?? ''}`
const timeOf = ({ atTicks }: IndexError, clock: Clock): string =>
  atTicks === null ? 'time not reported' : formatDateTime(atTicks, clock, 3)
/** Maximum length in a row, since an error can contain a whole document. */
const MOST_OF_LINE = 400
const firstLine = (text: string): string => firstLineOf(text, MOST_OF_LINE)

function cell(row: IndexError, id: string, clock: Clock): ReactNode {
  const text =
    id === 'time'
      ? timeOf(row, clock)
      : id === 'index'
        ? row.index
        : id === 'document'
          ? (row.document ?? '—')
          : id === 'action'
            ? (row.action ?? '—')
            : firstLine(row.error)
  return (
    <bdi className="cut" title={id === 'time' || id === 'action' ? undefined : text}>
      {text}
    </bdi>
  )
}
