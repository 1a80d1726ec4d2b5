import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Locator } from '@playwright/test'
import { createDatabase } from '../../tools/ravendb/client.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { FakeServer } from '../support/fake-server.ts'
import { NETWORK_NOISE } from '../support/fake.ts'
import { expect, startRaven, test } from '../support/raven.ts'

/* Twenty servers, of which one hangs, one is slow beyond use, one begins to hang, and one becomes another. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

const FAKES = 16
const LONG_MS = 60_000

/** Accepts every connection, and does `say` with it. */
async function accepting(say: (socket: Socket) => void): Promise<{ url: string; close: () => void }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
    say(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const close = (): void => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close }
}

/** Sends the response to the version a byte a second. */
function drip(socket: Socket): void {
  const body = JSON.stringify({ FullVersion: '7.1.5' })
  const all = `HTTP/1.1 200 OK\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`
  let sent = 0
  const timer = setInterval(() => socket.write(all.charAt(sent++)), 1000)
  socket.on('close', () => clearInterval(timer))
}

test('twenty servers of which some hang, drip or become others are shown as they are @full', async ({
  raven,
  page,
  complaints,
}) => {
  test.setTimeout(400_000)
  complaints.allow(NETWORK_NOISE)
  const [other, hanging, dripping, ...fakes] = await Promise.all([
    startRaven({ version: '7.1.5' }),
    accepting(() => undefined),
    accepting(drip),
    ...Array.from({ length: FAKES }, () => new FakeServer().database('Orders').start()),
  ])
  await createDatabase(other.url, 'of-the-first')
  const servers = [raven, other, hanging, dripping, ...fakes].map(({ url }) => ({ target: url }))
  const served = await serveStudio({ dist: resolve(import.meta.dirname, '../../dist'), servers })
  const hostOf = (url: string): string => new URL(url).host
  const rows = page.getByRole('table', { name: 'Servers, worst first', exact: true })
  const rowOf = (url: string): Locator =>
    rows.getByRole('row').filter({ has: page.getByRole('link', { name: hostOf(url) }) })
  /** Whether requests of the page to its own server, one after the other, are answered before one to a server that hangs has ended. */
  const isAnsweredBefore = (hanging: string): Promise<boolean> =>
    page.evaluate(
      async ([own, hangs]) => {
        const end = new AbortController()
        const request = async (host: string): Promise<unknown> =>
          (await fetch(`/servers/${host}/build/version`, { signal: end.signal })).text()
        const hung = request(hangs).then(
          () => false,
          () => false,
        )
        const answered = async (): Promise<boolean> => {
          for (let i = 0; i < 8; i++) await request(own)
          return true
        }
        return Promise.race([hung, answered()]).finally(() => end.abort())
      },
      [hostOf(raven.url), hostOf(hanging)] as const,
    )
  try {
    await page.goto(`${served.url}/servers/${hostOf(raven.url)}/studio/index.html#/servers`)
    await expect(rows.getByRole('row')).toHaveCount(servers.length + 1)
    await test.step('one that hangs, and one that drips, say so with their time', async () => {
      await expect(rowOf(hanging.url)).toContainText(
        /does not answer since .*does not answer within 10 s.*It has not answered before/s,
        { timeout: LONG_MS },
      )
      await expect(rowOf(dripping.url)).toContainText(/does not answer since .*began to answer, but sent only 1?\d B/s)
      for (const { url } of [raven, other]) await expect(rowOf(url)).toContainText(/answers.*7\.1\.5.*%.*iB/s)
      await expect(page.getByText(/^20 servers: 2 do not answer/)).toBeVisible()
      expect(await isAnsweredBefore(hanging.url)).toBe(true)
    })
    await test.step('one that begins to hang while it is watched', async () => {
      const [all, most] = [fakes[3], fakes[4]]
      if (all === undefined || most === undefined) throw new Error('There are fewer servers.')
      all.silent = true
      all.fault(/./, 'never')
      most.fault(/^\/(?!build)/, 'never')
      await expect(rowOf(all.url)).toContainText(/no answer for \d+ s/)
      await expect(rowOf(all.url)).toContainText(/does not answer since .*Last answer: /s)
      expect(await isAnsweredBefore(all.url)).toBe(true)
    })
    await test.step('one whose data folder is replaced', async () => {
      await other.terminate()
      await rm(other.dataDir, { recursive: true })
      await other.restart()
      await expect(rowOf(other.url)).toContainText(
        /Another server than before answers here since \d{4}-\d\d-\d\d [\d:]+: its id changed/,
      )
      // The figures are those of the new one.
      await expect(rowOf(other.url).getByRole('cell').last()).toHaveText('0', { timeout: LONG_MS })
      await expect(page.getByText(/^20 servers: 3 do not answer, 1 is another server than before/)).toBeVisible()
    })
    // No other was taken for one that does not answer, or for another one.
    await expect(rows.getByText(/does not answer since/)).toHaveCount(3)
    await expect(rows.getByText('another server', { exact: true })).toHaveCount(1)
  } finally {
    await page.close()
    await served.close()
    hanging.close()
    dripping.close()
    await Promise.all([other.close(), ...fakes.map((fake) => fake.stop())])
  }
})
