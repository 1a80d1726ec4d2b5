import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

type Axe = typeof axe

declare global {
  var axe: Axe
}

/** The rule that depends on the theme. It takes half the time of all. */
const CONTRAST = 'color-contrast'

/** Rules that are checked: all, those of the theme, or those of the layout. */
type Checked = 'all' | 'contrast' | 'layout'

/**
 * Wide, narrow, and the wide one at 200 % zoom; each theme with every rule once, and the contrast of the wide one in both. The
 * gate has every rule once, and those of the layout of the narrow one: contrast of the tokens is proven for both themes by
 * `theme-contrast.test.ts`.
 */
const SIZES: readonly {
  name: string
  width: number
  height: number
  themes: readonly (readonly [Theme, all: Checked, gate: Checked | null])[]
}[] = [
  {
    name: '1440',
    width: 1440,
    height: 900,
    themes: [
      ['dark', 'all', 'all'],
      ['light', 'contrast', null],
    ],
  },
  {
    name: '390',
    width: 390,
    height: 844,
    themes: [['light', 'all', 'layout']],
  },
  { name: '200 %', width: 720, height: 450, themes: [['dark', 'layout', null]] },
]
type Theme = 'dark' | 'light'

const isGate = process.env['ROOKERY_TESTS'] === 'gate'

/** Rules of a page that is narrow all the time. */
export const NARROW: Checked = isGate ? 'layout' : 'all'

/** Violations of WCAG 2.2 A and AA, as sentences that begin with `where`. */
export async function violations(page: Page, where: string, checked: Checked = 'all'): Promise<string[]> {
  // Axe is compiled once in a page: compiling it takes as long as a run of some rules.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  await page.evaluate(endTransitions)
  const found = await page.evaluate((options) => globalThis.axe.run(options), {
    runOnly: checked === 'contrast' ? [CONTRAST] : TAGS,
    rules: checked === 'layout' ? { [CONTRAST]: { enabled: false } } : {},
    // The report does not use the nodes of rules that pass.
    resultTypes: ['violations'],
    // The page has no frames.
    iframes: false,
  } satisfies axe.RunOptions)
  const counted = found.violations
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => !isPlacedByData(id, html)) }))
    .filter(({ nodes }) => nodes.length > 0)
  return counted.map(
    ({ id, nodes }) =>
      `${where}: ${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}

/**
 * Ends colours that are on their way to another: a button that becomes the primary one has the text of that at once, and its
 * ground 80 ms later. Firefox begins a transition only with a frame, which a page without a window may not draw for long.
 */
const endTransitions = (): void => {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
}

/** A chart's point is placed by its data: WCAG exempts it from the least distance, and lists have the same events. */
const isPlacedByData = (rule: string, html: string): boolean => rule === 'target-size' && html.includes('data-point=')

/** Width of the page beyond that of the window, px. */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Violations and overflow of the page, at any width and in both themes. */
export async function violationsEverywhere(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, width, height, themes } of SIZES) {
    await page.setViewportSize({ width, height })
    for (const [colorScheme, checked, inGate] of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      const rules = isGate ? inGate : checked
      if (rules !== null) wrong.push(...(await violations(page, `${name} ${colorScheme}`, rules)))
    }
    if ((await overflowPx(page)) > 0) wrong.push(`${name}: the page is wider than the window`)
  }
  return wrong
}
