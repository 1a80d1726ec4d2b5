import type { SnapshotId, JobKey } from './ids.ts'

export const JOB_KINDS = [
  'index',
  'merger',
  'cluster-transactions',
  'replication',
  'etl',
  'backup',
  'subscription',
  'cluster',
  'request',
  'storage',
  'pool',
  'gc',
  'runtime',
  'server',
  'unrecognised',
] as const
export type JobKind = (typeof JOB_KINDS)[number]

export interface Job {
  readonly key: JobKey
  readonly kind: JobKind
  /** `Index Orders/ByCompany`, `Transaction merger`, `Garbage collector`. Without the database. */
  readonly label: string
  readonly database: string | null
  /** Name of the index, the destination or the task; null without one. */
  readonly name: string | null
  /** Linux cut the thread's name to 15 characters: `database` and `name` may be only their beginnings. */
  readonly isCut: boolean
}

/** Kinds of waits of a thread. `running`: none. `work`: it has nothing to do. `process`: for another program to end. */
export const WAIT_KINDS = [
  'running',
  'disk',
  'lock',
  'network',
  'memory',
  'process',
  'timer',
  'work',
  'unknown',
] as const
export type WaitKind = (typeof WAIT_KINDS)[number]

/** Description of a stack in plain words, by the rules of `waits.ts`. */
export interface StackLine {
  /** `Writes the journal`, `Looks for work of the index`; '' where no rule fits. */
  readonly runs: string
  readonly wait: WaitKind
  /** `the disk: journal write`; '' while running and where unknown. */
  readonly waitsFor: string
}

export interface JobRow {
  readonly job: Job
  readonly threads: number
  /** CPU of its threads together, percent of all cores; NaN where none is reported. */
  readonly cpuPercent: number
  /** Threads by what they wait for, in the order of `WAIT_KINDS`; of the snapshot. */
  readonly waits: readonly number[]
}

export interface JobsParams {
  readonly snapshot: SnapshotId | null
  readonly live: boolean
}

export interface JobsResponse {
  /** Jobs with most CPU first. */
  readonly jobs: readonly JobRow[]
}
