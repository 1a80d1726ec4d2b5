import type { EventTable } from '../../../../base/columns/event-table.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import type { TimeRange } from '../../../../base/ticks.ts'
import { laneFinder } from '../../contract/lane-order.ts'
import type { IoFilter, IoRowRef, IoRows, IoScope } from '../../contract/rows.ts'
import type { RollUpTable } from '../rollups.ts'
import type { IoStore } from '../table.ts'
import type { Predicate } from './scan.ts'
import type { LaneNames } from './lane-names.ts'
import { addMatching, predicateOf, trackOf } from './scan.ts'

/** Rows [from, to) of one track, and the condition for those that count. */
export interface Part {
  readonly lane: string
  readonly kind: string
  readonly events: EventTable
  readonly rollUps: RollUpTable
  readonly predicate: Predicate | null
  readonly from: number
  readonly to: number
}

/** Tracks of the requested rows, each with the events that start in the range. Unknown rows are left out. */
export function partsOf(
  store: IoStore,
  names: LaneNames,
  params: TimeRange & { readonly rows: IoRows; readonly filter: IoFilter },
): Part[] {
  return rowsOf(store, names, params.rows).flatMap((row) => {
    const track = trackOf(store, row)
    if (track === null) return []
    // Rows that arrive during a slow response must not move the rows with which it began.
    const events = track.events.frozen()
    const predicate = predicateOf(params.filter, row.file)
    return [
      {
        lane: row.lane,
        kind: row.kind,
        events,
        rollUps: track.rollUps,
        predicate,
        from: events.lowerBound(params.startTicks),
        to: events.lowerBound(params.endTicks),
      },
    ]
  })
}

/** Rows that a rule currently selects; lanes in the order of the sources. O(rows). */
export function rowsOf(store: IoStore, names: LaneNames, rows: IoRows): readonly IoRowRef[] {
  if (!isRule(rows)) return rows
  const isFound = laneFinder(rows.find)
  const hidden = new Set(rows.hiddenKinds)
  const bySource = new Map<string, IoRowRef[]>(rows.sources.map((source) => [source, []]))
  for (const lane of store.lanes.values()) {
    const own = bySource.get(lane.source)
    if (own === undefined || !isFound(names.labelOf(lane).label)) continue
    for (const kind of lane.tracks.keys()) if (!hidden.has(kind)) own.push({ lane: lane.id, kind, file: null })
  }
  return [...bySource.values()].flat()
}

const isRule = (rows: IoRows): rows is IoScope => !Array.isArray(rows)

/** Number of matching events. O(parts) without a filter, else O(events) minus pruned parts. */
export function countParts(parts: readonly Part[]): number {
  const sums = emptyAggregate()
  for (const { events, from, to, predicate } of parts) {
    if (predicate === null) sums.count += to - from
    else addMatching(events, from, to, predicate, sums)
  }
  return sums.count
}
