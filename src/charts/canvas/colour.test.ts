import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contrast, formatColour, lightnessRamp, parseColour, withAlpha } from './colour.ts'

/** Kinds and grounds as the style sheet has them, per block of `theme.css`. */
const sheet = readFileSync(new URL('../../ui/theme/theme.css', import.meta.url), 'utf8')
const tokensOf = (selector: string): Map<string, string> => {
  const block = sheet.slice(sheet.indexOf(`${selector} {`)).split('}')[0] ?? ''
  return new Map([...block.matchAll(/(--[\w-]+):\s*(#[\da-f]+)/g)].map((match) => [match[1]!, match[2]!]))
}

describe('colours', () => {
  it('reads what style sheets give and writes hex', () => {
    expect(formatColour(parseColour('#4c9aff'))).toBe('#4c9aff')
    expect(formatColour(parseColour('#fff'))).toBe('#ffffff')
    expect(formatColour(parseColour('rgb(18, 21, 26)'))).toBe('#12151a')
    expect(formatColour(parseColour('nothing'))).toBe('#808080')
    expect(withAlpha('#4c9aff', 0.5)).toBe('#4c9aff80')
    expect(contrast('#000', '#fff')).toBeCloseTo(21)
  })

  it.each(['dark', 'light'] as const)(
    'every step of every kind has 3:1 contrast to the %s ground, and steps only go one way',
    (theme) => {
      const plain = tokensOf(`:root[data-theme='${theme}']`)
      const ground = plain.get('--bg')!
      const blind = tokensOf(`:root[data-theme='${theme}'][data-palette='colour-blind']`)
      for (const [name, colour] of [...plain, ...blind].filter(([name]) => name.startsWith('--kind-'))) {
        const ramp = lightnessRamp(colour, theme, 8)
        expect(ramp).toHaveLength(8)
        const ratios = ramp.map((step) => contrast(step, ground))
        expect({ name, faintest: ratios[0]! >= 3 }).toEqual({ name, faintest: true })
        for (let i = 1; i < ratios.length; i++) expect(ratios[i]).toBeGreaterThan(ratios[i - 1]!)
      }
    },
  )
})
