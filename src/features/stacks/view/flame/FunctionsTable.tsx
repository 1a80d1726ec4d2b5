import { useState, type ReactNode } from 'react'
import { formatPlural, formatShare } from '../../../../base/text/format.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import type { FrameName, FrameRow, FrameSort } from '../../../../feeds/stacks/contract/frames.ts'
import type { TreeView } from '../../../../feeds/stacks/contract/samples.ts'
import type { TextMatch } from '../../../../feeds/stacks/contract/search.ts'
import styles from './flame.module.css'
import { categoryTitle } from './frame-styles.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { describeChange, formatWeight } from '../words.ts'
import { cx } from '../../../../ui/theme/cx.ts'

export interface FunctionsTableProps {
  readonly view: TreeView
  readonly match: TextMatch
  readonly version: number
  readonly onFocus: (name: FrameName) => void
}

const COLUMNS: readonly TableColumn[] = [
  { id: 'name', title: 'Function', width: 240, grow: 3, sortable: true, pinned: true },
  { id: 'self', title: 'Ends here', width: 150, align: 'end', sortable: true },
  { id: 'total', title: 'In all', width: 150, align: 'end', sortable: true },
  { id: 'category', title: 'Whose', width: 120 },
  { id: 'module', title: 'Module', width: 170 },
]
const AGAINST: readonly TableColumn[] = [
  { id: 'against', title: 'Compared with', width: 150, align: 'end' },
  { id: 'change', title: 'Change', width: 90, align: 'end', sortable: true },
]

/** Every function over all samples, with any caller. In a comparison: what grew or vanished. */
export function FunctionsTable({ view, match, version, onFocus }: FunctionsTableProps): ReactNode {
  const client = useCapture()
  const compared = view.against !== null
  const [chosen, setSort] = useState<TableSort | null>(null)
  const sort = chosen ?? { id: compared ? 'change' : 'self', descending: true }
  const base = { view, match, sort: sort.id as FrameSort, descending: sort.descending }
  const key = JSON.stringify(base)
  const { response, error } = useRequest('stacks.frames', { ...base, offset: 0, limit: 0 }, { version, everyMs: 150 })
  const columns = compared ? [...COLUMNS.slice(0, 3), ...AGAINST, ...COLUMNS.slice(3)] : COLUMNS
  return (
    <div className={cx('column', styles.functions)}>
      <p className={cx('row', styles.lines)}>
        <span role="status">
          {response === null ? 'Counting functions …' : formatPlural(response.total, 'function')}
        </span>
        {response?.matchError == null ? null : (
          <span className={styles.problem} role="alert">
            {response.matchError}
          </span>
        )}
        {error === null ? null : (
          <span className={styles.problem} role="alert">
            {error.message}
          </span>
        )}
        <span className="note">A row leads to its callers and callees.</span>
      </p>
      <VirtualTable<FrameRow>
        label="Functions"
        columns={columns}
        total={response?.total ?? 0}
        rowHeightPx={26}
        version={`${key}|${version}`}
        fetchRows={async (offset, limit, signal) =>
          (await client.request('stacks.frames', { ...base, offset, limit }, signal)).rows
        }
        renderCell={(row, id) => cell(row, id, view, response)}
        rowKey={(row) => String(row.name.id)}
        sort={sort}
        onSort={setSort}
        onRowClick={(row) => onFocus(row.name)}
      />
    </div>
  )
}

const CHANGE_WORDS: Readonly<Record<FrameRow['change'], string>> = {
  same: 'same',
  grew: 'grew',
  shrank: 'shrank',
  new: 'new',
  vanished: 'vanished',
}

function cell(
  row: FrameRow,
  id: string,
  view: TreeView,
  totals: { readonly weight: number; readonly against: number } | null,
): ReactNode {
  const share = (part: number, whole: number): string => (whole > 0 ? ` · ${formatShare(part / whole)}` : '')
  const figure = (value: number, whole: number): string =>
    value === 0 ? '0' : formatWeight(value, view.weight) + share(value, whole)
  switch (id) {
    case 'name':
      return (
        <bdi className={styles.cut} title={row.name.full}>
          {row.name.short}
        </bdi>
      )
    case 'self':
      return figure(row.self, totals?.weight ?? 0)
    case 'total':
      return figure(row.total, totals?.weight ?? 0)
    case 'against':
      return figure(row.totalAgainst, totals?.against ?? 0)
    case 'change': {
      const words =
        totals === null || totals.weight <= 0 || totals.against <= 0
          ? ''
          : describeChange(row.totalAgainst / totals.against, row.total / totals.weight)
      return (
        <span data-change={row.change} className={styles.change}>
          {row.change === 'new' || row.change === 'vanished' || words === '' ? CHANGE_WORDS[row.change] : words}
        </span>
      )
    }
    case 'category':
      return categoryTitle(row.name.category)
    case 'module':
      return <bdi className="note">{row.name.module}</bdi>
    default:
      return null
  }
}
