import { parseTicks, type Ticks, type TimeRange } from '../../../base/ticks.ts'
import { SERIES_STYLES } from '../../../charts/series/styles.ts'
import { type Asked, textOf } from './asked.ts'

/** Columns of a result that a chart can show. */
export interface AskedShape {
  /** Column of the time axis; null: the result is not a series in time, and is shown as bars. */
  readonly time: number | null
  /** Columns that name a row. */
  readonly names: readonly number[]
  /** Columns with numbers, of which one is shown. */
  readonly values: readonly number[]
}

/** Value of a row. */
export interface AskedPoint {
  readonly ticks: Ticks
  readonly value: number
  /** Index of the row in the result. */
  readonly row: number
}

/** Rows with the same names, ascending by time. */
interface AskedSeries {
  readonly name: string
  readonly points: readonly AskedPoint[]
}

export interface AskedLines {
  /** Series with the largest values, those first. */
  readonly series: readonly AskedSeries[]
  readonly all: number
  /** Rows whose value or time is not known. */
  readonly unknown: number
  /** Distance of two points that follow each other; a longer one is not bridged by a line. Null: rows are single events. */
  readonly stepTicks: number | null
  readonly range: TimeRange | null
  readonly least: number
  readonly most: number
}

interface AskedBar {
  readonly name: string
  readonly value: number
  readonly row: number
}

export const MOST_BARS = 40

const NUMBERS = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL\(.*\)|DOUBLE|FLOAT)$/
const TIMES = /^(?:TIMESTAMP(?:_\w+| WITH TIME ZONE)?|DATE)$/
/** Numbers that identify or date a row, and measure nothing. */
const NO_FIGURES = /(?:^|_)(?:id|ticks|term|index)$/
/** Names of durations and shares, which are of more interest than counts beside them. */
const MEASURES = /(?:_ms|_s|_seconds|^seconds|percent)$/

/**
 * Columns for a chart; null: no column has a number. A time after the first number is an attribute of the row, such as
 * the time of its first event, and not its place.
 */
export function shapeOf({ columns }: Pick<Asked, 'columns'>): AskedShape | null {
  const places = columns.map(({ name, type }, at) => ({ name, type, at }))
  const values = places.filter(({ name, type }) => NUMBERS.test(type) && !NO_FIGURES.test(name))
  const [first] = values
  if (first === undefined) return null
  const before = places.slice(0, first.at)
  const time = before.find(({ type }) => TIMES.test(type))?.at ?? null
  const names = before.filter(({ type }) => !TIMES.test(type) && !NUMBERS.test(type))
  return { time, names: names.map(({ at }) => at), values: values.map(({ at }) => at) }
}

/** Column that is shown at first: the last duration or share, as the p99 after the median, or else the first number. */
export const firstValueOf = ({ columns }: Pick<Asked, 'columns'>, { values }: AskedShape): number =>
  values.findLast((at) => MEASURES.test(columns[at]?.name ?? '')) ?? values[0] ?? 0

const valueOf = (value: unknown): number => (value === null || value === undefined ? Number.NaN : Number(value))

/** Time of a cell; NaN: none. */
const ticksOf = (value: unknown): Ticks => {
  const text = textOf(value)
  return text === ''
    ? (Number.NaN as Ticks)
    : parseTicks(`${text.replace(' ', 'T')}${text.length > 10 ? '' : 'T00:00:00'}Z`)
}

/** Columns whose values differ between rows, which distinguish names; all of them if none do. */
function distinguishing(rows: Asked['rows'], names: readonly number[]): readonly number[] {
  const differing = names.filter((at) => new Set(rows.map((row) => textOf(row[at]))).size > 1)
  return differing.length === 0 ? names : differing
}

const nameOf = (row: readonly unknown[], names: readonly number[]): string =>
  names.flatMap((at) => textOf(row[at]) || []).join(' · ')

/** Series over time of one column with numbers. */
export function linesOf({ rows }: Asked, { names: all, time }: AskedShape, value: number): AskedLines {
  const names = distinguishing(rows, all)
  const byName = new Map<string, AskedPoint[]>()
  const times = new Set<number>()
  let unknown = 0
  for (const [row, cells] of rows.entries()) {
    const point = { ticks: ticksOf(time === null ? null : cells[time]), value: valueOf(cells[value]), row }
    if (Number.isNaN(point.ticks) || !Number.isFinite(point.value)) {
      unknown++
      continue
    }
    times.add(point.ticks)
    const name = nameOf(cells, names)
    const points = byName.get(name) ?? []
    byName.set(name, points)
    points.push(point)
  }
  const peak = (points: readonly AskedPoint[]): number =>
    points.reduce((most, each) => Math.max(most, each.value), -Infinity)
  const series = [...byName]
    .map(([name, points]) => ({ name, points: points.toSorted((a, b) => a.ticks - b.ticks), peak: peak(points) }))
    .toSorted((a, b) => b.peak - a.peak)
    .slice(0, SERIES_STYLES.length)
  const shown = series.flatMap(({ points }) => points)
  const ascending = [...times].toSorted((a, b) => a - b)
  const [first] = ascending
  return {
    series,
    all: byName.size,
    unknown,
    stepTicks: stepOf(ascending),
    range: first === undefined ? null : { startTicks: first as Ticks, endTicks: (ascending.at(-1) ?? first) as Ticks },
    least: shown.reduce((least, each) => Math.min(least, each.value), 0),
    most: shown.reduce((most, each) => Math.max(most, each.value), 0),
  }
}

/** Months and years differ in length by less than this. */
const MOST_UNEVEN = 1.2

/** Distance of regular times, such as the hours of `date_trunc`, with omissions; null: not regular. */
function stepOf(ascending: readonly number[]): number | null {
  const gaps = ascending.slice(1).map((at, i) => at - (ascending[i] ?? 0))
  const step = gaps.reduce((least, gap) => Math.min(least, gap), Infinity)
  if (!Number.isFinite(step)) return null
  const isRegular = gaps.every((gap) => gap <= step * MOST_UNEVEN || gap % step === 0)
  return isRegular ? step * MOST_UNEVEN : null
}

/** Runs of points that a line connects, ascending. */
export function runsOf({ points }: AskedSeries, stepTicks: number | null): AskedPoint[][] {
  const runs: AskedPoint[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run !== undefined && last !== undefined && stepTicks !== null && point.ticks - last.ticks <= stepTicks)
      run.push(point)
    else runs.push([point])
  }
  return runs
}

/** The first rows with a value, in the order of the result, and the number of all of them. */
export function barsOf(
  { rows, columns }: Asked,
  { names }: AskedShape,
  value: number,
): { readonly bars: readonly AskedBar[]; readonly all: number; readonly unknown: number } {
  const named =
    names.length > 0 ? names : columns.flatMap(({ type }, at) => (at !== value && !NUMBERS.test(type) ? at : []))
  const shown = distinguishing(rows, named)
  const all = rows.map((cells, row) => ({ name: nameOf(cells, shown), value: valueOf(cells[value]), row }))
  const known = all.filter((bar) => Number.isFinite(bar.value))
  return { bars: known.slice(0, MOST_BARS), all: known.length, unknown: all.length - known.length }
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })
/** A number without a unit, which the name of its column has. */
export const formatValue = (value: number): string => grouped.format(value)
