import type { CssPx } from '../../../../base/brand.ts'
import type { Ticks } from '../../../../base/ticks.ts'
import type { IndexStorageParams, IndexStorageResponse } from '../../contract/index-storage.ts'
import { realIndexName } from '../index-names.ts'
import { NO_FILTER } from '../../contract/rows.ts'
import type { IoStore } from '../table.ts'
import type { IoLaneTable } from '../lane-table.ts'
import { kindTotals } from './kind-totals.ts'
import type { LaneNames } from './lane-names.ts'
import { marksResponse } from './marks.ts'
import { summaryResponse } from './summary.ts'

/** Storage activity of an index in a range, for panels that have the index but not its lane. O(events in range). */
export async function ofIndexResponse(
  store: IoStore,
  names: LaneNames,
  { source, indexName, startTicks, endTicks, widthPx }: IndexStorageParams,
  signal: AbortSignal,
): Promise<IndexStorageResponse> {
  const lane = [...store.lanes.values()].find((each) => each.source === source && isOf(names, each, indexName))
  if (lane === undefined) return { kinds: null, sinceTicks: null }
  const rows = Array.from(lane.tracks.keys(), (kind) => ({ lane: lane.id, kind, file: null }))
  const range = { startTicks, endTicks }
  const pieces = [{ ...range, startPx: 0 as CssPx, endPx: widthPx }]
  const { rows: marks } = marksResponse(store, { rows, pieces, filter: NO_FILTER })
  const summary = await summaryResponse(store, names, { ...range, rows, filter: NO_FILTER, slowestLimit: 0 }, signal)
  const kinds = rows.flatMap(({ kind }, row) => {
    const sums = summary.kinds.find((each) => each.kind === kind)
    const drawn = marks[row]
    if (sums === undefined || drawn === undefined) return []
    const { length, startTicks: starts, durationTicks, rollUps } = drawn
    return [
      {
        kind,
        count: sums.count,
        bytes: sums.bytes,
        busyTicks: sums.busyTicks,
        slowestTicks: sums.maxTicks,
        rollUps: rollUps.count.reduce((sum, count) => sum + count, 0),
        marks: { length, startTicks: starts, durationTicks },
      },
    ]
  })
  return { kinds, sinceTicks: sinceOf(lane) }
}

/**
 * Whether the lane belongs to the index: by real name, or by its expected folder if no names were reported, as in a
 * file.
 */
function isOf(names: LaneNames, lane: IoLaneTable, indexName: string): boolean {
  if (lane.type !== 'Index') return false
  const { label, labelIsReal } = names.labelOf(lane)
  return labelIsReal ? label === indexName : realIndexName(lane.path, [indexName]) === indexName
}

function sinceOf(lane: IoLaneTable): Ticks | null {
  const first = Math.min(...Array.from(lane.tracks.values(), (track) => kindTotals(track).firstTicks))
  return Number.isFinite(first) ? (first as Ticks) : null
}
