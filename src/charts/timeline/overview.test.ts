import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import type { Ticks } from '../../base/ticks.ts'
import { moveGrip } from './Overview.tsx'

const range = (start: number, end: number): { startTicks: Ticks; endTicks: Ticks } => ({
  startTicks: start as Ticks,
  endTicks: end as Ticks,
})

describe('moveGrip', () => {
  const extent = range(0, 1_000_000)

  it('moves one end, or both together', () => {
    const start = range(200_000, 400_000)
    expect(moveGrip(start, extent, 'start', 50_000)).toEqual(range(250_000, 400_000))
    expect(moveGrip(start, extent, 'end', 50_000)).toEqual(range(200_000, 450_000))
    expect(moveGrip(start, extent, 'window', -500_000)).toEqual(range(0, 200_000))
  })

  law(
    'never leaves the extent, never crosses its ends, and the window keeps its width',
    [
      fc.integer({ min: 0, max: 800_000 }),
      fc.integer({ min: 1000, max: 200_000 }),
      fc.constantFrom('start' as const, 'end' as const, 'window' as const),
      fc.integer({ min: -2e6, max: 2e6 }),
    ],
    (start, span, grip, by) => {
      const moved = moveGrip(range(start, start + span), extent, grip, by)
      expect(moved.startTicks).toBeGreaterThanOrEqual(0)
      expect(moved.endTicks).toBeLessThanOrEqual(1_000_000)
      expect(moved.endTicks - moved.startTicks).toBeGreaterThanOrEqual(100)
      if (grip === 'window') expect(moved.endTicks - moved.startTicks).toBe(span)
    },
  )
})
