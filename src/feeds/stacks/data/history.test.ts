import { describe, expect, it } from 'vitest'
import type { CssPx } from '../../../base/brand.ts'
import { parseTicks, type Ticks, TICKS_PER_SECOND } from '../../../base/ticks.ts'
import { JobHistory, type CpuTotals } from './history.ts'
import { unrecognised } from './jobs.ts'
import type { HistoryParams } from '../contract/live.ts'

const T0 = parseTicks('2026-11-20T04:00:00Z')
const at = (second: number): number => T0 + second * TICKS_PER_SECOND
const machine = (machinePercent: number, processPercent: number): CpuTotals => ({ machinePercent, processPercent })
const UNKNOWN = machine(Number.NaN, Number.NaN)
const threads = (...cpu: number[]) => cpu.map((cpuPercent, i) => ({ name: `job ${i}`, cpuPercent }))
const request = (fromSecond: number, toSecond: number, widthPx: number, limit = 10): HistoryParams => ({
  startTicks: at(fromSecond) as Ticks,
  endTicks: at(toSecond) as Ticks,
  widthPx: widthPx as CssPx,
  limit,
})
const add = (history: JobHistory, second: number, totals: CpuTotals, ...cpu: number[]) =>
  history.add(at(second), totals, threads(...cpu), unrecognised)

describe('CPU by job', () => {
  it('adds up to 100, the rest of process and machine reported', () => {
    const history = new JobHistory()
    add(history, 0, machine(60, 40), 20, 10)
    add(history, 2, machine(60, 40), 0, 30)
    const response = history.response(request(0, 3, 3))
    expect([...response.startTicks]).toEqual([at(0), at(1), at(2)])
    expect(response.jobs.map(({ job, percent }) => [job.label, ...percent])).toEqual([
      ['job 1', 10, Number.NaN, 30],
      ['job 0', 20, Number.NaN, 0],
    ])
    expect([...response.restOfProcess]).toEqual([10, Number.NaN, 10])
    expect([...response.restOfMachine]).toEqual([20, Number.NaN, 20])
    expect([...response.idle]).toEqual([40, Number.NaN, 40])
  })

  it('never exceeds 100, whatever order the figures were taken in', () => {
    const history = new JobHistory()
    add(history, 0, machine(10, 5), 80, 60)
    add(history, 1, UNKNOWN, 30)
    const { jobs, restOfProcess, restOfMachine, idle } = history.response(request(0, 2, 2))
    const sum = (i: number) =>
      jobs.reduce((total, { percent }) => total + percent[i]!, 0) + restOfProcess[i]! + restOfMachine[i]! + idle[i]!
    expect(sum(0)).toBeCloseTo(100)
    // The machine was not reported: the rest is not called idle.
    expect([restOfProcess[1], restOfMachine[1], idle[1]]).toEqual([0, Number.NaN, Number.NaN])
  })

  it('draws so many jobs as asked, the others together', () => {
    const history = new JobHistory()
    add(history, 0, machine(50, 50), 20, 10, 5)
    const { jobs, others } = history.response(request(0, 1, 1, 1))
    expect(jobs.map(({ job }) => job.label)).toEqual(['job 0'])
    expect([...others]).toEqual([15])
  })

  it('joins buckets when there are fewer pixels, as means', () => {
    const history = new JobHistory()
    for (let second = 0; second < 60; second++) add(history, second, machine(50, 50), second < 30 ? 10 : 30)
    const { jobs, startTicks, bucketTicks } = history.response(request(0, 60, 2))
    expect(bucketTicks).toBe(30 * TICKS_PER_SECOND)
    expect([...startTicks]).toEqual([at(0), at(30)])
    expect([...jobs[0]!.percent]).toEqual([10, 30])
  })

  it('is bounded, and keeps hours coarser than minutes', () => {
    const history = new JobHistory()
    for (let second = 0; second < 20_000; second++) add(history, second, machine(50, 40), 10, 10)
    expect(history.byteLength).toBeLessThan(2_000_000)
    const old = history.response(request(100, 200, 100))
    expect(old.bucketTicks).toBe(10 * TICKS_PER_SECOND)
    expect(old.jobs[0]!.percent[5]).toBe(10)
    const recent = history.response(request(19_900, 20_000, 100))
    expect(recent.bucketTicks).toBe(TICKS_PER_SECOND)
  })

  it('restarts when the clock was set back', () => {
    const history = new JobHistory()
    add(history, 5000, machine(50, 40), 10)
    add(history, 0, machine(50, 40), 20)
    const { jobs } = history.response(request(0, 5001, 5001))
    expect(jobs[0]!.percent.filter((value) => !Number.isNaN(value))).toEqual(Float32Array.from([20]))
    expect(new JobHistory().response(request(0, 2, 2))).toMatchObject({ jobs: [] })
  })
})
