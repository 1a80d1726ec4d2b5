import type { ReactNode } from 'react'
import type { TickSpan, TimeRange } from '../../base/ticks.ts'
import styles from './sparkline.module.css'

/** Width in units of the drawing; CSS sets the real size. */
const WIDTH = 180
const HEIGHT = 28

/** Buckets of a series in columns, ascending. A bucket with count 0 breaks the line. */
export interface SparkRows {
  readonly bucketTicks: TickSpan
  readonly length: number
  readonly startTicks: Float64Array
  readonly mean: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  readonly count: Float64Array
}

interface SparklineProps {
  readonly rows: SparkRows
  readonly range: TimeRange
  readonly topValue: number | null
}

/**
 * Line of the means within a band from minimum to maximum, broken where there is no data. Scaled from 0 to `topValue`,
 * or to the maximum. Hidden from screen readers, since the text beside it says the same.
 */
export function Sparkline({ rows, range, topValue }: SparklineProps): ReactNode {
  const { line, band } = sparkPaths(rows, range, topValue)
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={band} className={styles.sparkBand} />
      <path d={line} className={styles.sparkMean} fill="none" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** SVG paths of the means and of the band. A single bucket between gaps is drawn as wide as its bucket. */
export function sparkPaths(
  rows: SparkRows,
  range: TimeRange,
  topValue: number | null,
): { readonly line: string; readonly band: string } {
  let top = topValue ?? 0
  if (topValue === null)
    for (let i = 0; i < rows.length; i++) top = Math.max(top, (rows.count[i] ?? 0) > 0 ? (rows.max[i] ?? 0) : 0)
  const x = (at: number): string => (((at - range.startTicks) / (range.endTicks - range.startTicks)) * WIDTH).toFixed(1)
  const y = (value: number | undefined): string =>
    (HEIGHT - 1 - Math.max(0, Math.min(1, (value ?? 0) / Math.max(top, Number.MIN_VALUE))) * (HEIGHT - 2)).toFixed(1)
  let line = ''
  let band = ''
  for (let from = 0; from < rows.length;) {
    let end = from
    while (end < rows.length && (rows.count[end] ?? 0) > 0) end++
    if (end > from) {
      const middle = (row: number): string => x((rows.startTicks[row] ?? 0) + rows.bucketTicks / 2)
      const indices = Array.from({ length: end - from }, (_, i) => from + i)
      const point = (of: Float64Array) => (row: number) => `${middle(row)} ${y(of[row])}`
      if (indices.length === 1) {
        const start = rows.startTicks[from] ?? 0
        line += `M${x(start)} ${y(rows.mean[from])}L${x(start + rows.bucketTicks)} ${y(rows.mean[from])}`
      } else {
        line += `M${indices.map(point(rows.mean)).join('L')}`
        band += `M${[...indices.map(point(rows.max)), ...indices.toReversed().map(point(rows.min))].join('L')}Z`
      }
    }
    from = Math.max(end, from) + 1
  }
  return { line, band }
}
