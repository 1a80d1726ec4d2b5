import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import type { IoOverviewResponse, IoOverviewParams } from '../../contract/marks.ts'
import { isCovered } from '../rollups.ts'
import type { IoStore } from '../table.ts'
import type { LaneNames } from './lane-names.ts'
import { rowsOf } from './parts.ts'
import { trackOf } from './scan.ts'

/**
 * Busy share and slowest event per pixel and kind over the whole capture. The busy time of roll-ups is spread evenly.
 */
export function overviewResponse(store: IoStore, names: LaneNames, params: IoOverviewParams): IoOverviewResponse {
  const width = Math.max(1, Math.floor(params.widthPx))
  const ticksPerPx = Math.max(1, (params.endTicks - params.startTicks) / width)
  const kinds = new Map<string, { busyShare: Float32Array; slowestTicks: Float32Array }>()
  for (const row of rowsOf(store, names, params.rows)) {
    const track = trackOf(store, row)
    if (track === null) continue
    let columns = kinds.get(row.kind)
    if (columns === undefined)
      kinds.set(row.kind, (columns = { busyShare: new Float32Array(width), slowestTicks: new Float32Array(width) }))
    const { events } = track
    const end = events.lowerBound(params.endTicks)
    let from = events.lowerBound(params.startTicks)
    while (from < end) {
      const px = Math.min(width - 1, Math.floor((events.read(START, from) - params.startTicks) / ticksPerPx))
      const next = Math.max(from + 1, Math.min(end, events.lowerBound(params.startTicks + (px + 1) * ticksPerPx)))
      const found = emptyAggregate()
      events.addTo(found, from, next)
      columns.busyShare[px] = (columns.busyShare[px] as number) + found.busy / ticksPerPx
      columns.slowestTicks[px] = Math.max(columns.slowestTicks[px] as number, events.read(DURATION, found.slowest))
      from = next
    }
    for (const rollUp of track.rollUps.overlapping(params.startTicks, params.endTicks)) {
      if (isCovered(rollUp) || Number.isNaN(rollUp.busyTicks)) continue
      const firstPx = Math.max(0, Math.floor((rollUp.startTicks - params.startTicks) / ticksPerPx))
      const lastPx = Math.min(width - 1, Math.floor((rollUp.endTicks - params.startTicks) / ticksPerPx))
      const share = rollUp.busyTicks / Math.max(1, rollUp.endTicks - rollUp.startTicks)
      for (let px = firstPx; px <= lastPx; px++) {
        // The time of a roll-up's slowest event is not known, so it is left out of the slowest events.
        const spread = firstPx === lastPx ? rollUp.busyTicks / ticksPerPx : share
        columns.busyShare[px] = (columns.busyShare[px] as number) + spread
      }
    }
  }
  return { version: store.version, kinds: Array.from(kinds, ([kind, columns]) => ({ kind, ...columns })) }
}
