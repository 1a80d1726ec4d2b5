import { DURATION_STEPS, stepOf } from '../../../../../base/columns/duration-steps.ts'
import { DURATION, SIZE, START } from '../../../../../base/columns/event-chunk.ts'
import type { EventTable } from '../../../../../base/columns/event-table.ts'
import { emptyAggregate, type Aggregate } from '../../../../../base/columns/pyramid.ts'
import { addDurationSteps } from '../../../../../base/columns/step-counts.ts'
import { Pace } from '../../../../../capture/worker/turns.ts'
import type { IoHeatParams, IoHeatResponse, IoRowHeat } from '../../../contract/density.ts'
import type { IoRollUps } from '../../../contract/marks.ts'
import type { IoRowRef } from '../../../contract/rows.ts'
import type { IoStore } from '../../table.ts'
import { boundAfter } from '../marks.ts'
import { noBands, rollUpBands } from '../roll-up-bands.ts'
import { addMatching, forEachMatching, predicateOf, trackOf, type Predicate } from '../scan.ts'

/** Number of rows visited between two checks of the clock. */
const SLICE_ROWS = 1 << 16

/**
 * Without a filter: O(columns + blocks in range), once each block has been counted, which is O(events) the first time.
 * With a filter: O(events in range) minus pruned parts. Runs in slices between which other responses can run.
 */
export async function heatResponse(store: IoStore, params: IoHeatParams, signal: AbortSignal): Promise<IoHeatResponse> {
  const { version } = store
  const pace = new Pace(signal)
  const rows: IoRowHeat[] = []
  for (const row of params.rows) rows.push(await heatOf(store, row, params, pace))
  return { version, rows }
}

async function heatOf(store: IoStore, row: IoRowRef, params: IoHeatParams, pace: Pace): Promise<IoRowHeat> {
  const columns = new HeatColumns()
  const track = trackOf(store, row)
  if (track === null) return columns.result(noBands())
  const rollUps = rollUpBands(track, params.pieces, (ticks) => Math.floor(ticks / params.columnTicks), row.file)
  // Rows that arrive during a slow response must not move the rows with which it began.
  const events = track.events.frozen()
  const predicate = predicateOf(params.filter, row.file)
  for (const { startTicks, endTicks } of params.pieces) {
    const end = events.lowerBound(endTicks)
    for (let from = events.lowerBound(startTicks); from < end;) {
      const columnTicks = Math.floor(events.read(START, from) / params.columnTicks) * params.columnTicks
      const next = Math.max(from + 1, Math.min(end, boundAfter(events, from, columnTicks + params.columnTicks)))
      const steps = new Uint32Array(DURATION_STEPS)
      const found = emptyAggregate()
      for (let at = from; at < next; at += SLICE_ROWS) {
        const sliceEnd = Math.min(next, at + SLICE_ROWS)
        addSteps(events, at, sliceEnd, predicate, steps)
        addMatching(events, at, sliceEnd, predicate, found)
        await pace.step()
      }
      if (found.count > 0) columns.add(columnTicks, steps, found, events)
      from = next
    }
  }
  return columns.result(rollUps)
}

function addSteps(events: EventTable, from: number, to: number, predicate: Predicate | null, steps: Uint32Array): void {
  if (predicate === null)
    events.forEachPart(from, to, (chunk, partFrom, partTo) => addDurationSteps(chunk, partFrom, partTo, steps))
  else
    forEachMatching(events, from, to, predicate, (chunk, row) => {
      const step = stepOf(chunk.read(DURATION, row))
      steps[step] = (steps[step] as number) + 1
    })
}

class HeatColumns {
  readonly #columns: number[] = []
  readonly #steps: Uint32Array[] = []
  readonly #counts: number[] = []
  readonly #starts: number[] = []
  readonly #durations: number[] = []
  readonly #sizes: number[] = []

  add(columnTicks: number, steps: Uint32Array, found: Aggregate, events: EventTable): void {
    const last = this.#columns.length - 1
    // Two pieces may share a column.
    if (this.#columns[last] === columnTicks) return this.#join(last, steps, found, events)
    this.#columns.push(columnTicks)
    this.#steps.push(steps)
    this.#counts.push(found.count)
    this.#starts.push(events.read(START, found.slowest))
    this.#durations.push(found.slowestDuration)
    this.#sizes.push(events.read(SIZE, found.slowest))
  }

  #join(column: number, steps: Uint32Array, found: Aggregate, events: EventTable): void {
    this.#steps[column] = steps.map((count, step) => count + (this.#steps[column]?.[step] ?? 0))
    this.#counts[column] = (this.#counts[column] ?? 0) + found.count
    if (found.slowestDuration <= (this.#durations[column] ?? 0)) return
    this.#starts[column] = events.read(START, found.slowest)
    this.#durations[column] = found.slowestDuration
    this.#sizes[column] = events.read(SIZE, found.slowest)
  }

  result(rollUps: IoRollUps): IoRowHeat {
    const steps = new Uint32Array(this.#steps.length * DURATION_STEPS)
    this.#steps.forEach((own, i) => steps.set(own, i * DURATION_STEPS))
    return {
      length: this.#columns.length,
      columnTicks: Float64Array.from(this.#columns),
      steps,
      count: Uint32Array.from(this.#counts),
      startTicks: Float64Array.from(this.#starts),
      durationTicks: Float64Array.from(this.#durations),
      sizeBytes: Float64Array.from(this.#sizes),
      rollUps,
    }
  }
}
