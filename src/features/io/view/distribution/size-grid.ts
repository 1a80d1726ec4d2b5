import { scaleLog, type ScaleLogarithmic } from 'd3'
import { formatBytes, formatDuration } from '../../../../base/text/format.ts'
import { TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { CELLS_PER_DECADE, CELLS_PER_DOUBLING, type IoKindSizes } from '../../../../feeds/io/contract/details.ts'

/** Lower bound of a cell, bytes and ticks. */
export const bytesOf = (cell: number): number => 2 ** (cell / CELLS_PER_DOUBLING)
export const ticksOf = (cell: number): number => 10 ** (cell / CELLS_PER_DECADE)

/** Text for the sizes of a cell; the first has all smaller ones too. Its end is rounded up to bytes or ticks. */
export const describeSize = (cell: number): string =>
  cell === 0
    ? `less than ${formatBytes(Math.ceil(bytesOf(1)))}`
    : `${formatBytes(bytesOf(cell))} to ${formatBytes(bytesOf(cell + 1))}`

/** Text for the durations of a cell. */
export const describeDuration = (cell: number): string =>
  cell === 0
    ? `less than ${formatDuration(Math.ceil(ticksOf(1)))}`
    : `${formatDuration(ticksOf(cell))} to ${formatDuration(ticksOf(cell + 1))}`

/** Scales that map sizes (bytes) and durations (ticks) to pixels; both logarithmic, the same for all kinds. */
export interface SizeGrid {
  readonly x: ScaleLogarithmic<number, number>
  readonly y: ScaleLogarithmic<number, number>
}

/** Area for drawing cells, in pixels. */
export interface GridBox {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly foot: number
}

/** Scales that cover every cell of the kinds; at least one cell is required. */
export function gridOf(kinds: readonly IoKindSizes[], { left, right, top, foot }: GridBox): SizeGrid {
  const bounds = (of: (kind: IoKindSizes) => Uint16Array): [number, number] => {
    let [first, last] = [Number.POSITIVE_INFINITY, 0]
    for (const kind of kinds)
      for (const cell of of(kind)) {
        first = Math.min(first, cell)
        last = Math.max(last, cell)
      }
    return [first, last + 1]
  }
  return {
    x: scaleLog(bounds(({ size }) => size).map(bytesOf), [left, right]).base(2),
    y: scaleLog(bounds(({ duration }) => duration).map(ticksOf), [foot, top]),
  }
}

/** Minimum distance between axis labels, px. */
const LABEL_PX = 58

/** Powers of two for the axis, at a distance at which their labels fit. */
export function sizeTicks({ x }: SizeGrid): number[] {
  const [from, to] = x.domain().map(Math.log2) as [number, number]
  const widthPx = Math.abs(x(2) - x(1))
  const step = [1, 2, 5, 10, 20].find((each) => each * widthPx >= LABEL_PX) ?? 40
  const first = Math.ceil(from / step - 1e-9)
  return Array.from(
    { length: Math.max(0, Math.floor(to / step + 1e-9) - first + 1) },
    (_, i) => 2 ** ((first + i) * step),
  )
}

/** Powers of ten for the axis, ticks. */
export function durationTicks({ y }: SizeGrid): number[] {
  const [from, to] = y.domain().map(Math.log10) as [number, number]
  const first = Math.ceil(from - 1e-9)
  return Array.from({ length: Math.max(0, Math.floor(to + 1e-9) - first + 1) }, (_, i) => 10 ** (first + i))
}

/** Speeds that have a line, bytes per second. */
const SPEEDS = [2 ** 20, 100 * 2 ** 20, 10 * 2 ** 30]

/** Line of all sizes and durations with the same speed. */
export interface SpeedLine {
  readonly bytesPerSecond: number
  readonly fromBytes: number
  readonly toBytes: number
}

/**
 * Parts of the lines of equal speed in the grid at or above `leastBytes`, below which bytes over duration are not a
 * meaningful speed.
 */
export function speedLines({ x, y }: SizeGrid, leastBytes: number): SpeedLine[] {
  const [leastSize, mostSize] = x.domain() as [number, number]
  const [leastTicks, mostTicks] = y.domain() as [number, number]
  return SPEEDS.flatMap((bytesPerSecond) => {
    const bytesIn = (ticks: number): number => (ticks / TICKS_PER_SECOND) * bytesPerSecond
    const fromBytes = Math.max(leastSize, leastBytes, bytesIn(leastTicks))
    const toBytes = Math.min(mostSize, bytesIn(mostTicks))
    return toBytes > fromBytes ? [{ bytesPerSecond, fromBytes, toBytes }] : []
  })
}

/** Opacity of a cell: 0.2 for one event to 1 for the fullest cell, logarithmic. */
export const cellOpacity = (count: number, most: number): number =>
  most <= 1 ? 1 : 0.2 + (0.8 * Math.log(count)) / Math.log(most)
