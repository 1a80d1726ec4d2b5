import { useState, type ReactNode } from 'react'
import { useSelection } from '../../../../actions/client/use-selection.ts'
import { ReadAge } from '../../../../capture/database-details/ReadAge.tsx'
import { LateError } from '../../../../capture/frame/notices/LateError.tsx'
import { sortIndexRows, stateOf } from '../../../../actions/client/index-rows.ts'
import { useIndexList, useIsCompacting } from '../../../../actions/client/use-indexes.ts'
import { ActionMenu } from '../../../../actions/view/ActionMenu.tsx'
import { Reminders } from '../../../../actions/view/Reminders.tsx'
import { SelectionMenu } from '../../../../actions/view/SelectionMenu.tsx'
import type { ActionIndex } from '../../../../actions/contract.ts'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatPlural,
  UNKNOWN,
  type Clock,
} from '../../../../base/text/format.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import { sourceKey, type SourceId } from '../../../../capture/client/state.ts'
import { useCaptureState } from '../../../../capture/client/useCaptureState.ts'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { HEADER_PX, VirtualTable, type TableColumn, type TableSort } from '../../../../ui/table/VirtualTable.tsx'
import type { IndexKey } from '../../../../feeds/indexing/contract/batches.ts'
import { splitIndexKey } from '../../../../feeds/indexing/contract/batch-ref.ts'
import { IndexDefinition } from './IndexDefinition.tsx'
import tables from '../details/tables.module.css'
import styles from './indexes.module.css'
import { cx } from '../../../../ui/theme/cx.ts'
import type {} from '../../../index-definitions/contract.ts'

const COLUMNS: readonly TableColumn[] = [
  {
    id: 'choose',
    title: 'Choose',
    width: 34,
    pinned: true,
    header: <span className="spoken">Choose</span>,
  },
  { id: 'name', title: 'Index', width: 190, grow: 3, sortable: true, pinned: true },
  { id: 'actions', title: 'Actions', width: 60, header: <span className="spoken">Actions</span> },
  { id: 'state', title: 'State', width: 96, sortable: true },
  { id: 'lag', title: 'Lag', width: 84, align: 'end', sortable: true },
  { id: 'entries', title: 'Entries', width: 92, align: 'end', sortable: true },
  { id: 'errors', title: 'Errors', width: 70, align: 'end', sortable: true },
  { id: 'size', title: 'Size', width: 86, align: 'end', sortable: true },
  { id: 'memory', title: 'Memory', width: 86, align: 'end', sortable: true },
  { id: 'priority', title: 'Priority', width: 80, sortable: true },
  { id: 'lock', title: 'Lock', width: 104, sortable: true },
  { id: 'batch', title: 'Last batch', width: 160, sortable: true },
  { id: 'type', title: 'Type', width: 150, grow: 1, sortable: true },
]

const ROW_PX = 30
/** Number of rows above which the table scrolls by itself; with fewer rows the page grows. */
const MOST_ROWS = 60

export interface IndexesViewProps {
  readonly sources: readonly SourceId[]
  /** Index whose definition is shown. */
  readonly focus: IndexKey | null
  readonly clock: Clock
  readonly onFocus: (index: IndexKey | null) => void
}

const NOT_LOADED = 'The database is not loaded: its indexes are known once it is.'
const COMPACTING = 'The server is compacting the database: its indexes are known again when that is done.'

/** Current state of every index in the chosen databases, with actions on one or several. */
export default function IndexesView({ sources, ...rest }: IndexesViewProps): ReactNode {
  const databases = sources.flatMap((source) => (source.startsWith('db:') ? [source.slice('db:'.length)] : []))
  if (databases.length === 0)
    return (
      <EmptyState title="Not in a file">
        This is the state of indexes as it is now: choose a database of a server above.
      </EmptyState>
    )
  return databases.map((database) => <DatabaseIndexes key={database} database={database} {...rest} />)
}

function DatabaseIndexes({
  database,
  focus,
  clock,
  onFocus,
}: Omit<IndexesViewProps, 'sources'> & { readonly database: string }): ReactNode {
  const { response, error } = useIndexList(database)
  const phase = useCaptureState().sources.find(({ id }) => sourceKey(id) === sourceKey(`db:${database}`))?.phase
  // The phase changes only when the source probes the database again; actions of this browser are known at once.
  const isCompacting = useIsCompacting(database) || phase === 'compacting'
  const [sort, setSort] = useState<TableSort>({ id: 'name', descending: false })
  const [version, setVersion] = useState({ of: response, count: 0 })
  if (version.of !== response) setVersion({ of: response, count: version.count + 1 })
  const rows = sortIndexRows(response?.loaded === true ? response.indexes : [], sort)
  const selection = useSelection(rows, ({ name }) => name)
  const focused = focus === null ? null : splitIndexKey(focus)
  const shownName = focused?.source === `db:${database}` ? focused.name : null
  return (
    <section className={cx('raised', tables.box)} aria-label={`Indexes of ${database}`}>
      <div className={cx('row', tables.heading)}>
        <h2>
          Indexes of <bdi>{database}</bdi>
        </h2>
        <span className="faint">{response?.loaded === true ? summaryOf(rows) : ''}</span>
        {response?.loaded === true ? <ReadAge readMs={response.atMs} /> : null}
        <span className={tables.actions}>
          {response?.loaded === true && rows.length > 1 ? (
            <PanelLink panel="index-definitions" parts={{ database, params: { 'index-definitions.show': 'merges' } }}>
              Merge suggestions
            </PanelLink>
          ) : null}
          <SelectionMenu
            targets={selection.chosen.map(({ name, facts }) => ({ target: { kind: 'index', database, name }, facts }))}
          />
        </span>
      </div>
      <Reminders
        database={database}
        readMs={response?.loaded === true ? response.atMs : null}
        still={({ call }) => {
          if (response?.loaded !== true) return true
          const row = rows.find(({ name }) => name === call.target.name)
          return row !== undefined && stateOf(row) === (call.action === 'index.pause' ? 'Paused' : 'Disabled')
        }}
      />
      <LateError error={error} />
      {response === null ? (
        error === null ? (
          <Spinner>Reading the indexes</Spinner>
        ) : null
      ) : !response.loaded ? (
        <p className={styles.note}>{isCompacting ? COMPACTING : NOT_LOADED}</p>
      ) : rows.length === 0 ? (
        <p className={styles.note}>The database has no index.</p>
      ) : (
        <div style={rows.length > MOST_ROWS ? { height: HEADER_PX + MOST_ROWS * ROW_PX } : undefined}>
          <VirtualTable<ActionIndex>
            label={`Indexes of ${database}`}
            columns={COLUMNS}
            total={rows.length}
            rowHeightPx={ROW_PX}
            version={version.count}
            isLive
            isWhole={rows.length <= MOST_ROWS}
            fetchRows={(offset, limit) => Promise.resolve(rows.slice(offset, offset + limit))}
            rowKey={(row) => row.name}
            sort={sort}
            onSort={setSort}
            selectedKey={shownName}
            onRowClick={({ name }) => onFocus(name === shownName ? null : `db:${database}|${name}`)}
            onRowToggle={selection.toggle}
            renderCell={(row, column) =>
              column === 'choose' ? (
                <label className={styles.choose}>
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={`Choose ${row.name}`}
                    checked={selection.isChosen(row)}
                    onChange={() => selection.toggle(row)}
                  />
                </label>
              ) : column === 'actions' ? (
                <ActionMenu target={{ kind: 'index', database, name: row.name }} facts={row.facts} />
              ) : (
                <Cell row={row} column={column} clock={clock} />
              )
            }
          />
        </div>
      )}
      {shownName === null ? null : <IndexDefinition database={database} index={shownName} />}
    </section>
  )
}

function summaryOf(rows: readonly ActionIndex[]): string {
  const count = (word: string): number => rows.filter((row) => stateOf(row) === word).length
  const states = ['Error', 'Paused', 'Disabled'].flatMap((word) =>
    count(word) === 0 ? [] : [`${formatCount(count(word))} ${word.toLowerCase()}`],
  )
  const stale = rows.filter(({ isStale }) => isStale).length
  return [
    formatPlural(rows.length, 'index', 'indexes'),
    ...states,
    stale === 0 ? 'none stale' : `${formatCount(stale)} stale`,
  ].join(', ')
}

const orUnknown = <Value,>(value: Value | null | undefined, format: (value: Value) => string): string =>
  value === null || value === undefined ? UNKNOWN : format(value)

const moment = (at: Ticks | null, clock: Clock): string => orUnknown(at, (ticks) => formatDateTime(ticks, clock, 0))

const BAD: ReadonlySet<string> = new Set(['Error', 'Faulty'])

interface CellProps {
  readonly row: ActionIndex
  readonly column: string
  readonly clock: Clock
}

function Cell({ row, column, clock }: CellProps): ReactNode {
  const { facts } = row
  switch (column) {
    case 'name':
      return <bdi className={tables.name}>{row.name}</bdi>
    case 'state': {
      const state = stateOf(row)
      return (
        <span className={BAD.has(state) ? tables.bad : state === 'Running' ? undefined : tables.pressed}>{state}</span>
      )
    }
    case 'lag':
      return orUnknown(row.lag, (lag) => (lag === 0 ? (row.isStale ? 'stale' : '0') : formatCount(lag)))
    case 'entries':
      return orUnknown(facts.entries, formatCount)
    case 'errors':
      return facts.errors !== undefined && facts.errors > 0 ? (
        <b className={tables.bad}>{formatCount(facts.errors)}</b>
      ) : (
        orUnknown(facts.errors, formatCount)
      )
    case 'size':
      return orUnknown(facts.sizeBytes, formatBytes)
    case 'memory':
      return orUnknown(row.memoryBytes, formatBytes)
    case 'priority':
      return orUnknown(facts.priority, String)
    case 'lock':
      return orUnknown(facts.lock, String)
    case 'batch':
      return moment(row.lastIndexingTicks, clock)
    default:
      return [row.type, row.engine].filter((word) => word !== null).join(', ')
  }
}
