import { formatDuration } from '../../../../base/text/format.ts'
import { TICKS_PER_MS } from '../../../../base/ticks.ts'
import type { MeasuredClock } from '../../../client/requests/requests.ts'

/** How the lanes of another server stand on the axis of this page. */
export interface Alignment {
  /** Added to its times. */
  readonly byTicks: number
  /** The true difference lies within so much of it, ms; null: it was not measured, and is that of whole seconds. */
  readonly plusMinusMs: number | null
}

/** Clocks of a server: as measured, or by the dates of its responses. */
export interface ReadClock {
  readonly measured: MeasuredClock | null
  readonly aheadMs: number
}

/**
 * Alignment by two clocks. It stays as it was while that is within what was measured since, so that nothing moves for a better
 * measurement.
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

/** `± 3.20 ms`, as short as the name of a lane has room for. */
export const uncertaintyOf = ({ plusMinusMs }: Alignment): string =>
  plusMinusMs === null ? 'clock not measured' : `± ${formatDuration(plusMinusMs * TICKS_PER_MS)}`

/** A sentence on the clock of another server. */
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
