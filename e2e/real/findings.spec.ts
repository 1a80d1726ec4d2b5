import { databaseExists, databasePath, createDatabase, deleteDatabase, json } from '../../tools/ravendb/client.mjs'
import { requestLong } from '../support/long-query.ts'
import { keptHistory } from '../support/kept-history.ts'
import { expect, isLoaded, SLEEPY, test as base } from '../support/raven.ts'
import { untilWitness } from '../support/studio.ts'
import type { Locator, Page } from '@playwright/test'
import { openPanel } from '../support/panels.ts'

/*
 * Follows the link of each finding that can be provoked here to its object. In other tests: database-faulted,
 * database-loading, cpu-credits, server-alerts (database-states.spec.ts) and rights (secured.spec.ts). Not followed:
 * - disk-full, disk-queue, slow-writes: they take a full or a slow device;
 * - low-memory, dirty-memory, gc-pauses, cpu-busy: they take the memory or the CPU of the whole machine;
 * - merger-queue: it takes a minute of writers that fill a core;
 * - clock-jump: it takes a machine whose clock may be set; licence: an expired one; cluster-node: a second node;
 * - server-unresponsive: while it lasts there is nothing to be had, and the page Server says so (vitals.spec.ts).
 */

const NAME = 'orders'

/** Removes the traces of a test before the next one. */
const test = base.extend<{ tidied: void }>({
  tidied: [
    async ({ raven, page }, use) => {
      await use()
      await page.goto('about:blank')
      if (await databaseExists(raven.url, NAME)) await deleteDatabase(raven.url, NAME)
    },
    { auto: true },
  ],
})

async function putThings(url: string, from: number, count: number): Promise<void> {
  const commands = Array.from({ length: count }, (_, i) => ({
    Type: 'PUT',
    Id: `things/${String(from + i)}`,
    ChangeVector: null,
    Document: { N: (from + i) % 7, Rest: (from + i) % 8, '@metadata': { '@collection': 'Things' } },
  }))
  await json(url, `${databasePath(NAME)}/bulk_docs`, { method: 'POST', body: { Commands: commands } })
}

const putIndex = (url: string, name: string, map: string): Promise<unknown> =>
  json(url, `${databasePath(NAME)}/admin/indexes`, { method: 'PUT', body: { Indexes: [{ Name: name, Maps: [map] }] } })

const finding = (page: Page, text: RegExp): Locator =>
  page.getByRole('region', { name: 'Triage' }).getByRole('listitem').filter({ hasText: text }).first()

async function follow(page: Page, text: RegExp): Promise<void> {
  await openPanel(page, 'Triage')
  await expect(finding(page, text)).toBeVisible({ timeout: 60_000 })
  await finding(page, text)
    .getByRole('link', { name: /^Open / })
    .click()
}

/** Here, and in sight. */
async function expectInView(object: Locator): Promise<void> {
  await expect(object).toBeVisible()
  await expect(object).toBeInViewport()
}

test.describe.configure({ mode: 'parallel' })

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5',
  'Links are ours; what each version reports is held by unit tests with its recordings.',
)

test('findings about indexes lead to the index and its errors, and know since when after a reload @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(240_000)
  const { url } = raven
  await createDatabase(url, NAME)
  await putThings(url, 0, 2000)
  await putIndex(url, 'Things/Broken', 'from d in docs.Things select new { X = 1 / (d.N - d.N) }')
  await putIndex(url, 'Things/Paused', 'from d in docs.Things select new { d.N }')
  const paused = encodeURIComponent('Things/Paused')
  await json(url, `${databasePath(NAME)}/admin/indexes/stop?name=${paused}`, { method: 'POST' })
  let written = 2000
  const writing = setInterval(() => {
    putThings(url, written, 20).catch(() => undefined)
    written += 20
  }, 1000)
  const broken = /The index “Things\/Broken” of “orders” stopped with errors/
  try {
    await page.goto(raven.studio('#/triage'))

    await test.step('an errored index: its name, its first errors, its lane and its table of errors', async () => {
      const item = finding(page, broken)
      await expect(item).toBeVisible({ timeout: 60_000 })
      await item.getByText('First errors').click()
      await expect(item.getByRole('listitem').filter({ hasText: 'Attempted to divide by zero' }).first()).toContainText(
        /Things\/Broken.*things\/\d+.*Map/,
      )
      await follow(page, broken)
      await expectInView(page.getByRole('button', { name: /^Things\/Broken/, expanded: true }))
      const errors = page.getByRole('table', { name: 'Index errors' })
      await expect(errors.getByRole('row').nth(1)).toContainText('Attempted to divide by zero')
      await errors.getByRole('row').nth(1).click()
      await expect(page.getByRole('region', { name: 'Index error', exact: true })).toContainText(
        'DivideByZeroException',
      )
    })

    await test.step('since when survives a reload', async () => {
      await openPanel(page, 'Triage')
      const since = finding(page, broken).getByText(/^since /)
      await expect(since).toBeVisible({ timeout: 30_000 })
      const before = (await since.innerText()).replace(/ \(.*/, '')
      await expect.poll(async () => (await keptHistory(page, 'meta')).join()).toContain('Things/Broken')
      await page.reload()
      await expect(since).toHaveText(new RegExp(`^${before}`), { timeout: 60_000 })
    })

    await test.step('a paused index: its lane', async () => {
      await follow(page, /“Things\/Paused” of “orders” does not run/)
      await expectInView(page.getByRole('button', { name: /^Things\/Paused.*paused/, expanded: true }))
    })

    await test.step('errors that grow to the 500 that the server keeps: the index, its lane and all of them', async () => {
      await putIndex(url, 'Things/Some', 'from d in docs.Things select new { X = 1 / d.Rest }')
      for (const from of [1_000_000, 2_000_000]) await putThings(url, from, 2400)
      await follow(page, /Indexing errors in “Things\/Some” of “orders”/)
      await expectInView(page.getByRole('button', { name: /^Things\/Some/, expanded: true }))
      await expect(page.getByRole('status').filter({ hasText: /^500 errors as of/ })).toBeVisible()
      const rows = page.getByRole('table', { name: 'Index errors' }).getByRole('row')
      await expect(rows.nth(1)).toContainText(/Things\/Some.*things\/\d+.*Map/)
    })
  } finally {
    clearInterval(writing)
  }
})

test('a long query leads to itself, its index and, when it is over, its record; stopped indexing to the database @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(240_000)
  await page.goto(raven.studio('#/triage'))
  await expect(page.getByRole('region', { name: 'Vital signs' })).toBeVisible()
  const { end } = await requestLong(raven.url, 'waited')
  // The one that the link leads to: on a busy machine the query that made the index may still be listed as well.
  const card = (where: Page | Locator): Locator =>
    where.getByRole('listitem', { name: /^Query \d+ on waited$/ }).and(page.locator('[aria-current="true"]'))

  await test.step('the query: its text, since when, its database and its index', async () => {
    await follow(page, /A query on “waited” has been running for/)
    await expectInView(card(page))
    await expect(card(page)).toContainText('from Users where n = 1')
    await expect(card(page)).toContainText(/running for \d\d(\.\d+)? s/)
    await expect(card(page)).toContainText('waits until the index is up to date')
    await card(page)
      .getByRole('link', { name: /^Auto\/Users/ })
      .click()
    await expectInView(page.getByRole('button', { name: /^Auto\/Users/, expanded: true }))
  })

  await test.step('all indexing of a database is paused: its details, with the index', async () => {
    await follow(page, /Indexing of “waited” is paused/)
    const detail = page.getByRole('region', { name: 'Database waited' })
    await expectInView(detail)
    await expect(detail).toContainText(/Indexing\s*paused/)
    const indexes = detail.getByRole('region', { name: 'Indexes of waited' })
    await expect(indexes.getByRole('row', { name: /^Auto\/Users/ })).toContainText('paused')
  })

  await test.step('a link to a query that is over leads to its record', async () => {
    await follow(page, /A query on “waited” has been running for/)
    await end()
    const over = page.getByRole('region', { name: 'Ended queries' })
    await expectInView(card(over))
    await expect(card(over)).toContainText(/ended after (1 min( \d+ s)?|\d\d(\.\d+)? s) or more/)
  })
})

test('a stall and a restart lead to that time on Server, where both are named @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.setTimeout(180_000)
  complaints.allow(/Failed to load resource|WebSocket connection|ERR_CONNECTION_REFUSED/)
  await page.goto(raven.studio('#/triage'))
  await expect(page.getByRole('region', { name: 'Vital signs' })).toContainText(/CPU of the machine\s*\d/)
  await untilWitness(page)
  await raven.freeze(8000)
  await follow(page, /^(warning)?\s*The server was unresponsive for/)
  const gaps = page.getByRole('region', { name: 'Gaps' })
  await expectInView(gaps)
  await expect(gaps.getByRole('listitem').filter({ hasText: 'did not answer' }).first()).toBeVisible()

  await raven.kill()
  await raven.restart()
  await follow(page, /The server was restarted/)
  const starts = page.getByRole('region', { name: 'Starts of the server' })
  await expectInView(starts)
  await expect(starts).toHaveAttribute('aria-current', 'true')
  await expect(starts.getByRole('listitem').first()).toContainText('seen from here')
})

test('the details of a database show why nothing is known of it, and its indexes once it is loaded @full', async ({
  page,
  raven,
}) => {
  const { url } = raven
  await createDatabase(url, NAME)
  await json(url, '/admin/databases/disable', { method: 'POST', body: { DatabaseNames: [NAME] } })
  await page.goto(raven.studio(`#/databases?v=1&databases.open=${NAME}`))
  const detail = page.getByRole('region', { name: `Database ${NAME}` })
  await expect(detail).toContainText('Its indexes, storage, tasks, alerts and hints are known once it is loaded.')
  // Enabling loads it.
  await json(url, '/admin/databases/enable', { method: 'POST', body: { DatabaseNames: [NAME] } })
  await expect(detail).toContainText('It has no index.', { timeout: 30_000 })
  await expect(detail).toContainText('No open alerts or hints.')
})

test('the details of an unloaded database load it at a click, and show its performance hints @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.setTimeout(240_000)
  complaints.allow(/WebSocket connection/)
  const { url } = raven
  await createDatabase(url, NAME, { settings: SLEEPY })
  await putThings(url, 0, 2100)
  // More results than `PerformanceHints.MaxNumberOfResults` (2048) in one response.
  await json(url, `${databasePath(NAME)}/queries`, { method: 'POST', body: { Query: 'from Things' } })
  const hints = async (): Promise<unknown> =>
    ((await json(url, `${databasePath(NAME)}/notifications?type=PerformanceHint`)) as { TotalResults: number })
      .TotalResults
  await expect.poll(hints, { timeout: 120_000, intervals: [2000] }).toBeGreaterThan(0)
  await expect.poll(() => isLoaded(url, NAME), { timeout: 60_000 }).toBe(false)
  await page.goto(raven.studio(`#/databases?v=1&databases.open=${NAME}`))
  const detail = page.getByRole('region', { name: `Database ${NAME}` })
  await expect(detail).toContainText('unloaded')
  await detail.getByRole('button', { name: /^Load/ }).first().click()
  const notices = detail.getByRole('region', { name: `Alerts and hints of ${NAME}` })
  const hint = notices.getByRole('listitem').filter({ hasText: 'Page size too big' }).first()
  await expect(hint).toBeVisible({ timeout: 30_000 })
  await hint.getByText('Details', { exact: true }).first().click()
  const table = hint.getByRole('region', { name: 'Details' })
  await expect(table.getByRole('columnheader', { name: 'Number of results' })).toBeVisible()
  await expect(table.getByRole('row').filter({ hasText: 'from Things' }).first()).toContainText('2,100')
  await hint.getByRole('button', { name: /^Actions on notification “PerformanceHint/ }).click()
  await page.getByRole('menuitem', { name: 'Dismiss …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(hint).toHaveCount(0, { timeout: 30_000 })
  expect(await hints()).toBe(0)
})
