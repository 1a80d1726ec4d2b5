import { describe, expect, it } from 'vitest'
import { formatTicks, parseTicks, type Ticks, TICKS_PER_MS, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import { RECORDED_LINES, recordedJson } from '../../../../testing/recorded.ts'
import { readMergerTimes } from './merger-wire.ts'

const T0 = parseTicks('2026-11-20T04:00:00.0000000Z')
const at = (seconds: number): Ticks => (T0 + seconds * TICKS_PER_SECOND) as Ticks

/** `[second, ms, writes]` of each event. */
const answer = (
  waits: readonly (readonly [number, number])[],
  transactions: readonly (readonly [number, number, number])[],
  folded: readonly object[] = [],
) => ({
  PerfMetrics: [
    {
      MetricType: 'GeneralWait',
      Recent: waits.map(([second, ms]) => ({ Start: formatTicks(at(second)), Counter: 1, Duration: ms })),
      History: [],
    },
    {
      MetricType: 'Transaction',
      Recent: transactions.map(([second, ms, writes]) => ({
        Start: formatTicks(at(second)),
        Counter: writes,
        Duration: ms,
      })),
      History: folded,
    },
  ],
})

describe('the time of a transaction merger', () => {
  it('is split into waits, transactions and what is left, in two windows of ten seconds', () => {
    const waits = [
      [0, 9000],
      [10, 2000],
      [13, 6000],
    ] as const
    const transactions = [
      [9, 500, 1],
      [12, 500, 4],
      [19, 1000, 2],
    ] as const
    const times = readMergerTimes(answer(waits, transactions), at(21))
    expect(times).toHaveLength(2)
    expect(times[0]).toMatchObject({ waits: 0.9, transactions: 0.05, writers: 1, atTicks: at(5) })
    expect(times[1]).toMatchObject({ waits: 0.8, transactions: 0.15, writers: 3, atTicks: at(15) })
  })

  it('counts a transaction that runs since the last wait', () => {
    const [, last] = readMergerTimes(answer([[0, 12_000]], []), at(20))
    expect(last).toMatchObject({ waits: 0.2, transactions: 0.8, atTicks: at(15) })
  })

  it('tells nothing of what follows the last transaction, which may be a commit or a wait', () => {
    const times = readMergerTimes(answer([[0, 1000]], [[1, 1000, 1]]), at(15))
    expect(times.map(({ atTicks }) => atTicks)).toEqual([at(-3)])
    expect(times[0]).toMatchObject({ waits: 0.1, transactions: 0.1 })
    expect(readMergerTimes(answer([[0, 1000]], [[1, 1000, 1]]), at(60))).toEqual([])
    expect(readMergerTimes(answer([], []), at(60))).toEqual([])
  })

  it('spreads what was folded, and knows nothing from before the ring begins', () => {
    const folded = {
      Start: formatTicks(at(16)),
      Duration: 4000,
      ActiveDuration: 3000,
      Counter: 514,
      MaxDuration: 40,
    }
    const waits = answer([], [], [folded])
    const times = readMergerTimes(waits, at(20))
    expect(times).toHaveLength(1)
    expect(times[0]).toMatchObject({ transactions: 0.75, atTicks: at(18) })
    expect(times[0]?.writers).toBeCloseTo(2)
  })

  it.each(RECORDED_LINES)('of %s adds up: waits, transactions and commits do not overlap', (line) => {
    const recorded = recordedJson(line, 'perf-metrics.json') as {
      readonly PerfMetrics: readonly { readonly Recent: readonly { Start: string; Duration: number }[] }[]
    }
    const ends = recorded.PerfMetrics.flatMap(({ Recent }) =>
      Recent.map(({ Start, Duration }) => parseTicks(Start) + Duration * TICKS_PER_MS),
    )
    const times = readMergerTimes(recorded, Math.max(...ends) as Ticks)
    expect(times).toHaveLength(2)
    for (const { waits, transactions } of times) expect(waits + transactions).toBeLessThanOrEqual(1.0001)
    // The workload of the recording ended: a long wait.
    expect(times[1]?.waits).toBeGreaterThan(0.9)
  })
})
