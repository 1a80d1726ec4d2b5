import type { Locator, Page } from '@playwright/test'
import { createDatabase, databasePath, deleteDatabase, json, putIndexes } from '../../tools/ravendb/client.mjs'
import { FaultProxy } from '../soak/proxy.ts'
import { activity, actOn, BY_N, confirm, dialog, LONG_MS, mayChange, said } from '../support/actions.ts'
import { EVERY_TITLE, visitOffers } from '../support/every-offer.ts'
import { callOf } from '../support/long-query.ts'
import { makeOfferWorld } from '../support/offer-world.ts'
import { expect, test } from '../support/raven.ts'
import { saveData } from '../support/watched-page.ts'
import { openDoneHere } from '../support/panels.ts'

/* All actions of the table, wherever they are offered. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

test('two browsers see what the other does, each keeps its own activity, and names differ by case @full', async ({
  page,
  raven,
  browser,
}) => {
  test.setTimeout(180_000)
  const shared = 'Größe_1.a-b'
  const path = databasePath(shared)
  await createDatabase(raven.url, shared)
  await putIndexes(raven.url, shared, [BY_N])
  const context = await browser.newContext()
  await saveData(context)
  const other = await context.newPage()
  try {
    const table = raven.studio(`#/indexing?v=1&s=db:${encodeURIComponent(shared)}&indexing.view=indexes`)
    const rowOf = (of: Page): Locator => of.getByRole('row').filter({ hasText: BY_N.Name })
    const target = `“${BY_N.Name}” of “${shared}”`
    await page.goto(table)
    // The address in another case is spelled as the server does.
    await other.goto(table.replace(encodeURIComponent(shared), encodeURIComponent('GRÖßE_1.A-B')))
    await expect(other.getByRole('region', { name: `Indexes of ${shared}` })).toBeVisible({ timeout: LONG_MS })

    await actOn(page, target, 'Pause indexing')
    await said(page, `Done · Paused: ${target}`)
    await expect(rowOf(other)).toContainText('Paused', { timeout: LONG_MS })
    await expect(other.getByRole('list', { name: 'Stopped by you' })).toBeHidden()
    await actOn(other, target, 'Resume indexing')
    await said(other, `Done · Resumed: ${target}`)
    await expect(rowOf(page)).toContainText('Running', { timeout: LONG_MS })
    await expect(page.getByRole('list', { name: 'Stopped by you' })).toBeHidden()

    // The first browser deletes while the other confirms.
    for (const of of [page, other]) await of.goto(raven.studio('#/databases'))
    await actOn(other, `“${shared}”`, 'Delete with all files …')
    const typed = dialog(other).getByRole('textbox', { name: `Type ${shared} to confirm` })
    const go = dialog(other).getByRole('button', { name: 'Delete with all files' })
    for (const wrong of [shared.toLowerCase(), 'GRÖßE_1.A-B', 'Grösse_1.a-b']) {
      await typed.fill(wrong)
      await expect(go).toBeDisabled()
    }
    await typed.fill(shared)
    await actOn(page, `“${shared}”`, 'Delete with all files …')
    await dialog(page)
      .getByRole('textbox', { name: `Type ${shared} to confirm` })
      .fill(shared)
    await confirm(page, 'Delete with all files')
    await said(page, `Done · Deleted: “${shared}”`)
    await expect(dialog(other).getByRole('alert')).toContainText('does not exist any more')
    await expect(go).toBeDisabled()
    await other.keyboard.press('Escape')
    await expect(json(raven.url, `${path}/stats`)).rejects.toThrow()

    for (const of of [page, other]) await openDoneHere(of)
    await expect(activity(page)).toContainText(`Paused: ${target}`)
    await expect(activity(other)).toContainText(`Resumed: ${target}`)
    await expect(activity(other)).not.toContainText(`Paused: ${target}`)
  } finally {
    await context.close()
    await page.goto('about:blank')
    await deleteDatabase(raven.url, shared)
  }
})

test('in view-only mode nothing of the whole table leaves the browser, on a phone either @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  page.setDefaultTimeout(LONG_MS)
  const { url } = raven
  const made = await makeOfferWorld(callOf(url))
  const network = await FaultProxy.open(url)
  try {
    await page.setViewportSize({ width: 390, height: 844 })
    const studio = (hash: string): string => `${network.url}/studio/index.html${hash}`
    await page.goto(studio('#/databases'))
    await page.getByRole('button', { name: 'View only' }).click()
    await expect(page.getByRole('button', { name: 'View only', pressed: true })).toBeVisible()
    const seen = await visitOffers(page, { ...made.world, studio, alert: 'AlertRaised/LicenseManager_AGPL3' })
    for (const { title, refusal } of seen) expect(refusal, title).toContain('View only: allow changes by the lock')
    const titles = new Set(seen.map(({ title }) => title))
    // A database that fails to load is in `database-states.spec.ts`; sample data are offered where no documents are.
    expect(EVERY_TITLE.filter((title) => !titles.has(title))).toEqual(['Retry to load', 'Create sample data'])
    const changing = network.requested.filter(({ what, method, path }) => what === 'request' && mayChange(method, path))
    expect(changing).toEqual([])
    expect(network.requested.length).toBeGreaterThan(50)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  } finally {
    await page.goto('about:blank')
    await network.close()
    await made.remove()
  }
})
