import { bulk, createDatabase, put, putIndexes } from '../../tools/ravendb/client.mjs'
import { INDEXES } from '../../tools/workload/indexes.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { LONG_MS } from '../support/actions.ts'
import { expect, startRaven, test } from '../support/raven.ts'
import { delaysTest, JOURNAL_WAITS, NO_COMPILER } from '../support/delays.ts'

test('under indexing load the thread of a named index is found by that name, in the engine @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(300_000)
  await createDatabase(raven.url, 'stacked')
  // Threads are of the whole process: another database has indexes of the same names.
  await createDatabase(raven.url, 'twin')
  await putIndexes(raven.url, 'twin', INDEXES)
  const ofStacked = /Indexing of Users\/\S+ of stacked/
  const done = new AbortController()
  const load = runWorkload({ url: raven.url, database: 'stacked', documents: 10_000, rate: 500, signal: done.signal })
  try {
    await page.goto(raven.studio('#/stacks?v=1&s=db:stacked'))
    const table = page.getByRole('table', { name: 'Threads' })
    // A server that gets 2 % of the machine was still compiling its indexes after 30 s.
    await expect(table.getByRole('row').filter({ hasText: ofStacked }).first()).toBeVisible({ timeout: LONG_MS })

    // No snapshot is taken by itself.
    await expect(page.getByText(/The last one took/)).toHaveCount(0)
    await expect(async () => {
      await page.getByRole('button', { name: 'Take stack snapshot' }).click()
      await expect(page.getByText(/The last one took/)).toBeVisible({ timeout: 30_000 })
      await page.getByRole('searchbox', { name: /Search threads and frames/ }).fill('Raven.Server.Documents.Indexes')
      const found = table.getByRole('row').filter({ hasText: ofStacked })
      await expect(found.first()).toBeVisible({ timeout: 4000 })
    }).toPass({ timeout: 120_000, intervals: [2000] })

    // A step leads from the thread to its index, and another one back.
    await table.getByRole('row').filter({ hasText: ofStacked }).first().click()
    const card = page.getByRole('region', { name: 'Selected thread' })
    const named = /Indexing of (\S+) of stacked/
    await expect(card).toContainText(named)
    const name = named.exec(await card.innerText())![1]!
    await card.getByRole('link', { name: 'Its indexing over time' }).click()
    await page
      .getByRole('table', { name: 'Indexes in view' })
      .getByRole('row')
      .filter({ hasText: name })
      .first()
      .click()
    await page.getByRole('link', { name: 'Its thread now' }).first().click()
    await expect(
      table
        .getByRole('row')
        .filter({ hasText: `Indexing of ${name} of stacked` })
        .first(),
    ).toBeVisible({ timeout: LONG_MS })
  } finally {
    done.abort()
    await load.catch(() => undefined)
  }
})

delaysTest(
  'a series during writes catches the transaction merger in Voron’s journal write; it is stopped, and stays @full',
  async ({ page, ravenVersion, delays }) => {
    test.skip(ravenVersion !== '7.1.5', 'Earlier versions write their journals the same way.')
    test.skip(delays === null, NO_COMPILER)
    test.setTimeout(300_000)
    const raven = await startRaven({ version: ravenVersion, env: delays?.env ?? {} })
    await createDatabase(raven.url, 'written')
    await delays?.set(JOURNAL_WAITS)
    const over = new AbortController()
    const write = async (): Promise<void> => {
      for (let i = 0; !over.signal.aborted; i++)
        await bulk(raven.url, 'written', [put(`texts/${i % 10}`, 'Texts', { i })])
    }
    const load = write()
    try {
      const params = new URLSearchParams({ v: '1', s: 'db:written' })
      params.set('stacks.jobs', 'merger:written')
      params.set('stacks.find', 'Voron\\..*Journal(Writer|File)\\.Write')
      params.set('stacks.regex', 'on')
      await page.goto(raven.studio(`#/stacks?${params.toString()}`))
      await page.getByRole('button', { name: 'Series …' }).click()
      const dialog = page.getByRole('dialog', { name: 'Take a series of snapshots' })
      await dialog.getByRole('textbox', { name: 'Every' }).fill('2')
      await dialog.getByRole('textbox', { name: 'How many' }).fill('40')
      await dialog.getByRole('button', { name: 'Start series' }).click()
      const found = page
        .getByRole('table', { name: 'Threads' })
        .getByRole('row')
        .filter({ hasText: 'merger of written' })
      await expect(found.first()).toBeVisible({ timeout: 100_000 })
      await page.getByRole('button', { name: 'Stop series' }).click()
      await expect(page.getByText(/Series stopped after \d+ of 40; so far .* attached/)).toBeVisible()
      // Another snapshot may have come between the check and the click.
      await expect(async () => {
        if (!(await found.first().isVisible()))
          await page.getByRole('table', { name: 'Threads' }).locator('[tabindex="0"]').first().press('[')
        await expect(found.first()).toBeVisible({ timeout: 1000 })
      }).toPass({ timeout: 30_000 })
      await page.getByRole('button', { name: 'CPU chart' }).click()
      const figures = page.getByRole('table', { name: 'CPU of the machine in this range' }).getByRole('row')
      for (const name of ['Rest of process', 'Rest of machine', 'Idle'])
        await expect(figures.filter({ hasText: name })).toContainText(/\d %/)
      await found.first().click()
      const card = page.getByRole('region', { name: 'Selected thread' })
      await expect(card).toContainText('Writes the journal; waits for the disk: journal write')
      const frames = card.getByRole('list', { name: 'Stack, innermost first' })
      await expect(frames.getByText(/^Journal(Writer|File)\.Write/).first()).toBeVisible()
      await expect(frames.getByText(/TransactionOperationsMerger.*MergeOperationThreadProc/).first()).toBeVisible()
    } finally {
      over.abort()
      await load.catch(() => undefined)
      await page.goto('about:blank')
      await raven.close()
    }
  },
)
