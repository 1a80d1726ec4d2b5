import type { ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { SeriesKey, SeriesRows } from '../contract.ts'
import type { ChartGroup } from './series/charts.ts'
import { summariseSeries } from './series/series.ts'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import hidden from '../../../ui/hidden.module.css'
import figures from '../../../ui/figure-table.module.css'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './server.module.css'
import { formatUnit } from '../../../base/text/format-unit.ts'
import { formatBeat } from './units.ts'

interface FiguresTableProps {
  readonly groups: readonly ChartGroup[]
  readonly series: ReadonlyMap<SeriesKey, SeriesRows>
  readonly range: TimeRange
}

/** The charts as figures: each series in the range in view. Those of closed groups are not asked for, and not here. */
export function FiguresTable({ groups, series, range }: FiguresTableProps): ReactNode {
  const rows = groups.flatMap((group) =>
    group.charts.flatMap((chart) =>
      chart.series.flatMap((info) => {
        const of = series.get(info.key)
        return of === undefined ? [] : [{ group, chart, info, of, summary: summariseSeries(of, range) }]
      }),
    ),
  )
  return (
    <SideScrollBox label="Figures in view" className={styles.tableBox}>
      <table className={cx(figures.table, styles.table)}>
        <caption className={hidden.visuallyHidden}>Figures of every series in the range in view</caption>
        <thead>
          <tr>
            <th scope="col">Series</th>
            <th scope="col">Newest</th>
            <th scope="col">Least</th>
            <th scope="col">Mean</th>
            <th scope="col">Largest</th>
            <th scope="col">Samples</th>
            <th scope="col">Kept every</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ group, chart, info, of, summary }) => (
            <tr key={info.key}>
              <th scope="row">
                <span className={styles.faint}>
                  {group.title === chart.title ? group.title : `${group.title} · ${chart.title}`} ·
                </span>{' '}
                {info.label}
              </th>
              <td>{formatUnit(summary.newest, info.unit)}</td>
              <td>{formatUnit(summary.min, info.unit)}</td>
              <td>{formatUnit(summary.mean, info.unit)}</td>
              <td>{formatUnit(summary.max, info.unit)}</td>
              <td>{formatCount(summary.samples)}</td>
              <td>{formatBeat(of.tierSeconds * TICKS_PER_SECOND)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SideScrollBox>
  )
}
