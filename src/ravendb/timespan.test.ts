import { describe, expect, it } from 'vitest'
import { parseTimeSpanMs } from './timespan.ts'

describe('parseTimeSpanMs', () => {
  it.each([
    ['00:29:13.1331299', 1_753_133.1299],
    ['1.02:03:04', 93_784_000],
    ['00:00:00', 0],
    ['-00:00:54.5', -54_500],
  ])('%s → %d ms', (text, ms) => expect(parseTimeSpanMs(text)).toBeCloseTo(ms, 6))

  it('rejects what is not a time span', () => {
    expect(parseTimeSpanMs('soon')).toBeNaN()
    expect(parseTimeSpanMs('')).toBeNaN()
  })
})
