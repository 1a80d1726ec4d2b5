import { rangeOf } from '../../base/columns/event-table.ts'
import { joinRanges, type TimeRange } from '../../base/ticks.ts'
import { knownSpans, type KnownUntil } from '../../capture/worker/known-time.ts'
import type { CompareSideParams, FeedLines, LineEvents } from '../../features/compare/contract.ts'
import type { LaneNames } from '../../feeds/io/data/responses/lane-names.ts'
import { isCovered } from '../../feeds/io/data/rollups.ts'
import type { IoStore } from '../../feeds/io/data/table.ts'

/** Events in the range for each kind and environment of the sources. O(lanes and kinds). */
export function comparedIoLines(
  store: IoStore,
  names: LaneNames,
  { sources, startTicks, endTicks }: CompareSideParams,
  knownUntil: KnownUntil,
): FeedLines {
  const wanted = new Set(sources)
  const lines: LineEvents[] = []
  const spans = new Map<string, TimeRange>()
  for (const lane of store.lanes.values()) {
    if (!wanted.has(lane.source)) continue
    for (const { kind, events: all, rollUps } of lane.tracks.values()) {
      // Rows that arrive in the meantime must not move those that are counted.
      const events = all.frozen()
      if (events.length > 0) spans.set(lane.source, joinRanges(spans.get(lane.source), rangeOf(events)))
      const summed = rollUps
        .overlapping(startTicks, endTicks)
        .filter((row) => row.startTicks >= startTicks && !isCovered(row))
      lines.push({
        source: lane.source,
        lane: lane.id,
        path: belowData(lane.path),
        name: names.labelOf(lane).label,
        kind,
        parts: [{ events, from: events.lowerBound(startTicks), to: events.lowerBound(endTicks) }],
        per: null,
        rollUps: summed.length,
      })
    }
  }
  return { version: store.version, lines, spans: knownSpans(spans, knownUntil) }
}

/** Path below the data directory: another server, or the same one after a move, has another directory. */
const belowData = (path: string): string =>
  /(?:^|[/\\])(Databases[/\\].*|System)$/.exec(path)?.[1]?.replaceAll('\\', '/') ?? path
