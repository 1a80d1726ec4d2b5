import type { Locator, Page } from '@playwright/test'
import { createDatabase, databasePath, deleteDatabase, json, putIndexes } from '../../tools/ravendb/client.mjs'
import { expect, test } from '../support/raven.ts'

const NAME = 'acting'
const PATH = databasePath(NAME)

interface Stats {
  readonly Name: string
  readonly State: string
  readonly Status: string
  readonly Priority: string
  readonly LockMode: string
  readonly ErrorsCount: number
  readonly CreatedTimestamp: string
}

/** The server's state, read by another client. */
async function statsOf(url: string, index: string): Promise<Stats | undefined> {
  const { Results: all } = (await json(url, `${PATH}/indexes/stats`)) as { Results: Stats[] }
  return all.find(({ Name: name }) => name === index)
}

const notice = (page: Page): Locator => page.getByRole('region', { name: 'Actions just done' })
const activity = (page: Page): Locator => page.getByRole('list', { name: 'Actions from this browser' })

test.beforeEach(async ({ raven }) => {
  await createDatabase(raven.url, NAME)
  const commands = Array.from({ length: 500 }, (_, i) => ({
    Type: 'PUT',
    Id: `things/${i}`,
    ChangeVector: null,
    Document: { N: i % 7, '@metadata': { '@collection': 'Things' } },
  }))
  await json(raven.url, `${PATH}/bulk_docs`, { method: 'POST', body: { Commands: commands } })
  await putIndexes(raven.url, NAME, [
    { Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.N }'] },
    { Name: 'Things/Other', Maps: ['from t in docs.Things select new { M = t.N }'] },
  ])
})

test.afterEach(async ({ raven, page }) => {
  await page.goto('about:blank')
  await deleteDatabase(raven.url, NAME)
})

test('a paused index is resumed at the finding, and Activity knows it after a reload', async ({ page, raven }) => {
  await json(raven.url, `${PATH}/admin/indexes/stop`, { method: 'POST' })
  await page.goto(raven.studio('#/triage'))
  const finding = page
    .getByRole('region', { name: 'Triage' })
    .getByRole('listitem')
    .filter({ hasText: /is paused/ })
  await finding.getByRole('button', { name: 'Act on Things/ByN' }).click({ timeout: 60_000 })
  await page.getByRole('menuitem', { name: 'Resume indexing' }).click()
  await expect(notice(page)).toContainText('Done · Resumed: “Things/ByN”')
  expect((await statsOf(raven.url, 'Things/ByN'))?.Status).toBe('Running')
  expect((await statsOf(raven.url, 'Things/Other'))?.Status).toBe('Paused')
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(activity(page).getByRole('listitem')).toHaveCount(1)
  await page.reload()
  await expect(activity(page)).toContainText('Resumed: “Things/ByN” of “acting”')
  await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}`))
  await expect(page.getByRole('list', { name: 'Actions in this time' })).toContainText('Resumed: “Things/ByN”')
})
