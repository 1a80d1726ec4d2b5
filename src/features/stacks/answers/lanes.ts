import type { LanesAnswer, LanesAsk, StackLane } from '../queries.ts'
import { WAIT_KINDS } from '../queries.ts'
import type { StackStore } from '../table.ts'
import { FLAG_SAMPLED, NO_WAIT } from '../table.ts'
import { compare } from './jobs.ts'

interface Lane {
  /** Threads by capture and kind of wait. */
  readonly counts: Uint16Array
  readonly threads: Uint16Array
  readonly cpuPercent: Float32Array
}

/** The time view: a lane for each job, a cell for each capture. O(samples). */
export function answerLanes(store: StackStore, { captures }: LanesAsk): LanesAnswer {
  const shown = [...new Set(captures)].filter((id) => store.captures.has(id))
  const lanes = new Map<number, Lane>()
  const kinds = WAIT_KINDS.length
  const atTicks = new Float64Array(shown.length)
  shown.forEach((id, column) => {
    const capture = store.captures.get(id)
    if (capture === undefined) return
    atTicks[column] = capture.info.atTicks
    const { rows } = capture
    for (let row = 0; row < rows.length; row++) {
      const job = rows.job[row] as number
      let lane = lanes.get(job)
      if (lane === undefined) {
        lane = {
          counts: new Uint16Array(shown.length * kinds),
          threads: new Uint16Array(shown.length),
          cpuPercent: new Float32Array(shown.length).fill(Number.NaN),
        }
        lanes.set(job, lane)
      }
      const cpu = rows.cpuPercent[row] as number
      if (!Number.isNaN(cpu)) lane.cpuPercent[column] = orZero(lane.cpuPercent[column]) + cpu
      if (((rows.flags[row] as number) & FLAG_SAMPLED) === 0) continue
      lane.threads[column] = (lane.threads[column] as number) + 1
      const cell = column * kinds + (rows.wait[row] as number)
      lane.counts[cell] = (lane.counts[cell] as number) + 1
    }
  })
  return {
    version: store.version,
    captures: shown,
    atTicks,
    lanes: Array.from(lanes, ([job, lane]) => ({ lane: laneOf(store, job, lane), cpu: meanOf(lane.cpuPercent) }))
      .filter(({ lane }) => lane.threads.some((threads) => threads > 0))
      .toSorted((a, b) => b.cpu - a.cpu || compare(a.lane.job.label, b.lane.job.label))
      .map(({ lane }) => lane),
  }
}

function laneOf(store: StackStore, job: number, { counts, threads, cpuPercent }: Lane): StackLane {
  const kinds = WAIT_KINDS.length
  const wait = new Uint8Array(threads.length).fill(NO_WAIT)
  const dominant = new Uint16Array(threads.length)
  threads.forEach((some, column) => {
    if (some === 0) return
    // Kinds stand in the order that decides a tie: running first.
    for (let kind = 0; kind < kinds; kind++) {
      const count = counts[column * kinds + kind] as number
      if (count <= (dominant[column] as number)) continue
      dominant[column] = count
      wait[column] = kind
    }
  })
  return { job: store.job(job), wait, threads, dominant, cpuPercent }
}

const orZero = (value: number | undefined): number => (value === undefined || Number.isNaN(value) ? 0 : value)

const meanOf = (values: Float32Array): number => values.reduce((sum, value) => sum + orZero(value), 0)
