import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../base/ticks.ts'
import {
  simulateLimits,
  type SimulatedCollecting,
  type SimulatedLoad,
} from '../../../../testing/server/simulated-limits.ts'
import { inGate } from '../../../../testing/gate.ts'
import type { Bottleneck, BottleneckLabel } from '../../contract/bottleneck.ts'
import { bottlenecksResponse } from './bottlenecks.ts'
import { NewestBottleneck, newestBottlenecks } from './newest.ts'
import type { JournalSource } from './steps.ts'

const SEEDS = inGate([1], [1, 2, 3, 4])
const PHASE_S = 120

type Phase = readonly [seconds: number, load: Partial<SimulatedLoad>]

function judge(phases: readonly Phase[], seed: number, collecting?: SimulatedCollecting) {
  const { model, journal, startTicks, nowTicks } = simulateLimits(phases, seed, collecting)
  const { intervals } = bottlenecksResponse(model, { startTicks, endTicks: nowTicks, most: 1000 }, journal, nowTicks)
  return { intervals, now: new NewestBottleneck(model, journal).at(nowTicks), startTicks, nowTicks }
}

/** Share of the time with this label. */
function shareOf(intervals: readonly Bottleneck[], label: BottleneckLabel): number {
  const ticks = (of: readonly Bottleneck[]): number =>
    of.reduce((sum, each) => sum + each.endTicks - each.startTicks, 0)
  return ticks(intervals.filter((each) => each.label === label)) / ticks(intervals)
}

/** Loads and the limit that follows from their parameters: see `SimulatedLoad`. */
const TRUTHS: readonly (readonly [BottleneckLabel, string, Partial<SimulatedLoad>])[] = [
  ['none', 'nothing is written', {}],
  ['client', 'a slow client writes 20 documents a second', { writesPerSecond: 20 }],
  ['client', 'a faster one leaves the merger half idle', { writesPerSecond: 100 }],
  [
    'merger',
    'transactions are long, on a free CPU and a fast disk',
    { writesPerSecond: 400, transactionMs: 400, writeMs: 1 },
  ],
  ['disk', 'each commit takes 80 ms', { writesPerSecond: 300, journalMs: 80 }],
  ['disk', 'other programs fill the queue of the volume', { writesPerSecond: 50, queue: 40 }],
  [
    'disk',
    'dirty pages reach the threshold at which Linux makes writers wait',
    { unwritten: 0.17, writesPerSecond: 20 },
  ],
  ['cpu', 'other programs use all cores', { othersCpu: 1, writesPerSecond: 200 }],
  ['cpu', 'all cores are used, and nothing is written', { othersCpu: 1 }],
  ['memory', 'little memory is available', { availableMib: 900, writesPerSecond: 50 }],
  ['memory', 'collections take a third of the time', { gcMsPerMinute: 21_000, writesPerSecond: 50 }],
  ['throttled', 'credits are nearly used up', { credits: 12, othersCpu: 1, writesPerSecond: 50 }],
]

describe('the bottleneck of a simulated server', () => {
  it.each(TRUTHS)('is %s where %s', (label, _, load) => {
    for (const seed of SEEDS) {
      const { intervals, now } = judge([[PHASE_S * 2, load]], seed)
      expect(shareOf(intervals, label), `seed ${seed}: ${JSON.stringify(intervals)}`).toBeGreaterThanOrEqual(0.85)
      expect(now?.label).toBe(label)
    }
  })

  it('follows what changes, within the time between two samples', () => {
    const phases: readonly Phase[] = [
      [PHASE_S, {}],
      [PHASE_S, { writesPerSecond: 300, journalMs: 80 }],
      [PHASE_S, { othersCpu: 1 }],
    ]
    for (const seed of SEEDS) {
      const { now, intervals, startTicks } = judge(phases, seed)
      expect(now?.label).toBe('cpu')
      expect(Math.abs((now?.startTicks ?? 0) - startTicks - 2 * PHASE_S * TICKS_PER_SECOND)).toBeLessThanOrEqual(
        10 * TICKS_PER_SECOND,
      )
      for (const label of ['none', 'disk', 'cpu'] as const) expect(shareOf(intervals, label)).toBeGreaterThan(0.25)
      expect(intervals.every((each) => each.endTicks - each.startTicks > 5 * TICKS_PER_SECOND)).toBe(true)
    }
  })
})

describe('the newest bottleneck', () => {
  it('is the same whether it was judged every five seconds or once', () => {
    const phases: readonly Phase[] = [
      [PHASE_S, { writesPerSecond: 300, journalMs: 80 }],
      [PHASE_S * 3, { writesPerSecond: 20 }],
    ]
    const { model, journal, startTicks, nowTicks } = simulateLimits(phases, 1)
    const often = new NewestBottleneck(model, journal)
    for (let at = startTicks + 60 * TICKS_PER_SECOND; at < nowTicks; at += 5 * TICKS_PER_SECOND) often.at(at as Ticks)
    expect(often.at(nowTicks)).toEqual(new NewestBottleneck(model, journal).at(nowTicks))
    expect(often.at(nowTicks)).toMatchObject({ label: 'client', endTicks: nowTicks })
  })
})

describe('a server that waits for its clients, where other programs saturate the CPU', () => {
  const LEAST: Phase = [PHASE_S, { writesPerSecond: 20 }]

  it('is limited by the CPU as soon as two samples show it', () => {
    // The load begins at each second of a step.
    for (let second = 0; second < 10; second += inGate(3, 1)) {
      const before = PHASE_S + second
      const { model, journal, startTicks } = simulateLimits(
        [
          [before, { writesPerSecond: 20 }],
          [60, { writesPerSecond: 20, othersCpu: 1 }],
        ],
        second,
      )
      const newest = newestBottlenecks(journal)
      const labels = new Set<string>()
      const beginsTicks = startTicks + before * TICKS_PER_SECOND
      let shownTicks = Number.POSITIVE_INFINITY
      // The model knows later samples already, which the present does not read.
      for (let ms = -2000; ms < 30_000; ms += 500) {
        const now = newest(model, (beginsTicks + ms * 10_000) as Ticks)
        if (ms < 1000) expect(now?.label, `${ms} ms`).toBe('client')
        else labels.add(now?.label ?? '')
        if (ms < 1000) continue
        expect(now?.startTicks).toBeGreaterThan(beginsTicks - 10 * TICKS_PER_SECOND)
        expect(now?.startTicks, `${ms} ms`).toBeLessThanOrEqual(shownTicks)
        shownTicks = now?.startTicks ?? Number.NaN
      }
      expect([...labels]).toEqual(['cpu'])
    }
  })

  it('names the share of the other programs', () => {
    const { now } = judge([LEAST, [30, { writesPerSecond: 20, othersCpu: 1 }]], 1)
    expect(now?.evidence[0]).toMatch(
      /^The machine was (9\d|100)(\.\d)? % busy; this server used .+ % of its cores, other processes at least 9\d(\.\d)? % of the machine\.$/,
    )
  })

  it('is not called waiting while the CPU is unknown, and limited by it where the few samples are saturated', () => {
    const of = (samples: number) => {
      const { model, journal, startTicks, nowTicks } = simulateLimits([LEAST], 1)
      model.series.dropFrom(nowTicks - 40 * TICKS_PER_SECOND)
      const more = simulateLimits([[PHASE_S, { writesPerSecond: 20 }]], 1).model
      for (const key of ['merger.waits', 'merger.transactions', 'writes.rate']) {
        const rows = more.series.rows(key, { startTicks, endTicks: nowTicks }, PHASE_S)
        for (let row = 0; row < rows.length; row++)
          if ((rows.startTicks[row] as number) >= nowTicks - 40 * TICKS_PER_SECOND)
            model.series.append(key, rows.startTicks[row] as number, rows.mean[row] as number)
      }
      for (let at = nowTicks - 40 * TICKS_PER_SECOND; at < nowTicks; at += 10 * TICKS_PER_SECOND)
        for (let sample = 0; sample < samples; sample++)
          model.series.append('cpu.machine', at + (1 + 4 * sample) * TICKS_PER_SECOND, 100)
      return new NewestBottleneck(model, journal).at(nowTicks)
    }
    expect([1, 2, 3].map((samples) => of(samples)?.label)).toEqual(['unknown', 'cpu', 'cpu'])
    expect(of(0)).toMatchObject({ label: 'unknown', title: 'Not measured' })
    expect(of(0)?.evidence[0]).toContain('Not measured: the CPU')
    // A sample that the page shows is not called unmeasured.
    expect(of(1)?.evidence[0]).toContain('Too few samples: the CPU.')
    expect(of(1)?.evidence[0]).not.toMatch(/Not measured: .*CPU/)
  })
})

describe('competing evidence', () => {
  it('is shown beside what wins: long commits where the CPU is saturated are no proof of a slow disk', () => {
    for (const seed of SEEDS) {
      const { now } = judge([[PHASE_S, { othersCpu: 1, writesPerSecond: 300, journalMs: 60 }]], seed)
      expect(now).toMatchObject({ label: 'cpu', title: 'CPU' })
      expect(now?.evidence.join(' ')).toMatch(
        /^The machine was (9\d|100)(\.\d)? % busy; this server used [\d.]+ % of its cores, other processes at least [\d.]+ % of the machine\.$/,
      )
      expect(now?.competing.join(' ')).toMatch(/Journal writes of Documents took [\d.]+ % of the time/)
    }
  })

  it('a queue that each sample has wins over the CPU, which is named beside it', () => {
    const { now } = judge([[PHASE_S, { othersCpu: 1, writesPerSecond: 50, queue: 40 }]], 1)
    expect(now?.label).toBe('disk')
    expect(now?.competing.some((text) => text.startsWith('The machine was'))).toBe(true)
  })

  it('what was measured and has room left is told as well', () => {
    const { now } = judge([[PHASE_S, { writesPerSecond: 300, journalMs: 80 }]], 1)
    expect(now?.others.join(' ')).toMatch(/of memory available.*The machine was .+ busy/)
  })
})

describe('what the evidence says', () => {
  const [FIRST, SECOND] = ['Documents', 'Users/ByName'] as const
  /** Evidence of a server with room left, whose journal writes are these, by step. */
  const evidenceOf = (shareOfStep: (step: number) => { environment: string; share: number } | null): string => {
    const { model, startTicks, nowTicks } = simulateLimits([[PHASE_S, {}]], 1)
    const journal: JournalSource = ({ count }) => Array.from({ length: count }, (_, step) => shareOfStep(step))
    const request = { startTicks, endTicks: nowTicks, most: 1000 }
    return bottlenecksResponse(model, request, journal, nowTicks)
      .intervals.flatMap(({ evidence }) => evidence)
      .join(' ')
  }

  it('says in how much of the time there were any journal writes', () => {
    expect(evidenceOf(() => ({ environment: FIRST, share: 0.2 }))).toContain(
      'Journal writes of Documents took 20.0 % of the time.',
    )
    expect(evidenceOf((step) => (step % 2 === 0 ? { environment: FIRST, share: 0.2 } : null))).toMatch(
      /Journal writes of Documents took 20\.0 % of the time in which there were any, [456]\d\.\d % of it\./,
    )
  })

  it('does not give one environment what several did', () => {
    const environment = (step: number): string => (step % 3 === 0 ? SECOND : FIRST)
    expect(evidenceOf((step) => ({ environment: environment(step), share: 0.2 }))).toContain(
      'Journal writes of the busiest environment (mostly Documents) took 20.0 % of the time.',
    )
  })

  it('says in how much of the time something else was at its limit as well', () => {
    const { model, startTicks, nowTicks } = simulateLimits([[PHASE_S, { othersCpu: 1 }]], 1)
    const journal: JournalSource = ({ count }) =>
      Array.from({ length: count }, (_, step) => ({ environment: FIRST, share: step % 3 === 0 ? 0.6 : 0.1 }))
    const request = { startTicks, endTicks: nowTicks, most: 1000 }
    const { intervals } = bottlenecksResponse(model, request, journal, nowTicks)
    const cpu = intervals.find(({ label }) => label === 'cpu')
    expect(cpu?.competing).toEqual([
      expect.stringMatching(/^In 3\d\.\d % of this time: Journal writes of Documents took 60\.0 % of the time\.$/),
    ])
  })

  it('names the least memory of all samples, however long a step is', () => {
    const phases: readonly Phase[] = [
      [600, { availableMib: 9000 }],
      [30, { availableMib: 3000 }],
      [600, { availableMib: 9000 }],
    ]
    const { model, journal, startTicks, nowTicks } = simulateLimits(phases, 1)
    const { intervals } = bottlenecksResponse(model, { startTicks, endTicks: nowTicks, most: 2 }, journal, nowTicks)
    const texts = intervals.flatMap(({ evidence }) => evidence).join(' ')
    expect(texts).toMatch(/Each sample had at least (2\.[89]\d|3\.0\d) GiB of memory available/)
  })
})

describe('what was not measured', () => {
  it('is never called well: without figures of disks and mergers nothing is known but what the CPU shows', () => {
    for (const load of [{}, { writesPerSecond: 300, journalMs: 80 }, { writesPerSecond: 20 }]) {
      const { intervals, now } = judge([[PHASE_S, load]], 1, { details: false, io: false })
      expect(shareOf(intervals, 'unknown')).toBe(1)
      expect(now).toMatchObject({ label: 'unknown' })
    }
  })

  it('long commits show a slow disk where no I/O is watched', () => {
    const { now } = judge([[PHASE_S, { writesPerSecond: 300, journalMs: 80 }]], 1, { details: true, io: false })
    expect(now?.label).toBe('disk')
    expect(now?.evidence.join(' ')).toMatch(/^The busiest transaction merger waited .+ committed [5-9]\d\.\d %/)
  })

  it('long commits with short journal writes are no proof of a slow disk', () => {
    const { model, journal, startTicks, nowTicks } = simulateLimits(
      [[PHASE_S, { writesPerSecond: 300, journalMs: 80 }]],
      1,
    )
    const fast: typeof journal = (steps) =>
      journal(steps).map((each) => (each === null ? null : { environment: each.environment, share: each.share / 10 }))
    const request = { startTicks, endTicks: nowTicks, most: 1000 }
    const { intervals } = bottlenecksResponse(model, request, fast, nowTicks)
    expect(shareOf(intervals, 'merger')).toBeGreaterThan(0.85)
  })

  it('I/O alone shows a slow disk', () => {
    const { now } = judge([[PHASE_S, { writesPerSecond: 300, journalMs: 80 }]], 1, { details: false, io: true })
    expect(now).toMatchObject({ label: 'disk', evidence: [expect.stringMatching(/^Journal writes of Documents took/)] })
  })

  it('a time without figures has no label of the time before', () => {
    const { model, journal, startTicks, nowTicks } = simulateLimits([[PHASE_S, { othersCpu: 1 }]], 1)
    const later = (nowTicks + 600 * TICKS_PER_SECOND) as Ticks
    expect(new NewestBottleneck(model, journal).at(later)).toBeNull()
    model.series.append('cpu.machine', later, 20)
    const { intervals } = bottlenecksResponse(model, { startTicks, endTicks: later, most: 1000 }, journal, later)
    expect(intervals.map(({ label }) => label)).toEqual(['cpu', 'unknown'])
  })

  it('the present one begins in the same step of 10 s, however long the history is by fractions of a second', () => {
    const { model, journal, startTicks } = simulateLimits(
      [
        [25, {}],
        [275, { othersCpu: 1 }],
      ],
      1,
    )
    const found = Array.from({ length: 200 }, (_, i) => {
      const nowTicks = (startTicks + 45 * TICKS_PER_SECOND + i * 10_007) as Ticks
      const now = new NewestBottleneck(model, journal).at(nowTicks)
      return `${now?.label}, ${((now?.startTicks ?? 0) - startTicks) / TICKS_PER_SECOND} s`
    })
    expect([...new Set(found)]).toEqual(['cpu, 30 s'])
  })

  it('the present one does not begin before the server or watching started', () => {
    const { model, journal, nowTicks } = simulateLimits([[300, { othersCpu: 1 }]], 1)
    const { startTicks } = new NewestBottleneck(model, journal).at(nowTicks)!
    expect(startTicks).toBeGreaterThanOrEqual(model.series.extent!.startTicks)
    const restartTicks = (startTicks + TICKS_PER_SECOND) as Ticks
    model.started(restartTicks)
    expect(new NewestBottleneck(model, journal).at(nowTicks)?.startTicks).toBe(restartTicks)
  })

  it.each([
    ['an interruption of 40 s', 40, false],
    ['a restart', 40, true],
    ['50 minutes without figures', 3000, false],
    ['50 minutes without figures and a restart', 3000, true],
  ])('the present one does not begin before %s', (_, seconds, isRestarted) => {
    const { model, journal, startTicks, nowTicks } = simulateLimits([[300, { othersCpu: 1 }]], 1)
    const newest = new NewestBottleneck(model, journal)
    const judged = (fromTicks: number, untilTicks: number): (Bottleneck | null)[] => {
      const found: (Bottleneck | null)[] = []
      for (let at = fromTicks; at <= untilTicks; at += 5 * TICKS_PER_SECOND) found.push(newest.at(at as Ticks))
      return found
    }
    expect(judged(startTicks + 60 * TICKS_PER_SECOND, nowTicks).at(-1)?.label).toBe('cpu')
    const againTicks = nowTicks + seconds * TICKS_PER_SECOND
    judged(nowTicks, againTicks - TICKS_PER_SECOND)
    if (isRestarted) model.started((againTicks - 5 * TICKS_PER_SECOND) as Ticks)
    for (let second = 0; second < 60; second++) {
      const at = (againTicks + second * TICKS_PER_SECOND) as Ticks
      model.series.append('cpu.machine', at, 100)
      // The first judgement is made when the CPU is seen to be saturated.
      if (second < 3) continue
      const now = newest.at(at)
      if (now?.label === 'cpu')
        expect(now.startTicks, `${second} s`).toBeGreaterThan(againTicks - 10 * TICKS_PER_SECOND)
    }
    expect(newest.at((againTicks + 60 * TICKS_PER_SECOND) as Ticks)?.label).toBe('cpu')
  })

  it('the present one does not last over a time in which the server did not answer', () => {
    const { model, journal, startTicks, nowTicks } = simulateLimits([[120, { othersCpu: 1 }]], 1)
    const at = (seconds: number): Ticks => (startTicks + seconds * TICKS_PER_SECOND) as Ticks
    model.coverage.received(at(0))
    model.coverage.received(at(55))
    model.coverage.ended('server-unresponsive', '')
    model.coverage.received(at(67))
    model.coverage.received(at(120))
    const newest = new NewestBottleneck(model, journal)
    const starts = [50, 60, 120].map((seconds) => newest.at(at(seconds))?.startTicks)
    expect(starts).toEqual([at(0), at(0), at(67)])
    expect(new NewestBottleneck(model, journal).at(nowTicks)).toMatchObject({ label: 'cpu', startTicks: at(67) })
  })

  it('longer ranges are judged in longer steps', () => {
    const { model, journal, startTicks, nowTicks } = simulateLimits([[600, { othersCpu: 1 }]], 1)
    const request = { startTicks: (nowTicks - 86_400 * TICKS_PER_SECOND) as Ticks, endTicks: nowTicks, most: 300 }
    const response = bottlenecksResponse(model, request, journal, nowTicks)
    expect(response.intervals.map(({ label }) => label)).toEqual(['cpu'])
    expect(response.intervals[0]?.startTicks).toBeLessThanOrEqual(startTicks)
    expect(response.rules.length).toBeGreaterThan(7)
  })
})
