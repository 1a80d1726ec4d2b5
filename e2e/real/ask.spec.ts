import { createDatabase } from '../../tools/ravendb/client.mjs'
import { expect, test } from '../support/raven.ts'

test('SQL over the I/O of the server that serves the page @full', async ({ page, raven }) => {
  await createDatabase(raven.url, 'asked-io')
  await page.goto(raven.studio('#/io?v=2&s=db:asked-io'))
  await expect.poll(() => page.evaluate(() => globalThis.rookery.summary().rows.length)).toBeGreaterThan(0)
  await page.evaluate(() => (location.hash = '#/archive?v=2&s=db:asked-io&archive.view=ask'))
  await page.getByRole('button', { name: /^Load DuckDB/ }).click()
  await page.getByLabel('SQL').fill(`select kind, count(*) as events from io group by all order by all`)
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('cell', { name: 'JournalWrite' })).toBeVisible()
})
