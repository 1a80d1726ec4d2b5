import type { Page } from '@playwright/test'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { resolve } from 'node:path'
import { refusalOf, type Access } from '../../src/actions/access.ts'
import type { Action, ActionCall, ActionTarget } from '../../src/actions/model.ts'
import { ACTIONS } from '../../src/actions/table.ts'
import { writeRequestOf } from '../../src/actions/write-request.ts'
import { parseVersion } from '../../src/ravendb/versions.ts'
import { json, RavenError } from '../../tools/ravendb/client.mjs'
import { introduce } from '../../tools/serve/introduce.mjs'
import { serveStudio } from '../../tools/serve.mjs'
import { expect, SECRET, test, type Role } from '../support/secured.ts'
import { totp } from '../support/totp.ts'

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'Rights and codes are the same on every version.')

const status = (page: Page) => page.getByRole('status', { name: 'Server', exact: true })

const VERSION = parseVersion({ FullVersion: '7.1.5' })

/** Counts what the server refuses, by path. */
function refusals(page: Page): Map<string, number> {
  const refused = new Map<string, number>()
  page.on('response', (response) => {
    if (![403, 428].includes(response.status())) return
    const { pathname } = new URL(response.url())
    refused.set(pathname, (refused.get(pathname) ?? 0) + 1)
  })
  return refused
}

test.describe('a user of one database', () => {
  test.use({ role: 'writer' })

  test('sees what the sockets report, and once which right the rest needs', async ({ page, secured }) => {
    const refused = refusals(page)
    await page.goto(secured.studio('#/triage?v=1'))
    await expect(page.getByText('No issues found in what this certificate may read')).toBeVisible()
    await expect(page.getByText(/low-memory events.* the clearance Operator or ClusterAdmin/)).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'Vital signs' })).toContainText(/CPU of the machine\s*\d/)
    // The list, the grant and the widgets of the dashboard show nothing of the other database.
    await page.goto(secured.studio('#/databases?v=1'))
    await expect(page.getByText('1 database: 1 online; this page loads none.')).toBeVisible()
    await page.goto(secured.studio('#/io?v=1&s=db:mine&s=db:theirs&s=server'))
    await expect(page.getByRole('alert').filter({ hasText: 'access to the database, reading is enough' })).toBeVisible()
    await expect(page.getByRole('alert').filter({ hasText: 'the clearance Operator' })).toBeVisible()
    await expect(page.getByRole('application', { name: 'I/O timeline' })).toBeVisible()
    await page.goto(secured.studio('#/stacks?v=1&s=server'))
    await expect(page.getByText(/\d+ threads in \d+ jobs/)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByRole('button', { name: 'Take stack snapshot' }).click()
    await expect(page.getByText('This certificate may not take stack snapshots.')).toBeVisible()
    expect(Math.max(...refused.values()), JSON.stringify([...refused])).toBeLessThanOrEqual(4)
  })
})

test.describe('a certificate with a second factor', () => {
  test.use({ role: 'codes' })

  test('gets in with a code, and again in the middle of a session', async ({ page, secured, complaints }) => {
    complaints.allow(/status of 4(06|28)/)
    await page.goto(secured.studio('#/databases?v=1'))
    expect(new URL(page.url()).pathname).toBe('/2fa/index.html')
    const code = page.getByRole('textbox', { name: 'Code of your authenticator' })
    await code.fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('alert')).toContainText('The server does not take this code.')
    await code.fill(totp(SECRET))
    await page.getByRole('button', { name: 'Continue' }).click()
    // The page continues at its address, with the hash.
    await expect(page.getByText('2 databases: 2 online')).toBeVisible()
    expect(page.url()).toBe(secured.studio('#/databases?v=1'))

    await page.evaluate(() => fetch('/authentication/2fa', { method: 'DELETE' }))
    const requested: string[] = []
    const notice = page.getByRole('complementary', { name: 'State of the server' })
    await page.goto(secured.studio('#/io?v=1&s=db:mine'))
    await expect(notice).toContainText('The server wants the two-factor code of this certificate')
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await notice.getByRole('button', { name: 'Enter the code' }).click()
    await expect(code).toBeVisible()
    // Files of its own panels, and what the page of the code reads, come from the server still.
    const isOther = (path: string): boolean =>
      path !== '/build/version' && !/^\/(?:studio|2fa|authentication\/2fa)\//.test(path)
    expect(requested.filter(isOther)).toEqual([])
    await code.fill(totp(SECRET))
    await code.press('Enter')
    await expect(status(page)).toContainText('connected')
    await expect(notice).toHaveCount(0)
  })
})

test('stand-alone: requests and websockets go over TLS in the name of a certificate, by the address with its key', async ({
  page,
  secured,
  complaints,
}) => {
  const { server, certificates } = secured
  const target = new URL(server.url)
  const { stranger, operator } = certificates
  await expect(introduce(target, { ca: server.ca })).rejects.toThrow('asks for a client certificate')
  await expect(introduce(target, { ca: server.ca, cert: stranger.cert, key: stranger.key })).rejects.toThrow(
    'does not know this certificate',
  )
  const identity = { ca: server.ca, pfx: operator.pfx('geheim'), passphrase: 'geheim' }
  expect(await introduce(target, identity)).toMatchObject({ who: { name: 'operator', clearance: 'Operator' } })

  const served = await serveStudio({ dist: resolve(import.meta.dirname, '../../dist'), target, identity })
  complaints.allow(/status of 403/)
  await page.goto(`${served.url}/studio/index.html`)
  await expect(page.getByRole('complementary', { name: 'State of the server' })).toContainText(
    'it opens only by the address, with its key',
  )
  await page.goto(`${served.page()}#/io?v=1&s=db:mine&s=server`)
  await expect(status(page)).toContainText('connected')
  const rows = () => page.evaluate(() => globalThis.rookery.idle().then(() => globalThis.rookery.memory().rows))
  await expect.poll(rows).toBeGreaterThan(0)

  await test.step('the key stays with the tab, and is there in others', async () => {
    expect(page.url()).not.toContain('key')
    await page.reload()
    await expect(status(page)).toContainText('connected')
    await expect.poll(rows).toBeGreaterThan(0)
    const other = await page.context().newPage()
    await other.goto(`${served.url}/studio/index.html#/databases`)
    await expect(status(other)).toContainText('connected')
    await other.close()
  })

  await test.step('a server at another port of the machine receives nothing that opens', async () => {
    const caught: IncomingHttpHeaders[] = []
    const thief = createServer((request, response) => {
      caught.push(request.headers)
      const page =
        '<script>fetch("/x").then(() => fetch("http://' +
        new URL(served.url).host +
        '/build/version")).catch(() => 0)</script>'
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    })
    await new Promise<void>((done) => thief.listen(0, '127.0.0.1', done))
    const address = thief.address()
    complaints.allow(/CORS|ERR_FAILED|status of 403/)
    await page.goto(`http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`)
    await expect.poll(() => caught.length).toBeGreaterThanOrEqual(2)
    for (const headers of caught) {
      expect(headers.cookie).toBeUndefined()
      const again = Object.entries(headers).filter(([name]) => !/^(?:host|connection|origin|sec-)/.test(name))
      const answer = await fetch(`${served.url}/build/version`, {
        headers: again.map(([name, value]) => [name, String(value)]),
      })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ Type: 'Rookery.Refused' })
    }
    thief.close()
    thief.closeAllConnections()
  })
  await page.goto('about:blank')
  await served.close()
})

const ROLES = [
  ['writer', 'ValidUser', { mine: 'ReadWrite' }],
  ['owner', 'ValidUser', { mine: 'Admin' }],
  ['operator', 'Operator', {}],
  ['clusterAdmin', 'ClusterAdmin', {}],
] as const satisfies readonly (readonly [Role, string, Record<string, string>])[]

test('each certificate is refused by the server what the table refuses, and nothing else', async ({ secured }) => {
  test.setTimeout(180_000)
  for (const [role, clearance, permissions] of ROLES)
    await test.step(role, async () => {
      const { cert, key } = secured.certificates[role]
      const identity = { ca: secured.server.ca, cert, key }
      const access: Access = {
        version: VERSION,
        serverId: null,
        certificate: { clearance, permissions },
        licence: null,
      }
      /** 0: the server accepted. */
      const statusOf = async (action: Action, target: ActionTarget): Promise<number> => {
        const { method, path, body } = writeRequestOf(action, callOf(action, target), VERSION)
        try {
          await json(secured.server.url, path, { method, ...(body === null ? {} : { body }), identity })
          return 0
        } catch (error) {
          if (error instanceof RavenError) return error.status
          throw error
        }
      }
      const judged: string[] = []
      for (const action of ACTIONS) {
        const target = targetOf(action)
        const isRefused = refusalOf(action, target, access) !== null
        // Other tests run the actions that are allowed and have an effect; a name that does not exist does no harm.
        if (!isRefused && (target.name === null || action.target === 'notification')) continue
        const status = await statusOf(action, target)
        expect([action.id, status === 403], `HTTP ${status}`).toEqual([action.id, isRefused])
        judged.push(action.id)
      }
      expect(judged.length).toBeGreaterThan(8)
    })
})

/** A target that exists except for its name, which nothing has. */
function targetOf({ target: kind }: Action): ActionTarget {
  if (kind === 'server') return { kind, database: null, name: null }
  return {
    kind,
    database: 'mine',
    name: kind === 'database' ? null : kind === 'query' ? '1 Nothing' : kind === 'operation' ? '999999' : 'Nothing',
  }
}

const callOf = ({ id, presets, fields }: Action, target: ActionTarget): ActionCall => ({
  action: id,
  target,
  inputs: {
    ...presets?.[0]?.inputs,
    ...Object.fromEntries((fields ?? []).map(({ name, choices }) => [name, choices?.[0] ?? 'nothing'])),
  },
  facts: {},
})
