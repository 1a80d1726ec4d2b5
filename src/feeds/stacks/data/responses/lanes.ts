import type { Job } from '../../contract/jobs.ts'
import type { LanesResponse, LanesParams, StackLane } from '../../contract/lanes.ts'
import { WAIT_KINDS } from '../../contract/jobs.ts'
import type { Snapshot, StackStore } from '../table.ts'
import { FLAG_SAMPLED, NO_WAIT } from '../table.ts'
import { compare } from './jobs.ts'

/**
 * Cells of all lanes, one lane after the other, in one buffer each: thousands of small buffers take long to transfer.
 */
class Cells {
  readonly #columns: number
  readonly threads: Uint16Array
  readonly cpuPercent: Float32Array
  readonly #wait: Uint8Array
  readonly #dominant: Uint16Array
  /** Number of threads by cell and kind of wait. */
  readonly counts: Uint16Array

  constructor(lanes: number, columns: number) {
    this.#columns = columns
    this.threads = new Uint16Array(lanes * columns)
    this.cpuPercent = new Float32Array(lanes * columns).fill(Number.NaN)
    this.#wait = new Uint8Array(lanes * columns).fill(NO_WAIT)
    this.#dominant = new Uint16Array(lanes * columns)
    this.counts = new Uint16Array(lanes * columns * KINDS)
  }

  laneOf(job: Job, lane: number): StackLane {
    const from = lane * this.#columns
    const to = from + this.#columns
    for (let cell = from; cell < to; cell++) {
      if (this.threads[cell] === 0) continue
      // Kinds are in the order that decides a tie: running first.
      for (let kind = 0; kind < KINDS; kind++) {
        const count = this.counts[cell * KINDS + kind] as number
        if (count <= (this.#dominant[cell] as number)) continue
        this.#dominant[cell] = count
        this.#wait[cell] = kind
      }
    }
    return {
      job,
      wait: this.#wait.subarray(from, to),
      threads: this.threads.subarray(from, to),
      dominant: this.#dominant.subarray(from, to),
      cpuPercent: this.cpuPercent.subarray(from, to),
    }
  }
}

const KINDS = WAIT_KINDS.length

/** Data of the time view: a lane for each job, a cell for each snapshot. O(samples). */
export function lanesResponse(store: StackStore, params: LanesParams): LanesResponse {
  const snapshots = [...new Set(params.snapshots)].flatMap((id) => store.snapshots.get(id) ?? [])
  const places = placesOf(snapshots)
  const cells = new Cells(places.size, snapshots.length)
  snapshots.forEach(({ rows }, column) => {
    for (let row = 0; row < rows.length; row++) {
      const lane = places.get(rows.job[row] as number)
      if (lane === undefined) continue
      const cell = lane * snapshots.length + column
      const cpu = rows.cpuPercent[row] as number
      if (!Number.isNaN(cpu)) cells.cpuPercent[cell] = orZero(cells.cpuPercent[cell]) + cpu
      if (((rows.flags[row] as number) & FLAG_SAMPLED) === 0) continue
      cells.threads[cell] = (cells.threads[cell] as number) + 1
      const count = cell * KINDS + (rows.wait[row] as number)
      cells.counts[count] = (cells.counts[count] as number) + 1
    }
  })
  return {
    version: store.version,
    snapshots: snapshots.map(({ info }) => info.id),
    atTicks: Float64Array.from(snapshots, ({ info }) => info.atTicks),
    lanes: Array.from(places, ([job, lane]) => cells.laneOf(store.job(job), lane))
      .map((lane) => ({ lane, cpu: meanOf(lane.cpuPercent) }))
      .toSorted((a, b) => b.cpu - a.cpu || compare(a.lane.job.label, b.lane.job.label))
      .map(({ lane }) => lane),
  }
}

/** A lane for each job with a stack of any thread. */
function placesOf(snapshots: readonly Snapshot[]): Map<number, number> {
  const places = new Map<number, number>()
  for (const { rows } of snapshots)
    for (let row = 0; row < rows.length; row++) {
      const job = rows.job[row] as number
      if (((rows.flags[row] as number) & FLAG_SAMPLED) !== 0 && !places.has(job)) places.set(job, places.size)
    }
  return places
}

const orZero = (value: number | undefined): number => (value === undefined || Number.isNaN(value) ? 0 : value)

const meanOf = (values: Float32Array): number => values.reduce((sum, value) => sum + orZero(value), 0)
