import { useMemo, useState, type ReactNode } from 'react'
import { PanelLink } from '../../../capture/frame/PanelLink.tsx'
import { cellText } from '../../../base/json/cell-text.ts'
import { indented } from '../../../base/json/exact.ts'
import { cx } from '../../../ui/theme/cx.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { useScrollToOpened } from '../../../ui/hooks/useScrollToOpened.ts'
import { VirtualTable, type TableColumn, type TableSort } from '../../../ui/table/VirtualTable.tsx'
import type { QueryPage, QueryText } from '../contract.ts'
import { keysOf } from '../data/run.ts'
import { figuresOf, resultRow, sortResults, type ResultRow } from './result-row.ts'
import { isCounted, useResultRows } from './useResultRows.ts'
import styles from './query.module.css'
import type {} from '../../documents/contract.ts'

const ROW_PX = 28
const NUMBER_WIDTH = 76
/** Maximum number of columns: more are not readable. The row itself shows all fields. */
const MOST_COLUMNS = 200

/**
 * Columns for the known keys, to which later rows add theirs. `figures`: keys that have only numbers in the first
 * page; later rows do not move a column. `hasIds`: whether some result is a document; map-reduce results have no ids.
 * `sortable`: whether all results are loaded.
 */
const columnsOf = (
  keys: readonly string[],
  figures: ReadonlySet<string>,
  hasIds: boolean,
  sortable: boolean,
): readonly TableColumn[] => [
  { id: '#', title: '#', width: NUMBER_WIDTH, align: 'end', pinned: true, sortable },
  ...(hasIds ? [{ id: '@id', title: '@id', width: 190, pinned: true, sortable }] : []),
  ...keys.slice(0, MOST_COLUMNS).map((key): TableColumn => {
    const align = figures.has(key) ? 'end' : 'start'
    return { id: `=${key}`, title: key, width: 150, grow: 1, align, sortable }
  }),
]

interface ResultsTableProps {
  readonly query: QueryText
  readonly page: QueryPage
  /** Number of this run. Rows of other runs are not reused. */
  readonly run: number
  /** Called when the last result is read of a page that `leavesOut`. */
  readonly onCounted: (count: number) => void
}

/** Table of any number of results. Scrolling to a page requests it with the same query. */
export function ResultsTable({ query, page, run, onCounted }: ResultsTableProps): ReactNode {
  const [keys, setKeys] = useState<readonly string[]>(() => keysOf(page.rows))
  const [hasIds, setHasIds] = useState(() => page.rows.some((text) => resultRow(text, 0).id !== null))
  const figures = useMemo(() => figuresOf(page.rows.map(resultRow)), [page])
  const [opened, setOpened] = useState<ResultRow | null>(null)
  const cardRef = useScrollToOpened(opened !== null)
  const { total, version, hasChanged, rowsAt } = useResultRows(query, page, onCounted)
  const isWhole = isCounted(page) && total === page.rows.length
  const [sort, setSort] = useState<TableSort | null>(null)
  const sorted = useMemo(() => (sort === null ? null : sortResults(page.rows.map(resultRow), sort)), [page, sort])

  const fetchRows = async (offset: number, limit: number, signal: AbortSignal): Promise<readonly ResultRow[]> => {
    if (sorted !== null) return sorted.slice(offset, offset + limit)
    const texts = await rowsAt(offset, limit, signal)
    const more = keysOf(texts).filter((key) => !keys.includes(key))
    if (more.length > 0) setKeys((before) => [...before, ...more.filter((key) => !before.includes(key))])
    const rows = texts.map((text, i) => resultRow(text, offset + i))
    if (rows.some(({ id }) => id !== null)) setHasIds(true)
    return rows
  }

  return (
    <>
      {hasChanged ? (
        <p role="status">
          The results changed on the server since the query was run: rows of several moments are shown. Run it again.
        </p>
      ) : null}
      {keys.length > MOST_COLUMNS ? (
        <p className="note">The first {MOST_COLUMNS} fields are shown as columns.</p>
      ) : null}
      <div className={cx('raised', styles.table)}>
        <VirtualTable<ResultRow>
          label="Results"
          columns={columnsOf(keys, figures, hasIds, isWhole && total > 1)}
          total={total}
          rowHeightPx={ROW_PX}
          version={`${run} ${version}`}
          fetchRows={fetchRows}
          rowKey={({ position }) => String(position)}
          selectedKey={opened === null ? null : String(opened.position)}
          sort={sort}
          onSort={(next) => setSort(next.id === '#' && !next.descending ? null : next)}
          onRowClick={setOpened}
          renderCell={(row, column) =>
            column === '#' ? (
              row.position + 1
            ) : column === '@id' ? (
              row.id === null ? null : (
                <OpenDocument id={row.id} className={styles.cell}>
                  <bdi>{row.id}</bdi>
                </OpenDocument>
              )
            ) : (
              <bdi className={styles.cell}>
                {row.values.size === 0 && column === `=${String(keys[0])}`
                  ? cellText(row.text)
                  : cellText(row.values.get(column.slice(1)))}
              </bdi>
            )
          }
        />
      </div>
      <div ref={cardRef}>{opened === null ? null : <ResultCard row={opened} onClose={() => setOpened(null)} />}</div>
    </>
  )
}

interface OpenDocumentProps {
  readonly id: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

const OpenDocument = ({ id, className, children }: OpenDocumentProps): ReactNode => (
  <PanelLink
    panel="documents"
    parts={{ params: { 'documents.id': id, 'documents.new': '', 'documents.part': '' } }}
    className={className}
  >
    {children}
  </PanelLink>
)

function ResultCard({ row, onClose }: { readonly row: ResultRow; readonly onClose: () => void }): ReactNode {
  return (
    <section className="stack" aria-label={`Result ${row.position + 1}`}>
      <div className="row">
        <h3>
          Result {row.position + 1}
          {row.id === null ? null : (
            <>
              : <bdi>{row.id}</bdi>
            </>
          )}
        </h3>
        <span className="push" />
        {row.id === null ? null : <OpenDocument id={row.id}>Open document</OpenDocument>}
        <CopyButton label="Copy as sent" text={() => row.text} />
        <Button small onClick={onClose}>
          Close
        </Button>
      </div>
      <pre className={cx('raised', styles.text)} tabIndex={0}>
        {indented(row.text)}
      </pre>
    </section>
  )
}
