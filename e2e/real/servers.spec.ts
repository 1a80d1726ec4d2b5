import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { clockAhead } from '../../tools/delays/compile.mjs'
import { bulk, createDatabase, deleteDatabase, put } from '../../tools/ravendb/client.mjs'
import { startRavenDb } from '../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { violationsEverywhere } from '../support/accessibility.ts'
import { LONG_MS } from '../support/actions.ts'
import { expect, test, type Raven } from '../support/raven.ts'

/* Several servers behind the stand-alone server: the page Servers, and the studio of each at a path of its own. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the stand-alone server and its page.')

/** Adds a lane of the second server to Timeline, and finds a write to that server at the time of this computer. */
async function seeBesideEachOther(page: Page, name: string, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Add lane' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add lane' })
  await dialog.getByLabel('Server', { exact: true }).selectOption(name)
  await dialog.getByRole('searchbox', { name: 'Find a lane' }).fill('journal')
  const lane = `Journal writes of of-the-second on ${name}`
  await dialog.getByRole('button', { name: lane }).click()
  const table = page.getByRole('region', { name: lane, exact: true })
  const clocks = page.getByRole('region', { name: 'Clocks of the lanes' })
  const within = new RegExp(`The clock of ${name} is (?:1 h ahead of )?that of this server, within ([\\d.]+) ms`)
  await expect(clocks).toContainText(within, { timeout: LONG_MS })
  // The difference is read from round trips, which a busy machine makes longer.
  const wrongMs = 200 + Number(within.exec(await clocks.innerText())?.[1])
  const from = Date.now()
  await bulk(url, 'of-the-second', [put('things/1', 'Things', { N: 1 })])
  const to = Date.now()
  await expect(table).toContainText(/: \d+ journal write/, { timeout: LONG_MS })
  await table.locator('summary').click()
  // Lanes of both servers stand in the time of the first, whose clock is that of this computer.
  await expect
    .poll(
      async () => {
        const texts = await table.getByRole('row').locator('td:first-child').allInnerTexts()
        return texts
          .map((text) => Date.parse(`${text.replace(' ', 'T')}Z`))
          .filter((ms) => ms >= from - wrongMs && ms <= to + wrongMs).length
      },
      { timeout: LONG_MS },
    )
    .toBeGreaterThan(0)
}

interface Both {
  readonly served: Awaited<ReturnType<typeof serveStudio>>
  readonly other: Awaited<ReturnType<typeof startRavenDb>>
  /** Names in paths: that of the worker's server, and of the other. */
  readonly first: string
  readonly second: string
}

/** The worker's server and another one behind the stand-alone server, each with a database. */
async function withBoth(raven: Raven, page: Page, env: NodeJS.ProcessEnv, use: (both: Both) => Promise<void>) {
  const other = await startRavenDb({ version: '7.1.5', env: { ...THRIFTY, ...env } })
  const dist = resolve(import.meta.dirname, '../../dist')
  const served = await serveStudio({ dist, servers: [{ target: raven.url }, { target: other.url }] })
  try {
    await createDatabase(raven.url, 'of-the-first')
    await createDatabase(other.url, 'of-the-second')
    await use({ served, other, first: new URL(raven.url).host, second: new URL(other.url).host })
  } finally {
    // Requests of the page while its server ends are no complaint.
    await page.close()
    await served.close()
    await other.stop()
    await deleteDatabase(raven.url, 'of-the-first')
  }
}

test('shows all servers worst first, opens each in its own studio, and says since when one is away', async ({
  raven,
  page,
}) => {
  test.setTimeout(300_000)
  await withBoth(raven, page, {}, async ({ served, other, first, second }) => {
    await page.goto(served.page())
    const panels = page.getByRole('navigation', { name: 'Panels' })
    await panels.getByRole('link', { name: 'Servers' }).click()
    const rows = page.getByRole('table', { name: 'Servers, worst first', exact: true })
    for (const host of [first, second]) {
      const row = rows.getByRole('row').filter({ has: page.getByRole('link', { name: host }) })
      await expect(row).toContainText(/answers.*7\.1\.5.*%.*iB/s, { timeout: LONG_MS })
      // None is called well before all that can be judged at once is judged.
      await expect(row).toContainText(/none by \d+ of \d+ checks|warning|critical/, { timeout: LONG_MS })
    }
    // Permission and preferences of the one are not those of the other.
    await page.evaluate(() => localStorage.setItem(`rookery.${location.pathname.slice(0, -18)}.viewOnly`, 'on'))
    await rows.getByRole('link', { name: second }).click()
    await page.waitForURL((url) => url.pathname === `/servers/${second}/studio/index.html`)
    await panels.getByRole('link', { name: 'Databases' }).click()
    await expect(page.getByText('of-the-second').first()).toBeVisible()
    await expect(page.getByText('of-the-first')).toHaveCount(0)
    await expect(page.getByRole('status', { name: 'Server', exact: true })).toContainText(second)
    await expect(page.getByRole('status', { name: 'Server', exact: true })).not.toContainText('/servers/')

    await page.goto(`${served.url}/servers/${first}/studio/index.html#/servers`)
    await other.stop()
    const away = rows.getByRole('row').nth(1)
    await expect(away).toContainText(/does not answer since .*Last answer: /s, { timeout: LONG_MS })
    await expect(away).toContainText(second)
    await expect(page.getByText('2 servers: 1 does not answer')).toBeVisible()
  })
})

test('lanes of two servers stand on one axis, whatever their clocks say, and each server has its row @full', async ({
  raven,
  page,
}) => {
  test.setTimeout(300_000)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-clock-'))
  try {
    // Without a C compiler both have one clock.
    const ahead = (await clockAhead(folder, 3600)) ?? {}
    await withBoth(raven, page, ahead, async ({ served, other, first, second }) => {
      await page.goto(`${served.url}/servers/${first}/studio/index.html#/servers`)
      const rows = page.getByRole('table', { name: 'Servers, worst first', exact: true }).getByRole('row')
      for (const host of [first, second])
        await expect(rows.filter({ has: page.getByRole('link', { name: host }) })).toContainText(
          /answers.*none by \d+ of \d+ checks|warning|critical/,
          { timeout: LONG_MS },
        )
      expect(await violationsEverywhere(page)).toEqual([])
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.goto(`${served.url}/servers/${first}/studio/index.html#/timeline?v=2&s=db:of-the-first&clock=utc`)
      await seeBesideEachOther(page, second, other.url)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
