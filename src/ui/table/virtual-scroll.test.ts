import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { law } from '../../testing/law.ts'
import {
  isScaled,
  MAX_SPACER_PX,
  offsetAfterScroll,
  offsetFromScroll,
  offsetToShow,
  rowWindow,
  scrollFromOffset,
  scrollSpace,
} from './virtual-scroll.ts'

const spaces = fc
  .record({
    total: fc.integer({ min: 1, max: 50_000_000 }),
    rowHeightPx: fc.integer({ min: 16, max: 60 }),
    viewportPx: fc.integer({ min: 60, max: 3000 }),
  })
  .map(({ total, rowHeightPx, viewportPx }) => scrollSpace(total, rowHeightPx, viewportPx))

const share = fc.double({ min: 0, max: 1, noNaN: true })

describe('the scroll law', () => {
  law(
    'reaches every row, and shows it whole where the view is high enough',
    [spaces, share, share],
    (space, from, to) => {
      const row = Math.floor(to * (space.total - 1))
      const offsetPx = offsetToShow(space, from * space.maxOffsetPx, row)
      const { first, end } = rowWindow(space, offsetPx, 0)
      expect(row).toBeGreaterThanOrEqual(first)
      expect(row).toBeLessThan(end)
      expect(offsetPx).toBeLessThanOrEqual(row * space.rowHeightPx)
      if (space.contentPx >= space.viewportPx)
        expect(offsetPx + space.viewportPx).toBeGreaterThanOrEqual((row + 1) * space.rowHeightPx)
    },
  )

  law('maps the bar monotonely, and both ends exactly', [spaces, share, share], (space, a, b) => {
    const [lower, upper] = a < b ? [a, b] : [b, a]
    expect(offsetFromScroll(space, lower * space.maxScrollPx)).toBeLessThanOrEqual(
      offsetFromScroll(space, upper * space.maxScrollPx),
    )
    expect(offsetFromScroll(space, 0)).toBe(0)
    expect(offsetFromScroll(space, space.maxScrollPx)).toBe(space.maxOffsetPx)
  })

  law('puts the bar where it leads back to the same offset', [spaces, share], (space, at) => {
    const offsetPx = at * space.maxOffsetPx
    const back = offsetFromScroll(space, scrollFromOffset(space, offsetPx))
    // The last pixel of a scaled bar is the end.
    const lastPixel = isScaled(space) ? space.maxOffsetPx / space.maxScrollPx : 0
    expect(Math.abs(back - offsetPx)).toBeLessThanOrEqual(lastPixel + 1e-6 * space.maxOffsetPx)
  })

  law(
    'moves the content by as much as a small step, however long the content',
    [spaces, share, fc.integer({ min: -50, max: 50 })],
    (space, at, stepPx) => {
      fc.pre(isScaled(space))
      const offsetPx = 100 + at * (space.maxOffsetPx - 200)
      const barPx = scrollFromOffset(space, offsetPx)
      expect(offsetAfterScroll(space, offsetPx, barPx, barPx + stepPx) - offsetPx).toBeCloseTo(stepPx, 3)
    },
  )

  it('is the identity while the content fits an element', () => {
    const space = scrollSpace(1000, 30, 600)
    expect(isScaled(space)).toBe(false)
    expect(offsetFromScroll(space, 1234)).toBe(1234)
    expect(scrollFromOffset(space, 1234)).toBe(1234)
    expect(space.spacerPx).toBe(30_000)
  })

  it('never makes an element higher than browsers can', () => {
    expect(scrollSpace(20_000_000, 30, 600).spacerPx).toBe(MAX_SPACER_PX)
  })

  it('jumps to where the bar points when it is dragged', () => {
    const space = scrollSpace(10_000_000, 24, 480)
    expect(offsetAfterScroll(space, 0, 0, space.maxScrollPx / 2)).toBeCloseTo(space.maxOffsetPx / 2, 3)
  })
})
