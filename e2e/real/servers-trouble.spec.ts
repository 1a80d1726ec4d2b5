import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { bulk, createDatabase, deleteDatabase, put } from '../../tools/ravendb/client.mjs'
import { startSecuredRavenDb } from '../../tools/ravendb/secured.mjs'
import { THRIFTY } from '../../tools/ravendb/thrifty.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { NETWORK_NOISE } from '../support/fake.ts'
import { expect, startRaven, test } from '../support/raven.ts'

/* Servers side by side of which one goes away and comes back, one is secured, and one answers slowly. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

const NAME = 'beside'
const LONG_MS = 60_000

/** Address in front of a server, whose responses come later by `delay.ms`. */
async function slowly(target: URL): Promise<{ url: string; delay: { ms: number }; close: () => void }> {
  const delay = { ms: 0 }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => open.delete(socket))
    }
    // In the order in which it came, also where the delay was shortened meanwhile.
    let sent = Promise.resolve()
    const later = (send: () => void): void => {
      const dueMs = Date.now() + delay.ms
      sent = sent.then(() => sleep(Math.max(0, dueMs - Date.now()))).then(send)
    }
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => later(() => client.writable && client.write(data)))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => later(() => client.destroy()))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = (): void => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, delay, close }
}

async function addLane(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add lane' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add lane' })
  await dialog.getByLabel('Server', { exact: true }).selectOption(name)
  await dialog.getByRole('searchbox', { name: 'Find a lane' }).fill('journal')
  const lane = `Journal writes of ${NAME} on ${name}`
  await dialog.getByRole('button', { name: lane }).click()
  await page.keyboard.press('Escape')
  return page.getByRole('region', { name: lane, exact: true })
}

const writesIn = async (lane: Locator): Promise<number> =>
  Number(/: ([\d,]+) journal write/.exec(await lane.innerText())?.[1]?.replaceAll(',', '') ?? 0)

test('a server that goes away under its lane comes back to it, beside a secured and a slow one @full', async ({
  raven,
  page,
  complaints,
}) => {
  test.setTimeout(300_000)
  complaints.allow(NETWORK_NOISE)
  const [away, secured, slow] = await Promise.all([
    startRaven({ version: '7.1.5' }),
    startSecuredRavenDb({ version: '7.1.5', databases: [NAME], env: THRIFTY }),
    slowly(new URL(raven.url)),
  ])
  const identity = { ca: secured.ca, cert: secured.admin.cert, key: secured.admin.key }
  const servers = [{ target: raven.url }, { target: away.url }, { target: secured.url, identity }, { target: slow.url }]
  const served = await serveStudio({ dist: resolve(import.meta.dirname, '../../dist'), servers })
  const hostOf = (url: string): string => new URL(url).host
  const at = (hash: string): string => `${served.url}/servers/${hostOf(raven.url)}/studio/index.html${hash}`
  const rows = page.getByRole('table', { name: 'Servers, worst first', exact: true })
  const rowOf = (url: string): Locator =>
    rows.getByRole('row').filter({ has: page.getByRole('link', { name: hostOf(url) }) })
  try {
    for (const url of [raven.url, away.url]) await createDatabase(url, NAME)
    await page.goto(served.page())
    await test.step('all are watched, whatever certificate each wants', async () => {
      await page.goto(at('#/servers'))
      for (const { target } of servers)
        await expect(rowOf(target)).toContainText(/answers.*7\.1\.5.*%.*iB/s, { timeout: LONG_MS })
      slow.delay.ms = 14_000
      await expect(rowOf(slow.url)).toContainText(/does not answer since .*within 10 s/s, { timeout: LONG_MS })
      slow.delay.ms = 0
      await expect(rowOf(slow.url)).toContainText(/answers/, { timeout: LONG_MS })
    })

    await page.goto(at(`#/timeline?v=2&s=db:${NAME}&clock=utc`))
    const ofSecured = await addLane(page, hostOf(secured.url))
    const ofAway = await addLane(page, hostOf(away.url))
    await test.step('lanes of a secured server', async () => {
      await secured.call('POST', `/databases/${NAME}/bulk_docs`, { Commands: [put('things/1', 'Things', { N: 1 })] })
      await expect.poll(() => writesIn(ofSecured), { timeout: LONG_MS }).toBeGreaterThan(0)
    })
    await test.step('a lane of a server that goes away and comes back', async () => {
      await bulk(away.url, NAME, [put('things/1', 'Things', { N: 1 })])
      await expect.poll(() => writesIn(ofAway), { timeout: LONG_MS }).toBeGreaterThan(0)
      const before = await writesIn(ofAway)
      await away.kill()
      await expect(page.getByText('failed', { exact: true })).toBeVisible({ timeout: LONG_MS })
      await away.restart()
      await bulk(away.url, NAME, [put('things/2', 'Things', { N: 1 })])
      await expect.poll(() => writesIn(ofAway), { timeout: LONG_MS }).toBeGreaterThan(before)
      await expect(page.getByText('failed', { exact: true })).toHaveCount(0)
    })
  } finally {
    await page.close()
    await served.close()
    slow.close()
    await Promise.all([away.close(), secured.close(), deleteDatabase(raven.url, NAME)])
  }
})
