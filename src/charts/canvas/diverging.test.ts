import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast } from './colour.ts'
import { divergingScale } from './diverging.ts'

describe('divergingScale', () => {
  it.each(['dark', 'light'] as const)('is symmetric in strength, and has grey in its middle (%s)', (theme) => {
    const { at, less, more } = divergingScale(theme)
    expect(at(0)).toMatch(/^#(..)\1\1$/)
    expect(at(Number.NaN)).toBe(at(0))
    expect(at(-5)).toBe(less)
    expect(at(5)).toBe(more)
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (change) => {
        // Equal lightness: neither direction looks more important.
        expect(contrast(at(-change), at(change))).toBeLessThan(1.15)
      }),
    )
  })
})
