import { describe, expect, it } from 'vitest'
import type { Bytes } from '../../../base/brand.ts'
import type { Ticks, TickSpan } from '../../../base/ticks.ts'
import type { Estimate } from '../../../base/statistics/estimate.ts'
import { describeBasis, describeCompared, describeLoad } from '../view/words.ts'
import type { LineFigures, SideFigures } from '../contract.ts'
import { compareSides } from './compare-sides.ts'

const around = (value: number, within: number): Estimate => ({
  value,
  low: value / within,
  high: value * within,
  lowest: value / within ** 1.5,
  highest: value * within ** 1.5,
})
const line = (path: string, ms: readonly number[], parts: Partial<LineFigures> = {}): LineFigures => ({
  path,
  name: path.split('/').at(-1) ?? path,
  kind: 'JournalWrite',
  count: 10_000,
  bytes: 1e6 as Bytes,
  knownTicks: 6e9 as TickSpan,
  rate: around(10, 1.05),
  quantiles: ms.map((value) => around(value * 10_000, 1.05)),
  unit: 'ticks' as const,
  role: 'duration' as const,
  mean: null,
  atLoad: null,
  max: 1e6,
  sampleTicks: 0 as TickSpan,
  rollUps: 0,
  ...parts,
})
const side = (...lines: LineFigures[]): SideFigures => ({
  feed: 'io',
  startTicks: 0 as Ticks,
  endTicks: 6e9 as Ticks,
  lines,
  left: 0,
})

describe('two sides', () => {
  it('are slower where a quantile is, and the sentence names the clearest one', () => {
    const compared = compareSides(
      side(line('a/Orders', [4, 10, 41]), line('a/Users', [4, 10, 41])),
      side(line('a/Orders', [4, 10, 63]), line('a/Users', [4, 10, 41])),
    )
    expect(compared.verdict).toBe('slower')
    expect(describeCompared(compared)).toBe(
      'After is slower: journal writes of Orders p99 41.0 ms → 63.0 ms (+54 %, at least +39 %).',
    )
    expect(compared.lines.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['Orders', 'slower'],
      ['Users', 'same'],
    ])
  })

  it('say what they could have shown where nothing is different', () => {
    const compared = compareSides(side(line('a', [4, 10, 41])), side(line('a', [4.1, 10, 42])))
    expect(compared.verdict).toBe('same')
    expect(describeCompared(compared)).toMatch(
      /^No difference that this much data could show\. .* a change of \+\d+ % at p50/,
    )
  })

  it('are mixed where one line is slower and another faster, and gains are said as regressions are', () => {
    const faster = compareSides(side(line('a', [4, 10, 63])), side(line('a', [4, 10, 41])))
    expect(faster.verdict).toBe('faster')
    expect(describeCompared(faster)).toContain('(−35 %, at least −28 %)')
    const both = compareSides(side(line('a', [4]), line('b', [9])), side(line('a', [9]), line('b', [4])))
    expect(both.verdict).toBe('mixed')
    expect(describeCompared(both)).toContain('Slower: journal writes of a')
  })

  it('join lines of moved data by name, unless a name has several', () => {
    const before = side(line('/old/Orders', [4]), line('/old/x/Copy', [4]), line('/old/y/Copy', [4]))
    const after = side(line('/new/Orders', [4]), line('/new/x/Copy', [4]), line('/new/y/Copy', [4]))
    const { lines } = compareSides(before, after)
    expect(lines.filter(({ verdict }) => verdict === 'same').map(({ name }) => name)).toEqual(['Orders'])
    expect(lines.filter(({ verdict }) => verdict === 'one-sided')).toHaveLength(4)
  })

  it('are compared at the same load where durations grow with it', () => {
    const atLoad = (load: number, ms: number) => ({
      load,
      spread: 0.5,
      slope: 0.5,
      slopeError: 0.01,
      quantiles: [around(ms * 10_000, 1.05)],
    })
    // Longer by what the load explains: e^(0.5 × 0.4) = 1.22.
    const more = compareSides(
      side(line('a', [4], { atLoad: atLoad(2, 4) })),
      side(line('a', [4.9], { atLoad: atLoad(2.4, 4.89) })),
    )
    expect(more.verdict).toBe('same')
    const slower = compareSides(
      side(line('a', [4], { atLoad: atLoad(2, 4) })),
      side(line('a', [8], { atLoad: atLoad(2.4, 8) })),
    )
    expect(describeCompared(slower)).toMatch(/p50 4\.00 ms → 8\.00 ms \(\+6\d % at the same load, at least/)
    expect(describeBasis(slower)).toContain('at the load in between')
  })

  it('have no verdict where durations drift, in the other lines either', () => {
    const drifting = { value: 40_000, low: 0, high: null, lowest: 0, highest: null, drifts: true as const }
    const one = line('a', [4], { quantiles: [drifting] })
    const drift = compareSides(side(one, line('b', [4])), side(one, line('b', [9])))
    expect(drift.verdict).toBe('drifts')
    expect(drift.lines.map(({ verdict }) => verdict)).toEqual(['drifts', 'drifts'])
    expect(describeCompared(drift)).toMatch(/^Too variable to tell: /)
    // A single drifting line among many does not change the verdict of the others.
    const others = ['b', 'c', 'd', 'e'].map((name) => line(name, [4]))
    const slower = others.map((each) => line(each.name, [9]))
    expect(compareSides(side(one, ...others), side(one, ...slower)).verdict).toBe('slower')
  })

  it('report a load that differs', () => {
    const busy = line('a', [4], { rate: around(25, 1.05) })
    const { lines } = compareSides(side(line('a', [4])), side(busy))
    expect(describeLoad(lines)).toBe(
      'The load differs: journal writes of a 10.0 /s → 25.0 /s. Durations may differ because of it.',
    )
    expect(describeLoad(compareSides(side(line('a', [4])), side(line('a', [4]))).lines)).toBe('')
  })

  it('report a load that differs also where it drifts so that nothing bounds it', () => {
    const drifting = (value: number): Estimate => ({
      value,
      low: 0,
      high: null,
      lowest: 0,
      highest: null,
      drifts: true,
    })
    const loadOf = (rate: number, count: number): string =>
      describeLoad(compareSides(side(line('a', [4])), side(line('a', [4], { rate: drifting(rate), count }))).lines)
    expect(loadOf(21, 21_000)).toMatch(/^The load differs: journal writes of a 10\.0 \/s → 21\.0 \/s/)
    expect(loadOf(11, 11_000)).toBe('')
    // A few events are no load.
    expect(loadOf(21, 6)).toBe('')
  })

  it('without any events say so', () => {
    expect(describeCompared(compareSides(side(), side()))).toBe('Neither side has values in its range.')
    const { lines } = side(line('a', [4]))
    expect(describeCompared(compareSides(side(), side(...lines)))).toBe(
      'Only after has values: nothing was recorded in the range of before.',
    )
    expect(describeCompared(compareSides(side(...lines), side()))).toBe(
      'Only before has values: nothing was recorded in the range of after.',
    )
  })
})

describe('stalls of two sides', () => {
  /** So many, each of so many ms, evenly over the ten minutes of the side. */
  const slow = (count: number, ms: number) => ({
    slow: {
      count,
      sinceTicks: Array.from({ length: count }, (_, i) => (i * 6e9) / count),
      durationTicks: Array.from({ length: count }, () => ms * 10_000),
    },
  })
  const quiet = line('a/Orders', [4, 10, 31], slow(0, 0))
  // As the quantiles of a short range are: without bounds.
  const few = (parts: Partial<LineFigures>): LineFigures => ({
    ...quiet,
    quantiles: [4, 10, 588].map((ms) => ({ value: ms * 10_000, low: 0, high: null, lowest: 0, highest: null })),
    ...parts,
  })

  it('are a difference where no quantile shows one, by number and share', () => {
    const compared = compareSides(side(quiet), side(few({ count: 4200, ...slow(59, 588) })))
    expect(compared.verdict).toBe('slower')
    expect(compared.lines[0]?.stalls).toMatchObject({
      before: { stalls: 0, share: 0 },
      after: { stalls: 59, share: 59 / 4200, longestTicks: 5_880_000 },
      change: 'higher',
    })
    expect(describeCompared(compared)).toBe(
      'After is slower: journal writes of Orders stalled 0 → 59 times (0 % → 1.40 % of them, longest 588 ms).',
    )
    expect(compareSides(side(few({ ...slow(59, 588) })), side(quiet)).verdict).toBe('faster')
  })

  it('are none in one burst, in few writes, or below four medians', () => {
    const verdictOf = (after: LineFigures) => compareSides(side(quiet), side(after)).lines[0]?.stalls?.change
    const burst = {
      count: 59,
      sinceTicks: Array.from({ length: 59 }, (_, i) => i),
      durationTicks: slow(59, 588).slow.durationTicks,
    }
    expect(verdictOf(few({ slow: burst }))).toBe('unclear')
    expect(verdictOf(few({ count: 4, ...slow(2, 588) }))).toBe('unclear')
    const slower = [20, 60, 90].map((value) => around(value * 10_000, 1.05))
    const busy = { ...quiet, quantiles: slower }
    expect(compareSides(side(busy), side({ ...busy, ...slow(59, 70) })).lines[0]?.stalls).toMatchObject({
      after: { stalls: 0 },
    })
  })
})
