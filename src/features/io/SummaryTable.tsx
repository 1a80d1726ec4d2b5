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
import { KindSwatch } from './KindSwatch.tsx'
import { compareKinds, kindLook } from './kinds.ts'
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
    hint: 'Bytes a second of wall time, and events a second',
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
]

/** Per kind what the range in view holds, and the roll-ups apart: they are no single events. */
export function SummaryTable({
  summary,
  range,
  stale,
}: {
  readonly summary: IoSummaryAnswer
  readonly range: TimeRange
  readonly stale: boolean
}): ReactNode {
  const seconds = (range.endTicks - range.startTicks) / TICKS_PER_SECOND
  const kinds = summary.kinds.toSorted((a, b) => compareKinds(a.kind, b.kind))
  const rolled = kinds.filter((kind) => kind.rollUps > 0)
  return (
    <div className={styles.tableBox} aria-busy={stale} tabIndex={0} role="group" aria-label="Summary of the view">
      <table className={styles.summary}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {COLUMNS.map(({ title, hint }) => (
              <th key={title} scope="col" title={hint}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.kind}>
              <th scope="row">
                <KindSwatch kind={kind.kind} /> <bdi>{kindLook(kind.kind).title}</bdi>
              </th>
              {COLUMNS.map(({ title, cell }) => (
                <td key={title}>{cell(kind, seconds)}</td>
              ))}
            </tr>
          ))}
          {kinds.length === 0 ? (
            <tr>
              <th scope="row">nothing in view</th>
              {COLUMNS.map(({ title }) => (
                <td key={title}>{UNKNOWN}</td>
              ))}
            </tr>
          ) : null}
        </tbody>
      </table>
      {rolled.length === 0 ? null : (
        <p className={styles.note}>
          Beside these, summed up by the server and not counted above:{' '}
          {rolled
            .map(
              (kind) =>
                `${formatCount(kind.rollUps)} ${kind.rollUps === 1 ? 'band' : 'bands'} of ${kindLook(kind.kind).many} with ${formatBytes(kind.rollUpBytes)} in ${formatDuration(kind.rollUpBusyTicks)} of work, slowest ${formatDuration(kind.rollUpMaxTicks)}`,
            )
            .join('; ')}
          .
        </p>
      )}
    </div>
  )
}
