import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createDatabase } from '../../tools/ravendb/client.mjs'
import { requestLong } from '../support/long-query.ts'
import { expect, startRaven, test } from '../support/raven.ts'
import { untilWitness } from '../support/studio.ts'

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5',
  'When it is reported is ours; lists of queries and servers that are gone are read on every version elsewhere.',
)

const panel = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

const VISITS = ['Stacks', 'Indexing', 'I/O', 'Vitals', 'Databases'] as const

test('a query that runs for a minute is reported within 40 s of its start, on whatever panel the user is @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  await page.goto(raven.studio('#/triage?v=1'))
  await expect(page.getByRole('region', { name: 'Vital signs' })).toBeVisible()
  const { startMs, end } = await requestLong(raven.url, 'waited')
  // Other tests may have left databases on the server: without a source, a panel has them to choose from.
  await page.goto(raven.studio('#/triage?v=1&s=db:waited'))
  for (const name of VISITS) {
    await panel(page, name).click()
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
  }
  // The badge is on the panel in front; the rule speaks from 30 s on.
  await expect(page.getByRole('img', { name: /^Findings: .*\d warning/ })).toBeVisible({
    timeout: startMs + 40_000 - Date.now(),
  })
  await panel(page, 'Triage').click()
  await expect(page.getByText(/^A query on “waited” has been running for/).first()).toBeVisible({
    timeout: Math.max(1000, startMs + 40_000 - Date.now()),
  })
  await end()
})

test('a server that is stopped is reported while it is, and with its right duration after @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.setTimeout(180_000)
  complaints.allow(/Failed to load resource|WebSocket connection/)
  await page.goto(raven.studio('#/triage?v=1'))
  await expect(page.getByRole('region', { name: 'Vital signs' })).toContainText(/CPU of the machine\s*\d/)
  await untilWitness(page)
  const stoppedMs = Date.now()
  const resume = raven.suspend()
  const server = page.getByRole('status', { name: 'Server', exact: true })
  try {
    await expect(server).toContainText(/last data \d+ seconds ago/)
    await expect(page.getByText(/^The server has been unresponsive for/).first()).toBeVisible()
  } finally {
    resume()
  }
  const stoppedFor = (Date.now() - stoppedMs) / 1000
  const after = page.getByText(/^The server was unresponsive for [\d.]+ s, .* ago\./).first()
  await expect(after).toBeVisible()
  const seconds = Number(/for ([\d.]+) s/.exec((await after.textContent()) ?? '')?.[1])
  // Before it was stopped the server may not have sent for a second or two, and on a busy machine what it had sent may
  // have been read late.
  expect(seconds).toBeGreaterThan(stoppedFor - 5)
  expect(seconds).toBeLessThan((Date.now() - stoppedMs) / 1000 + 5)
  await expect(server).toContainText('connected')
  await expect(server).not.toContainText('last data')
})

test('a server that comes back with an empty data folder, as with a volume that is missing, is not called well @full', async ({
  page,
  ravenVersion,
  complaints,
}) => {
  test.setTimeout(240_000)
  complaints.allow(/Failed to load resource|WebSocket connection|ERR_CONNECTION_REFUSED/)
  const raven = await startRaven({ version: ravenVersion })
  try {
    for (const name of ['orders', 'users']) await createDatabase(raven.url, name)
    await page.goto(raven.studio('#/triage?v=2'))
    await expect(page.getByText(/2 of 2 databases loaded/).first()).toBeVisible({ timeout: 60_000 })
    await raven.terminate()
    for (const entry of await readdir(raven.dataDir)) await rm(join(raven.dataDir, entry), { recursive: true })
    await raven.restart()
    const finding = page.getByRole('listitem').filter({ hasText: 'Another server answers at this address' }).first()
    await expect(finding).toContainText('without any database', { timeout: 60_000 })
    await expect(finding).toContainText(/Before: .*2 databases\. Now: RavenDB 7\.1\.5, 0 databases\./)
  } finally {
    await page.goto('about:blank')
    await raven.close()
  }
})
