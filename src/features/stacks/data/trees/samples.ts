import type { SampleFilter, Weight } from '../../contract/samples.ts'
import { WAIT_KINDS } from '../../contract/jobs.ts'
import type { Capture, StackStore } from '../table.ts'
import { FLAG_SAMPLED } from '../table.ts'

/** Every sample of a filter, capture by capture in the order of the filter; captures that are gone are left out. */
export function eachSample(
  store: StackStore,
  filter: SampleFilter,
  visit: (capture: Capture, row: number) => void,
): void {
  const jobs = filter.jobs === null ? null : new Set(filter.jobs)
  const threads = filter.threadIds === null ? null : new Set(filter.threadIds)
  const waits = filter.waits === null ? null : new Set(filter.waits.map((wait) => WAIT_KINDS.indexOf(wait)))
  for (const id of new Set(filter.captures)) {
    const capture = store.captures.get(id)
    if (capture === undefined) continue
    const { rows } = capture
    for (let row = 0; row < rows.length; row++) {
      if (((rows.flags[row] as number) & FLAG_SAMPLED) === 0) continue
      if (jobs !== null && !jobs.has(store.job(rows.job[row] as number).key)) continue
      if (threads !== null && !threads.has(store.identities[rows.identity[row] as number]?.id ?? -1)) continue
      if (waits !== null && !waits.has(rows.wait[row] as number)) continue
      visit(capture, row)
    }
  }
}

export interface LeafWeights {
  /** By node of `StackStore.stacks`: what ends there. */
  readonly self: Float64Array
  readonly samples: number
  readonly unknownCpu: number
}

/** `perCapture`: samples are reported as their mean over the captures as well, so that two sides can be compared. */
export function leafWeights(store: StackStore, filter: SampleFilter, weight: Weight, perCapture: boolean): LeafWeights {
  const self = new Float64Array(store.stacks.length)
  const captures = new Set(filter.captures.filter((id) => store.captures.has(id))).size
  const unit = weight === 'samples' && !perCapture ? 1 : 1 / Math.max(1, captures)
  let samples = 0
  let unknownCpu = 0
  eachSample(store, filter, ({ rows }, row) => {
    const node = rows.node[row] as number
    samples++
    if (weight !== 'cpu') {
      self[node] = (self[node] as number) + unit
      return
    }
    const cpu = rows.cpuPercent[row] as number
    if (Number.isNaN(cpu)) unknownCpu++
    else self[node] = (self[node] as number) + cpu * unit
  })
  return { self, samples, unknownCpu }
}
