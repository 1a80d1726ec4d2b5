import { formatBeat } from '../../../base/text/figures.ts'
import type { ReactNode } from 'react'
import { formatCount } from '../../../base/text/format.ts'
import { TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { SeriesInfo, SeriesKey, SeriesRows } from '../../../feeds/server/contract/series.ts'
import type { ChartGroup } from './series/charts.ts'
import { summariseSeries } from './series/series.ts'
import { RowTable, type RowColumn } from '../../../ui/table/RowTable.tsx'
import { SideScrollBox } from '../../../ui/table/SideScrollBox.tsx'
import { cx } from '../../../ui/theme/cx.ts'
import styles from './server.module.css'
import { formatUnit } from '../../../base/text/format-unit.ts'

interface FiguresTableProps {
  readonly groups: readonly ChartGroup[]
  readonly series: ReadonlyMap<SeriesKey, SeriesRows>
  readonly range: TimeRange
}

/**
 * The charts as a table: the figures of each series in the range in view. Series of closed groups are not requested and
 * not listed.
 */
export function FiguresTable({ groups, series, range }: FiguresTableProps): ReactNode {
  const rows = groups.flatMap((group) =>
    group.charts.flatMap((chart) =>
      chart.series.flatMap((info): Row[] => {
        const of = series.get(info.key)
        return of === undefined ? [] : [{ group, chart, info, of, summary: summariseSeries(of, range) }]
      }),
    ),
  )
  return (
    <SideScrollBox label="Figures in view" className={cx('raised', styles.tableBox)}>
      <RowTable
        className={cx('figures', styles.table)}
        label="Figures of every series in the range in view"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ info }) => info.key}
      />
    </SideScrollBox>
  )
}

interface Row {
  readonly group: ChartGroup
  readonly chart: ChartGroup['charts'][number]
  readonly info: SeriesInfo
  readonly of: SeriesRows
  readonly summary: ReturnType<typeof summariseSeries>
}

const figure = (title: string, of: 'newest' | 'min' | 'mean' | 'max'): RowColumn<Row> => ({
  title,
  cell: ({ info, summary }) => formatUnit(summary[of], info.unit),
})

const COLUMNS: readonly RowColumn<Row>[] = [
  {
    title: 'Series',
    cell: ({ group, chart, info }) => (
      <>
        <span className="faint">{group.title === chart.title ? group.title : `${group.title} · ${chart.title}`} ·</span>{' '}
        {info.label}
      </>
    ),
  },
  figure('Newest', 'newest'),
  figure('Least', 'min'),
  figure('Mean', 'mean'),
  figure('Largest', 'max'),
  { title: 'Samples', cell: ({ summary }) => formatCount(summary.samples) },
  { title: 'Kept every', cell: ({ of }) => formatBeat(of.tierSeconds * TICKS_PER_SECOND) },
]
