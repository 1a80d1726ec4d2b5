import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeJob } from '../../../../testing/generated/generated-stacks.ts'
import { WAIT_KINDS, type JobRow } from '../../../../feeds/stacks/contract/jobs.ts'
import type { ThreadRow } from '../../../../feeds/stacks/contract/threads.ts'
import { partsIn, planGroups, rowsIn, sortJobs } from './thread-groups.ts'

const job = (name: string, threads: number, cpuPercent = 0): JobRow => ({
  job: fakeJob('index', name),
  threads,
  cpuPercent,
  waits: WAIT_KINDS.map(() => 0),
})
const keyOf = (name: string): string => fakeJob('index', name).key

/** Threads of a job as the worker would answer them. */
const threadsOf = (name: string, from: number, to: number): ThreadRow[] =>
  Array.from({ length: to - from }, (_, i) => ({ id: from + i, name: `${name} ${from + i}` }) as ThreadRow)

const JOBS = [job('a', 3), job('b', 1), job('c', 2), job('empty', 0)]

const words = (offset: number, limit: number, open: readonly string[]): string[] => {
  const plan = planGroups(JOBS, open)
  const held = new Map(
    partsIn(plan, offset, limit).map((part) => {
      const row = plan.jobs[part.at]!
      return [row.job.key, { from: part.from, rows: threadsOf(row.job.name!, part.from, part.to) }]
    }),
  )
  return rowsIn(plan, offset, limit, held).map((row) =>
    row.type === 'job' ? `${row.row.job.name!}${row.isOpen ? '▾' : '▸'}` : (row.row?.name ?? 'ended'),
  )
}

describe('threads in groups', () => {
  it('have a heading, but for a job of one thread', () => {
    expect(words(0, 100, [])).toEqual(['a▸', 'b 0', 'c▸'])
    expect(words(0, 100, [keyOf('a')])).toEqual(['a▾', 'a 0', 'a 1', 'a 2', 'b 0', 'c▸'])
    expect(planGroups(JOBS, [keyOf('a'), keyOf('c')]).total).toBe(8)
  })

  it('say where a thread was that ended meanwhile', () => {
    const plan = planGroups(JOBS, [])
    expect(rowsIn(plan, 1, 1, new Map())).toEqual([
      { type: 'thread', row: null, key: `${keyOf('b')}~0`, inGroup: false },
    ])
  })

  it('are the same rows in any window', () => {
    const open = [keyOf('a'), keyOf('c')]
    const all = words(0, 100, open)
    fc.assert(
      fc.property(fc.nat(10), fc.integer({ min: 1, max: 10 }), (offset, limit) => {
        expect(words(offset, limit, open)).toEqual(all.slice(offset, offset + limit))
      }),
    )
  })

  it('are ordered by what a job has, else by its CPU', () => {
    const jobs = [job('b', 1, 5), job('a', 1, 9), job('c', 1, Number.NaN)]
    const names = (sorted: readonly JobRow[]): (string | null)[] => sorted.map(({ job }) => job.name)
    expect(names(sortJobs(jobs, 'cpu', true))).toEqual(['a', 'b', 'c'])
    expect(names(sortJobs(jobs, 'cpu', false))).toEqual(['c', 'b', 'a'])
    expect(names(sortJobs(jobs, 'job', true))).toEqual(['c', 'b', 'a'])
    expect(names(sortJobs(jobs, 'age', false))).toEqual(['a', 'b', 'c'])
  })
})
