import { utcTickInterval, timeTickInterval } from 'd3'
import { formatDate, formatTime, type Clock } from '../../base/text/format.ts'
import { msFromTicks, type Ticks, TICKS_PER_SECOND, ticksFromMs } from '../../base/ticks.ts'
import type { TimeScale } from '../scale.ts'

/** Tick of the axis. A label that would touch its neighbour is empty; its line is still drawn. */
export interface AxisMark {
  readonly atTicks: Ticks
  readonly xPx: number
  /** `04:01:30.500`, or a date if steps are days. */
  readonly label: string
  /** The date, at the first label and where it changes; empty otherwise. */
  readonly date: string
}

export interface AxisOptions {
  readonly clock: Clock
  /** Minimum distance of labels: about the width of one. */
  readonly labelPx: number
}

/** Steps below a second, in ticks: 1, 2, 5 × 10ⁿ, from 100 ns on. */
function fineStep(leastTicks: number): number | null {
  for (let step = 1; step < TICKS_PER_SECOND; step *= 10)
    for (const factor of [1, 2, 5])
      if (step * factor >= leastTicks && step * factor < TICKS_PER_SECOND) return step * factor
  return null
}

/** Fractional digits that a step of that many ticks needs. */
const fractionDigits = (stepTicks: number): number => {
  let digits = 7
  for (let rest = stepTicks; digits > 0 && rest % 10 === 0; rest /= 10) digits--
  // Whole milliseconds or microseconds are easier to read: .500, not .5
  return digits === 0 ? 0 : digits <= 3 ? 3 : digits <= 6 ? 6 : 7
}

interface Step {
  readonly digits: number
  readonly days: boolean
  /** Axis ticks of a range, ascending, both ends included. */
  readonly within: (start: number, end: number) => number[]
}

function chooseStep(leastTicks: number, clock: Clock): Step {
  const fine = fineStep(leastTicks)
  if (fine !== null) {
    return {
      digits: fractionDigits(fine),
      days: false,
      within: (start, end) => {
        const found: number[] = []
        for (let at = Math.ceil(start / fine) * fine; at <= end; at += fine) found.push(at)
        return found
      },
    }
  }
  const leastMs = leastTicks / 10_000
  const sample = [new Date(0), new Date(leastMs * 16)] as const
  const choose = clock === 'utc' ? utcTickInterval : timeTickInterval
  // d3 chooses the step nearest to the wanted one; fewer ticks are tried until labels fit.
  for (let count = 16; count >= 1; count = count > 4 ? count - 2 : count - 1) {
    const interval = choose(sample[0], sample[1], count)
    if (interval === null) continue
    const stepMs = Number(interval.offset(interval.ceil(sample[1]), 1)) - Number(interval.ceil(sample[1]))
    if (stepMs < leastMs && count > 1) continue
    return {
      digits: 0,
      days: stepMs >= 86_000_000,
      within: (start, end) =>
        interval
          .range(new Date(msFromTicks(start as Ticks)), new Date(msFromTicks(end as Ticks) + 1))
          .map((date) => ticksFromMs(date.getTime())),
    }
  }
  return { digits: 0, days: true, within: () => [] }
}

/**
 * Ticks of every linear piece of the scale, ascending, with labels that do not touch. The date is at the first label
 * and where the day changes.
 */
export function axisMarks(scale: TimeScale, options: AxisOptions): AxisMark[] {
  const step = chooseStep(scale.ticksPerPx * options.labelPx, options.clock)
  const marks: AxisMark[] = []
  let freePx = 0
  let day = ''
  for (const [i, piece] of scale.pieces.entries()) {
    if (piece.endPx - piece.startPx < 1) continue
    // Before a fold a label must end at the fold, which has a label of its own. At the edge of the plot half a label
    // may be cut off.
    const roomPx =
      i < scale.pieces.length - 1 || piece.endPx < scale.widthPx - 1
        ? piece.endPx - options.labelPx * 0.9
        : scale.widthPx - options.labelPx * 0.5
    for (const at of step.within(piece.startTicks, piece.endTicks)) {
      const atTicks = at as Ticks
      const xPx = scale.toPx(at)
      const fits = xPx >= freePx && xPx <= roomPx
      if (!fits) {
        marks.push({ atTicks, xPx, label: '', date: '' })
        continue
      }
      const today = formatDate(atTicks, options.clock)
      const label = step.days ? today : formatTime(atTicks, options.clock, step.digits)
      marks.push({ atTicks, xPx, label, date: step.days || today === day ? '' : today })
      day = today
      freePx = xPx + options.labelPx * 0.95
    }
  }
  return marks
}

/** Fractional digits that distinguish two neighbouring pixels, for the time at the cursor; 0…7. */
export const cursorDigits = (ticksPerPx: number): number =>
  Math.max(0, Math.min(7, Math.ceil(7 - Math.log10(Math.max(1, ticksPerPx)))))
