import { lazy, Suspense, type ReactNode } from 'react'
import type { PanelProps } from '../../../capture/frame/panel.ts'
import { PanelFrame } from '../../../capture/frame/PanelFrame.tsx'
import { capitalise, formatCount } from '../../../base/text/format.ts'
import { useServerTicks } from '../../../capture/client/server-ticks.ts'
import { ListExport } from '../../../capture/exporting/ListExport.tsx'
import { isFileSource, MAX_SOURCES } from '../../../capture/client/state.ts'
import { useView } from '../../../capture/client/view.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextField } from '../../../ui/controls/Field.tsx'
import { useNarrow } from '../../../ui/hooks/useNarrow.ts'
import { DatabaseCards } from './DatabaseCards.tsx'
import { DatabaseTable, tableHeightPx } from './DatabaseTable.tsx'
import { describeSweep, joinFacts } from '../data/facts.ts'
import { Faults } from './Faults.tsx'
import { LoadingDatabases } from './LoadingDatabases.tsx'
import { ListPlaceholder } from './ListPlaceholder.tsx'
import { ListProblem } from './ListProblem.tsx'
import { formatSort, parseSort } from './params.ts'
import { describeList, filterRows, sortRows } from './rows.ts'
import { DATABASE_COLUMNS } from './list-columns.ts'
import { useDatabaseChoice } from './useDatabaseChoice.ts'
import { useDatabaseFacts } from './useDatabaseFacts.ts'
import { useDatabaseList } from './useDatabaseList.ts'
import styles from './databases.module.css'
import { cx } from '../../../ui/theme/cx.ts'

const ActionButton = lazy(() =>
  import('../../../actions/view/ActionButton.tsx').then((module) => ({ default: module.ActionButton })),
)
const DatabasesMenu = lazy(() => import('./DatabaseActions.tsx').then((module) => ({ default: module.DatabasesMenu })))

const SERVER = { kind: 'server', database: null, name: null } as const

/** Every database of the server with its state, and a link to its I/O. */
export default function DatabasesPanel({ panel }: PanelProps): ReactNode {
  const store = useView()
  const isNarrow = useNarrow()
  const serverTicks = useServerTicks()
  const list = useDatabaseList()
  const facts = useDatabaseFacts()
  const sweep = describeSweep(facts)
  const choice = useDatabaseChoice(store.view.sources.filter((id) => !isFileSource(id)))
  const filter = store.view.params['databases.filter'] ?? ''
  const sort = parseSort(store.view.params['databases.sort'])
  const newerMs = facts.statesAtMs === null ? null : facts.statesAtMs - list.dataUpdatedAt
  const all = list.data === undefined ? [] : joinFacts(list.data.rows, facts.byName, list.data.loadingMs, newerMs)
  const found = sortRows(filterRows(all, filter), sort)
  const rows = found.length === 0 ? null : found
  const openDetails = (name: string): void => store.open('database', { database: name })
  const open = (sources: readonly string[]): void => store.open('io', { sources, range: null, selection: null })

  return (
    <PanelFrame panel={panel} className={cx('column', styles.panel)}>
      <header className={cx('wrap', styles.intro)}>
        {/* The shell has the heading; this is what one sees of it. */}
        <p className={styles.title} aria-hidden="true">
          Databases
        </p>
        <p className="faint" role="status">
          {list.data === undefined
            ? 'This page loads no database.'
            : `${capitalise(describeList({ ...list.data, rows: all }))}; this page loads none.`}
        </p>
        {sweep === null ? null : <p className="faint">{sweep}</p>}
        {facts.sweepRefused === null ? null : (
          <p className="faint">Idle times and unloading are not reported. {facts.sweepRefused}</p>
        )}
      </header>
      <ListProblem list={list} />
      <LoadingDatabases rows={all} />
      <Faults rows={all} />
      <div className="row">
        <div className={styles.filter}>
          <TextField
            label="Filter databases by name"
            hideLabel
            type="search"
            placeholder="Filter by name"
            value={filter}
            onChange={(text) => store.change({ params: { 'databases.filter': text } })}
          />
        </div>
        {filter === '' || list.data === undefined ? null : (
          <span className="faint" role="status">
            {formatCount(found.length)} of {formatCount(list.data.rows.length)}
          </span>
        )}
        <span className="push" />
        <Suspense fallback={null}>
          <DatabasesMenu rows={isNarrow ? [] : all.filter(({ name }) => choice.chosen.has(`db:${name}`))} />
          <ActionButton action="server.create-database" target={SERVER} icon="add" />
          <ActionButton action="server.restore-database" target={SERVER} />
        </Suspense>
        {rows === null ? null : (
          <ListExport
            label="databases"
            what="databases"
            of=""
            at={serverTicks(list.dataUpdatedAt)}
            columns={DATABASE_COLUMNS}
            rows={rows}
          />
        )}
        {/* Cards have no ticks: a narrow page opens one database, and “Change” adds others. */}
        {isNarrow ? null : (
          <>
            <label className={cx('inline', styles.server)}>
              <input type="checkbox" checked={choice.chosen.has('server')} onChange={() => choice.toggle('server')} />
              Server <span className="faint">its own storage</span>
            </label>
            {choice.chosen.size === 0 ? null : (
              <Button tone="quiet" onClick={choice.clear}>
                Clear
              </Button>
            )}
            <Button
              tone="primary"
              disabled={choice.chosen.size === 0 || choice.tooMany}
              title={
                choice.tooMany
                  ? `At most ${String(MAX_SOURCES)} are watched at once.`
                  : choice.chosen.size === 0
                    ? 'Choose databases, or the server, first.'
                    : undefined
              }
              onClick={() => open([...choice.chosen])}
            >
              {choice.chosen.size === 0 ? 'Open I/O' : `Open I/O of ${formatCount(choice.chosen.size)}`}
            </Button>
          </>
        )}
      </div>
      {rows === null ? (
        <ListPlaceholder list={list} filter={filter} />
      ) : isNarrow ? (
        <DatabaseCards onDetails={openDetails} rows={rows} onOpen={(row) => openDetails(row.name)} />
      ) : (
        <div className={cx('raised', styles.table)} style={{ height: tableHeightPx(rows.length) }}>
          <DatabaseTable
            rows={rows}
            version={`${String(list.dataUpdatedAt)} ${String(facts.version)} ${filter}`}
            sort={sort}
            onSort={(next) => store.change({ params: { 'databases.sort': formatSort(next) } })}
            chosen={choice.chosen}
            onToggle={choice.toggle}
            onOpen={(row) => openDetails(row.name)}
            onDetails={openDetails}
            hasActions
          />
        </div>
      )}
    </PanelFrame>
  )
}
