import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bulk, createDatabase, deleteDatabase, put } from '../../tools/ravendb/client.mjs'
import { FaultProxy } from '../soak/proxy.ts'
import { actOn, confirm, dialog, LONG_MS, notice } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'

/* A browser repeats a request by itself on each kept connection that drops before a response. */

const NAME = 'clicked'

test('one click is one request, whatever connections the browser has kept', async ({
  page,
  raven,
  ravenVersion,
  complaints,
}) => {
  test.skip(ravenVersion !== '7.1.5', 'What is held here is the browser.')
  complaints.allow(/Failed to load resource|ERR_/)
  const network = await FaultProxy.open(raven.url)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-clicked-'))
  const sent = (path: RegExp): number =>
    network.requested.filter((each) => path.test(each.path) && each.method === 'POST').length
  try {
    await createDatabase(raven.url, NAME)
    await bulk(raven.url, NAME, [put('things/1', 'Things', { n: 1 })])
    await page.goto(`${network.url}/studio/index.html#/databases`)
    await actOn(page, `“${NAME}”`, 'Back up now …')
    await dialog(page).getByRole('textbox', { name: 'Folder on the server' }).fill(folder)
    // A browser keeps at most six connections.
    const keepConnections = (): Promise<unknown> =>
      page.evaluate(() => Promise.all(Array.from({ length: 6 }, () => fetch('/build/version', { cache: 'no-store' }))))
    network.become({ is: 'cut', path: /^POST / })
    await keepConnections()
    // The browser retries a request without precautions.
    await page.evaluate(() => fetch('/admin/operations/kill?id=999', { method: 'POST', body: '{}' }).catch(() => null))
    expect(sent(/kill/)).toBeGreaterThan(1)
    await keepConnections()
    await confirm(page, 'Back up now')
    await expect(notice(page)).toContainText(/Backed up.*The response was lost/, { timeout: LONG_MS })
    expect(sent(/admin\/backup/)).toBe(1)
    expect(await readdir(folder)).toHaveLength(1)
  } finally {
    await page.goto('about:blank')
    await network.close()
    await deleteDatabase(raven.url, NAME)
    await rm(folder, { recursive: true, force: true })
  }
})
