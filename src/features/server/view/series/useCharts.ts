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
  /** Keys of the series in open groups. */
  readonly keys: readonly SeriesKey[]
  /**
   * Updates the list of available series from a response; called while rendering. Every response contains that list, so
   * the first request needs no keys.
   */
  readonly take: (response: ServerSeriesResponse | null) => void
}

/** Returns the charts of the available series; `keys` and the layout leave out those of closed groups. */
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
