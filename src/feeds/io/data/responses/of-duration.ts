import { START } from '../../../../base/columns/event-chunk.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { IoEventRow } from '../../contract/rows.ts'
import type { IoOfDurationParams } from '../../contract/summary.ts'
import type { IoStore } from '../table.ts'
import { ANY } from './first-rows.ts'
import type { LaneNames } from './lane-names.ts'
import { partsOf, type Part } from './parts.ts'
import { forEachMatching } from './scan.ts'
import { eventRow } from './summary.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 16

/** O(events of the kind in range) at worst, in slices; skips leaves without an event of that duration. */
export async function ofDurationResponse(
  store: IoStore,
  names: LaneNames,
  params: IoOfDurationParams,
  signal: AbortSignal,
): Promise<IoEventRow | null> {
  const pace = new Pace(signal)
  let first: { readonly part: Part; readonly row: number; readonly startTicks: number } | null = null
  for (const part of partsOf(store, names, params)) {
    if (part.kind !== params.kind) continue
    const { events, from, to } = part
    const passing = part.predicate ?? ANY
    const wanted = {
      ...passing,
      minTicks: Math.max(passing.minTicks, params.durationTicks),
      maxTicks: Math.min(passing.maxTicks, params.durationTicks),
    }
    const found: number[] = []
    for (let at = from; at < to && found.length === 0; at += SLICE_ROWS) {
      forEachMatching(events, at, Math.min(to, at + SLICE_ROWS), wanted, (_chunk, row, firstRow) => {
        if (found.length === 0) found.push(firstRow + row)
      })
      await pace.step()
    }
    const [row] = found
    if (row === undefined) continue
    const startTicks = events.read(START, row)
    if (first === null || startTicks < first.startTicks) first = { part, row, startTicks }
  }
  return first === null ? null : eventRow(store, names, { ...first.part, row: first.row })
}
