import { useMemo, useState, type ReactNode } from 'react'
import { shapeOf } from '../../../base/rql/shape.ts'
import { ActionButton } from '../../../actions/view/ActionButton.tsx'
import { indented } from '../../../base/json/exact.ts'
import { formatBytes, formatCount, formatPlural } from '../../../base/text/format.ts'
import { ServerTime } from '../../../capture/frame/ServerTime.tsx'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import type { QueryPage, QueryText } from '../contract.ts'
import { byQueryInputs } from './by-query-inputs.ts'
import { canDelete } from './can-delete.ts'
import { CHANGES_BY_QUERY, DoneNotice, useDoneSince } from './DoneSince.tsx'
import { Cost, type RunTimes } from './Cost.tsx'
import type { CostShown } from './useThreadWatch.ts'
import { ExportResults } from './ExportResults.tsx'
import { More } from './More.tsx'
import { NoSuchCollection } from './NoSuchCollection.tsx'
import { Repeat } from './Repeat.tsx'
import { ResultTables } from './ResultTables.tsx'
import { resultTables, type ResultTable } from './result-tables.ts'
import { ResultsTable } from './ResultsTable.tsx'
import { SpatialDrawing } from './SpatialDrawing.tsx'
import { TimingsChart } from './TimingsChart.tsx'
import { isCounted } from './useResultRows.ts'
import { PAGE_SIZE, type TimedRun } from './useQueryRun.ts'
import styles from './query.module.css'
import type {} from '../../../feeds/indexing/contract.ts'

interface ResultsProps {
  readonly query: QueryText
  readonly page: QueryPage
  /** Number of this run. */
  readonly run: number
  readonly times: RunTimes
  /** Earlier runs with timings, newest first. */
  readonly earlier: readonly TimedRun[]
  readonly isText: boolean
  readonly onText: (isText: boolean) => void
  readonly onRun: () => void
  readonly cost: CostShown
  readonly onCost: (cost: CostShown) => void
}

/** Shows the results of a query: rows, included documents, the index used, staleness and duration. */
export function Results({
  query,
  page,
  run,
  times,
  earlier,
  isText,
  onText,
  onRun,
  ...costs
}: ResultsProps): ReactNode {
  const { cost, onCost } = costs
  const done = useDoneSince(query.database, CHANGES_BY_QUERY, times.endedMs)
  const [isRepeating, setRepeating] = useState(false)
  // Known at the last page of results of which the server leaves some out.
  const [counted, setCounted] = useState<{ readonly run: number; readonly count: number } | null>(null)
  const { rows, included, timings, more } = page
  const tables = useMemo(() => resultTables(rows), [rows])
  return (
    <section className={styles.results} aria-label="Results of the query">
      <div className="row">
        <p role="status">{describePage(page, counted?.run === run ? counted.count : null)}</p>
        <span className="push" />
        <Segmented
          label="Results as"
          value={isText ? 'json' : 'table'}
          options={[
            { value: 'table', text: 'Table' },
            { value: 'json', text: 'JSON' },
          ]}
          onChange={(value) => onText(value === 'json')}
        />
        <Button small aria-expanded={isRepeating} onClick={() => setRepeating(!isRepeating)}>
          Repeat
        </Button>
        <Button small aria-expanded={cost !== 'off'} onClick={() => onCost(cost === 'off' ? 'on' : 'off')}>
          Cost
        </Button>
        <ExportResults query={query} page={page} />
        {canDelete(query, page) ? (
          <ActionButton
            action="database.delete-by-query"
            target={{ kind: 'database', database: query.database, name: null }}
            inputs={byQueryInputs(query, page.total ?? 0, page.leavesOut)}
          />
        ) : null}
      </div>
      {done === null ? null : (
        <DoneNotice
          title="Documents were changed since these results were read."
          entry={done}
          button="Run again"
          onRun={onRun}
        />
      )}
      {rows.length === 0 && (page.total ?? 0) === 0 ? <NoSuchCollection query={query} endedMs={times.endedMs} /> : null}
      <Facts page={page} query={query} />
      {isCounted(page) ? null : <p className="note">The export has all results.</p>}
      {shapeOf(query.text).isComputed ? (
        <p className="note">
          The server computed these results in JavaScript, whose numbers have 53 bits: larger ones were rounded there.
        </p>
      ) : null}
      {isRepeating ? <Repeat query={query} /> : null}
      {cost === 'off' ? null : <Cost database={query.database} times={times} shown={cost} onShow={onCost} />}
      {rows.length === 0 ? null : isText ? (
        <>
          {isCounted(page) && page.total !== null && page.total > rows.length ? (
            <p className="note">
              The first {formatCount(PAGE_SIZE)} results. The table and the export have all of them.
            </p>
          ) : null}
          <pre className={cx('raised', styles.text)} tabIndex={0} aria-label="Results as JSON">
            {indented(`[${rows.join(',')}]`)}
          </pre>
        </>
      ) : (
        <>
          <SpatialDrawing query={query} page={page} />
          <ResultTables tables={tables} />
          {isAllInTables(tables, page) ? null : (
            <ResultsTable
              key={run}
              query={query}
              page={page}
              run={run}
              onCounted={(count) => setCounted({ run, count })}
            />
          )}
        </>
      )}
      {timings === null ? null : <TimingsChart timings={timings} earlier={earlier} />}
      {included.length === 0 ? null : (
        <details>
          <summary>{formatPlural(included.length, 'included document')}</summary>
          {included.map(({ id, text }) => (
            <details key={id}>
              <summary>
                <bdi>{id}</bdi>
              </summary>
              <pre className={cx('raised', styles.text)} tabIndex={0}>
                {indented(text)}
              </pre>
            </details>
          ))}
        </details>
      )}
      <More more={more} />
    </section>
  )
}

/** Whether the tables show everything: facets and suggestions have lists only, documents other fields. */
const isAllInTables = (tables: readonly ResultTable[], { rows, total }: QueryPage): boolean =>
  tables.length === rows.length && (total ?? rows.length) <= rows.length && !rows.some((row) => row.includes('"@id"'))

/** `counted`: number of results; null: as the page has it. */
function describePage(page: QueryPage, counted: number | null): string {
  return `${describeCount(page, counted)}${page.isStale ? ', stale: the index has not processed the latest changes' : ''}.`
}

function describeCount(page: QueryPage, counted: number | null): string {
  const { total, leavesOut, hasLists, rows, skipped, scanned } = page
  if (scanned > 0)
    return `The first ${formatPlural(rows.length, 'result')}; the filter looked at ${formatPlural(scanned, 'document')}`
  if (hasLists)
    return `The first ${formatPlural(rows.length, 'result')}: the function returns lists, whose items the server does not count`
  if (counted !== null) return formatPlural(counted, 'result')
  if (leavesOut && total !== null)
    return `Between ${formatCount(rows.length)} and ${formatPlural(total - skipped, 'result')}: the server’s count includes duplicates, which it leaves out`
  return formatPlural(total ?? rows.length, 'result')
}

function Facts({ page, query }: Pick<ResultsProps, 'page' | 'query'>): ReactNode {
  const { index, indexedAt, serverMs, tookMs, bytes, node } = page
  const isCollection = index.startsWith('collection/')
  return (
    <p className={cx('faint', styles.facts)}>
      {isCollection ? 'No index: the documents of ' : 'By index '}
      {isCollection ? (
        <bdi>{index.slice('collection/'.length)}</bdi>
      ) : (
        <PanelLink
          panel="indexing"
          parts={{ sources: [`db:${query.database}`], range: null, params: { 'indexing.view': 'indexes' } }}
        >
          <bdi>{index}</bdi>
        </PanelLink>
      )}
      {indexedAt === null ? null : (
        <>
          , as of <ServerTime at={indexedAt} />
        </>
      )}
      {serverMs === null ? '' : ` · ${formatCount(serverMs)} ms on the server`} · {formatCount(Math.round(tookMs))} ms
      here · {formatBytes(bytes)}
      {node === null ? '' : ` · node ${node}`}
    </p>
  )
}
