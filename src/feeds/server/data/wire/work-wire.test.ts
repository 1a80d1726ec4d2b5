import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTicks, type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { RECORDED_LINES, recordedFrames, recordedJson } from '../../../../testing/recorded.ts'
import { readRunningQueries } from './running-queries.ts'
import { readDatabaseCounts, readMerger, readProgress, readStats } from './work-wire.ts'

const START = '2026-11-20T04:00:00.0000000Z'
const at = (seconds: number): Ticks => (parseTicks(START) + seconds * TICKS_PER_SECOND) as Ticks
const stamp = (seconds: number): string => `2026-11-20T04:00:${String(seconds).padStart(2, '0')}.0000000Z`
const metrics = (Recent: object[], History: object[] = []): object => ({
  PerfMetrics: [
    { MetricType: 'GeneralWait', Recent: [{ Start: START, Counter: 1, Duration: 9e9 }], History: [] },
    { MetricType: 'Transaction', Recent, History },
  ],
})

describe.each(RECORDED_LINES)('a database at work, as reported by %s', (line) => {
  it('which indexes have work left', () => {
    expect(readProgress(recordedJson(line, 'indexes-progress.json'))).toMatchObject([
      { status: 'Paused', itemsPerSecond: 0 },
    ])
    expect(readProgress(recordedJson(line, 'indexes-progress.json'))[0]!.itemsLeft).toBeGreaterThan(1000)
  })

  it('what it counted since it was loaded', () => {
    const counts = readDatabaseCounts(recordedJson(line, 'database-metrics.json'), at(0))
    expect(Object.values(counts).every((count) => Number.isSafeInteger(count) && count > 0)).toBe(true)
    // Documents alone are fewer: the other kinds are among the writes.
    const { Docs } = recordedJson(line, 'database-metrics.json') as { Docs: { PutsPerSec: { Count: number } } }
    expect(counts.writes).toBeGreaterThan(Docs.PutsPerSec.Count)
  })

  it('how its transactions went, up to the moment of the newest', () => {
    const response = recordedJson(line, 'perf-metrics.json') as {
      readonly PerfMetrics: readonly { MetricType: string; Recent: readonly { Start: string; Counter: number }[] }[]
    }
    const recent = response.PerfMetrics.find(({ MetricType }) => MetricType === 'Transaction')!.Recent
    const newest = parseTicks(recent.at(-1)!.Start)
    const figures = readMerger(response, newest)
    const lately = recent.filter(({ Start }) => parseTicks(Start) >= newest - 60 * TICKS_PER_SECOND)
    expect(figures.transactions).toBeGreaterThanOrEqual(lately.length)
    expect(figures.operations).toBeGreaterThanOrEqual(lately.reduce((sum, { Counter }) => sum + Counter, 0))
    expect(figures.busyMs).toBeGreaterThan(0)
    expect(figures.spanMs).toBeLessThanOrEqual(60_000)
    expect(readMerger(response, (newest + 3600 * TICKS_PER_SECOND) as Ticks)).toMatchObject({
      transactions: 0,
      busyMs: 0,
    })
  })

  it('which queries run, however short, longest first', () => {
    const frames = recordedFrames(line, 'queries-running-live.ndjson').map((text) => JSON.parse(text) as object[])
    for (const frame of frames) {
      const sent = (frame as { RunningQueries: { DurationInMs: number }[] }[]).flatMap((each) => each.RunningQueries)
      const durations = readRunningQueries(frame).map(({ runningMs }) => runningMs)
      expect(durations).toEqual(sent.map(({ DurationInMs }) => DurationInMs).toSorted((a, b) => b - a))
    }
    const text = recordedFrames(line, 'queries-running-live.ndjson')[0]!
    const long = JSON.parse(text.replace(/"DurationInMs":\d+/, '"DurationInMs":40000')) as unknown
    expect(readRunningQueries(long)).toMatchObject([
      { database: 'bench', index: 'collection/Events', id: 62, isStreaming: false, waitsForIndex: false },
    ])
    expect(readRunningQueries([])).toEqual([])
    const [entry] = JSON.parse(text) as { RunningQueries: object[] }[]
    const many = [{ ...entry, RunningQueries: Array.from({ length: 60 }, () => entry!.RunningQueries[0]) }]
    expect(readRunningQueries(many)).toHaveLength(50)
  })
})

describe('a database at work', () => {
  it('counts what it remembers of the last minute, also what was folded', () => {
    const folded = { Start: stamp(5), Counter: 5000, ActiveDuration: 700, MaxDuration: 90, Duration: 20_000 }
    const single = { Start: stamp(30), Counter: 3, Duration: 12.5 }
    expect(readMerger(metrics([single], [folded]), at(50))).toEqual({
      spanMs: 45_000,
      transactions: 258,
      operations: 5003,
      busyMs: 712.5,
      longestMs: 90,
    })
    expect(readMerger(metrics([], [folded]), at(66))).toMatchObject({ transactions: 0, spanMs: 60_000 })
  })

  it('never counts what is older than a minute, and never divides by nothing', () => {
    const event = fc.record({ second: fc.integer({ min: 0, max: 59 }), count: fc.nat(50), ms: fc.nat(900) })
    fc.assert(
      fc.property(fc.array(event), fc.integer({ min: 0, max: 200 }), (events, now) => {
        const response = metrics(
          events.map(({ second, count, ms }) => ({ Start: stamp(second), Counter: count, Duration: ms })),
        )
        const within = events.filter(({ second }) => second >= now - 60)
        const figures = readMerger(response, at(now))
        expect(figures.transactions).toBe(within.length)
        expect(figures.operations).toBe(within.reduce((sum, { count }) => sum + count, 0))
        expect(figures.spanMs).toBeGreaterThan(0)
      }),
    )
  })

  it('reads how many writes wait, or null, and which indexes have problems', () => {
    const index = (Name: string, IsStale: boolean, State: string): object => ({
      Name,
      IsStale,
      State,
      LastIndexingTime: START,
    })
    const Indexes = [
      index('well', false, 'Normal'),
      index('idle', false, 'Idle'),
      index('stale', true, 'Normal'),
      index('ill', false, 'Error'),
    ]
    expect(readStats({ NumberOfTransactionMergerQueueOperations: 12, Indexes })).toEqual({
      waiting: 12,
      states: [
        { index: 'stale', state: 'Normal', isStale: true, indexedTicks: at(0) },
        { index: 'ill', state: 'Error', isStale: false, indexedTicks: at(0) },
      ],
    })
    expect(readStats({})).toEqual({ waiting: null, states: [] })
  })
})
