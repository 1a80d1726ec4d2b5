import type { ReactNode } from 'react'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  formatShare,
  UNKNOWN,
} from '../../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../../base/ticks.ts'
import { ListExport } from '../../../../capture/exporting/ListExport.tsx'
import { RowTable, type RowColumn } from '../../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../../ui/table/SideScrollBox.tsx'
import { summaryColumns } from '../lists.ts'
import { KindSwatch } from '../timeline/KindSwatch.tsx'
import { kindLook } from '../timeline/kinds.ts'
import type { IoAmount, IoKindSummary, IoSummaryResponse } from '../../../../feeds/io/contract/summary.ts'
import { hasRate } from '../../../../feeds/io/contract/speed.ts'
import { cx } from '../../../../ui/theme/cx.ts'
import styles from './side.module.css'

interface Column {
  readonly title: string
  readonly hint: string
  readonly cell: (kind: IoKindSummary, seconds: number) => string
  /** Duration of the event that the figure refers to; a click goes to that event. */
  readonly eventTicks?: (kind: IoKindSummary) => number
}

const KIND: RowColumn<IoKindSummary> = {
  title: 'Kind',
  cell: ({ kind }) => (
    <>
      <KindSwatch kind={kind} /> <bdi>{kindLook(kind).title}</bdi>
    </>
  ),
}

/** A column whose figure is the duration of one event. */
const ofEvent = (title: string, hint: string, eventTicks: (kind: IoKindSummary) => number): Column => ({
  title,
  hint: `${hint}; click a figure to go to its event`,
  cell: (kind) => formatDuration(eventTicks(kind)),
  eventTicks,
})

/** Rate of an amount. One is approximate where roll-ups reach beyond the view, as they count by their share. */
const rate = ({ isShare }: IoAmount, value: number, format: (value: number) => string): string =>
  Number.isNaN(value) ? UNKNOWN : `${isShare ? '≈ ' : ''}${format(value)}`

const withoutSize = (count: number): string => (count > 0 ? `, ${formatCount(count)} without a size` : '')

const COLUMNS: readonly Column[] = [
  { title: 'Count', hint: 'Events that begin in the view', cell: (kind) => formatCount(kind.count) },
  ofEvent('Max', 'Slowest event', (kind) => kind.maxTicks),
  ofEvent('p50', 'Half of the events were at most that slow', (kind) => kind.p50Ticks),
  ofEvent('p90', '90 of 100 events were at most that slow', (kind) => kind.p90Ticks),
  ofEvent('p99', '99 of 100 events were at most that slow', (kind) => kind.p99Ticks),
  ofEvent(
    'p99.9',
    '999 of 1,000 events were at most that slow, with fewer than 1,000 the slowest',
    (kind) => kind.p999Ticks,
  ),
  {
    title: 'Bytes',
    hint: 'Sum of their sizes; of data syncs, what was flushed since the last sync',
    cell: (kind) =>
      `${kind.kind === 'DataSync' && kind.count > 0 ? 'covers ' : ''}${formatBytes(kind.bytes)}${withoutSize(kind.unsized)}`,
  },
  {
    title: 'Bytes/s',
    hint: 'Bytes of events and roll-ups over the time in view, busy or not; a data sync has none, as most of what it covers was written before',
    cell: ({ kind, whole }, seconds) => (hasRate(kind) ? rate(whole, whole.bytes / seconds, formatByteRate) : UNKNOWN),
  },
  {
    title: 'Events/s',
    hint: 'Events per second of the time in view, those of roll-ups among them',
    cell: ({ whole }, seconds) => rate(whole, whole.events / seconds, formatRate),
  },
  {
    title: 'Busy',
    hint: 'Busy time: sum of the durations, roll-ups included, over the time in view; above 100 % where environments work at once',
    cell: ({ whole }, seconds) => rate(whole, whole.busyTicks / TICKS_PER_SECOND / seconds, formatShare),
  },
]

/** Columns shown only if the view contains roll-ups, which most views do not. */
const ROLL_UP_COLUMNS: readonly Column[] = [
  {
    title: 'Roll-ups',
    hint: 'Older events that the server summed up; they are in no column before but the rates and Busy',
    cell: (kind) => (kind.rollUps === 0 ? UNKNOWN : formatCount(kind.rollUps)),
  },
  {
    title: 'Rolled-up bytes',
    hint: 'Bytes in the roll-ups',
    cell: (kind) =>
      kind.rollUps === 0 ? UNKNOWN : `${formatBytes(kind.rollUpBytes)}${withoutSize(kind.rollUpsUnsized)}`,
  },
  {
    title: 'Rolled-up max',
    hint: 'Slowest event in the roll-ups; when exactly it was is unknown',
    cell: (kind) => formatDuration(kind.rollUpMaxTicks),
  },
]

const none = (kind: string): IoKindSummary => ({
  kind,
  count: 0,
  bytes: 0 as IoKindSummary['bytes'],
  unsized: 0,
  busyTicks: 0 as IoKindSummary['busyTicks'],
  p50Ticks: Number.NaN,
  p90Ticks: Number.NaN,
  p99Ticks: Number.NaN,
  p999Ticks: Number.NaN,
  maxTicks: Number.NaN,
  rollUps: 0,
  rollUpBytes: 0 as IoKindSummary['rollUpBytes'],
  rollUpsUnsized: 0,
  rollUpBusyTicks: 0 as IoKindSummary['rollUpBusyTicks'],
  rollUpMaxTicks: Number.NaN,
  whole: { events: 0, bytes: 0 as IoAmount['bytes'], busyTicks: 0 as IoAmount['busyTicks'], isShare: false },
  slowest: null,
})

export interface SummaryTableProps {
  readonly summary: IoSummaryResponse
  /** Kinds to show, in order. A kind without events also has a row, so that the table keeps its height. */
  readonly kinds: readonly string[]
  readonly range: TimeRange
  readonly stale: boolean
  /** Goes to an event of that kind with exactly that duration. */
  readonly onEvent: (kind: string, durationTicks: number) => void
}

/** Figures of the range in view by kind. Roll-ups are separate because they are not single events. */
export function SummaryTable({ summary, kinds, range, stale, onEvent }: SummaryTableProps): ReactNode {
  const seconds = (range.endTicks - range.startTicks) / TICKS_PER_SECOND
  const rows = kinds.map((kind) => summary.kinds.find((each) => each.kind === kind) ?? none(kind))
  const columns = rows.some(({ rollUps }) => rollUps > 0) ? [...COLUMNS, ...ROLL_UP_COLUMNS] : COLUMNS
  return (
    <SideScrollBox label="Summary of the view" role="group" busy={stale} className={cx('raised', styles.tableBox)}>
      <RowTable
        className={cx('figures', styles.summary)}
        rows={rows}
        keyOf={({ kind }) => kind}
        columns={[KIND, ...columns.map((column) => figureColumn(column, seconds, onEvent))]}
        corner={
          <td className={styles.corner}>
            <ListExport
              compact
              label="summary"
              what="io-summary"
              of=""
              at={range.startTicks}
              columns={summaryColumns(range)}
              rows={rows}
            />
          </td>
        }
      />
    </SideScrollBox>
  )
}

const figureColumn = (
  { title, hint, cell, eventTicks }: Column,
  seconds: number,
  onEvent: SummaryTableProps['onEvent'],
): RowColumn<IoKindSummary> => ({
  title,
  hint,
  cell(row) {
    const text = cell(row, seconds)
    const ticks = eventTicks?.(row) ?? Number.NaN
    return Number.isNaN(ticks) ? (
      text
    ) : (
      <button
        type="button"
        className={cx('bare', styles.figure)}
        aria-label={`${text}, ${title} of ${kindLook(row.kind).many}: go to the event`}
        title="Go to this event"
        onClick={() => onEvent(row.kind, ticks)}
      >
        {text}
      </button>
    )
  },
})
