import type { LiveThreads } from '../live/live.ts'
import type { JobKey } from '../../contract/ids.ts'
import type { Job, JobsResponse, JobsParams } from '../../contract/jobs.ts'
import { WAIT_KINDS } from '../../contract/jobs.ts'
import type { StackStore } from '../table.ts'
import { sumOf } from '../table.ts'
import { cpuOf, joinThreads, waitOf } from './joined.ts'

/** Threads grouped by job, most CPU first. */
export function jobsResponse(store: StackStore, live: LiveThreads, params: JobsParams): JobsResponse {
  const joined = joinThreads(store, live, params.snapshot, params.live)
  const jobs = new Map<JobKey, { readonly job: Job; threads: number; cpuPercent: number; readonly waits: number[] }>()
  for (const thread of joined.threads) {
    const { job } = thread
    let row = jobs.get(job.key)
    if (row === undefined)
      jobs.set(job.key, (row = { job, threads: 0, cpuPercent: Number.NaN, waits: WAIT_KINDS.map(() => 0) }))
    row.threads++
    row.cpuPercent = sumOf([row.cpuPercent, cpuOf(joined, thread)])
    const wait = waitOf(joined, thread)
    if (wait < row.waits.length) row.waits[wait] = (row.waits[wait] as number) + 1
  }
  const byCpu = (cpuPercent: number): number => (Number.isNaN(cpuPercent) ? -1 : cpuPercent)
  return {
    jobs: [...jobs.values()].toSorted(
      (a, b) => byCpu(b.cpuPercent) - byCpu(a.cpuPercent) || compare(a.job.label, b.job.label),
    ),
  }
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
