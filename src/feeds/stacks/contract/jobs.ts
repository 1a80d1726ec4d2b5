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
  /** Name of the index, the destination or the task; null: none. */
  readonly name: string | null
  /** Whether Linux cut the thread's name to 15 characters, so that `database` and `name` may be incomplete. */
  readonly isCut: boolean
}

/** Kinds of waits. `running`: none. `work`: idle. `process`: for the end of another process. */
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
  /** `Writes the journal`, `Looks for work of the index`; empty: no rule matches. */
  readonly runs: string
  readonly wait: WaitKind
  /** `the disk: journal write`; empty: running, or unknown. */
  readonly waitsFor: string
}

export interface JobRow {
  readonly job: Job
  readonly threads: number
  /** CPU of all its threads, percent of all cores; NaN: not reported. */
  readonly cpuPercent: number
  /** Number of threads in the snapshot by what they wait for, in the order of `WAIT_KINDS`. */
  readonly waits: readonly number[]
}

export interface JobsParams {
  readonly snapshot: SnapshotId | null
  readonly live: boolean
}

export interface JobsResponse {
  /** Sorted by CPU, highest first. */
  readonly jobs: readonly JobRow[]
}
