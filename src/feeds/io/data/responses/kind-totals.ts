import type { Bytes } from '../../../../base/brand.ts'
import type { TickSpan, Ticks } from '../../../../base/ticks.ts'
import type { IoTrack } from '../lane-table.ts'
import { KNOWN_KINDS, type IoKindTotals } from '../../contract/lanes.ts'

/** `firstTicks` and `lastTicks` cover events and roll-ups; roll-ups count with the part that was not seen as events. */
export function kindTotals(track: IoTrack): IoKindTotals {
  const { events, rollUps, kind } = track
  const { unseen } = rollUps
  const firstRollUp = rollUps.rows[0]?.startTicks ?? Number.POSITIVE_INFINITY
  const lastRollUp = rollUps.rows.at(-1)?.startTicks ?? Number.NEGATIVE_INFINITY
  return {
    kind,
    known: (KNOWN_KINDS as readonly string[]).includes(kind),
    count: events.length,
    bytes: events.totals.bytes as Bytes,
    busyTicks: events.totals.busy as TickSpan,
    slowestTicks: (events.length === 0 ? Number.NaN : events.totals.slowestDuration) as TickSpan,
    firstTicks: (events.length === 0 ? firstRollUp : Math.min(events.firstTicks, firstRollUp)) as Ticks,
    lastTicks: (events.length === 0 ? lastRollUp : Math.max(events.lastTicks, lastRollUp)) as Ticks,
    rollUps: unseen.count,
    rollUpEvents: unseen.events,
    rollUpBytes: unseen.bytes as Bytes,
    rollUpBusyTicks: unseen.busyTicks as TickSpan,
  }
}
