import type { Locator, Page } from '@playwright/test'
import { refusalOf, type Access } from '../../src/actions/access.ts'
import type { Action, ActionCall, ActionTarget } from '../../src/actions/model.ts'
import { ACTIONS } from '../../src/actions/table.ts'
import { writeRequestOf } from '../../src/actions/write-request.ts'
import { isReading } from '../../src/base/http/reading.mjs'
import { parseVersion } from '../../src/ravendb/versions.ts'
import { databasePath, json, RavenError } from '../../tools/ravendb/client.mjs'
import { expect, test, type Role } from '../support/secured.ts'

/* Each role sees and may what the table of actions says, with certificates that a real server judges. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'Rights are the same on every version.')

const VERSION = parseVersion({ FullVersion: '7.1.5' })
const DATABASE = 'mine'
const INDEX = 'Things/ByN'
/** What a server that has three times as much to do needs. */
const LONG_MS = 60_000

const ADMIN = 'Needs the right Admin on the database.'
const OPERATOR = 'Needs the clearance Operator or ClusterAdmin.'

/** What the page of a database offers, and why not; the order is that of the table. */
const OF_DATABASE: readonly (readonly [title: string, writer: string | null, owner: string | null])[] = [
  ['Disable …', OPERATOR, OPERATOR],
  ['Restart …', ADMIN, null],
  ['Flush journals …', ADMIN, null],
  ['Sync data file …', ADMIN, null],
  ['Back up now …', ADMIN, null],
  ['Export to a file …', null, null],
  ['Import a file …', null, null],
  ['Compact …', OPERATOR, OPERATOR],
  ['Delete with all files …', OPERATOR, OPERATOR],
]
const OF_INDEX: readonly (readonly [title: string, writer: string | null, owner: string | null])[] = [
  ['Pause indexing', ADMIN, null],
  ['Disable …', ADMIN, null],
  ['Reset in place …', null, null],
  ['Set priority low', null, null],
  ['Delete …', null, null],
]

type Expected = readonly (readonly [string, string | null])[]

/** Changing requests that leave the page. */
function changes(page: Page): readonly string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!isReading(request.method(), pathname + search)) sent.push(`${request.method()} ${pathname}`)
  })
  return sent
}

async function expectOffers(list: Locator, expected: Expected): Promise<void> {
  for (const [title, refusal] of expected) {
    const item = list
      .getByRole('listitem')
      .filter({ has: list.page().getByRole('button', { name: title, exact: true }) })
    const button = item.getByRole('button')
    await expect(button, title).toBeVisible({ timeout: LONG_MS })
    if (refusal === null) await expect(button, title).toBeEnabled()
    else {
      await expect(button, title).toBeDisabled()
      await expect(item, title).toContainText(refusal)
    }
  }
}

async function expectMenu(page: Page, expected: Expected): Promise<void> {
  await page.getByRole('button', { name: `Actions on “${INDEX}” of “${DATABASE}”` }).click({ timeout: LONG_MS })
  for (const [title, refusal] of expected) {
    const item = page.getByRole('menuitem').filter({ hasText: title })
    if (refusal === null) await expect(item, title).not.toHaveAttribute('aria-disabled', 'true')
    else {
      await expect(item, title).toHaveAttribute('aria-disabled', 'true')
      await expect(item, title).toContainText(refusal)
      await item.click({ force: true })
    }
  }
  await page.keyboard.press('Escape')
}

test.beforeEach(async ({ secured }) => {
  const map = 'from t in docs.Things select new { t.N }'
  await secured.server.call('PUT', `${databasePath(DATABASE)}/admin/indexes`, {
    Indexes: [{ Name: INDEX, Maps: [map] }],
  })
})

const ROLES = [
  ['writer', 'ValidUser', { [DATABASE]: 'ReadWrite' }, 1],
  ['owner', 'ValidUser', { [DATABASE]: 'Admin' }, 2],
  ['operator', 'Operator', {}, 0],
  ['clusterAdmin', 'ClusterAdmin', {}, 0],
] as const satisfies readonly (readonly [Role, string, Record<string, string>, number])[]

for (const [role, clearance, permissions, column] of ROLES)
  test.describe(`the certificate of ${role}`, () => {
    test.use({ role })

    const pick = (rows: typeof OF_DATABASE): Expected =>
      rows.map(([title, writer, owner]) => [title, column === 1 ? writer : column === 2 ? owner : null])

    test('is offered what it may, and told which right the rest needs; nothing is tried', async ({ page, secured }) => {
      test.setTimeout(180_000)
      const sent = changes(page)
      await page.goto(secured.studio(`#/databases?v=1&databases.open=${DATABASE}`))
      await expectOffers(page.getByRole('list', { name: `What can be done to “${DATABASE}”` }), pick(OF_DATABASE))
      await page.getByRole('link', { name: 'All databases' }).click()
      for (const name of ['Create database', 'Restore a backup']) {
        const button = page.getByRole('button', { name })
        if (column === 0) await expect(button).toBeEnabled()
        else {
          await expect(button).toBeDisabled()
          await expect(button).toHaveAttribute('title', OPERATOR)
        }
      }
      await page.goto(secured.studio(`#/indexing?v=1&s=db:${DATABASE}&indexing.view=indexes`))
      await expectMenu(page, pick(OF_INDEX))
      expect(sent).toEqual([])
    })

    test('is refused by the server what the table refuses, and nothing else', async ({ secured }) => {
      test.setTimeout(180_000)
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
        // What is allowed and would really be done is done elsewhere; a name that nothing has does no harm.
        if (!isRefused && (target.name === null || action.target === 'notification')) continue
        const status = await statusOf(action, target)
        expect([action.id, status === 403], `HTTP ${status}`).toEqual([action.id, isRefused])
        judged.push(action.id)
      }
      expect(judged.length).toBeGreaterThan(8)
    })
  })

/** Of what is there, but for the name: nothing has that. */
function targetOf({ target: kind }: Action): ActionTarget {
  if (kind === 'server') return { kind, database: null, name: null }
  return {
    kind,
    database: DATABASE,
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
