import { DURATION, START } from '../../../../base/columns/event-chunk.ts'
import { emptyAggregate } from '../../../../base/columns/pyramid.ts'
import { Pace } from '../../../../capture/worker/turns.ts'
import type { IoKindThroughput, IoThroughputParams, IoThroughputResponse } from '../../contract.ts'
import type { IoStore } from '../table.ts'
import { ANY } from './first-rows.ts'
import type { LaneNames } from './lane-names.ts'
import { partsOf, type Part } from './parts.ts'
import { addMatching, forEachMatching, forEachReachingInto } from './scan.ts'

/**
 * Without a filter O(columns · log n) and the events that take longer than a column; with one O(events in range) less what
 * is pruned. In slices in which other responses have their turn.
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
  const kinds = new Map<string, IoKindThroughput>()
  for (const part of partsOf(store, names, params)) {
    const own = kinds.get(part.kind) ?? emptyKind(part.kind, params.columns)
    kinds.set(part.kind, own)
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
  const used = [...kinds.values()].filter(
    ({ busyTicks, count }) => busyTicks.some((busy) => busy > 0) || count.some((n) => n > 0),
  )
  return { version, columnTicks, kinds: used }
}

const emptyKind = (kind: string, columns: number): IoKindThroughput => ({
  kind,
  count: new Float64Array(columns),
  bytes: new Float64Array(columns),
  busyTicks: new Float64Array(columns),
  slowestTicks: new Float64Array(columns),
})

/** Moves the time of events that take longer than a column to the columns in which they ran. */
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
