import type { SampleFilter, Weight } from '../../contract/samples.ts'
import { WAIT_KINDS } from '../../contract/jobs.ts'
import type { Snapshot, StackStore } from '../table.ts'
import { FLAG_SAMPLED } from '../table.ts'

/**
 * Visits every sample of a filter, snapshot by snapshot in the order of the filter; skips snapshots that were removed.
 */
export function eachSample(
  store: StackStore,
  filter: SampleFilter,
  visit: (snapshot: Snapshot, row: number) => void,
): void {
  const jobs = filter.jobs === null ? null : new Set(filter.jobs)
  const waits = filter.waits === null ? null : new Set(filter.waits.map((wait) => WAIT_KINDS.indexOf(wait)))
  for (const id of new Set(filter.snapshots)) {
    const snapshot = store.snapshots.get(id)
    if (snapshot === undefined) continue
    const { rows } = snapshot
    for (let row = 0; row < rows.length; row++) {
      if (((rows.flags[row] as number) & FLAG_SAMPLED) === 0) continue
      if (jobs !== null && !jobs.has(store.job(rows.job[row] as number).key)) continue
      if (waits !== null && !waits.has(rows.wait[row] as number)) continue
      visit(snapshot, row)
    }
  }
}

export interface LeafWeights {
  /** Weight that ends at each node of `StackStore.stacks`. */
  readonly self: Float64Array
  readonly samples: number
  readonly unknownCpu: number
}

/** `perSnapshot`: also returns the mean over the snapshots, so that two sides can be compared. */
export function leafWeights(
  store: StackStore,
  filter: SampleFilter,
  weight: Weight,
  perSnapshot: boolean,
): LeafWeights {
  const self = new Float64Array(store.stacks.length)
  const snapshots = new Set(filter.snapshots.filter((id) => store.snapshots.has(id))).size
  const unit = weight === 'samples' && !perSnapshot ? 1 : 1 / Math.max(1, snapshots)
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
