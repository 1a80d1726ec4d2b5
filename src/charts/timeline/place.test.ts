import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeCard } from './place.ts'

const screen = { widthPx: 390, heightPx: 700 }

describe('placeCard', () => {
  it('stands right below, or mirrored at the far edges', () => {
    expect(placeCard({ xPx: 10, yPx: 10 }, { widthPx: 100, heightPx: 50 }, screen)).toEqual({ leftPx: 24, topPx: 24 })
    expect(placeCard({ xPx: 380, yPx: 690 }, { widthPx: 100, heightPx: 50 }, screen)).toEqual({
      leftPx: 266,
      topPx: 626,
    })
  })

  it('stays on the screen for any point', () => {
    const size = (max: number): fc.Arbitrary<number> => fc.integer({ min: 10, max })
    fc.assert(
      fc.property(size(390), size(700), size(390), size(700), (xPx, yPx, widthPx, heightPx) => {
        const { leftPx, topPx } = placeCard({ xPx, yPx }, { widthPx, heightPx }, screen)
        expect(leftPx).toBeGreaterThanOrEqual(0)
        expect(topPx).toBeGreaterThanOrEqual(0)
        expect(leftPx + widthPx).toBeLessThanOrEqual(screen.widthPx)
        expect(topPx + heightPx).toBeLessThanOrEqual(screen.heightPx)
      }),
    )
  })
})
