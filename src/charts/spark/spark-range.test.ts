import { describe, expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND, type TickSpan } from '../../base/ticks.ts'
import { sparkRange } from './spark-range.ts'
import type { SparkRows } from './Sparkline.tsx'

const at = (seconds: number): Ticks => (seconds * TICKS_PER_SECOND) as Ticks
const RANGE = { startTicks: at(0), endTicks: at(900) }

const known = (...seconds: number[]): SparkRows => {
  const values = Float64Array.from(seconds, () => 1)
  return {
    bucketTicks: at(5) as number as TickSpan,
    length: seconds.length,
    startTicks: Float64Array.from(seconds, (each) => at(each)),
    mean: values,
    min: values,
    max: values,
    count: values,
  }
}

describe('the range of a sparkline', () => {
  it('is all of it when most of it is known, and when nothing is', () => {
    expect(sparkRange([known(20, 500)], RANGE)).toEqual({ range: RANGE, sinceTicks: null })
    expect(sparkRange([known(-50, 880)], RANGE)).toEqual({ range: RANGE, sinceTicks: null })
    expect(sparkRange([], RANGE)).toEqual({ range: RANGE, sinceTicks: null })
    expect(sparkRange([known()], RANGE)).toEqual({ range: RANGE, sinceTicks: null })
  })

  it('begins with the first that is known of any, and is never shorter than a minute', () => {
    expect(sparkRange([known(700), known(600, 890)], RANGE)).toEqual({
      range: { startTicks: at(600), endTicks: at(900) },
      sinceTicks: at(600),
    })
    expect(sparkRange([known(895)], RANGE)).toEqual({
      range: { startTicks: at(840), endTicks: at(900) },
      sinceTicks: at(895),
    })
  })
})
