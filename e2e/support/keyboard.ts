import { expect, type Locator, type Page } from '@playwright/test'
import { LONG_MS } from './actions.ts'

/** Steps that reach each element of a page that takes the focus, and more. */
const MOST_STEPS = 150

/** Whether it has the focus, in the page or in its shadow root. */
const isFocused = (of: Locator): Promise<boolean> =>
  of.evaluate((element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element)

/** Presses a key until the focus is there. */
export async function walk(page: Page, key: string, to: Locator): Promise<void> {
  await expect(to).toBeVisible({ timeout: LONG_MS })
  for (let i = 0; i < MOST_STEPS; i++) {
    if (await isFocused(to)) return
    await page.keyboard.press(key)
  }
  await expect(to).toBeFocused()
}

/** Selects the longest mark of a chart by keys, once its marks are there: before, the key finds none. */
export async function selectLongest(page: Page, chart: Locator): Promise<void> {
  await expect(async () => {
    await chart.focus()
    await page.keyboard.press('m')
    await expect(page.getByText(/Enter selects it\.$/)).toBeAttached({ timeout: 3000 })
  }).toPass({ timeout: LONG_MS })
  await page.keyboard.press('Enter')
}
