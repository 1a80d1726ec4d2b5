import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import type { Ticks, TickSpan } from '../../base/ticks.ts'
import { NO_FOLDS } from '../scale.ts'
import { fitRange, liveEnd, liveRange, revealRange, viewBounds } from './viewport.ts'

const range = (start: number, end: number): { startTicks: Ticks; endTicks: Ticks } => ({
  startTicks: start as Ticks,
  endTicks: end as Ticks,
})

describe('ranges', () => {
  it('live ends now and leaves folded idle time out of its span', () => {
    expect(liveRange(1000 as Ticks, 600 as TickSpan, 100, NO_FOLDS)).toEqual(range(400, 1000))
    const rule = { idleSpans: new Float64Array([-5000, 500]), foldPx: 10 }
    expect(liveRange(1000 as Ticks, 600 as TickSpan, 100, rule).startTicks).toBeLessThan(-4000)
  })

  it('a live axis moves once a second, and never leaves out the newest', () => {
    const ends = new Set(Array.from({ length: 50 }, (_, i) => liveEnd((5_000_000 + i * 1_000_000) as Ticks)))
    expect([...ends]).toEqual([10_000_000, 20_000_000, 30_000_000, 40_000_000, 50_000_000, 60_000_000])
  })

  law(
    'an event comes into sight, whole, and what is in sight stays',
    [
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 100, max: 1e8 }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 1, max: 1e9 }),
    ],
    (start, span, at, duration) => {
      const before = range(start, start + span)
      const after = revealRange(before, at, duration)
      expect(after.startTicks).toBeLessThanOrEqual(at)
      expect(after.endTicks).toBeGreaterThanOrEqual(at + duration)
      if (at >= start && at + duration <= start + span) expect(after).toBe(before)
    },
  )

  it('bounds hold what was seen and what is looked at', () => {
    const bounds = viewBounds(range(100, 200), 250 as Ticks, range(50, 120))
    expect(bounds.startTicks).toBeLessThan(50)
    expect(bounds.endTicks).toBeGreaterThan(250)
    expect(fitRange(null)).toBeNull()
    expect(fitRange(range(0, 1_000_000))).toEqual(range(-10_000, 1_010_000))
  })
})
