import { formatDuration } from '../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { MeasuredClock } from '../../../client/requests/requests.ts'

/** How times of another server are placed on the axis of this page. */
export interface Alignment {
  /** Ticks to add to its times. */
  readonly byTicks: number
  /** Uncertainty of the difference, ± ms; null: not measured, with a resolution of whole seconds. */
  readonly plusMinusMs: number | null
}

/** Clock of a server, measured or from the dates of its responses. */
export interface ReadClock {
  readonly measured: MeasuredClock | null
  readonly aheadMs: number
}

/**
 * Alignment from two clocks. An earlier alignment is kept as long as it lies within the measured uncertainty, so that
 * nothing moves because of a more precise measurement.
 */
export function alignmentOf(own: ReadClock, other: ReadClock, before: Alignment | null): Alignment {
  if (own.measured === null || other.measured === null) {
    const byMs = other.aheadMs - own.aheadMs
    return { byTicks: Math.round(byMs) * TICKS_PER_MS, plusMinusMs: null }
  }
  const plusMinusMs = own.measured.plusMinusMs + other.measured.plusMinusMs
  const byTicks = Math.round((other.measured.aheadMs - own.measured.aheadMs) * TICKS_PER_MS)
  const isKept = before?.plusMinusMs != null && Math.abs(before.byTicks - byTicks) <= plusMinusMs * TICKS_PER_MS
  return { byTicks: isKept ? before.byTicks : byTicks, plusMinusMs }
}

/** `± 3.20 ms`, short enough for the name of a lane. */
export const uncertaintyOf = ({ plusMinusMs }: Alignment): string =>
  plusMinusMs === null ? 'clock not measured' : `± ${formatDuration(plusMinusMs * TICKS_PER_MS)}`

/** Sentence about the clock of another server. */
export function describeAlignment(server: string, alignment: Alignment): string {
  const { byTicks, plusMinusMs } = alignment
  if (plusMinusMs === null)
    return `The clock of ${server} could not be measured: its lanes are aligned by the dates of its responses, to a second or two.`
  const within = formatDuration(plusMinusMs * TICKS_PER_MS)
  if (Math.abs(byTicks) <= plusMinusMs * TICKS_PER_MS)
    return `The clock of ${server} is that of this server, within ${within}.`
  const by = formatDuration(Math.abs(byTicks))
  return `The clock of ${server} is ${by} ${byTicks < 0 ? 'ahead of' : 'behind'} that of this server, within ${within}: its lanes are moved by that.`
}
