import { useState, type ReactNode } from 'react'
import { sortIndexRows, stateOf } from '../../../actions/client/index-rows.ts'
import type { ActionIndex } from '../../../actions/contract.ts'
import { ActionMenu } from '../../../actions/view/ActionMenu.tsx'
import { sortKnown } from '../../../base/sort-known.ts'
import { formatBytes, formatCount, UNKNOWN } from '../../../base/text/format.ts'
import { toIndexLanes } from '../../../capture/client/index-link.ts'
import { useView } from '../../../capture/client/view.ts'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { HEADER_PX, VirtualTable, type TableColumn, type TableSort } from '../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import { costText, costWords, type IndexCost } from '../index-cost.ts'
import { useIndexCosts } from './useIndexCosts.ts'
import styles from './indexes.module.css'
import type {} from '../../../feeds/indexing/contract.ts'

const ROW_PX = 30
/** Number of rows above an index that is shown. */
const MOST_ROWS = 10
/** Minimum height of a list that has the page to itself, CSS pixels. */
const LEAST_PX = 240

const COLUMNS: readonly TableColumn[] = [
  { id: 'name', title: 'Index', width: 180, grow: 3, sortable: true, pinned: true },
  { id: 'actions', title: 'Actions', width: 60, header: <span className="spoken">Actions</span> },
  { id: 'state', title: 'State', width: 96, sortable: true },
  { id: 'lag', title: 'Lag', width: 84, align: 'end', sortable: true },
  {
    id: 'busy',
    title: 'Busy',
    width: 84,
    align: 'end',
    sortable: true,
    header: (
      <span title="Share of the last 15 minutes that it spent in batches, or of what is known of them">Busy</span>
    ),
  },
  { id: 'entries', title: 'Entries', width: 92, align: 'end', sortable: true },
  { id: 'errors', title: 'Errors', width: 76, align: 'end', sortable: true },
  { id: 'size', title: 'Size', width: 86, align: 'end', sortable: true },
  { id: 'type', title: 'Type', width: 150, grow: 1, sortable: true },
]

interface IndexListProps {
  readonly database: string
  readonly rows: readonly ActionIndex[]
  /** Name of the index that is shown. */
  readonly shown: string
  /** The list has the page to itself: it takes what room there is. */
  readonly isAlone: boolean
  readonly onShow: (index: string) => void
}

/** Indexes on the server, with their cost according to the collected batches. */
export function IndexList({ database, rows, shown, isAlone, onShow }: IndexListProps): ReactNode {
  const [sort, setSort] = useState<TableSort>({ id: 'name', descending: false })
  const { costs, isCollected, collect } = useIndexCosts(database)
  const sorted =
    sort.id === 'busy'
      ? sortKnown(
          rows,
          ({ name }) => costs.get(name)?.share,
          (a, b) => a - b,
          sort.descending,
        )
      : sortIndexRows(rows, sort)
  const heightPx = HEADER_PX + (isAlone ? rows.length : Math.min(rows.length, MOST_ROWS)) * ROW_PX + 2
  return (
    <>
      <div
        className={cx('raised', isAlone ? styles.alone : styles.list)}
        style={{ height: heightPx, ...(isAlone ? { minHeight: Math.min(heightPx, LEAST_PX) } : {}) }}
      >
        <VirtualTable<ActionIndex>
          label={`Indexes of ${database}`}
          columns={COLUMNS}
          total={sorted.length}
          rowHeightPx={ROW_PX}
          version={JSON.stringify(
            sorted.map(({ name, facts, isStale, lag }) => [name, facts, isStale, lag, costs.get(name)?.share]),
          )}
          isLive
          fetchRows={(offset, limit) => Promise.resolve(sorted.slice(offset, offset + limit))}
          rowKey={({ name }) => name}
          selectedKey={shown === '' ? null : shown}
          sort={sort}
          onSort={setSort}
          onRowClick={({ name }) => onShow(name)}
          renderCell={(row, column) =>
            column === 'actions' ? (
              <ActionMenu target={{ kind: 'index', database, name: row.name }} facts={row.facts} />
            ) : column === 'busy' ? (
              <Busy database={database} index={row.name} cost={costs.get(row.name)} />
            ) : (
              <Cell row={row} column={column} />
            )
          }
        />
      </div>
      {isCollected ? null : (
        <p className="note">
          The batches of {database} are not collected, so how busy its indexes are is not known.{' '}
          <Button small onClick={collect}>
            Collect them
          </Button>
        </p>
      )}
    </>
  )
}

interface BusyProps {
  readonly database: string
  readonly index: string
  readonly cost: IndexCost | undefined
}

function Busy({ database, index, cost }: BusyProps): ReactNode {
  const { clock } = useView().view
  if (cost === undefined) return UNKNOWN
  return (
    <span title={costWords(cost, clock)}>
      <PanelLink
        panel="indexing"
        parts={{ params: toIndexLanes(database, [index]) }}
        label={`Batches of ${index}: busy ${costText(cost)}`}
      >
        {costText(cost)}
      </PanelLink>
    </span>
  )
}

function Cell({ row, column }: { readonly row: ActionIndex; readonly column: string }): ReactNode {
  const { facts, lag, isStale } = row
  switch (column) {
    case 'name':
      return <bdi>{row.name}</bdi>
    case 'state':
      return <span className={stateOf(row) === 'Error' ? styles.bad : undefined}>{stateOf(row)}</span>
    case 'lag':
      return lag === null ? (isStale ? 'stale' : UNKNOWN) : lag === 0 && isStale ? 'stale' : formatCount(lag)
    case 'entries':
      return facts.entries === undefined ? UNKNOWN : formatCount(facts.entries)
    case 'errors':
      return facts.errors === undefined ? UNKNOWN : formatCount(facts.errors)
    case 'size':
      return facts.sizeBytes === undefined ? UNKNOWN : formatBytes(facts.sizeBytes)
    default:
      return [row.type, row.engine].filter((word) => word !== null).join(', ')
  }
}
