import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND, type TimeRange } from '../../base/ticks.ts'
import { compareSides, type Compared } from '../../features/compare/data/compare-sides.ts'
import { sideFigures } from '../../features/compare/data/side.ts'
import type { CompareSideParams } from '../../features/compare/contract.ts'
import { describeCompared, describeLoad } from '../../features/compare/view/words.ts'
import { comparedSeries } from './compared-series.ts'
import { SeriesStore } from '../../feeds/server/data/series.ts'
import { generateFigures, type FigureEffect, type FigureSamples } from '../../testing/generated/generated-figures.ts'

/** `npm run verify:stats` takes many, and prints what it finds. */
const SEEDS = Number(process.env['COMPARE_SEEDS'] ?? 8)
const PRINTS = process.env['COMPARE_SEEDS'] !== undefined
const SECONDS = 1800

const { signal } = new AbortController()
const range = (from: number, to: number): TimeRange => ({
  startTicks: (from * TICKS_PER_SECOND) as Ticks,
  endTicks: (to * TICKS_PER_SECOND) as Ticks,
})
const request = (within: TimeRange, parts: Partial<CompareSideParams> = {}): CompareSideParams => ({
  feed: 'server',
  sources: ['server'],
  lane: null,
  unknown: [],
  ...within,
  ...parts,
})

function fill(series: SeriesStore, samples: FigureSamples, from: number): void {
  for (let i = 0; i < samples.requests.length; i++) {
    const at = (from + i) * TICKS_PER_SECOND
    series.append('cpu.process', at, samples.cpuPercent[i] as number)
    if (i % 3 === 0) series.append('traffic.averageMs', at, samples.latencyMs[i] as number)
    if (i % 10 === 0) series.append('traffic.requests', at, samples.requests[i] as number)
  }
}

async function compared(
  seed: number,
  memorySeconds: number,
  effect: FigureEffect,
  seconds = SECONDS,
): Promise<Compared> {
  const series = new SeriesStore()
  const [before, after] = generateFigures(seed, seconds, memorySeconds, effect)
  fill(series, before, 0)
  fill(series, after, 2 * seconds)
  const side = (within: TimeRange) =>
    sideFigures(comparedSeries({ series, version: 1 }, request(within)), request(within), signal)
  return compareSides(await side(range(0, seconds)), await side(range(2 * seconds, 3 * seconds)))
}

describe('figures of the server', () => {
  it.each([
    [5, 1.3],
    [30, 2.2],
  ])('with a load that lasts %i s: × %f is found, and nothing where there is no change', async (memory, times) => {
    const found = { same: 0, slower: 0, opposite: 0 }
    for (let seed = 1; seed <= SEEDS; seed++) {
      const none = await compared(seed, memory, {})
      if (none.lines.every(({ verdict }) => verdict === 'same')) found.same++
      const { verdict } = await compared(seed, memory, { latency: times })
      if (verdict === 'slower') found.slower++
      if (verdict === 'faster' || verdict === 'mixed') found.opposite++
    }
    if (PRINTS) process.stdout.write(`| server, ${memory} s | ${JSON.stringify(found)} of ${SEEDS} |\n`)
    expect(found.same).toBeGreaterThanOrEqual(Math.floor(0.95 * SEEDS) - (SEEDS < 20 ? 1 : 0))
    expect(found.slower).toBeGreaterThanOrEqual(Math.floor(0.9 * SEEDS) - (SEEDS < 20 ? 1 : 0))
    expect(found.opposite).toBe(0)
  })

  it('say what is slower, what is higher, and that the load differs', async () => {
    const found = await compared(3, 5, { latency: 2, requests: 3, cpu: 1.8 })
    expect(found.verdict).toBe('slower')
    expect(describeCompared(found)).toMatch(
      /^After is slower: Mean duration of requests .* ms → .* ms \(\+\d+ %, at least \+\d+ %\)\. Higher: CPU of the server .* % → .* %/,
    )
    expect(describeLoad(found.lines)).toMatch(/^The load differs: Requests 2\d\d \/s → 6\d\d \/s\./)
    // Durations first, then what is used, then what is only more of it.
    expect(found.lines.map(({ role, verdict }) => [role, verdict])).toEqual([
      ['duration', 'slower'],
      ['load', 'higher'],
      ['use', 'higher'],
    ])
  })

  it('have the mean of all samples in the range, and the highest', async () => {
    const series = new SeriesStore()
    for (let i = 0; i < 600; i++) series.append('cpu.process', i * TICKS_PER_SECOND, i % 10)
    series.append('gc.pausePercent', 0, 3)
    const within = range(100, 500)
    const { lines } = await sideFigures(
      comparedSeries({ series, version: 1 }, request(within)),
      request(within),
      signal,
    )
    // A counter since the start of the server is no figure of a range.
    expect(lines.map(({ path, count, max }) => [path, count, max])).toEqual([['cpu.process', 40, 9]])
    expect(lines[0]?.mean?.value).toBeCloseTo(4.5)
    expect(lines[0]?.quantiles?.[0]?.value).toBeCloseTo(4.5, 4)
    expect(lines[0]?.sampleTicks).toBe(10 * TICKS_PER_SECOND)
  })

  it('compare only means where one side is kept in longer samples', async () => {
    const series = new SeriesStore()
    const days = 86_400 * 3
    for (let i = 0; i < days; i += 5) series.append('cpu.process', i * TICKS_PER_SECOND, 20 + ((i * 7) % 11))
    const side = (within: TimeRange) =>
      sideFigures(comparedSeries({ series, version: 1 }, request(within)), request(within), signal)
    const { lines } = compareSides(await side(range(0, 7200)), await side(range(days - 7200, days)))
    expect(lines[0]?.figures.map(({ share }) => share)).toEqual([null])
    expect(lines[0]?.verdict).toBe('same')
  })

  it('are none of a file', () => {
    const series = new SeriesStore()
    series.append('cpu.process', 0, 1)
    const requested = request(range(0, 60), { sources: ['file:before.json'] })
    expect(comparedSeries({ series, version: 1 }, requested).lines).toEqual([])
  })
})
