import { describe, expect, it } from 'vitest'
import { seededRandom } from '../random.ts'
import { compareAtLoad, LoadHistogram, type AtLoad } from './at-load.ts'
import { BLOCKS, shareError } from './block-error.ts'

const SHARES = [0.5, 0.9, 0.99]
const EVENTS = 40_000

/** Durations of 1 ms × load^`power` × `times`, spread by a factor of e^±0.3; loads by block as `loadOf` says. */
function sideOf(seed: number, power: number, times: number, loadOf: (random: () => number) => number): AtLoad | null {
  const random = seededRandom(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const loads = Float64Array.from({ length: BLOCKS }, () => loadOf(random))
  const mean = loads.reduce((sum, load) => sum + load, 0) / BLOCKS
  const histogram = new LoadHistogram()
  for (const [block, load] of loads.entries())
    for (let i = 0; i < (EVENTS / BLOCKS) * (load / mean); i++)
      histogram.add(block, Math.round(10_000 * load ** power * times * Math.exp(0.3 * normal())))
  return histogram.estimate(loads, SHARES, 3)
}

const around = (middle: number) => (random: () => number) => middle * 3 ** (2 * random() - 1)

describe('durations at one load', () => {
  it('have the slope and the quantiles that they were made with', () => {
    const found = sideOf(7, 0.5, 1, around(10))
    expect(found?.slope).toBeCloseTo(0.5, 1)
    expect(Math.abs((found?.slope ?? 0) - 0.5)).toBeLessThan(4 * (found?.slopeError ?? 0))
    const median = 10_000 * Math.exp(0.5 * (found?.load ?? 0))
    // Quantiles of the normal distribution.
    for (const [i, deviations] of [0, 1.2816, 2.3263].entries()) {
      const { value, lowest, highest } = found?.quantiles[i] ?? { value: 0, lowest: 0, highest: 0 }
      const expected = median * Math.exp(0.3 * deviations)
      expect(Math.abs(value / expected - 1)).toBeLessThan(0.02)
      expect(lowest).toBeLessThan(value)
      expect(highest).toBeGreaterThan(value)
    }
  })

  it('differ by the change alone where the load differs, too', () => {
    const before = sideOf(1, 0.5, 1, around(10)) as AtLoad
    const after = sideOf(2, 0.5, 1.2, around(16)) as AtLoad
    for (const { change, ratio, low, high } of compareAtLoad(before, after) ?? []) {
      expect(change).toBe('higher')
      expect(Math.abs(ratio / 1.2 - 1)).toBeLessThan(0.04)
      expect(low).toBeLessThan(1.2)
      expect(high).toBeGreaterThan(1.2)
    }
    const same = compareAtLoad(before, sideOf(3, 0.5, 1, around(16)) as AtLoad)
    expect(same?.map(({ change }) => change)).toEqual(['same', 'same', 'same'])
  })

  it('are not compared where load does not slow them, or is low because they are slow', () => {
    for (const power of [0, -0.5]) {
      const [before, after] = [sideOf(1, power, 1, around(10)), sideOf(2, power, 1, around(16))]
      expect(compareAtLoad(before as AtLoad, after as AtLoad)).toBeNull()
    }
  })

  it('are not compared where the loads do not overlap, or never differ', () => {
    const [before, after] = [sideOf(1, 0.5, 1, around(10)), sideOf(2, 0.5, 1, around(100))]
    expect(compareAtLoad(before as AtLoad, after as AtLoad)).toBeNull()
    expect(sideOf(1, 0.5, 1, () => 10)).toBeNull()
  })
})

describe('what drifts', () => {
  /** Shares of slow events that follow a state which forgets itself in so many blocks. */
  const drifting = (seed: number, blocks: number): ReturnType<typeof shareError> => {
    const random = seededRandom(seed)
    const keep = Math.exp(-1 / blocks)
    let state = 2 * random() - 1
    const slow = Float64Array.from({ length: BLOCKS }, () => {
      state = keep * state + Math.sqrt(1 - keep * keep) * (2 * random() - 1)
      return 100 * (0.5 + 0.3 * Math.max(-1, Math.min(1, state)))
    })
    return shareError(new Float64Array(BLOCKS).fill(100), slow)
  }

  it('over a few stretches has no error that is known, and one over many has', () => {
    const refused = (blocks: number): number =>
      Array.from({ length: 100 }, (_, seed) => drifting(seed + 1, blocks)).filter((each) => each === 'drifts').length
    expect(refused(40)).toBeGreaterThan(70)
    expect(refused(1)).toBe(0)
    expect(refused(4)).toBeLessThan(25)
  })
})
