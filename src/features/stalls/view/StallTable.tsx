import { useMemo, useState, type ReactNode } from 'react'
import { formatBytes, formatDateTime, formatDuration, formatShare, type Clock } from '../../../base/text/format.ts'
import { spanFromMs } from '../../../base/ticks.ts'
import { VirtualTable, type TableColumn, type TableSort } from '../../../ui/table/VirtualTable.tsx'
import type { StallRow } from '../contract.ts'
import styles from './stalls.module.css'
import { causeOf, environmentName, KIND_TITLES } from './words.ts'

const COLUMNS: readonly TableColumn[] = [
  { id: 'start', title: 'Start', width: 275, sortable: true, pinned: true },
  { id: 'duration', title: 'Duration', align: 'end', width: 90, sortable: true },
  { id: 'kind', title: 'Kind', width: 110, sortable: true },
  { id: 'size', title: 'Size', align: 'end', width: 90, sortable: true },
  { id: 'cause', title: 'Cause', width: 170, sortable: true },
  { id: 'environment', title: 'Environment', width: 220, grow: 1, sortable: true },
  { id: 'blamed', title: 'Held up by', width: 200, grow: 1, sortable: true },
]

const WITHOUT_KINDS = COLUMNS.filter(({ id }) => id !== 'kind')

const KEYS: Readonly<Record<string, (row: StallRow) => number | string>> = {
  start: (row) => row.startTicks,
  duration: (row) => row.durationMs,
  kind: (row) => KIND_TITLES[row.kind] ?? row.kind,
  size: (row) => row.bytes,
  cause: (row) => causeOf(row),
  environment: (row) => row.label,
  blamed: (row) => row.blamed?.label ?? '',
}

function sorted(rows: readonly StallRow[], { id, descending }: TableSort): readonly StallRow[] {
  const key = KEYS[id]
  if (key === undefined) return rows
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)]
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)))
  })
}

/** Key of a row: its link's selection, if it has one. */
const keyOf = (row: StallRow): string =>
  row.selection ?? `${row.source} ${row.environment} ${row.startTicks} ${row.durationMs}`

const confidenceOf = ({ of, cause, confidence }: StallRow): string | undefined =>
  of === 'write' && cause !== 'unexplained' ? `Confidence ${formatShare(confidence)}` : undefined

interface StallTableProps {
  readonly rows: readonly StallRow[]
  readonly version: string
  /** Whether rows can be of other kinds than journal writes. */
  readonly withKinds: boolean
  /** Whether the rows come from several sources. */
  readonly isOfMany: boolean
  readonly clock: Clock
  /** `selection` of the highlighted row. */
  readonly selection: string | null
  readonly onOpen: (row: StallRow) => void
}

/** Table of stalls; a click opens the write in I/O. */
export function StallTable(props: StallTableProps): ReactNode {
  const { rows, version, withKinds, isOfMany, clock, selection, onOpen } = props
  const [sort, setSort] = useState<TableSort>({ id: 'duration', descending: true })
  const ordered = useMemo(() => sorted(rows, sort), [rows, sort])
  const goal = useMemo(() => {
    const row = selection === null ? -1 : ordered.findIndex((each) => each.selection === selection)
    return row === -1 ? null : { row }
  }, [ordered, selection])
  const cell = (row: StallRow, column: string): ReactNode => {
    switch (column) {
      case 'start':
        return (
          <span className="mono">
            {row.of === 'sum' ? 'after ' : ''}
            {formatDateTime(row.startTicks, clock, 7)}
          </span>
        )
      case 'duration':
        return formatDuration(spanFromMs(row.durationMs))
      case 'size':
        return Number.isNaN(row.bytes) ? '' : formatBytes(row.bytes)
      case 'kind':
        return KIND_TITLES[row.kind] ?? row.kind
      case 'cause':
        return <span title={confidenceOf(row)}>{causeOf(row)}</span>
      case 'environment':
        return <bdi title={row.environment}>{environmentName(row, isOfMany)}</bdi>
      case 'blamed':
        return row.blamed === null ? (
          ''
        ) : (
          <bdi title={row.blamed.environment}>{environmentName(row.blamed, isOfMany)}</bdi>
        )
      default:
        return null
    }
  }
  return (
    <div className={styles.rows}>
      <VirtualTable<StallRow>
        label="Stalls"
        columns={withKinds ? COLUMNS : WITHOUT_KINDS}
        total={ordered.length}
        rowHeightPx={26}
        version={`${version} ${sort.id} ${String(sort.descending)}`}
        fetchRows={(offset, limit) => Promise.resolve(ordered.slice(offset, offset + limit))}
        renderCell={cell}
        rowKey={keyOf}
        selectedKey={selection}
        goal={goal}
        sort={sort}
        onSort={setSort}
        onRowClick={onOpen}
      />
    </div>
  )
}
