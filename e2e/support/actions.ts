import type { Locator, Page } from '@playwright/test'
import { isReading } from '../../src/base/http/reading.mjs'
import { expect } from './raven.ts'

/* Helpers that tests of actions share. */

/** Timeout for a server that has three times as much to do, ms. */
export const LONG_MS = 90_000

/** An index of the collection `Things`. */
export const BY_N = { Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.N }'] }

/** Requests that change nothing, besides those of view-only mode: the studio's files, reads of actions, and what closes idle sockets. */
const HARMLESS =
  /^GET \/(?:studio\/|favicon\.ico|.*\/next-operation-id$|.*\/full-data-directory\b|cluster\/node-info$|rachis\/waitfor\b)|^POST \/admin\/(?:restore\/points|studio-tasks\/folder-path-options)\b/

/** `path`: with its query. What does not begin with a slash, a `blob:`, is of the page itself. */
export const mayChange = (method: string, path: string): boolean =>
  path.startsWith('/') && !HARMLESS.test(`${method} ${path}`) && !isReading(method, path)

export const notice = (page: Page): Locator => page.getByRole('region', { name: 'Actions just done' })
export const activity = (page: Page): Locator => page.getByRole('list', { name: 'Actions from this browser' })
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Chooses an action in the menu of a target: `“Orders”`. */
export async function actOn(page: Page, target: string, item: string | RegExp, exact = false): Promise<void> {
  await page.getByRole('button', { name: `Actions on ${target}` }).click({ timeout: LONG_MS })
  await page.getByRole('menuitem', { name: item, exact }).click()
}

/** Presses the button of the dialog that confirms. */
export const confirm = (page: Page, button: string): Promise<void> =>
  dialog(page).getByRole('button', { name: button, exact: true }).click()

export const said = (page: Page, text: string | RegExp): Promise<void> =>
  expect(notice(page).filter({ hasText: text })).toBeVisible({ timeout: LONG_MS })

/** Expects a text that is shown only for a moment: looks for it in each frame from now on, so call it before its cause. */
export const saidBriefly = async (page: Page, text: RegExp): Promise<void> => {
  await page.waitForFunction(
    ({ source, flags }) =>
      new RegExp(source, flags).test(document.querySelector('[aria-label="Actions just done"]')?.textContent ?? ''),
    { source: text.source, flags: text.flags },
    { timeout: LONG_MS },
  )
}
