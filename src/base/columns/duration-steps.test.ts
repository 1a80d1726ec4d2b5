import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../testing/law.ts'
import { seededRandom } from '../random.ts'
import { DURATION_STEPS, STEP_BOUNDS, stepOf, stepShare } from './duration-steps.ts'
import { EventChunk } from './event-chunk.ts'
import { addDurationSteps } from './step-counts.ts'

const LENGTH = 4000
const next = seededRandom(3)
const durations = Float64Array.from({ length: LENGTH }, () => Math.round(10 ** (next() * 10)))
const chunkOf = (): EventChunk =>
  new EventChunk([Float64Array.from({ length: LENGTH }, (_, i) => i), durations, new Float64Array(LENGTH)], LENGTH)
const shared = chunkOf()

describe('steps of durations', () => {
  test('law: a duration is in the step whose bounds hold it; the first and the last are open', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 12, noNaN: true }), (power) => {
        const ticks = Math.round(10 ** power)
        const step = stepOf(ticks)
        expect(step === 0 || STEP_BOUNDS[step]! <= ticks).toBe(true)
        expect(step === DURATION_STEPS - 1 || ticks < STEP_BOUNDS[step + 1]!).toBe(true)
        expect(Math.abs(stepShare(ticks) * DURATION_STEPS - 0.5 - step)).toBeLessThanOrEqual(0.51)
      }),
    )
    expect([stepOf(0), stepOf(100), stepOf(10_000), stepOf(1e8)]).toEqual([0, 0, 10, 29])
  })

  law('any rows of a chunk are counted once each', [fc.nat({ max: LENGTH }), fc.nat({ max: LENGTH })], (a, b) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    const counts = new Uint32Array(DURATION_STEPS)
    addDurationSteps(shared, from, to, counts)
    const naive = new Uint32Array(DURATION_STEPS)
    for (const ticks of durations.subarray(from, to)) naive[stepOf(ticks)]!++
    expect(counts).toEqual(naive)
  })

  test('cost memory only where they are asked for, and little', () => {
    const chunk = chunkOf()
    const before = chunk.byteLength
    const counts = new Uint32Array(DURATION_STEPS)
    addDurationSteps(chunk, 100, 600, counts)
    expect(chunk.byteLength).toBe(before)
    addDurationSteps(chunk, 0, LENGTH, counts)
    expect((chunk.byteLength - before) / LENGTH).toBeLessThan(0.125)
  })
})
