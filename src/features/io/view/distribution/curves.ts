import { area, curveStepAfter, line } from 'd3'
import { STEPS_PER_DECADE } from '../../../../feeds/io/contract/density.ts'

/** A point of a curve: a duration, and a share of the events. */
interface CurvePoint {
  readonly ticks: number
  readonly share: number
}

/** Scales that map durations (logarithmic) and shares to pixels. */
export interface CurveScale {
  readonly xOf: (ticks: number) => number
  readonly yOf: (share: number) => number
}

/** Lower bound of step `i`, ticks. */
export const ticksOf = (first: number, i: number): number => 10 ** ((first + i) / STEPS_PER_DECADE)

/** Share of the events in each step, drawn from its lower bound; ends at zero. */
export function densityOf(counts: Uint32Array, first: number): CurvePoint[] {
  const all = counts.reduce((sum, count) => sum + count, 0)
  return Array.from({ length: counts.length + 1 }, (_, i) => ({
    ticks: ticksOf(first, i),
    share: (counts[i] ?? 0) / all,
  }))
}

/** Share of the events with a shorter duration, at the bounds of the steps: from 0 to 1. */
export function cumulativeOf(counts: Uint32Array, first: number): CurvePoint[] {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  const points: CurvePoint[] = [{ ticks: ticksOf(first, 0), share: 0 }]
  for (const [i, count] of counts.entries()) {
    below += count
    points.push({ ticks: ticksOf(first, i + 1), share: below / all })
  }
  return points
}

/** Path data (`d`) of the area. */
export const stepArea = (points: readonly CurvePoint[], { xOf, yOf }: CurveScale): string =>
  area<CurvePoint>()
    .x(({ ticks }) => xOf(ticks))
    .y0(yOf(0))
    .y1(({ share }) => yOf(share))
    .curve(curveStepAfter)(points) ?? ''

/** Path data (`d`) of the line. */
export const curveLine = (points: readonly CurvePoint[], { xOf, yOf }: CurveScale): string =>
  line<CurvePoint>()
    .x(({ ticks }) => xOf(ticks))
    .y(({ share }) => yOf(share))(points) ?? ''

/** Powers of ten of the range, ticks. */
export function decadesOf(first: number, steps: number): number[] {
  const from = Math.ceil(first / STEPS_PER_DECADE)
  const to = Math.floor((first + steps) / STEPS_PER_DECADE)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => 10 ** (from + i))
}
