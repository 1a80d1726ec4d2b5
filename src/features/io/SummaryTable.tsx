import type { ReactNode } from 'react'
import {
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  formatShare,
  UNKNOWN,
} from '../../base/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import { ListExport } from '../../capture/exporting/ListExport.tsx'
import { SideScrollBox } from '../../ui/SideScrollBox.tsx'
import { summaryColumns } from './exports/lists.ts'
import { KindSwatch } from './KindSwatch.tsx'
import { kindLook } from './kinds.ts'
import type { IoKindSummary, IoSummaryAnswer } from './queries.ts'
import styles from './side.module.css'

const COLUMNS: readonly {
  readonly title: string
  readonly hint: string
  readonly cell: (kind: IoKindSummary, seconds: number) => string
}[] = [
  { title: 'Count', hint: 'Events that begin in the view', cell: (kind) => formatCount(kind.count) },
  { title: 'Max', hint: 'Slowest event', cell: (kind) => formatDuration(kind.maxTicks) },
  { title: 'p50', hint: 'Half of the events were at most that slow', cell: (kind) => formatDuration(kind.p50Ticks) },
  { title: 'p90', hint: '90 of 100 events were at most that slow', cell: (kind) => formatDuration(kind.p90Ticks) },
  { title: 'p99', hint: '99 of 100 events were at most that slow', cell: (kind) => formatDuration(kind.p99Ticks) },
  {
    title: 'p99.9',
    hint: '999 of 1,000 events were at most that slow; with fewer than 1,000 it is the slowest',
    cell: (kind) => formatDuration(kind.p999Ticks),
  },
  { title: 'Bytes', hint: 'Sum of their sizes', cell: (kind) => formatBytes(kind.bytes) },
  {
    title: 'Rate',
    hint: 'Bytes a second of wall time',
    cell: (kind, seconds) => formatByteRate(kind.bytes / seconds),
  },
  {
    title: 'Events/s',
    hint: 'Events a second of wall time',
    cell: (kind, seconds) => formatRate(kind.count / seconds),
  },
  {
    title: 'Share',
    hint: 'Time spent in it, as a share of the wall time in view; above 100 % where environments work at once',
    cell: (kind, seconds) => formatShare(kind.busyTicks / TICKS_PER_SECOND / seconds),
  },
  {
    title: 'Bands',
    hint: 'Roll-ups: older events that the server had already summed up; they are not counted in the columns before',
    cell: (kind) => (kind.rollUps === 0 ? UNKNOWN : formatCount(kind.rollUps)),
  },
  {
    title: 'in bands',
    hint: 'Bytes in the bands',
    cell: (kind) => (kind.rollUps === 0 ? UNKNOWN : formatBytes(kind.rollUpBytes)),
  },
  { title: 'max in bands', hint: 'Slowest event in the bands', cell: (kind) => formatDuration(kind.rollUpMaxTicks) },
]

const none = (kind: string): IoKindSummary => ({
  kind,
  count: 0,
  bytes: 0 as IoKindSummary['bytes'],
  busyTicks: 0 as IoKindSummary['busyTicks'],
  p50Ticks: Number.NaN,
  p90Ticks: Number.NaN,
  p99Ticks: Number.NaN,
  p999Ticks: Number.NaN,
  maxTicks: Number.NaN,
  rollUps: 0,
  rollUpBytes: 0 as IoKindSummary['rollUpBytes'],
  rollUpBusyTicks: 0 as IoKindSummary['rollUpBusyTicks'],
  rollUpMaxTicks: Number.NaN,
})

export interface SummaryTableProps {
  readonly summary: IoSummaryAnswer
  /** All that are looked at, in order; one without events has its row too, so the table keeps its height. */
  readonly kinds: readonly string[]
  readonly range: TimeRange
  readonly stale: boolean
}

/** Per kind what the range in view holds, and the roll-ups apart: they are no single events. */
export function SummaryTable({ summary, kinds, range, stale }: SummaryTableProps): ReactNode {
  const seconds = (range.endTicks - range.startTicks) / TICKS_PER_SECOND
  const rows = kinds.map((kind) => summary.kinds.find((each) => each.kind === kind) ?? none(kind))
  return (
    <SideScrollBox label="Summary of the view" role="group" busy={stale} className={styles.tableBox}>
      <table className={styles.summary}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {COLUMNS.map(({ title, hint }) => (
              <th key={title} scope="col" title={hint}>
                {title}
              </th>
            ))}
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
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.kind}>
              <th scope="row">
                <KindSwatch kind={row.kind} /> <bdi>{kindLook(row.kind).title}</bdi>
              </th>
              {COLUMNS.map(({ title, cell }) => (
                <td key={title}>{cell(row, seconds)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScrollBox>
  )
}
