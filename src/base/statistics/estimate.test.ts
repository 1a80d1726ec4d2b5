import { describe, expect, it } from 'vitest'
import { changeOfAll, compareEstimates, type Estimate } from './estimate.ts'

/** `within`: bounds as ratios, of the 95 % interval and of the wider one. */
const around = (value: number, within: number, widely = within): Estimate => ({
  value,
  low: value / within,
  high: value * within,
  lowest: value / widely,
  highest: value * widely,
})

describe('after against before', () => {
  it('is a change where the wider interval leaves out that there is none', () => {
    const found = compareEstimates(around(100, 1.05, 1.1), around(150, 1.05, 1.1))
    expect(found.change).toBe('higher')
    expect(found.ratio).toBeCloseTo(1.5)
    // The logarithms of both sides add as squares.
    expect(found.low).toBeCloseTo(1.5 / Math.exp(Math.SQRT2 * Math.log(1.05)))
    expect(found.atLeast).toBeCloseTo(1.5 / Math.exp(Math.SQRT2 * Math.log(1.1)))
    expect(compareEstimates(around(150, 1.05), around(100, 1.05)).change).toBe('lower')
  })

  it('is none where only the narrow interval does, and says what would have been one', () => {
    const found = compareEstimates(around(100, 1.05, 1.2), around(115, 1.05, 1.2))
    expect(found.low).toBeGreaterThan(1)
    expect(found.change).toBe('same')
    expect(found.showable).toBeGreaterThan(1.2)
  })

  it('is none below 3 %, however certain', () => {
    expect(compareEstimates(around(100, 1.0001), around(102, 1.0001)).change).toBe('same')
  })

  it('claims nothing where a side has no bound', () => {
    const open: Estimate = { value: 100, low: 0, high: null, lowest: 0, highest: null }
    expect(compareEstimates(open, around(1000, 1.1))).toMatchObject({ change: 'unclear', showable: null, high: null })
    expect(compareEstimates(around(0, 1), around(10, 1.1)).change).toBe('unclear')
  })

  it('is none where both are 0, and of several figures the one that is clear', () => {
    const zero = compareEstimates(around(0, 1), around(0, 1))
    expect(zero.change).toBe('same')
    const [up, down] = [
      compareEstimates(around(1, 1.1), around(2, 1.1)),
      compareEstimates(around(2, 1.1), around(1, 1.1)),
    ]
    const open = compareEstimates(around(0, 1), around(10, 1.1))
    expect(changeOfAll([zero, up, open])).toBe('higher')
    expect(changeOfAll([zero, down])).toBe('lower')
    expect(changeOfAll([up, zero, down])).toBe('mixed')
    expect(changeOfAll([open, zero])).toBe('same')
    expect(changeOfAll([open])).toBe('unclear')
  })

  it('shows a rise over what has no lower bound, and no fall', () => {
    const least: Estimate = { ...around(100, 1.1), low: 0, lowest: 0 }
    expect(compareEstimates(least, around(200, 1.1))).toMatchObject({ change: 'higher', high: null })
    expect(compareEstimates(around(200, 1.1), least)).toMatchObject({ change: 'lower', low: 0 })
  })
})
