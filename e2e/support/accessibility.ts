import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Wide, narrow, and the wide one at 200 % zoom. Colours do not depend on the width. */
const SIZES = [
  { name: '1440', width: 1440, height: 900, themes: ['dark', 'light'] },
  { name: '390', width: 390, height: 844, themes: ['light', 'dark'] },
  { name: '200 %', width: 720, height: 450, themes: ['dark'] },
] as const

/** Of WCAG 2.2 A and AA, in words that begin with `where`; none: empty. */
export async function violations(page: Page, where: string): Promise<string[]> {
  // Without frames there is nothing to gather in a page of its own.
  const found = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode().analyze()
  return found.violations.map(
    ({ id, nodes }) =>
      `${where}: ${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}

/** By how much the page is wider than the window, px. */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** What is wrong with what the page shows, at any width and in both themes. */
export async function violationsEverywhere(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, width, height, themes } of SIZES) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      wrong.push(...(await violations(page, `${name} ${colorScheme}`)))
    }
    if ((await overflowPx(page)) > 0) wrong.push(`${name}: the page is wider than the window`)
  }
  return wrong
}
