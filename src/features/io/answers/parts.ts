import type { EventTable } from '../../../base/event-table.ts'
import { emptyAggregate } from '../../../base/pyramid.ts'
import type { TimeRange } from '../../../base/ticks.ts'
import type { IoFilter, IoRowRef } from '../queries.ts'
import type { RollUpTable } from '../rollups.ts'
import type { IoStore } from '../table.ts'
import type { Predicate } from './scan.ts'
import { addMatching, predicateOf, trackOf } from './scan.ts'

/** Which rows of one track are spoken of: [from, to), and those of them that count. */
export interface Part {
  readonly lane: string
  readonly kind: string
  readonly events: EventTable
  readonly rollUps: RollUpTable
  readonly predicate: Predicate | null
  readonly from: number
  readonly to: number
}

/** The tracks of the rows that are asked for, each with the events that start in the range. Unknown ones are left out. */
export function partsOf(
  store: IoStore,
  ask: TimeRange & { readonly rows: readonly IoRowRef[]; readonly filter: IoFilter },
): Part[] {
  return ask.rows.flatMap((row) => {
    const track = trackOf(store, row)
    if (track === null) return []
    // Rows that arrive while a slow answer is made must not move those that it has begun with.
    const events = track.events.frozen()
    const predicate = predicateOf(ask.filter, row.file)
    return [
      {
        lane: row.lane,
        kind: row.kind,
        events,
        rollUps: track.rollUps,
        predicate,
        from: events.lowerBound(ask.startTicks),
        to: events.lowerBound(ask.endTicks),
      },
    ]
  })
}

/** How many events count. O(parts) without a filter, else O(events) less what is pruned. */
export function countParts(parts: readonly Part[]): number {
  const sums = emptyAggregate()
  for (const { events, from, to, predicate } of parts) {
    if (predicate === null) sums.count += to - from
    else addMatching(events, from, to, predicate, sums)
  }
  return sums.count
}
