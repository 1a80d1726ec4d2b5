import { compareNames } from '../../../../base/text/compare-names.ts'
import type { JobKey } from '../../../../feeds/stacks/contract/ids.ts'
import type { JobRow } from '../../../../feeds/stacks/contract/jobs.ts'
import type { ThreadRow, ThreadSort } from '../../../../feeds/stacks/contract/threads.ts'
import { jobName } from '../words.ts'

/** A row of the grouped table: a job, or one of its threads. */
export type GroupedRow =
  | { readonly type: 'job'; readonly row: JobRow; readonly isOpen: boolean }
  /** `inGroup`: below the row of its job. `row` null: the thread ended between two responses. */
  | { readonly type: 'thread'; readonly row: ThreadRow | null; readonly key: string; readonly inGroup: boolean }

/** Rows of each job. A job with one thread is that thread; others have a heading, and their threads when open. */
export interface GroupPlan {
  readonly jobs: readonly JobRow[]
  readonly isOpen: readonly boolean[]
  /** First row of each job, and the total number of rows at the end. */
  readonly firstRow: Uint32Array
  readonly total: number
}

const isSingle = (job: JobRow): boolean => job.threads === 1

export function planGroups(jobs: readonly JobRow[], open: readonly JobKey[]): GroupPlan {
  const opened = new Set(open)
  const shown = jobs.filter(({ threads }) => threads > 0)
  const isOpen = shown.map(({ job }) => opened.has(job.key))
  const firstRow = new Uint32Array(shown.length + 1)
  shown.forEach((job, at) => {
    const rows = isSingle(job) ? 1 : isOpen[at] === true ? 1 + job.threads : 1
    firstRow[at + 1] = (firstRow[at] ?? 0) + rows
  })
  return { jobs: shown, isOpen, firstRow, total: firstRow[shown.length] ?? 0 }
}

/** Threads [from, to) of a job, in the order of the table. */
export interface GroupPart {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Threads, by job, in a window of rows [offset, offset + limit). */
export function partsIn(plan: GroupPlan, offset: number, limit: number): GroupPart[] {
  const parts: GroupPart[] = []
  for (let at = 0; at < plan.jobs.length; at++) {
    const job = plan.jobs[at]
    const first = plan.firstRow[at] ?? 0
    const end = plan.firstRow[at + 1] ?? 0
    if (job === undefined || end <= offset || first >= offset + limit) continue
    const head = isSingle(job) ? 0 : 1
    if (head === 1 && plan.isOpen[at] !== true) continue
    const from = Math.max(0, offset - first - head)
    const to = Math.min(end, offset + limit) - first - head
    if (to > from) parts.push({ at, from, to })
  }
  return parts
}

/** Rows of a window; `threads` by job, beginning with thread `from` of the job. */
export function rowsIn(
  plan: GroupPlan,
  offset: number,
  limit: number,
  threads: ReadonlyMap<JobKey, { readonly from: number; readonly rows: readonly ThreadRow[] }>,
): GroupedRow[] {
  const rows: GroupedRow[] = []
  for (let at = 0; at < plan.jobs.length; at++) {
    const job = plan.jobs[at]
    const first = plan.firstRow[at] ?? 0
    const end = plan.firstRow[at + 1] ?? 0
    if (job === undefined) continue
    const head = isSingle(job) ? 0 : 1
    for (let row = Math.max(first, offset); row < Math.min(end, offset + limit); row++) {
      if (row === first && head === 1) {
        rows.push({ type: 'job', row: job, isOpen: plan.isOpen[at] === true })
        continue
      }
      const held = threads.get(job.job.key)
      const nth = row - first - head
      rows.push({
        type: 'thread',
        row: held?.rows[nth - held.from] ?? null,
        key: `${job.job.key}~${nth}`,
        inGroup: head === 1,
      })
    }
  }
  return rows
}

/** Jobs in the order of the table if jobs have that figure, else by CPU. */
export function sortJobs(jobs: readonly JobRow[], sort: ThreadSort, descending: boolean): JobRow[] {
  const way = descending ? -1 : 1
  const cpu = ({ cpuPercent }: JobRow): number => (Number.isNaN(cpuPercent) ? -1 : cpuPercent)
  const names = (a: JobRow, b: JobRow): number => compareNames(jobName(a.job), jobName(b.job))
  if (sort === 'job' || sort === 'name') return jobs.toSorted((a, b) => way * names(a, b))
  return jobs.toSorted((a, b) => (sort === 'cpu' ? way : -1) * (cpu(a) - cpu(b)) || names(a, b))
}
