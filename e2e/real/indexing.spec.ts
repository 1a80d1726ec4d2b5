import { createDatabase } from '../../tools/ravendb/client.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { IndependentBatches } from '../support/independent-batches.ts'
import { expect, test } from '../support/raven.ts'
import { summaryOf } from '../support/studio.ts'

test('six indexes at work: batches and documents of each equal those that the server tells another listener', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  await createDatabase(raven.url, 'indexed')
  await page.goto(raven.studio('#/indexing?v=1&s=db:indexed'))
  await expect(page.getByRole('region', { name: 'Indexing', exact: true })).toBeVisible()
  const independent = new IndependentBatches(raven.url, 'indexed')
  await independent.opened()
  await runWorkload({ url: raven.url, database: 'indexed', documents: 4000, once: true })

  const counts = (sums: Record<string, { count: number }>) =>
    Object.fromEntries(Object.entries(sums).map(([index, { count }]) => [index, count]))
  await expect(async () => {
    const rows = (await summaryOf(page)).rows.filter(({ feed }) => feed === 'indexing')
    const ours: Record<string, { count: number }> = {}
    for (const { environment, count } of rows) ours[environment] = { count: (ours[environment]?.count ?? 0) + count }
    const theirs = independent.sums()
    expect(Object.keys(theirs)).toHaveLength(6)
    expect(counts(ours)).toEqual(counts(theirs))
  }).toPass({ timeout: 90_000, intervals: [3000] })

  await page.getByRole('button', { name: 'Fit all' }).click()
  const table = page.getByRole('table', { name: 'Indexes in view' })
  for (const [index, { documents }] of Object.entries(independent.sums()))
    await expect(table.getByRole('row').filter({ hasText: index })).toContainText(documents.toLocaleString('en-US'))
  independent.close()
})
