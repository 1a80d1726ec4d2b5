import { useMemo, useState, type ReactNode } from 'react'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { VirtualTable, type TableColumn } from '../../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import { CHECKED_LENGTH } from '../../data/findings.ts'
import { isDeep, jsonTree } from '../../data/json-text.ts'
import { treeRows, type TreeRow } from '../../data/tree-rows.ts'
import styles from '../documents.module.css'
import { openDocument, useOpen } from '../useOpen.ts'

const ROW_PX = 26
const INDENT_PX = 16

const COLUMNS: readonly TableColumn[] = [
  { id: 'name', title: 'Name', width: 220, grow: 1 },
  { id: 'value', title: 'Value', width: 260, grow: 2 },
]

/** The text as a tree, with numbers as written; ids of documents are links. */
export function TreePart({ text }: { readonly text: string }): ReactNode {
  const { go } = useOpen()
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set())
  const root = useMemo(() => (text.length > CHECKED_LENGTH ? null : jsonTree(text)), [text])
  if (root === null)
    return (
      <EmptyState title={text === '' ? 'No text' : 'No tree'}>
        {text.length > CHECKED_LENGTH
          ? 'The document is too large for a tree: its text can be searched.'
          : isDeep(text)
            ? 'The document has too many levels for a tree: its text can be searched.'
            : 'The text is no JSON.'}
      </EmptyState>
    )
  const rows = treeRows(text, root, toggled)
  const toggle = ({ at, isOpen }: TreeRow): void => {
    if (isOpen === null) return
    const next = new Set(toggled)
    if (!next.delete(at)) next.add(at)
    setToggled(next)
  }
  const renderCell = (row: TreeRow, column: string): ReactNode => {
    if (column === 'name')
      return (
        <span className="cut" style={{ paddingInlineStart: row.depth * INDENT_PX }}>
          {row.isOpen === null ? (
            <span className="mono">{row.name}</span>
          ) : (
            <button
              type="button"
              className={cx('bare', 'mono')}
              aria-expanded={row.isOpen}
              onClick={(event) => {
                event.stopPropagation()
                toggle(row)
              }}
            >
              {row.isOpen ? '▾' : '▸'} {row.name}
            </button>
          )}
        </span>
      )
    const { id } = row
    return id === null ? (
      <span className={cx('cut', 'mono', row.kind === 'nested' && 'faint')} title={row.value}>
        {row.value}
      </span>
    ) : (
      <button
        type="button"
        className={cx('cut', 'mono', styles.open)}
        title={`Open ${id}`}
        onClick={() => go(openDocument(id))}
      >
        {row.value}
      </button>
    )
  }
  return (
    <div className={cx('raised', styles.tree)}>
      <VirtualTable<TreeRow>
        label="Tree of the document"
        columns={COLUMNS}
        total={rows.length}
        rowHeightPx={ROW_PX}
        fetchRows={(start, limit) => Promise.resolve(rows.slice(start, start + limit))}
        renderCell={renderCell}
        rowKey={({ at }) => String(at)}
        version={`${String(text.length)} ${[...toggled].join(' ')} ${text.slice(0, 200)}`}
        sort={null}
        onSort={() => undefined}
        onRowClick={toggle}
        isLive
      />
    </div>
  )
}
