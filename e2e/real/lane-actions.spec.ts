import type { Locator, Page } from '@playwright/test'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { BY_N, confirm, dialog, LONG_MS, notice, said } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'
import { ticksNow } from '../support/studio.ts'

/* Lanes have the actions on what they show: by button, right click and keyboard, wide and on a phone. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

const [NAME, OTHER] = ['laned', 'laned-too']
const INDEX = `“${BY_N.Name}” of “${NAME}”`

interface Stats {
  readonly Name: string
  readonly Status: string
  readonly Priority: string
}

const lanes = (page: Page): Locator => page.getByRole('group', { name: 'Lanes' })
const menuOf = (page: Page, target: string): Locator =>
  lanes(page).getByRole('button', { name: `Actions on ${target}`, exact: true })
/** Chooses an entry without the dots of a dialog: an action needs a confirmation until it is known that nothing is lost by it. */
const choose = (page: Page, item: string): Promise<void> =>
  page.getByRole('menuitem', { name: item, exact: true }).click()

test('index, environment and database are acted on at their lanes @full', async ({ page, raven }) => {
  test.setTimeout(240_000)
  page.setDefaultTimeout(LONG_MS)
  const { url } = raven
  const statsOf = async (): Promise<Stats | undefined> => {
    const { Results: all } = (await json(url, `${databasePath(NAME)}/indexes/stats`)) as { Results: Stats[] }
    return all.find(({ Name: name }) => name === BY_N.Name)
  }
  const things = Array.from({ length: 200 }, (_, i) => put(`things/${i}`, 'Things', { N: i }))
  for (const name of [NAME, OTHER]) {
    await createDatabase(url, name)
    await putIndexes(url, name, [BY_N])
    await bulk(url, name, things)
  }
  const sources = `v=1&s=db:${NAME}&s=db:${OTHER}`
  try {
    await page.goto(raven.studio(`#/indexing?${sources}`))
    const lane = lanes(page).getByRole('button', { name: BY_N.Name, exact: true }).first()
    await expect(lane).toBeVisible()

    await test.step('by the keyboard, and the lane still opens by a click', async () => {
      await expect(menuOf(page, INDEX)).toHaveCSS('opacity', '0')
      await lane.focus()
      await expect(menuOf(page, INDEX)).toHaveCSS('opacity', '1')
      await page.keyboard.press('Shift+F10')
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menuitem').first()).toBeHidden()
      await page.keyboard.press('Tab')
      await expect(menuOf(page, INDEX)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Pause indexing' })).toBeFocused()
      // The menu reads the state of its target while it is open.
      await expect(page.getByRole('menuitem', { name: 'Resume indexing' })).toBeHidden()
      await page.keyboard.press('Enter')
      await said(page, `Done · Paused: ${INDEX}`)
      expect((await statsOf())?.Status).toBe('Paused')
      await expect(lane).toHaveAttribute('aria-expanded', 'false')
      await lane.click()
      await expect(lane).toHaveAttribute('aria-expanded', 'true')
      await lane.click()
    })

    await test.step('by a right click, which leaves the menu open', async () => {
      await lane.click({ button: 'right' })
      await expect(page.getByRole('menuitem', { name: 'Resume indexing' })).toBeVisible()
      await choose(page, 'Resume indexing')
      await said(page, `Done · Resumed: ${INDEX}`)
      expect((await statsOf())?.Status).toBe('Running')
    })

    await test.step('where no batch is in view, at a lane to which a link leads', async () => {
      const from = ticksNow() - 60 * 60 * 10_000_000
      const focus = encodeURIComponent(`db:${NAME}|${BY_N.Name}`)
      await page.goto(raven.studio(`#/indexing?${sources}&indexing.focus=${focus}&range=${from}..${from + 10_000_000}`))
      await expect(page.getByRole('status').filter({ hasText: 'No data for this view' })).toBeVisible()
      await menuOf(page, INDEX).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Pause indexing' })).toBeEnabled()
      await page.keyboard.press('Escape')
    })

    await test.step('the database above its lanes', async () => {
      await lanes(page).getByText(OTHER, { exact: true }).hover()
      await menuOf(page, `“${OTHER}”`).click()
      await expect(page.getByRole('menuitem', { name: 'Enable', exact: true })).toBeHidden()
      await choose(page, 'Disable …')
      await expect(dialog(page)).toContainText(`“${OTHER}” is unloaded on all nodes`)
      await confirm(page, 'Cancel')
    })

    await test.step('a budget', async () => {
      await page.goto(raven.studio(`#/indexing?${sources}&indexing.view=budgets`))
      await menuOf(page, INDEX).focus()
      await page.keyboard.press('Enter')
      await choose(page, 'Set priority low')
      await said(page, `Done · Priority changed: ${INDEX}`)
      expect((await statsOf())?.Priority).toBe('Low')
    })

    await test.step('environments on a phone, where the button is always in sight', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(raven.studio(`#/io?v=1&s=db:${NAME}`))
      const button = menuOf(page, `“${NAME}”`)
      await expect(button).toHaveCSS('opacity', '1')
      await expect(button).toBeInViewport({ ratio: 1 })
      await button.click()
      await choose(page, 'Flush journals …')
      await confirm(page, 'Flush journals')
      await expect(notice(page)).toContainText(/Flush(ed| journals): “laned”/)
      await menuOf(page, INDEX).click()
      await choose(page, 'Set priority high')
      await expect.poll(async () => (await statsOf())?.Priority).toBe('High')
    })
  } finally {
    await page.goto('about:blank')
    for (const name of [NAME, OTHER]) await deleteDatabase(url, name)
  }
})
