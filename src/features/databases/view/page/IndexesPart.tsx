import type { ReactNode } from 'react'
import { formatCount, formatPlural, UNKNOWN } from '../../../../base/text/format.ts'
import { useDetail, useRenewal } from '../../../../capture/database-details/useDetail.ts'
import { toIndexLanes } from '../../../../capture/client/index-link.ts'
import type { ViewParts } from '../../../../capture/client/view.ts'
import { PanelLink } from '../../../../capture/frame/PanelLink.tsx'
import type { IndexState } from '../../../../ravendb/databases/database-details.ts'
import { StateDot, type Tone } from '../../../../ui/Badge.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import type { ListedDatabase } from '../../data/facts.ts'
import { DetailPart } from './DetailPart.tsx'
import styles from './page.module.css'
import type {} from '../../../../feeds/indexing/contract.ts'

const MOST_INDEXES = 50
const isNormal = ({ state, status, errorsCount }: IndexState): boolean =>
  (state === 'Normal' || state === 'Idle') && (status === null || status === 'Running') && (errorsCount ?? 0) === 0

/** Lists the indexes with a fault; others are only counted. */
export function IndexesPart({ row, name }: { readonly row: ListedDatabase; readonly name: string }): ReactNode {
  const requested = useDetail('databases.indexStates', { database: name })
  const { erroredIndexes, work } = row.facts ?? {}
  useRenewal(requested, [row.indexes, row.indexingErrors, erroredIndexes, work?.stoppedIndexes].join(' '))
  return (
    <DetailPart
      requested={requested}
      database={name}
      title="Indexes"
      label="Indexes"
      what="States of indexes"
      unknown={row.indexes === null ? null : <p className="note">{formatPlural(row.indexes, 'index', 'indexes')}.</p>}
      after={
        row.state !== 'online' ? null : (
          <p>
            <PanelLink panel="indexing" parts={listOf(name)}>
              All indexes, with their actions
            </PanelLink>
          </p>
        )
      }
    >
      {({ indexes }) => <IndexTable indexes={indexes} name={name} />}
    </DetailPart>
  )
}

const listOf = (name: string): ViewParts => ({
  sources: [`db:${name}`],
  range: null,
  params: { 'indexing.view': 'indexes' },
})

const partsOf = (name: string, index: string): ViewParts => ({
  sources: [`db:${name}`],
  range: null,
  params: { ...toIndexLanes(name, [index]), 'indexing.errors': 'on' },
})

const columnsOf = (name: string): readonly RowColumn<IndexState>[] => [
  {
    title: 'Index',
    cellLabel: ({ index }) => index,
    cell: ({ index }) => (
      <PanelLink panel="indexing" parts={partsOf(name, index)}>
        <bdi>{index}</bdi>
      </PanelLink>
    ),
  },
  { title: 'State', cell: (each) => <StateDot tone={toneOf(each)}>{stateWords(each)}</StateDot> },
  { title: 'Stale', cell: ({ isStale }) => (isStale === null ? UNKNOWN : isStale ? 'yes' : 'no') },
  { title: 'Errors', cell: ({ errorsCount }) => (errorsCount === null ? UNKNOWN : formatCount(errorsCount)) },
]

function IndexTable({ indexes, name }: { readonly indexes: readonly IndexState[]; readonly name: string }): ReactNode {
  const troubled = indexes.filter((index) => !isNormal(index))
  const others = indexes.length - troubled.length
  return (
    <>
      {troubled.length === 0 ? null : (
        <RowTable
          className={styles.table}
          isStacked
          rows={troubled.slice(0, MOST_INDEXES)}
          keyOf={({ index }) => index}
          columns={columnsOf(name)}
        />
      )}
      <p className="note">
        {troubled.length > MOST_INDEXES ? `And ${formatCount(troubled.length - MOST_INDEXES)} more. ` : ''}
        {indexes.length === 0
          ? 'It has no index.'
          : troubled.length === 0
            ? `${formatPlural(indexes.length, 'index', 'indexes')}, all running without errors.`
            : others === 0
              ? ''
              : `${formatPlural(others, 'other index', 'other indexes')} running without errors.`}
      </p>
    </>
  )
}

const isFailed = ({ state }: IndexState): boolean => state === 'Error'
const isStopped = ({ status, state }: IndexState): boolean =>
  status === 'Paused' || status === 'Disabled' || state === 'Disabled'
const toneOf = (index: IndexState): Tone => (isFailed(index) ? 'error' : isStopped(index) ? 'warn' : 'ok')
/** Does not add that an index in error is paused, which is always so. */
const stateWords = (index: IndexState): string =>
  isFailed(index)
    ? 'error'
    : (isStopped(index) && index.status !== null && index.status !== 'Running'
        ? index.status
        : index.state
      ).toLowerCase()
