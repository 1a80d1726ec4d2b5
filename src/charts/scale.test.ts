import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../testing/law.ts'
import { type Ticks, TICKS_PER_SECOND } from '../base/ticks.ts'
import { advanceAlong, buildTimeScale, clampRange, MIN_SPAN_TICKS, panBy, zoomAbout, type FoldRule } from './scale.ts'

const second = TICKS_PER_SECOND
const range = (start: number, end: number): { startTicks: Ticks; endTicks: Ticks } => ({
  startTicks: start as Ticks,
  endTicks: end as Ticks,
})
const everything = range(-1e15, 1e15)

/** Idle and busy stretches of 1 µs … 100 s in turn, from time zero. */
const rules: fc.Arbitrary<FoldRule> = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 10, max: 1e9 }), fc.integer({ min: 10, max: 1e9 })), { maxLength: 12 }),
    fc.integer({ min: 8, max: 40 }),
  )
  .map(([steps, foldPx]) => {
    let at = 0
    const spans: number[] = []
    for (const [busy, idle] of steps) {
      spans.push(at + busy, at + busy + idle)
      at += busy + idle
    }
    return { idleSpans: new Float64Array(spans), foldPx }
  })
const ranges = fc
  .tuple(fc.integer({ min: -1e9, max: 1e10 }), fc.integer({ min: 10_000, max: 1e10 }))
  .map(([start, span]) => range(start, start + span))
const widths = fc.integer({ min: 320, max: 2560 })

describe('buildTimeScale', () => {
  it('is one linear piece without folds', () => {
    const scale = buildTimeScale({ range: range(0, 1000), widthPx: 500 })
    expect(scale.pieces).toHaveLength(1)
    expect(scale.ticksPerPx).toBe(2)
    expect([scale.toPx(0), scale.toPx(500), scale.toPx(1000)]).toEqual([0, 250, 500])
  })

  it('shrinks a long idle stretch and gives its pixels to the rest', () => {
    const rule = { idleSpans: new Float64Array([10 * second, 90 * second]), foldPx: 20 }
    const scale = buildTimeScale({ range: range(0, 100 * second), widthPx: 1020, rule })
    expect(scale.folds).toEqual([{ startTicks: 10 * second, endTicks: 90 * second, startPx: 500, endPx: 520 }])
    expect(scale.ticksPerPx).toBe(second / 50)
    expect(scale.toTicks(510)).toBe(50 * second)
  })

  it('leaves an idle stretch alone that is narrower than a fold', () => {
    const rule = { idleSpans: new Float64Array([10 * second, 11 * second]), foldPx: 20 }
    expect(buildTimeScale({ range: range(0, 100 * second), widthPx: 1000, rule }).folds).toHaveLength(0)
  })

  it('shows a range of nothing but idle time as it is', () => {
    const rule = { idleSpans: new Float64Array([0, 100 * second]), foldPx: 20 }
    const scale = buildTimeScale({ range: range(10 * second, 20 * second), widthPx: 1000, rule })
    expect(scale.folds).toHaveLength(0)
    expect(scale.toTicks(500)).toBe(15 * second)
  })

  law('tiles the range and the width, in order', [ranges, widths, rules], (range, widthPx, rule) => {
    const scale = buildTimeScale({ range, widthPx, rule })
    const all = [...scale.pieces, ...scale.folds].toSorted((a, b) => a.startTicks - b.startTicks)
    expect(all[0]?.startTicks).toBe(range.startTicks)
    expect(all.at(-1)?.endTicks).toBe(range.endTicks)
    expect(all.at(-1)?.endPx).toBeCloseTo(widthPx, 4)
    for (let i = 1; i < all.length; i++) {
      expect(all[i]?.startTicks).toBe(all[i - 1]?.endTicks)
      expect(all[i]?.startPx).toBe(all[i - 1]?.endPx)
    }
    for (const piece of scale.pieces)
      expect((piece.endTicks - piece.startTicks) / (piece.endPx - piece.startPx) / scale.ticksPerPx).toBeCloseTo(1, 4)
  })

  law(
    'toPx undoes toTicks, and both ascend',
    [ranges, widths, rules, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })],
    (range, widthPx, rule, a, b) => {
      const scale = buildTimeScale({ range, widthPx, rule })
      const [left, right] = a < b ? [a * widthPx, b * widthPx] : [b * widthPx, a * widthPx]
      expect(scale.toPx(scale.toTicks(left))).toBeCloseTo(left, 3)
      expect(scale.toTicks(right)).toBeGreaterThanOrEqual(scale.toTicks(left))
    },
  )
})

describe('advanceAlong', () => {
  law(
    'agrees with the scale it walks on',
    [ranges, widths, rules, fc.double({ min: 0.01, max: 0.99, noNaN: true })],
    (range, widthPx, rule, share) => {
      const scale = buildTimeScale({ range, widthPx, rule })
      fc.pre(scale.folds.length > 0)
      const at = advanceAlong(range.startTicks, share * widthPx, scale.ticksPerPx, rule)
      expect(Math.abs(scale.toPx(at) - share * widthPx)).toBeLessThan(0.01)
      const back = advanceAlong(at, -share * widthPx, scale.ticksPerPx, rule)
      expect(Math.abs(back - range.startTicks) / (range.endTicks - range.startTicks)).toBeLessThan(1e-6)
    },
  )
})

describe('zoomAbout', () => {
  law(
    'keeps the time under the cursor, with folds as without',
    [ranges, widths, rules, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.3, max: 3, noNaN: true })],
    (range, widthPx, rule, at, factor) => {
      const scale = buildTimeScale({ range, widthPx, rule })
      const anchorPx = at * widthPx
      const anchor = scale.toTicks(anchorPx)
      // Finer than a tick a pixel, the shortest span decides.
      fc.pre(scale.ticksPerPx * factor > 1)
      const zoomed = buildTimeScale({ range: zoomAbout(scale, rule, anchorPx, factor, everything), widthPx, rule })
      // A range that became nothing but idle is linear: there only the order is kept.
      fc.pre(zoomed.folds.length > 0 || rule.idleSpans.length === 0)
      expect(Math.abs(zoomed.toPx(anchor) - anchorPx)).toBeLessThan(0.5)
    },
  )

  it('stops at the shortest span', () => {
    const scale = buildTimeScale({ range: range(0, MIN_SPAN_TICKS), widthPx: 1000 })
    expect(zoomAbout(scale, { idleSpans: new Float64Array(0), foldPx: 0 }, 500, 0.5, everything)).toEqual(
      range(0, MIN_SPAN_TICKS),
    )
  })
})

describe('panBy', () => {
  law(
    'moves by pixels and keeps the resolution',
    [ranges, widths, rules, fc.double({ min: -0.5, max: 0.5, noNaN: true })],
    { seed: 5 },
    (range, widthPx, rule, by) => {
      const scale = buildTimeScale({ range, widthPx, rule })
      fc.pre(scale.folds.length > 0 || rule.idleSpans.length === 0)
      const moved = buildTimeScale({ range: panBy(scale, rule, by * widthPx, everything), widthPx, rule })
      fc.pre(moved.folds.length > 0 || rule.idleSpans.length === 0)
      // Both edges are whole ticks: of few ticks in view, that is more.
      const roundedBy = 1 / (scale.ticksPerPx * widthPx)
      expect(Math.abs(moved.ticksPerPx / scale.ticksPerPx - 1)).toBeLessThan(0.0005 + roundedBy)
    },
  )

  it('stops at the bounds', () => {
    const scale = buildTimeScale({ range: range(0, 1000), widthPx: 100 })
    expect(panBy(scale, { idleSpans: new Float64Array(0), foldPx: 0 }, 100, range(-500, 1200))).toEqual(
      range(200, 1200),
    )
    expect(panBy(scale, { idleSpans: new Float64Array(0), foldPx: 0 }, -100, range(-500, 1200))).toEqual(
      range(-500, 500),
    )
  })
})

describe('clampRange', () => {
  law('always gives a range inside of the bounds, of a span that is allowed', [ranges, ranges], (wanted, bounds) => {
    const clamped = clampRange(wanted, bounds)
    expect(clamped.startTicks).toBeGreaterThanOrEqual(bounds.startTicks)
    expect(clamped.endTicks).toBeLessThanOrEqual(bounds.endTicks + 1)
    expect(clamped.endTicks - clamped.startTicks).toBeGreaterThanOrEqual(MIN_SPAN_TICKS - 1)
  })
})
