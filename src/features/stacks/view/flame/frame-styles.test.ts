import { describe, expect, it } from 'vitest'
import { contrast } from '../../../../charts/canvas/colour.ts'
import { FRAME_CATEGORIES } from '../../../../feeds/stacks/contract/frames.ts'
import { frameLook, framePalette } from './frame-styles.ts'

const INK = { dark: '#e7eaef', light: '#171b21' } as const
const GROUND = { dark: '#12151a', light: '#f7f8fa' } as const

describe.each(['dark', 'light'] as const)('frames in the %s theme', (theme) => {
  const palette = framePalette(theme, INK[theme])

  it('have names that can be read', () => {
    for (const category of FRAME_CATEGORIES)
      expect(contrast(palette.fillOf(category), palette.ink)).toBeGreaterThan(4.5)
    for (const change of [-1, -0.5, -0.1, 0, 0.1, 0.5, 1, Number.NaN])
      expect(contrast(palette.changeOf(change), palette.ink)).toBeGreaterThan(4.5)
  })

  it('have a category each, and stand out from the ground', () => {
    const fills = FRAME_CATEGORIES.map((category) => palette.fillOf(category))
    expect(new Set(fills).size).toBe(fills.length)
    for (const fill of fills) expect(contrast(fill, GROUND[theme])).toBeGreaterThan(1.1)
  })

  it('tell what vanished by a pattern as well', () => {
    expect(frameLook(palette, 'storage', false, -1).hatch).not.toBeNull()
    expect(frameLook(palette, 'storage', false, 1).hatch).toBeNull()
    expect(frameLook(palette, 'storage', false, null).hatch).toBeNull()
  })
})
