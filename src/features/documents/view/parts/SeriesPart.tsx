import { useState, type ReactNode } from 'react'
import type { ActionTarget } from '../../../../actions/model.ts'
import { ActionButton } from '../../../../actions/view/ActionButton.tsx'
import { compareNumbers } from '../../../../base/json/compare-values.ts'
import { formatCount, formatDuration } from '../../../../base/text/format.ts'
import { parseTicks, spanFromMs } from '../../../../base/ticks.ts'
import { useRequest } from '../../../../capture/client/requests/useRequest.ts'
import { useCapture } from '../../../../capture/client/view.ts'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ErrorNotice } from '../../../../ui/Notice.tsx'
import { Spinner } from '../../../../ui/Progress.tsx'
import { VirtualTable, type TableColumn } from '../../../../ui/table/VirtualTable.tsx'
import { cx } from '../../../../ui/theme/cx.ts'
import type { OpenedDocument, SeriesEntry, SeriesGroup, SeriesInfo } from '../../contract.ts'
import styles from '../documents.module.css'
import { useAfterChanges } from './useAfterChanges.ts'
import { ServerTime } from '../../../../capture/frame/ServerTime.tsx'

const ROW_PX = 26
/** Maximum number of entries that are drawn one by one. More are drawn by groups, from their lowest to their highest. */
const CHARTED = 2000
/** Minimum interval of the groups, ms: the server reads all entries for them, some 400 ms for a million. */
const GROUPED_MS = 10_000
const CHART = { width: 1000, height: 200 }

interface SeriesPartProps {
  readonly database: string
  readonly opened: OpenedDocument
  readonly onChanged: () => void
}

/** Time series of a document: each as a chart of one of its values and as a table of any length. */
export function SeriesPart({ database, opened, onChanged }: SeriesPartProps): ReactNode {
  const target: ActionTarget = { kind: 'document', database, name: opened.id }
  const changes = useAfterChanges(target, onChanged)
  const [openedMs] = useState(() => Date.now())
  const at = new Date(openedMs).toISOString()
  const has = opened.series.length > 0
  const { id } = opened
  const [chosen, setChosen] = useState<string | null>(null)
  const { response, error } = useRequest('documents.series', has ? { database, id } : undefined, {
    version: `${opened.changeVector} ${String(changes)}`,
    everyMs: 1000,
  })
  if (!has)
    return (
      <div className="row">
        <ActionButton action="document.append" target={target} icon="add" inputs={{ at }} />
        <span className="faint">This document has no time series.</span>
      </div>
    )
  if (response === null)
    return error === null ? <Spinner>Reading time series …</Spinner> : <ErrorNotice error={error} />
  const series = response.find(({ name }) => name === chosen) ?? response[0]
  if (series === undefined) return <p className="faint">It has no entry any more.</p>
  return (
    <div className={cx('stack', styles.series)}>
      <div className="row">
        <Select
          label="Time series"
          value={series.name}
          options={response.map(({ name, entries }) => ({ value: name, text: `${name} (${formatCount(entries)})` }))}
          onChange={setChosen}
        />
        <span className="note">
          <ServerTime at={series.from} /> to <ServerTime at={series.to} />
        </span>
        <span className="push" />
        <ActionButton action="document.append" target={target} icon="add" inputs={{ series: series.name, at }} />
        <ActionButton
          action="document.delete-entries"
          target={target}
          inputs={{ series: series.name, from: series.from, to: series.to }}
        />
      </div>
      <Chart key={series.name} database={database} id={id} series={series} changes={changes} />
      <Entries database={database} id={id} series={series} changes={changes} />
    </div>
  )
}

interface OneProps {
  readonly database: string
  readonly id: string
  readonly series: SeriesInfo
  /** Number of changes made here; each makes earlier readings outdated. */
  readonly changes: number
}

/** The line from the lowest to the highest of a group. */
const strokeOf = ({ at, lowest, highest }: SeriesGroup): readonly Pick<SeriesEntry, 'at' | 'values'>[] => [
  { at, values: lowest },
  { at, values: highest },
]

function Chart({ database, id, series, changes }: OneProps): ReactNode {
  const version = `${String(series.entries)} ${String(changes)}`
  const { name, from, to } = series
  const grouped = useRequest(
    'documents.seriesGroups',
    series.entries > CHARTED ? { database, id, name, from, to } : undefined,
    { version, everyMs: GROUPED_MS },
  )
  const groups = series.entries > CHARTED ? grouped.response : null
  const isSingle = series.entries <= CHARTED || (grouped.response === null && grouped.error !== null)
  const { response } = useRequest(
    'documents.seriesPage',
    isSingle ? { database, id, name, start: 0, pageSize: CHARTED } : undefined,
    { version, everyMs: 1000 },
  )
  const [chosen, setChosen] = useState(0)
  const entries = groups === null ? (response?.entries ?? []) : groups.groups.flatMap(strokeOf)
  const count = entries.reduce((most, { values }) => Math.max(most, values.length), 0)
  // The entries with the most values may have been deleted.
  const value = Math.min(chosen, Math.max(0, count - 1))
  const points = entries.flatMap(({ at, values }) => {
    const text = values[value] ?? ''
    const [x, y] = [parseTicks(at) as number, text === '' ? Number.NaN : Number(text)]
    return Number.isFinite(x) && Number.isFinite(y) ? [{ x, y, text }] : []
  })
  const [first, last] = [points[0], points.at(-1)]
  const choice =
    count < 2 ? null : (
      <div className="row">
        <Select
          label="Value of the chart"
          value={String(value)}
          options={Array.from({ length: count }, (_, i) => ({ value: String(i), text: `Value ${String(i + 1)}` }))}
          onChange={(next) => setChosen(Number(next))}
        />
      </div>
    )
  if (first === undefined || last === undefined)
    return response === null && groups === null ? <Spinner>Reading the chart …</Spinner> : choice
  const low = points.reduce((a, b) => (compareNumbers(a.text, b.text) <= 0 ? a : b))
  const high = points.reduce((a, b) => (compareNumbers(a.text, b.text) >= 0 ? a : b))
  // Halves, because the difference of two values may exceed the range of a double.
  const half = high.y / 2 - low.y / 2
  const place = ({ x, y }: { readonly x: number; readonly y: number }): string => {
    const left = last.x === first.x ? 0.5 : (x - first.x) / (last.x - first.x)
    const up = half === 0 ? 0.5 : (y / 2 - low.y / 2) / half
    return `${(left * CHART.width).toFixed(1)},${((1 - up) * (CHART.height - 4) + 2).toFixed(1)}`
  }
  const isCut = groups === null && series.entries > entries.length
  return (
    <figure className="stack">
      {choice}
      <svg
        className={cx('raised', styles.seriesChart)}
        viewBox={`0 0 ${String(CHART.width)} ${String(CHART.height)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Value ${String(value + 1)} of ${series.name} from ${low.text} to ${high.text}`}
      >
        <polyline className={styles.curve} points={points.map(place).join(' ')} />
      </svg>
      <figcaption className="note">
        Value {String(value + 1)}, from {low.text} to {high.text}
        {isCut ? `; the first ${formatCount(entries.length)} of ${formatCount(series.entries)} entries` : ''}
        {groups === null
          ? ''
          : `; the lowest and the highest of every ${formatDuration(spanFromMs(groups.spanMs))} of ${formatCount(series.entries)} entries`}
        {groups === null && points.length < entries.length
          ? `; ${formatCount(entries.length - points.length)} of them without it`
          : ''}
      </figcaption>
    </figure>
  )
}

const COLUMNS: readonly TableColumn[] = [
  { id: 'at', title: 'Time', width: 240 },
  { id: 'values', title: 'Values', width: 200, grow: 2 },
  { id: 'tag', title: 'Tag', width: 140, grow: 1 },
]

function Entries({ database, id, series, changes }: OneProps): ReactNode {
  const capture = useCapture()
  const { name, entries } = series
  const fetchRows = async (start: number, pageSize: number, signal: AbortSignal): Promise<readonly SeriesEntry[]> =>
    (await capture.request('documents.seriesPage', { database, id, name, start, pageSize }, signal)).entries
  const renderCell = ({ at, values, tag }: SeriesEntry, column: string): ReactNode =>
    column === 'at' ? (
      <span className={styles.number}>{at}</span>
    ) : (
      <span className={cx('cut', column === 'values' && styles.number)}>
        {column === 'values' ? values.join(', ') : tag}
      </span>
    )
  return (
    <div className={cx('raised', styles.tree)}>
      <VirtualTable<SeriesEntry>
        label={`Entries of ${name}`}
        columns={COLUMNS}
        total={entries}
        rowHeightPx={ROW_PX}
        fetchRows={fetchRows}
        renderCell={renderCell}
        rowKey={({ at }) => at}
        version={`${name} ${String(entries)} ${String(changes)}`}
        sort={null}
        onSort={() => undefined}
      />
    </div>
  )
}
