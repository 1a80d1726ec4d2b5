import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import type { IndexingOverviewResponse, IndexingOverviewParams } from '../../contract/lanes.ts'
import { NO_FILTER } from '../../contract/batches.ts'
import type { BatchStore } from '../table.ts'
import { partsOf } from './parts.ts'

/** Busy share, longest batch and failures per pixel over all requested indexes. O(indexes · pixels · log n). */
export function overviewResponse(store: BatchStore, params: IndexingOverviewParams): IndexingOverviewResponse {
  const width = Math.max(1, Math.floor(params.widthPx))
  const ticksPerPx = Math.max(1, (params.endTicks - params.startTicks) / width)
  const busyShare = new Float32Array(width)
  const slowestTicks = new Float32Array(width)
  const failed = new Uint16Array(width)
  for (const { events, kind, from, to } of partsOf(store, { ...params, filter: NO_FILTER }))
    for (let row = from; row < to;) {
      const px = Math.min(width - 1, Math.floor((events.read(START, row) - params.startTicks) / ticksPerPx))
      const next = Math.max(row + 1, Math.min(to, events.lowerBound(params.startTicks + (px + 1) * ticksPerPx)))
      const found = emptyAggregate()
      events.addTo(found, row, next)
      spread(busyShare, px, found.busy, ticksPerPx)
      slowestTicks[px] = Math.max(slowestTicks[px] as number, events.read(DURATION, found.slowest))
      if (kind === 'failed') failed[px] = Math.min(0xffff, (failed[px] as number) + found.count)
      row = next
    }
  return { busyShare, slowestTicks, failed }
}

/**
 * Adds busy time from pixel `px` on: time that exceeds a pixel continues in the next ones, because batches of one index
 * follow each other.
 */
function spread(share: Float32Array, px: number, busyTicks: number, ticksPerPx: number): void {
  let left = busyTicks
  for (let at = px; at < share.length && left > 0; at++) {
    const part = Math.min(left, ticksPerPx)
    share[at] = (share[at] as number) + part / ticksPerPx
    left -= part
  }
}
