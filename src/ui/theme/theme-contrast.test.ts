import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')

function tokensOf(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map([...block.matchAll(/(--[a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]))
}

/** Relative luminance of WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

const PAGE = ['--bg', '--bg-raised', '--bg-sunken']
const SURFACES = [...PAGE, '--bg-hover', '--bg-active']
const NOTICES = ['--warn-bg', '--error-bg', '--info-bg']

/** Pairs of foreground and ground, and their least contrast: 4.5 for text, 3 for marks and edges of controls (WCAG 2.2 AA). */
const RULES: readonly { readonly marks: readonly string[]; readonly on: readonly string[]; readonly least: number }[] =
  [
    { marks: ['--fg'], on: [...SURFACES, ...NOTICES, '--accent-bg', '--ok-bg'], least: 7 },
    { marks: ['--fg-muted'], on: [...SURFACES, ...NOTICES], least: 4.5 },
    { marks: ['--accent', '--ok', '--warn', '--error', '--info'], on: PAGE, least: 4.5 },
    { marks: ['--on-accent'], on: ['--accent'], least: 4.5 },
    {
      marks: [
        '--kind-journal-write',
        '--kind-data-flush',
        '--kind-data-sync',
        '--kind-compression',
        '--kind-unknown',
        '--series-first',
        '--series-second',
        '--series-third',
        '--series-fourth',
        '--series-fifth',
        '--series-sixth',
      ],
      on: PAGE,
      least: 3,
    },
    {
      marks: ['running', 'disk', 'lock', 'network', 'memory', 'process', 'timer', 'work', 'unknown'].map(
        (wait) => `--wait-${wait}`,
      ),
      on: PAGE,
      least: 3,
    },
    { marks: ['--focus', '--border-strong'], on: PAGE, least: 3 },
  ]

function tooFaint(tokens: ReadonlyMap<string, string>): string[] {
  const found: string[] = []
  for (const { marks, on, least } of RULES)
    for (const mark of marks)
      for (const surface of on) {
        const ratio = contrast(tokens.get(mark)!, tokens.get(surface)!)
        if (ratio < least) found.push(`${mark} on ${surface}: ${ratio.toFixed(2)}, not ${String(least)}`)
      }
  return found
}

describe.each(['dark', 'light'])('the %s theme', (theme) => {
  const standard = tokensOf(`:root[data-theme='${theme}']`)
  const variant = tokensOf(`:root[data-theme='${theme}'][data-palette='colour-blind']`)

  it('gives each series a colour of its own, in either palette', () => {
    for (const tokens of [standard, new Map([...standard, ...variant])]) {
      const colours = [...tokens].filter(([name]) => name.startsWith('--series-')).map(([, colour]) => colour)
      expect(colours).toHaveLength(6)
      expect(new Set(colours).size).toBe(6)
    }
  })

  it('can be read, in either palette', () => {
    expect(standard.size).toBeGreaterThan(25)
    expect(variant.size).toBeGreaterThan(5)
    expect(tooFaint(standard)).toEqual([])
    expect(tooFaint(new Map([...standard, ...variant]))).toEqual([])
  })
})
