import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../base/random.ts'
import { type Ticks, TICKS_PER_MS, TICKS_PER_SECOND, type TimeRange } from '../../../base/ticks.ts'
import type { SourceId } from '../../../capture/client/state.ts'
import type { IoLaneColumns } from '../../../feeds/io/contract.ts'
import { judgeCircumstances, type CircumstanceSpans } from './circumstances.ts'
import type { JudgedStall } from './evidence.ts'

const MINUTE = 60 * TICKS_PER_SECOND
const HOUR = 60 * MINUTE
const range = (start: number, end: number): TimeRange => ({ startTicks: start as Ticks, endTicks: end as Ticks })
/** The first of each five minutes. */
const PRESENT = Array.from({ length: 12 }, (_, i) => range(i * 5 * MINUTE, (i * 5 + 1) * MINUTE))
const CPU: CircumstanceSpans = { circumstance: 'cpu', known: [range(0, HOUR)], present: PRESENT }

function laneOf(starts: readonly number[], source: SourceId = 'db:shop'): IoLaneColumns {
  const startTicks = Float64Array.from(starts.toSorted((a, b) => a - b))
  const same = startTicks.map(() => TICKS_PER_MS)
  const none = new Float64Array()
  return {
    lane: `${source}|/data`,
    source,
    path: '/data',
    label: 'Documents',
    writes: { startTicks, durationTicks: same, bytes: same },
    syncs: { startTicks: none, durationTicks: none, bytes: none },
    flushes: { startTicks: none, durationTicks: none, bytes: none },
    isCut: false,
    sums: [],
    summedWrites: 0,
    slowOthers: [],
  }
}

const stallAt = (ticks: number, cause: JudgedStall['cause'] = 'unexplained'): JudgedStall => ({
  lane: 0,
  row: 0,
  start: ticks / TICKS_PER_MS,
  end: ticks / TICKS_PER_MS + 100,
  bytes: 4096,
  rate: null,
  cause,
  confidence: 1,
  blamed: null,
})

/** Lane with a write each 100 ms. */
const steady = laneOf(Array.from({ length: 36_000 }, (_, i) => i * TICKS_PER_MS * 100))
const judge = (stalls: readonly JudgedStall[], lanes = [steady], spans = CPU) =>
  judgeCircumstances([spans], lanes, stalls, 0)[0]

describe('judgeCircumstances', () => {
  it('says that it may contribute where stalls without a cause come with it far more often than writes do', () => {
    const stalls = PRESENT.slice(0, 8).flatMap(({ startTicks }) => [
      stallAt(startTicks + 10 * TICKS_PER_SECOND),
      stallAt(startTicks + 11 * TICKS_PER_SECOND),
    ])
    const found = judge([...stalls, stallAt(3 * MINUTE)])
    expect(found).toMatchObject({ verdict: 'may-contribute', episodes: 9, episodesDuring: 8, stalls: 16 })
    expect(found?.writesShare).toBeCloseTo(0.2, 2)
  })

  it('claims it in hardly any capture in which stalls come at random, or as often as writes do', () => {
    let claims = 0
    for (let seed = 1; seed <= 400; seed++) {
      const random = seededRandom(seed)
      // Load brings both: three quarters of the writes, and of the stalls, are in the spans.
      const draw = (): number =>
        random() < 0.75 ? Math.floor(random() * 12) * 5 * MINUTE + random() * MINUTE : random() * HOUR
      const writes = Array.from({ length: 2000 }, draw)
      const stalls = writes.slice(0, 15).map((at) => stallAt(at))
      if (judge(stalls, [laneOf(writes)])?.verdict === 'may-contribute') claims++
    }
    expect(claims).toBeLessThanOrEqual(4)
  })

  it('counts stalls that follow each other closely as one, and those with a cause not at all', () => {
    const burst = Array.from({ length: 30 }, (_, i) => stallAt(10 * TICKS_PER_SECOND + i * TICKS_PER_SECOND))
    expect(judge(burst)).toMatchObject({ verdict: 'too-few', episodes: 1, stalls: 30 })
    const explained = PRESENT.map(({ startTicks }) => stallAt(startTicks + TICKS_PER_SECOND, 'sync'))
    expect(judge(explained)).toMatchObject({ verdict: 'too-few', episodes: 0, stalls: 0 })
  })

  it('says what it cannot tell: not recorded, always present, or of a file, which is not of this server', () => {
    const stalls = PRESENT.map(({ startTicks }) => stallAt(startTicks + TICKS_PER_SECOND))
    expect(judge(stalls, [steady], { ...CPU, known: [], present: [] })?.verdict).toBe('not-recorded')
    expect(judge(stalls, [steady], { ...CPU, present: [range(0, HOUR)] })?.verdict).toBe('always')
    expect(judge([], [steady], { ...CPU, present: [range(0, HOUR)] })?.verdict).toBe('too-few')
    const file = laneOf(Array.from(steady.writes.startTicks), 'file:io.json')
    expect(judge(stalls, [file])).toMatchObject({ verdict: 'too-few', episodes: 0 })
  })
})
