import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { Ticks } from '../../../base/ticks.ts'
import { snapshotInfo, fakeJob } from '../../../testing/generated/generated-stacks.ts'
import { WAIT_KINDS, type JobRow, type WaitKind } from '../../../feeds/stacks/contract/jobs.ts'
import type { LiveState } from '../../../feeds/stacks/contract/live.ts'
import {
  changeOf,
  describeChange,
  describeCost,
  describeLine,
  describeSeriesCost,
  describeStackless,
  describeStacks,
  formatWeight,
  jobName,
  snapshotTitle,
} from './words.ts'

const row = (parts: Partial<JobRow>, waits: Partial<Record<WaitKind, number>> = {}): JobRow => ({
  job: fakeJob('index', 'Users/ByName', 'shop'),
  threads: 1,
  cpuPercent: 48,
  waits: WAIT_KINDS.map((kind) => waits[kind] ?? 0),
  ...parts,
})
const LIVE = { machinePercent: 80, processPercent: 64 } as LiveState
const FACTS = { snapshot: snapshotInfo(), snapshots: 1, live: null, clock: 'utc' } as const

describe('the sentence', () => {
  it('says what most threads wait for, and who uses the machine', () => {
    const jobs = [
      row({}, { running: 1 }),
      row({ job: fakeJob('pool'), threads: 56, cpuPercent: 2 }, { disk: 12, work: 44 }),
    ]
    expect(describeStacks({ ...FACTS, jobs, live: LIVE })).toBe(
      'At 02:12:30.0, 12 of 57 threads waited for the disk; 1 ran. ' +
        'Most CPU goes to Index Users/ByName of shop: 48.0 % of the machine; the server as a whole uses 64.0 %, everything else on the machine at least 16.0 %.',
    )
  })

  it('names no whole that is smaller than its part: the list of threads is of another moment than the snapshot', () => {
    const live = { ...LIVE, processPercent: 5 }
    expect(describeStacks({ ...FACTS, jobs: [row({}, { running: 1 })], live })).toMatch(/: 48\.0 % of the machine\.$/)
  })

  it('says when nothing holds anything up, and when nothing is known', () => {
    expect(describeStacks({ ...FACTS, jobs: [row({ cpuPercent: 1 }, { running: 2, work: 3 })] })).toBe(
      'At 02:12:30.0, none of 5 threads waited for the disk, a lock or the network; 2 ran. No job uses much of the CPU.',
    )
    const untimed = snapshotInfo({ atTicks: Number.NaN as Ticks })
    expect(describeStacks({ ...FACTS, snapshot: untimed, jobs: [row({ cpuPercent: Number.NaN }, { work: 1 })] })).toBe(
      'None of 1 thread waited for the disk, a lock or the network; none ran. The CPU of each thread is not reported.',
    )
    expect(describeStacks({ ...FACTS, snapshot: null, jobs: [] })).toBe('No stack snapshot yet.')
  })

  it('counts what is not recognised instead of guessing', () => {
    const jobs = [row({ job: fakeJob('unrecognised', 'x'), threads: 3, cpuPercent: 0 }, { lock: 3 })]
    expect(describeStacks({ ...FACTS, snapshots: 12, jobs })).toMatch(
      /3 of 3 threads waited for a lock; none ran, the newest of 12 snapshots\..*3 threads could not be attributed\./,
    )
  })
})

describe('words', () => {
  it('say how many threads have no stack', () => {
    expect(describeStackless([row({ threads: 40 }, { work: 29 }), row({}, { disk: 1 })])).toBe(
      ', 11 without a stack in the snapshot',
    )
    expect(describeStackless([row({}, { disk: 1 })])).toBe('')
  })

  it('say what a stack does and waits for', () => {
    expect(describeLine({ runs: 'Writes the journal', wait: 'disk', waitsFor: 'the disk: journal write' })).toBe(
      'Writes the journal; waits for the disk: journal write',
    )
    expect(describeLine({ runs: 'Maps documents', wait: 'running', waitsFor: '' })).toBe('Maps documents')
    expect(describeLine({ runs: '', wait: 'lock', waitsFor: '' })).toBe('Waits for a lock')
    expect(describeLine({ runs: '', wait: 'running', waitsFor: '' })).toBe('Runs')
    expect(describeLine({ runs: '', wait: 'unknown', waitsFor: '' })).toBe('What it waits for is unknown')
    expect(describeLine(null)).toBe('No stack')
  })

  it('say what it costs, and that it is not known before the first', () => {
    expect(describeCost(null)).toMatch(/about one to five seconds/)
    const cost = { tookMs: 1200, bytes: 2048 as Bytes, pauseMs: 3 }
    expect(describeCost(cost)).toMatch(/took 1\.20 s and 2\.00 KiB; its threads were paused for 3\.00 ms\./)
    expect(describeSeriesCost(10_000, 30, null)).toMatch(/^30 snapshots in about 4 min 50 s.*known after the first/)
    expect(describeSeriesCost(10_000, 30, cost)).toMatch(/attached for 12\.0 % of the time, 60\.0 KiB in all/)
  })

  it('say figures in their unit', () => {
    expect(formatWeight(3, 'threads')).toBe('3 threads')
    expect(formatWeight(1, 'threads')).toBe('1 thread')
    expect(formatWeight(0.4, 'threads')).toBe('0.40 threads')
    expect(formatWeight(12, 'samples')).toBe('12 samples')
    expect(formatWeight(12.34, 'cpu')).toBe('12.3 % of the machine')
    expect(formatWeight(Number.NaN, 'cpu')).toBe('—')
    expect(jobName(fakeJob('gc'))).toBe('Garbage collector')
  })

  it('say what changed, the same from either side', () => {
    expect(describeChange(0, 1)).toBe('new')
    expect(describeChange(1, 0)).toBe('vanished')
    expect(describeChange(1, 1)).toBe('same')
    expect(describeChange(1, 1.5)).toBe('+50.0 %')
    expect(describeChange(2, 1)).toBe('−50.0 %')
    expect(describeChange(1, 3)).toBe('× 3.0')
    expect(describeChange(0, 0)).toBe('—')
    expect(changeOf(0, 0)).toBeNaN()
    const amount = fc.double({ min: 0.001, max: 1000, noNaN: true })
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(changeOf(a, b)).toBeCloseTo(-changeOf(b, a), 12)
      }),
    )
  })
})

it('names a list of threads as what it is, not as a snapshot of none', () => {
  const title = (sampled: number): string => snapshotTitle(snapshotInfo({ sampled, threads: 57 }), 1, 'utc')
  expect(title(57)).toMatch(/^Snapshot 2, .*, 57 threads$/)
  expect(title(0)).toMatch(/^Snapshot 2, .*, list of 57 threads without stacks$/)
})
