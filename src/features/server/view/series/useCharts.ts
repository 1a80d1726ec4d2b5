import { useState } from 'react'
import type {
  SeriesInfo,
  SeriesKey,
  SeriesRows,
  ServerSeriesResponse,
} from '../../../../feeds/server/contract/series.ts'
import { chartGroups, type ChartGroup } from './charts.ts'
import { layoutCharts, type PlotLayout } from './layout.ts'

const NO_SERIES: readonly SeriesInfo[] = []

interface Charts {
  readonly groups: readonly ChartGroup[]
  readonly layout: PlotLayout
  /** Series of the groups that are open. */
  readonly keys: readonly SeriesKey[]
  /** Takes which series there are, while rendering: they come with every response, and the first one is of no keys. */
  readonly take: (response: ServerSeriesResponse | null) => void
}

/** Charts of the series that there are, but for those of closed groups. */
export function useCharts(closed: ReadonlySet<string>): Charts {
  const [available, setAvailable] = useState(NO_SERIES)
  const groups = chartGroups(available)
  const layout = layoutCharts(groups, closed)
  return {
    groups,
    layout,
    keys: layout.charts.flatMap(({ chart }) => chart.series.map((info) => info.key)),
    take: (response) => {
      if (response !== null && !sameSeries(response.available, available)) setAvailable(response.available)
    },
  }
}

export const rowsByKey = (response: ServerSeriesResponse | null): ReadonlyMap<SeriesKey, SeriesRows> =>
  new Map(response?.series.map((rows) => [rows.key, rows]))

const sameSeries = (a: readonly SeriesInfo[], b: readonly SeriesInfo[]): boolean =>
  a.length === b.length && a.every((info, i) => info.key === b[i]?.key)
