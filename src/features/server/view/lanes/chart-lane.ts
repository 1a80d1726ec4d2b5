import { formatUnit } from '../../../../base/text/format-unit.ts'
import type { Ticks, TimeRange } from '../../../../base/ticks.ts'
import type { LaneData, LaneItem, LaneModule, LaneTrack } from '../../../../capture/frame/lanes/lane.ts'
import { isFileSource } from '../../../../capture/client/state.ts'
import { indexMarks } from '../../../../charts/timeline/marks.ts'
import type { ServerSeriesResponse, SeriesRows } from '../../../../feeds/server/contract/series.ts'
import { chartGroups, shortLabel, type Chart } from '../series/charts.ts'
import { drawChart } from '../series/draw.ts'
import { seriesGap } from '../series/series-gap.ts'
import { rowNear, summariseSeries } from '../series/series.ts'
import { SERIES_STYLES } from '../../../../charts/series/styles.ts'
import { toServer } from './to-server.ts'
import type {} from '../../../archive/contract.ts'

/** Maximum number of points of a response, by the contract. */
const MOST_POINTS = 4000

/** Creates a lane of a chart of the server's figures: means as lines, with a band from minimum to maximum. */
export const chartLane = (keys: readonly string[]): LaneModule => ({
  everyMs: 1000,
  want: (request) => request('server.want', null),
  read: async (request, { sources, window: { startTicks, endTicks, resolutionTicks } }, signal) => {
    const points = Math.ceil((endTicks - startTicks) / resolutionTicks)
    const params = { startTicks, endTicks, keys, maxPoints: Math.max(1, Math.min(MOST_POINTS, points)) }
    // Figures of a recording are read only if all sources are files; otherwise those of the live server are shown.
    if (sources.length > 0 && sources.every(isFileSource))
      return chartData(await request('archive.series', { ...params, sources }, signal))
    return chartData(await request('server.series', params, signal))
  },
})

function chartData({ available, series, gaps }: ServerSeriesResponse): LaneData {
  const own = new Set(series.map(({ key }) => key))
  const chart = chartGroups(available.filter(({ key }) => own.has(key)))[0]?.charts[0]
  const rows = new Map(series.map((each) => [each.key, each]))
  const longest = series.reduce<SeriesRows | null>(
    (most, each) => (most === null || each.length > most.length ? each : most),
    null,
  )
  const isEmpty = chart === undefined || longest === null || longest.length === 0
  return {
    tracks: isEmpty ? [] : [chartTrack(chart, rows, longest)],
    ...(chart === undefined ? { nothing: 'not reported' } : {}),
    summarize: (range) => (isEmpty ? '' : summarizeChart(chart, rows, range)),
    legend: isEmpty
      ? []
      : chart.series.map((info, i) => ({
          title: shortLabel(info),
          token: SERIES_STYLES[i % SERIES_STYLES.length]?.token ?? '--series-first',
          pattern: 'solid',
        })),
    hasGap: () => false,
    // Gaps of figures that are collected only while a page of the server is open do not apply to charts of vital signs.
    gaps: gaps
      .filter(({ isOfDetails }) => isOfDetails !== true || chart?.series.every(({ isVital }) => !isVital) === true)
      .map(seriesGap),
  }
}

function chartTrack(chart: Chart, rows: ReadonlyMap<string, SeriesRows>, longest: SeriesRows): LaneTrack {
  const known = Array.from({ length: longest.length }, (_, row) => row).filter((row) => (longest.count[row] ?? 0) > 0)
  const marks = indexMarks({
    length: known.length,
    startTicks: Float64Array.from(known, (row) => longest.startTicks[row] ?? 0),
    durationTicks: new Float64Array(known.length).fill(longest.bucketTicks),
  })
  const itemAt = (mark: number): LaneItem => {
    const startTicks = (marks.startTicks[mark] ?? Number.NaN) as Ticks
    return {
      startTicks,
      durationTicks: longest.bucketTicks,
      title: chart.title,
      facts: chart.series.map((info) => [shortLabel(info), valueAt(rows.get(info.key), startTicks, chart)]),
      evidence: [],
      of: {},
      link: toServer,
    }
  }
  return {
    key: '',
    title: '',
    marks,
    isTiled: true,
    itemAt,
    draw: (context, { scale, tokens }, box) => drawChart(context, { scale, tokens, series: rows }, chart, box),
  }
}

/** Text of a bucket's mean, with its minimum and maximum if they differ. */
function valueAt(rows: SeriesRows | undefined, at: number, { unit }: Chart): string {
  const row = rows === undefined ? -1 : rowNear(rows, at)
  if (rows === undefined || row < 0) return formatUnit(Number.NaN, unit)
  const [mean = Number.NaN, min = Number.NaN, max = Number.NaN] = [rows.mean[row], rows.min[row], rows.max[row]]
  const text = formatUnit(mean, unit)
  return (rows.count[row] ?? 0) > 1 && min !== max
    ? `${text} (${formatUnit(min, unit)} – ${formatUnit(max, unit)})`
    : text
}

function summarizeChart(chart: Chart, rows: ReadonlyMap<string, SeriesRows>, range: TimeRange): string {
  const [first] = chart.series
  const own = first === undefined ? undefined : rows.get(first.key)
  if (first === undefined || own === undefined) return ''
  const { samples, mean, max } = summariseSeries(own, range)
  if (samples === 0) return ''
  const label = chart.series.length > 1 ? `${shortLabel(first)} mean` : 'mean'
  return `${label} ${formatUnit(mean, chart.unit)}, most ${formatUnit(max, chart.unit)}`
}
