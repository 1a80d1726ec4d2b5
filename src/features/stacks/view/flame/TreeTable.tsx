import { useState, type ReactNode } from 'react'
import { formatShare } from '../../../../base/text/format.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { VirtualTable, type TableColumn } from '../../../../ui/table/VirtualTable.tsx'
import type { FrameName } from '../../../../feeds/stacks/contract/frames.ts'
import type { NodeId } from '../../../../feeds/stacks/contract/ids.ts'
import type { TreeView } from '../../../../feeds/stacks/contract/samples.ts'
import type { TextMatch } from '../../../../feeds/stacks/contract/search.ts'
import type { TreeRow } from '../../../../feeds/stacks/contract/trees.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import styles from './flame.module.css'
import { toggled } from '../params.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { describeChange, formatWeight } from '../words.ts'

export interface TreeTableProps {
  readonly view: TreeView
  readonly zoom: NodeId
  readonly search: TextMatch | null
  readonly version: number
  readonly onFocus: (name: FrameName) => void
}

const COLUMNS: readonly TableColumn[] = [
  { id: 'name', title: 'Function', width: 320, grow: 3, pinned: true },
  { id: 'share', title: 'Share', width: 84, align: 'end' },
  { id: 'weight', title: 'In all', width: 150, align: 'end' },
  { id: 'self', title: 'Ends here', width: 150, align: 'end' },
  { id: 'module', title: 'Module', width: 170 },
  { id: 'around', title: 'Around', width: 150, header: 'Callers and callees' },
]
const AGAINST: readonly TableColumn[] = [
  { id: 'against', title: 'Compared with', width: 150, align: 'end' },
  { id: 'change', title: 'Change', width: 96, align: 'end' },
]

/** The flame graph as a table: a tree that can be opened, with figures. */
export function TreeTable({ view, zoom, search, version, onFocus }: TreeTableProps): ReactNode {
  const client = useCapture()
  const what = JSON.stringify([view, zoom])
  const [held, setHeld] = useState<{ readonly what: string; readonly open: readonly NodeId[] }>({ what, open: [] })
  const open = held.what === what ? held.open : []
  const base = { view, zoom, open, search }
  const key = JSON.stringify(base)
  const { response, error } = useRequest('stacks.tree', { ...base, offset: 0, limit: 0 }, { version, everyMs: 100 })
  const toggle = (row: TreeRow): void => {
    if (row.children > 0) setHeld({ what, open: toggled(open, row.node) })
  }
  const [first, ...rest] = COLUMNS
  const columns = view.against === null || first === undefined ? COLUMNS : [first, ...AGAINST, ...rest]
  return (
    <div className={styles.table}>
      {error === null ? null : (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
      <VirtualTable<TreeRow>
        label="Tree of functions"
        columns={columns}
        total={response?.total ?? 0}
        rowHeightPx={26}
        version={`${key}|${version}`}
        fetchRows={async (offset, limit, signal) =>
          (await client.request('stacks.tree', { ...base, offset, limit }, signal)).rows
        }
        renderCell={(row, id) => cell(row, id, view, response, onFocus, toggle)}
        rowKey={(row) => String(row.node)}
        sort={null}
        onSort={() => undefined}
        onRowClick={toggle}
        onRowToggle={toggle}
      />
    </div>
  )
}

function cell(
  row: TreeRow,
  id: string,
  view: TreeView,
  totals: { readonly weight: number; readonly against: number } | null,
  onFocus: (name: FrameName) => void,
  onToggle: (row: TreeRow) => void,
): ReactNode {
  switch (id) {
    case 'name':
      return (
        <span
          className={cx('line', styles.treeName)}
          style={{ paddingInlineStart: `${Math.min(row.depth, 40) * 0.7}rem` }}
        >
          {row.children > 0 ? (
            <button
              type="button"
              className={cx('bare', row.isOpen ? styles.treeOpen : styles.treeClosed)}
              aria-expanded={row.isOpen}
              aria-label={`${row.isOpen ? 'Close' : 'Open'} ${row.name.short}, level ${row.depth + 1}`}
              onClick={() => onToggle(row)}
            >
              <Icon name="chevron" sizePx={12} />
            </button>
          ) : (
            <span className={styles.treeLeaf} />
          )}
          <bdi className={row.matched ? styles.matched : undefined} title={row.name.full}>
            {row.node === 0 ? 'All' : row.name.short}
          </bdi>
        </span>
      )
    case 'share':
      return formatShare(row.share)
    case 'weight':
      return formatWeight(row.weight, view.weight)
    case 'self':
      return formatWeight(row.self, view.weight)
    case 'against':
      return formatWeight(row.against, view.weight)
    case 'change':
      return totals === null
        ? null
        : describeChange(
            totals.against > 0 ? row.against / totals.against : 0,
            totals.weight > 0 ? row.weight / totals.weight : 0,
          )
    case 'module':
      return <bdi className="note">{row.name.module}</bdi>
    case 'around':
      return row.name.category === 'pseudo' || row.node === 0 ? null : (
        <Button small tone="quiet" onClick={() => onFocus(row.name)}>
          Show
        </Button>
      )
    default:
      return null
  }
}
