import { createDatabase } from '../../tools/ravendb/client.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { expect, test } from '../support/raven.ts'

test('under indexing load the thread of a named index is found by that name, in the engine', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  await createDatabase(raven.url, 'stacked')
  const done = new AbortController()
  const load = runWorkload({ url: raven.url, database: 'stacked', documents: 30_000, rate: 500, signal: done.signal })
  try {
    await page.goto(raven.studio('#/stacks?v=1&s=db:stacked'))
    const table = page.getByRole('table', { name: 'Threads' })
    await expect(table.getByRole('row').filter({ hasText: 'Users/' }).first()).toBeVisible({ timeout: 30_000 })

    // Nothing is captured by itself.
    await expect(page.getByText(/The last one took/)).toHaveCount(0)
    await expect(async () => {
      await page.getByRole('button', { name: 'Capture stacks' }).click()
      await expect(page.getByText(/The last one took/)).toBeVisible({ timeout: 30_000 })
      await page.getByRole('searchbox', { name: /Search threads and frames/ }).fill('Raven.Server.Documents.Indexes')
      const found = table.getByRole('row').filter({ hasText: /Index Users\// })
      await expect(found.first()).toBeVisible({ timeout: 4000 })
    }).toPass({ timeout: 120_000, intervals: [2000] })
  } finally {
    done.abort()
    await load.catch(() => undefined)
  }
})
