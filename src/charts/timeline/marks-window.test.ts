import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ticks } from '../../base/ticks.ts'
import { buildTimeScale, NO_FOLDS, type FoldRule } from '../scale.ts'
import { marksWindow } from './marks-window.ts'

const views = fc.tuple(
  fc.integer({ min: 1e12, max: 3e15 }),
  fc.integer({ min: 100, max: 1e12 }),
  fc.integer({ min: 300, max: 2560 }),
)
const scaleOf = (start: number, span: number, widthPx: number, rule = NO_FOLDS): ReturnType<typeof buildTimeScale> =>
  buildTimeScale({ range: { startTicks: start as Ticks, endTicks: (start + span) as Ticks }, widthPx, rule })

describe('marksWindow', () => {
  it('is wider than the view, at least as fine as it, and its pieces ascend without touching', () => {
    const rules: fc.Arbitrary<FoldRule> = fc.constantFrom(NO_FOLDS, {
      idleSpans: new Float64Array([2e12, 2.5e12, 2.6e12, 2.9e12]),
      foldPx: 28,
    })
    fc.assert(
      fc.property(views, rules, ([start, span, widthPx], rule) => {
        const scale = scaleOf(start, span, widthPx, rule)
        const window = marksWindow(scale, rule)
        expect(window.startTicks).toBeLessThanOrEqual(scale.range.startTicks)
        expect(window.endTicks).toBeGreaterThanOrEqual(scale.range.endTicks)
        expect(window.resolutionTicks).toBeLessThanOrEqual(Math.max(1, scale.ticksPerPx))
        let [ticks, px] = [-Infinity, 0]
        for (const piece of window.pieces) {
          expect(piece.startTicks).toBeGreaterThanOrEqual(ticks)
          expect(piece.startPx).toBe(px)
          expect((piece.endTicks - piece.startTicks) / (piece.endPx - piece.startPx)).toBe(window.resolutionTicks)
          ;[ticks, px] = [piece.endTicks, piece.endPx]
        }
      }),
    )
  })

  it('does not change for a small pan', () => {
    const keys = new Set(
      Array.from({ length: 50 }, (_, i) => marksWindow(scaleOf(1e13 + i * 1000, 1e6, 1000), NO_FOLDS).key),
    )
    expect(keys.size).toBeLessThanOrEqual(3)
  })

  it('leaves long folds out', () => {
    const rule = { idleSpans: new Float64Array([1e9, 1e11]), foldPx: 28 }
    const window = marksWindow(scaleOf(9e8, 1e11, 1000, rule), rule)
    expect(window.pieces).toHaveLength(2)
    expect(window.pieces.some((piece) => piece.startTicks <= 5e10 && piece.endTicks >= 5e10)).toBe(false)
  })
})
