import { unzipSync, zipSync } from 'fflate'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import { auditPackagedDatabase, auditPackagedServer, unpack } from '../audit/package.ts'
import { Report } from '../audit/report.ts'
import { FakeServer } from '../support/fake-server.ts'
import { NETWORK_NOISE } from '../support/fake.ts'
import { openPanel } from '../support/panels.ts'
import { expect, startRaven, test as base, type Raven } from '../support/raven.ts'

/* A debug package of a server with provoked trouble says what the live page says, where no server is. */

/** A server that has just started: without a licence it takes no periodic backup some minutes later. */
const test = base.extend<{ own: Raven }>({
  own: async ({ ravenVersion, page }, use) => {
    const raven = await startRaven({ version: ravenVersion })
    await use(raven)
    // The page has nothing to complain of while its server ends.
    await page.goto('about:blank')
    await raven.close()
  },
})

const NAME = 'orders'
const OFF = 'archive'

const putThings = (url: string, count: number): Promise<unknown> =>
  json(url, `${databasePath(NAME)}/bulk_docs`, {
    method: 'POST',
    body: {
      Commands: Array.from({ length: count }, (_, i) => ({
        Type: 'PUT',
        Id: `things/${String(i)}`,
        Document: { Zero: 0, N: i, '@metadata': { '@collection': 'Things' } },
      })),
    },
  })

/** An index in error, one paused, deletions that both hold back, a backup that never ran, and a disabled database. */
async function provoke({ url }: Raven): Promise<void> {
  await createDatabase(url, NAME)
  await createDatabase(url, OFF)
  await json(url, `${databasePath(NAME)}/admin/periodic-backup`, {
    method: 'POST',
    body: {
      Name: 'nightly',
      BackupType: 'Backup',
      FullBackupFrequency: '0 3 1 1 *',
      LocalSettings: { FolderPath: '/tmp/rookery-never' },
    },
  })
  await putThings(url, 1200)
  const index = (name: string, map: string) => ({ Name: name, Type: 'Map', Maps: [map] })
  const path = databasePath(NAME)
  await json(url, `${path}/admin/indexes`, {
    method: 'PUT',
    body: {
      Indexes: [
        index('Broken', 'from t in docs.Things select new { X = 1 / t.Zero }'),
        index('Held', 'from t in docs.Things select new { t.N }'),
      ],
    },
  })
  await expect
    .poll(async () => JSON.stringify(await json(url, `${path}/indexes/stats`)), { timeout: 60_000 })
    .toContain('"Error"')
  await json(url, `${path}/admin/indexes/stop?name=Held`, { method: 'POST' })
  await json(url, `${path}/bulk_docs`, {
    method: 'POST',
    body: { Commands: Array.from({ length: 1100 }, (_, i) => ({ Type: 'DELETE', Id: `things/${String(i)}` })) },
  })
  await json(url, '/admin/databases/disable', { method: 'POST', body: { DatabaseNames: [OFF] } })
}

/** Both parts of the server's package in one; it would record its log for 15 s for the third. */
async function packageOf({ url }: Raven): Promise<Buffer> {
  const parts = await Promise.all(
    ['ServerWide', 'Databases'].map(async (type) => {
      const response = await fetch(`${url}/admin/debug/info-package?type=${type}`)
      return unzipSync(new Uint8Array(await response.arrayBuffer()))
    }),
  )
  return Buffer.from(zipSync({ ...parts[0], ...parts[1] }))
}

const finding = (page: Page, text: RegExp): Locator =>
  page.getByRole('region', { name: 'Triage' }).getByRole('listitem').filter({ hasText: text }).first()

/** Shows a finding that may be folded; while findings arrive, the fold may come later. */
async function unfold(page: Page, text: RegExp): Promise<void> {
  const folds = page
    .getByRole('region', { name: 'Triage' })
    .locator('details:not([open]) > summary')
    .filter({ hasText: /\d more findings?, less urgent/ })
  await expect(async () => {
    if ((await folds.count()) > 0) await folds.first().click({ timeout: 3000 })
    await expect(finding(page, text)).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 90_000 })
}

/** Events and batches of a source that the page holds. */
const counts = (page: Page, source: string): Promise<{ events: number; batches: number }> =>
  page.evaluate(async (id) => {
    await globalThis.rookery.idle()
    const rows = globalThis.rookery.summary().rows.filter((row) => row.source === id)
    const sum = (feed: string): number => rows.reduce((all, row) => all + (row.feed === feed ? row.count : 0), 0)
    return { events: sum('io'), batches: sum('indexing') }
  }, source)

const titles = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Triage' }).getByRole('heading', { level: 2 }).allInnerTexts()

/** Titles of findings of the live page that a package has, too. */
async function liveTitles(page: Page, raven: Raven): Promise<readonly string[]> {
  await page.goto(raven.studio('#/triage?v=1'))
  await expect(finding(page, /“Broken” of “orders” stopped with errors/)).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Run more checks' }).click()
  await expect(page.getByText(/^Judged by what .* and the server answered at /)).toBeVisible()
  await expect(finding(page, /tombstones of “orders” cannot be removed/)).toBeAttached()
  await unfold(page, /The backup of “orders” has never run/)
  return titles(page)
}
const BOTH = [/stopped with errors/, /cannot be removed/, /has never run/]
const ofBoth = (all: readonly string[]): readonly string[] =>
  all.filter((title) => BOTH.some((words) => words.test(title))).toSorted()

/** Opens the studio where no server is. */
async function withoutServer(page: Page, use: (open: Locator) => Promise<void>): Promise<void> {
  const alone = await new FakeServer().start()
  alone.fault(/./, { status: 404, type: 'text/html', body: '<!doctype html><title>Not found</title>' })
  try {
    await page.goto(alone.studio())
    await expect(page.getByRole('heading', { name: 'No server here' })).toBeVisible()
    await use(page.getByLabel('Open files', { exact: true }))
  } finally {
    await page.goto('about:blank')
    await alone.stop()
  }
}

test('a debug package is judged where no server is, as its server is live', async ({
  page,
  own: raven,
  complaints,
}) => {
  test.setTimeout(180_000)
  complaints.allow(NETWORK_NOISE)
  await provoke(raven)
  const contents = await packageOf(raven)
  const live = await liveTitles(page, raven)
  await withoutServer(page, async (open) => {
    await open.setInputFiles({ name: 'mail.zip', mimeType: 'application/zip', buffer: contents })
    const triage = page.getByRole('region', { name: 'Triage' })
    await expect(triage.getByRole('status')).toHaveText(
      /^As of \d{4}-\d\d-\d\d .*“Broken” of “orders” stopped with errors. \d more issues\.$/,
    )
    await expect(finding(page, /“Held” of “orders” does not run/)).toBeVisible()
    await expect(finding(page, /tombstones of “orders” cannot be removed/)).toBeVisible()
    await expect(triage.getByRole('button', { name: /^Act on/ })).toHaveCount(0)
    await unfold(page, /The backup of “orders” has never run/)
    await expect(finding(page, /The database “archive” is disabled/)).toBeVisible()
    // The paused index is known to the live page only while the database is at work.
    await expect.poll(async () => ofBoth(await titles(page))).toEqual(ofBoth(live))

    await finding(page, /stopped with errors/)
      .getByRole('link', { name: 'Entry orders/indexes.stats.json' })
      .click()
    await expect(page.getByRole('tree').getByText('Results')).toBeVisible()
    await page.goBack()
    await finding(page, /stopped with errors/)
      .getByRole('link', { name: 'Open Summary' })
      .click()
    const indexes = page.getByRole('table', { name: 'Indexes' })
    await expect(indexes.getByRole('row', { name: /^Broken Error/ })).toBeVisible()
    await expect(indexes.getByRole('row', { name: /^Held Paused, stale/ })).toBeVisible()
    await expect(page.getByText('nothing can be changed here')).toBeVisible()
    const report = new Report()
    const unpacked = unpack(contents)
    await auditPackagedDatabase(page, report, unpacked.packed, NAME)
    await page.getByRole('link', { name: 'All databases of the package' }).click()
    await expect(page.getByRole('row', { name: /^archive disabled/ })).toBeVisible()
    await openPanel(page, 'Vitals')
    await expect(page.getByRole('row', { name: `Version ${raven.version}` })).toBeVisible()
    await auditPackagedServer(page, report, unpacked)
    expect(report.wrong).toEqual([])
    expect(report.figures).toBeGreaterThanOrEqual(25)
  })
})

test('what the live page saves as a package is judged alike, and a page with a server keeps it beside a package @full', async ({
  page,
  own: raven,
  complaints,
}) => {
  test.setTimeout(180_000)
  complaints.allow(NETWORK_NOISE)
  await provoke(raven)
  const contents = await packageOf(raven)
  const live = await liveTitles(page, raven)
  // Responses and rows that the page has go out as a package, too.
  await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}`))
  await expect.poll(async () => (await counts(page, `db:${NAME}`)).batches).toBeGreaterThan(0)
  await openPanel(page, 'I/O')
  await expect.poll(async () => (await counts(page, `db:${NAME}`)).events).toBeGreaterThan(0)
  await openPanel(page, 'Triage')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as package' }).click()
  const own = await readFile(await (await download).path())
  const saved = page.getByText(/^Saved \d+ responses, .*Dropped on Rookery, it opens in Triage\.$/)
  await expect(saved).toBeVisible()
  const [, events = '', batches = ''] =
    /([\d,]+) I\/O events?, ([\d,]+) index batch/.exec(await saved.innerText()) ?? []
  const numberOf = (text: string): number => Number(text.replaceAll(',', ''))

  await withoutServer(page, async (open) => {
    await open.setInputFiles({ name: 'own.zip', mimeType: 'application/zip', buffer: own })
    await expect(finding(page, /stopped with errors/)).toBeVisible()
    await unfold(page, /has never run/)
    await expect.poll(async () => ofBoth(await titles(page))).toEqual(ofBoth(live))
    expect(await counts(page, `file:own.zip/${NAME}`)).toEqual({
      events: numberOf(events),
      batches: numberOf(batches),
    })
  })
  // A colleague at the server keeps the live page, and comes back to it.
  await page.goto(raven.studio('#/triage?v=1'))
  await page
    .getByLabel('Open files', { exact: true })
    .setInputFiles({ name: 'mail.zip', mimeType: 'application/zip', buffer: contents })
  await page.getByRole('button', { name: 'Show the live server' }).click()
  await expect(page.getByRole('button', { name: 'Run more checks' })).toBeVisible()
})
