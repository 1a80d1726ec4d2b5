import { describe, expect, test } from 'vitest'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../../testing/recorded.ts'
import { MemoryLog } from '../memory-log.ts'
import { Runs } from '../runs.ts'
import { readIndexProgress, readIndexStats, readLowMemoryLog, readMemoryFrame, readThreads } from './server-wire.ts'

describe.each(RECORDED_LINES)('responses of a recorded %s', (line) => {
  test('memory of the dashboard, in bytes', () => {
    const samples = recordedFrames(line, 'cluster-dashboard-watch.ndjson')
      .map((frame) => readMemoryFrame(JSON.parse(frame)))
      .filter((sample) => sample !== null)
    expect(samples.length).toBeGreaterThanOrEqual(2)
    for (const sample of samples) {
      expect(sample.physicalBytes).toBe(25_276_510_208)
      expect(sample.severity).toBe('None')
    }
    const log = new MemoryLog()
    for (const sample of [...samples, ...samples]) log.add(sample)
    expect(log.length).toBe(samples.length)
  })

  test('low-memory events, the unknown −2 left unknown', () => {
    const rows = readLowMemoryLog(recordedJson(line, 'memory-low-mem-log.json'))
    expect(rows.length).toBeGreaterThan(4)
    expect(rows[0]).toMatchObject({ thresholdText: '2 GBytes' })
    const log = new MemoryLog()
    expect([log.addEvents(rows), log.addEvents(rows)]).toEqual([true, false])
    expect(log.events.map(({ atTicks }) => atTicks)).toEqual(
      rows.map(({ atTicks }) => atTicks).toSorted((a, b) => a - b),
    )
  })

  test('state and progress of indexes', () => {
    const rows = readIndexStats(recordedJson(line, 'indexes-stats.json'))
    expect(rows.length).toBeGreaterThan(5)
    const bench = rows.find(({ name }) => name === 'Products/ByUnitOnStock')
    expect(bench?.status).toBe('Running')
    expect(bench?.budgetBytes).toBe(line === '5.4' ? 33_554_432 : null)
    const [progress] = readIndexProgress(recordedJson(line, 'indexes-progress.json'))
    expect(progress).toMatchObject({ name: 'Events/Faulty', tombstonesLeft: 0, processedPerSecond: 0 })
    expect((progress?.itemsTotal ?? 0) - (progress?.itemsLeft ?? 0)).toBe(1000)
  })
})

test('documents of other kinds are refused, rows that make no sense left out', () => {
  for (const read of [readThreads, readLowMemoryLog, readIndexStats, readIndexProgress])
    for (const other of [null, [], 'x', {}, { Results: 1, List: 1 }])
      expect(() => read(other)).toThrow(/expected an (?:object|array)/)
  expect(readMemoryFrame('x')).toBeNull()
  expect(readMemoryFrame({ Id: 1, Data: { Type: 'CpuUsage' } })).toBeNull()
  expect(readThreads({ List: [null, {}, { Name: 'a' }] }).threads).toEqual([{ name: 'a', bytes: null }])
})

test('runs of equal samples are one, a hole between them is none', () => {
  const runs = new Runs()
  for (const [at, value] of [
    [10, 5],
    [20, 5],
    [30, 7],
    [100, 7],
    [100, 9],
    [50, 9],
  ] as const)
    runs.add(at, value, 15)
  expect(runs.length).toBe(3)
  expect([runs.at(9, 15), runs.at(25, 15), runs.at(44, 15), runs.at(60, 15), runs.at(101, 15)]).toEqual([
    Number.NaN,
    5,
    7,
    Number.NaN,
    7,
  ])
  expect([runs.most(0, 10, 15), runs.most(0, 31, 15), runs.most(46, 90, 15)]).toEqual([Number.NaN, 7, Number.NaN])
})

test('a restless thread stays bounded, and its peaks stay', () => {
  const runs = new Runs()
  for (let i = 0; i < 200_000; i++) runs.add(i * 10, i === 77 ? 1e9 : i % 1000, 15)
  expect(runs.length).toBeLessThanOrEqual(20_000)
  expect(runs.byteLength).toBeLessThan(1_000_000)
  expect(runs.most(0, 2_000_000, 15)).toBe(1e9)
})
