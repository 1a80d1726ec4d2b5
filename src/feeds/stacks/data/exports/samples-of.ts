import type { SnapshotId, NodeId } from '../../contract/ids.ts'
import type { SampleFilter, StacksExportParams, Weight } from '../../contract/samples.ts'
import type { Snapshot, StackStore } from '../table.ts'
import { eachSample } from '../trees/samples.ts'
import type { Stem } from '../trees/stems.ts'
import { stemOf } from '../trees/stems.ts'

/** Rows of one snapshot to export. */
export interface SnapshotSamples {
  readonly snapshot: Snapshot
  readonly rows: readonly number[]
}

/** Snapshots at this moment: those that are removed during the export are still written. */
export function samplesOf(store: StackStore, filter: SampleFilter): SnapshotSamples[] {
  const found = new Map<SnapshotId, { snapshot: Snapshot; rows: number[] }>()
  eachSample(store, filter, (snapshot, row) => {
    let samples = found.get(snapshot.info.id)
    if (samples === undefined) found.set(snapshot.info.id, (samples = { snapshot, rows: [] }))
    samples.rows.push(row)
  })
  return [...found.values()]
}

export const countRows = (samples: readonly SnapshotSamples[]): number =>
  samples.reduce((sum, { rows }) => sum + rows.length, 0)

/** Distinct stack of a job, with its number of occurrences and its CPU. */
export interface StackSum {
  readonly job: number
  /** Node in `stem.trie`. */
  readonly node: NodeId
  samples: number
  /** CPU in percent of all cores, summed over snapshots; samples without CPU add nothing. */
  cpuPercent: number
}

export interface StackSums {
  readonly stem: Stem
  readonly sums: readonly StackSum[]
  readonly snapshots: number
}

export function sumStacks(store: StackStore, params: StacksExportParams): StackSums {
  const stem = stemOf(store, params.fold)
  const sums = new Map<string, StackSum>()
  const snapshots = new Set<SnapshotId>()
  eachSample(store, params.samples, ({ info, rows }, row) => {
    snapshots.add(info.id)
    const job = rows.job[row] as number
    const node = stem.of(rows.node[row] as number)
    const key = `${job}|${node}`
    let sum = sums.get(key)
    if (sum === undefined) sums.set(key, (sum = { job, node, samples: 0, cpuPercent: 0 }))
    sum.samples++
    const cpu = rows.cpuPercent[row] as number
    if (!Number.isNaN(cpu)) sum.cpuPercent += cpu
  })
  return { stem, sums: [...sums.values()], snapshots: snapshots.size }
}

/** Weight of a stack in the unit of the weight: samples, mean threads, mean percent of all cores. */
export function weigh({ samples, cpuPercent }: StackSum, weight: Weight, snapshots: number): number {
  const count = Math.max(1, snapshots)
  return weight === 'samples' ? samples : weight === 'threads' ? samples / count : cpuPercent / count
}
