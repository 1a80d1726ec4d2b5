import { resolve } from 'node:path'
import { createDatabase, deleteDatabase } from '../../tools/ravendb/client.mjs'
import { startRavenDb } from '../../tools/ravendb/run.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { expect, test } from '../support/raven.ts'

/* Several servers behind the stand-alone server: the page Servers, and the studio of each at a path of its own. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the stand-alone server and its page.')

test('shows all servers worst first, opens each in its own studio, and says since when one is away', async ({
  raven,
  page,
}) => {
  const dist = resolve(import.meta.dirname, '../../dist')
  const other = await startRavenDb({ version: '7.1.5', env: THRIFTY })
  const served = await serveStudio({ dist, servers: [{ target: raven.url }, { target: other.url }] })
  const first = new URL(raven.url).host
  const second = new URL(other.url).host
  try {
    await createDatabase(raven.url, 'of-the-first')
    await createDatabase(other.url, 'of-the-second')
    await page.goto(served.page())
    const panels = page.getByRole('navigation', { name: 'Panels' })
    await panels.getByRole('link', { name: 'Servers' }).click()
    const rows = page.getByRole('table', { name: 'Servers, worst first' })
    for (const host of [first, second]) {
      const row = rows.getByRole('row').filter({ has: page.getByRole('link', { name: host }) })
      await expect(row).toContainText(/answers.*7\.1\.5.*%.*iB/s)
      // None is called well before all that can be judged at once is judged.
      await expect(row).toContainText(/none by \d+ of \d+ checks|warning|critical/, { timeout: 30_000 })
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
    await expect(away).toContainText(/does not answer since .*Last answer: /s, { timeout: 30_000 })
    await expect(away).toContainText(second)
    await expect(page.getByText('2 servers: 1 does not answer')).toBeVisible()
  } finally {
    // Requests of the page while its server ends are no complaint.
    await page.close()
    await served.close()
    await other.stop()
    await deleteDatabase(raven.url, 'of-the-first')
  }
})
