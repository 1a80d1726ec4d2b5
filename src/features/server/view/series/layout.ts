import type { Chart, ChartGroup } from './charts.ts'

/** Row of the plot: the title of a group, or one chart of it. Tops are measured in the content, from below the axis. */
export interface PlotRow {
  readonly key: string
  readonly topPx: number
  readonly heightPx: number
  readonly group: ChartGroup
  /** Chart of the row. Null: the row is the title of a group. */
  readonly chart: Chart | null
  readonly expanded: boolean
}

export interface PlotLayout {
  readonly rows: readonly PlotRow[]
  /** Equal to `rows`: each row is drawn by itself. */
  readonly tracks: readonly PlotRow[]
  readonly charts: readonly (PlotRow & { readonly chart: Chart })[]
  readonly heightPx: number
}

export const GROUP_PX = 26
/** Height of a chart: room for a title and two lines of series beside it. Each further series adds a line. */
const CHART_PX = 56
const LINE_PX = 15
export const chartHeightPx = (seriesCount: number): number => CHART_PX + Math.max(0, seriesCount - 2) * LINE_PX

/**
 * Lays out groups below each other, each with its charts if it is open. A group of one chart has no title of its own.
 */
export function layoutCharts(groups: readonly ChartGroup[], closed: ReadonlySet<string>): PlotLayout {
  const rows: PlotRow[] = []
  let topPx = 0
  const add = (key: string, heightPx: number, group: ChartGroup, chart: Chart | null, expanded: boolean): void => {
    rows.push({ key, topPx, heightPx, group, chart, expanded })
    topPx += heightPx
  }
  for (const group of groups) {
    const alone = group.charts.length === 1 && group.charts[0]?.title === group.title
    const expanded = alone || !closed.has(group.id)
    if (!alone) add(`group ${group.id}`, GROUP_PX, group, null, expanded)
    if (expanded)
      for (const chart of group.charts) add(`chart ${chart.id}`, chartHeightPx(chart.series.length), group, chart, true)
  }
  return {
    rows,
    tracks: rows,
    charts: rows.filter((row): row is PlotRow & { readonly chart: Chart } => row.chart !== null),
    heightPx: topPx,
  }
}

/** Row at a vertical position of the content. Null: below the last row. */
export const rowAt = (layout: PlotLayout, yPx: number): PlotRow | null =>
  layout.rows.find((row) => yPx >= row.topPx && yPx < row.topPx + row.heightPx) ?? null
