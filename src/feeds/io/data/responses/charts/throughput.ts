import { DURATION, START } from '../../../../../base/columns/event-chunk.ts'
import { emptyAggregate } from '../../../../../base/columns/pyramid.ts'
import { groupBy } from '../../../../../base/columns/group-by.ts'
import { Pace } from '../../../../../capture/worker/turns.ts'
import type { IoKindThroughput, IoThroughputParams, IoThroughputResponse } from '../../../contract/density.ts'
import type { IoStore } from '../../table.ts'
import { ANY } from '../first-rows.ts'
import { deepestOf, summedUp } from './in-flight.ts'
import type { LaneNames } from '../lane-names.ts'
import { partsOf, type Part } from '../parts.ts'
import { addMatching, forEachMatching, forEachReachingInto } from '../scan.ts'

/**
 * O(n log n) in the events in range, for the maximum number of concurrent events. The rest, without a filter: O(columns
 * · log n) plus the events that take longer than a column. Runs in slices between which other responses can run.
 */
export async function throughputResponse(
  store: IoStore,
  names: LaneNames,
  params: IoThroughputParams,
  signal: AbortSignal,
): Promise<IoThroughputResponse> {
  const { version } = store
  const pace = new Pace(signal)
  const columnTicks = Math.max(1, (params.endTicks - params.startTicks) / params.columns)
  const columns = { startTicks: params.startTicks, columnTicks, columns: params.columns }
  const kinds: IoKindThroughput[] = []
  for (const [kind, parts] of groupBy(partsOf(store, names, params), (part) => part.kind)) {
    const own = emptyKind(kind, params.columns)
    for (const part of parts) await addPart(part, own, params, columnTicks, pace)
    const isUsed = own.busyTicks.some((busy) => busy > 0) || own.count.some((count) => count > 0)
    const summed = summedUp(parts, columns)
    if (!isUsed && !summed.includes(1)) continue
    kinds.push({ ...own, deepest: isUsed ? await deepestOf(parts, columns, pace) : own.deepest, summedUp: summed })
  }
  return { version, columnTicks, kinds }
}

async function addPart(
  part: Part,
  own: IoKindThroughput,
  params: IoThroughputParams,
  columnTicks: number,
  pace: Pace,
): Promise<void> {
  for (let column = 0, from = part.from; column < params.columns && from < part.to; column++) {
    const next =
      column === params.columns - 1 ? part.to : part.events.lowerBound(params.startTicks + (column + 1) * columnTicks)
    const found = emptyAggregate()
    addMatching(part.events, from, Math.min(next, part.to), part.predicate, found)
    own.count[column] = (own.count[column] as number) + found.count
    own.bytes[column] = (own.bytes[column] as number) + found.bytes
    own.busyTicks[column] = (own.busyTicks[column] as number) + found.busy
    own.slowestTicks[column] = Math.max(own.slowestTicks[column] as number, found.slowestDuration)
    from = Math.max(from, next)
    await pace.step()
  }
  spreadLong(part, own.busyTicks, params, columnTicks)
  await pace.step()
}

const emptyKind = (kind: string, columns: number): IoKindThroughput => ({
  kind,
  count: new Float64Array(columns),
  bytes: new Float64Array(columns),
  busyTicks: new Float64Array(columns),
  slowestTicks: new Float64Array(columns),
  deepest: new Float64Array(columns),
  summedUp: new Uint8Array(columns),
})

/** Distributes the time of events longer than a column over the columns in which they ran. */
function spreadLong(
  { events, from, to, predicate }: Part,
  busyTicks: Float64Array,
  { startTicks, columns }: IoThroughputParams,
  columnTicks: number,
): void {
  const run = (start: number, end: number): void => {
    const first = Math.max(0, Math.floor((start - startTicks) / columnTicks))
    for (let column = first; column < columns; column++) {
      const [left, right] = [startTicks + column * columnTicks, startTicks + (column + 1) * columnTicks]
      if (left >= end) return
      busyTicks[column] = (busyTicks[column] as number) + Math.min(end, right) - Math.max(start, left)
    }
  }
  const long = { ...(predicate ?? ANY), minTicks: Math.max(predicate?.minTicks ?? 0, columnTicks) }
  forEachMatching(events, from, to, long, (chunk, row) => {
    const start = chunk.read(START, row)
    const duration = chunk.read(DURATION, row)
    const column = Math.min(columns - 1, Math.floor((start - startTicks) / columnTicks))
    busyTicks[column] = (busyTicks[column] as number) - duration
    run(start, start + duration)
  })
  forEachReachingInto(events, startTicks, predicate, (chunk, row) =>
    run(startTicks, chunk.read(START, row) + chunk.read(DURATION, row)),
  )
}
