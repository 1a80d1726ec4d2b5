import { useState, type ReactNode } from 'react'
import { quoted } from '../../../../base/rql/shape.ts'
import { formatPlural } from '../../../../base/text/format.ts'
import { useActivity } from '../../../../actions/client/session.ts'
import { isFinished } from '../../../../actions/client/activity-entry.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { VirtualTable, type TableColumn } from '../../../../ui/table/VirtualTable.tsx'
import type { DocumentPage, DocumentRow } from '../../contract.ts'
import styles from '../documents.module.css'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import { ServerTime } from '../../../../capture/frame/ServerTime.tsx'
import { Chosen } from './Chosen.tsx'
import { ColumnChoice } from './ColumnChoice.tsx'
import { firstColumns, useColumns } from './useColumns.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import type {} from '../../../query/contract.ts'

const ROW_PX = 30
/** Maximum number of selected documents: deletions are sent one by one, and an export lists each id. */
const MOST_CHOSEN = 500

interface DocumentTableProps {
  readonly database: string
  /** Collection to list; null: all documents. */
  readonly collection: string | null
  /** Prefix of the listed ids, which are sorted by id; empty: all documents, newest change first. */
  readonly prefix: string
  /** Number of documents according to the statistics. */
  readonly expected: number
  readonly onOpen: (id: string) => void
}

const cellOf = (row: DocumentRow, field: string): ReactNode => {
  const cell = row.cells[field]
  if (cell === undefined) return null
  return (
    <span
      className={cx('cut', cell.kind === 'number' && styles.number, cell.kind === 'nested' && 'faint')}
      title={cell.text}
    >
      {cell.text}
    </span>
  )
}

/** Number of changes that this browser made to documents of the database. Lists are read again after each. */
function useChanges(database: string): number {
  return useActivity().filter(
    (entry) => entry.call.target.kind === 'document' && entry.call.target.database === database && isFinished(entry),
  ).length
}

/** A list of documents of any length: reads only the documents in view, and only the fields that are shown. */
export function DocumentTable({ database, collection, prefix, expected, onOpen }: DocumentTableProps): ReactNode {
  const capture = useCapture()
  const changes = useChanges(database)
  const { chosen, choose } = useColumns(database, collection)
  const [reloads, setReloads] = useState(0)
  const [total, setTotal] = useState<number | null>(null)
  const [fields, setFields] = useState<readonly string[]>([])
  const [ticked, setTicked] = useState<ReadonlyMap<string, DocumentRow>>(new Map())
  // In the list of all documents, the server sends only the values of requested fields.
  const shown = chosen ?? (collection === null ? [] : firstColumns(fields))
  const isByPrefix = prefix !== ''

  const reload = (): void => {
    setReloads(reloads + 1)
    // A list without rows would request none and stay empty.
    if (total === 0) setTotal(null)
  }
  const toggle = (row: DocumentRow): void => {
    const { id } = row
    const next = new Map(ticked)
    if (!next.delete(id) && next.size < MOST_CHOSEN) next.set(id, row)
    setTicked(next)
  }
  const take = (page: DocumentPage, start: number, pageSize: number): readonly DocumentRow[] => {
    // If the server reports no total, there may be another page after a full one.
    const isFull = page.rows.length >= pageSize
    setTotal((known) => (isByPrefix ? Math.max(known ?? 0, page.total + (isFull ? 1 : 0)) : page.total))
    if (isByPrefix && !isFull) setTotal(start + page.rows.length)
    setFields((known) =>
      page.fields.every((each) => known.includes(each)) ? known : [...new Set([...known, ...page.fields])],
    )
    return page.rows
  }
  const fetchRows = async (start: number, pageSize: number, signal: AbortSignal): Promise<readonly DocumentRow[]> => {
    const isFresh = reloads > 0 || changes > 0
    const common = { database, start, pageSize, ...(isFresh ? { isFresh } : {}) }
    const page = isByPrefix
      ? await capture.request('documents.byPrefix', { ...common, prefix }, signal)
      : await capture.request('documents.page', { ...common, collection, fields: chosen }, signal)
    return take(page, start, pageSize)
  }
  // Only a table with rows requests them: statistics may be older than the first document.
  const count = total ?? (isByPrefix ? 100 : Math.max(1, expected))
  const columns: readonly TableColumn[] = [
    { id: 'tick', title: 'Selected', width: 34, pinned: true, header: <span className="spoken">Selected</span> },
    { id: 'id', title: 'Id', width: 190, grow: 1, pinned: true },
    { id: 'modified', title: 'Last change', width: 165 },
    ...(collection === null || isByPrefix ? [{ id: 'collection', title: 'Collection', width: 120 }] : []),
    ...(isByPrefix ? [] : shown).map((field) => ({ id: `.${field}`, title: field, width: 150, grow: 1 })),
  ]
  const renderCell = (row: DocumentRow, column: string): ReactNode => {
    if (column === 'tick')
      return (
        <input
          type="checkbox"
          aria-label={`Select ${row.id}`}
          checked={ticked.has(row.id)}
          onChange={() => toggle(row)}
        />
      )
    if (column === 'id')
      return (
        <button type="button" className={cx('cut', styles.open)} title={row.id} onClick={() => onOpen(row.id)}>
          {row.id}
        </button>
      )
    if (column === 'modified') return <ServerTime at={row.modified} />
    return column === 'collection' ? <span className="cut">{row.collection}</span> : cellOf(row, column.slice(1))
  }
  return (
    <div className={cx('column', styles.list)}>
      <div className="row">
        <span className="faint" role="status">
          {isByPrefix && total === 0
            ? `No id begins with “${prefix}”.`
            : !isByPrefix && collection !== null && total === 0
              ? `No document is in the collection “${collection}”.`
              : isByPrefix
                ? `Ids that begin with “${prefix}”, in order of ids`
                : total === null && expected === 0
                  ? 'Reading the documents …'
                  : total === 0
                    ? 'No document yet: New document or Import adds the first.'
                    : `${formatPlural(total ?? expected, 'document')}, newest change first`}
        </span>
        <span className="push" />
        <Chosen
          database={database}
          rows={[...ticked.values()]}
          isFull={ticked.size >= MOST_CHOSEN}
          columns={isByPrefix ? [] : shown.length === 0 ? fields : shown}
          onClear={() => setTicked(new Map())}
        />
        {isByPrefix ? null : (
          <PanelLink
            panel="query"
            parts={{ params: { 'query.text': `from ${collection === null ? '@all_docs' : quoted(collection)}` } }}
          >
            Query
          </PanelLink>
        )}
        <Button small icon="reload" onClick={reload}>
          Reload
        </Button>
        {isByPrefix ? null : <ColumnChoice fields={fields} shown={shown} onChoose={choose} />}
      </div>
      <div className={cx('raised', styles.table)}>
        <VirtualTable<DocumentRow>
          label="Documents"
          columns={columns}
          total={count}
          rowHeightPx={ROW_PX}
          fetchRows={fetchRows}
          renderCell={renderCell}
          rowKey={({ id }) => id}
          version={`${database} ${collection ?? ''} ${prefix} ${String(reloads)} ${String(changes)} ${JSON.stringify(chosen)}`}
          sort={null}
          onSort={() => undefined}
          onRowClick={({ id }) => onOpen(id)}
          onRowToggle={(row) => toggle(row)}
        />
      </div>
    </div>
  )
}
