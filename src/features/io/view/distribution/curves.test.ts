import { describe, expect, it } from 'vitest'
import { STEPS_PER_DECADE } from '../../../../feeds/io/contract/density.ts'
import { cumulativeOf, curveLine, decadesOf, densityOf, stepArea, ticksOf } from './curves.ts'

const COUNTS = Uint32Array.from([1, 0, 3])
const SCALE = { xOf: (ticks: number) => Math.round(ticks), yOf: (share: number) => 100 - 100 * share }

describe('curves of durations', () => {
  it('share all events among the steps', () => {
    expect(densityOf(COUNTS, 0).map(({ share }) => share)).toEqual([0.25, 0, 0.75, 0])
    expect(cumulativeOf(COUNTS, 0).map(({ share }) => share)).toEqual([0, 0.25, 0.25, 1])
  })

  it('begin at the bounds of the steps', () => {
    const first = 4 * STEPS_PER_DECADE
    expect(densityOf(COUNTS, first)[0]?.ticks).toBeCloseTo(10_000)
    expect(ticksOf(first, STEPS_PER_DECADE)).toBeCloseTo(100_000)
    expect(decadesOf(first - 1, STEPS_PER_DECADE + 2)).toEqual([10_000, 100_000])
  })

  it('are paths', () => {
    const points = [
      { ticks: 1, share: 0 },
      { ticks: 9, share: 1 },
    ]
    expect(curveLine(points, SCALE)).toBe('M1,100L9,0')
    expect(stepArea(points, SCALE)).toBe('M1,100L9,100L9,0L9,100L9,100L1,100Z')
  })
})
