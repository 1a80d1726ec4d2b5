import type { Page } from '@playwright/test'
import { databasePath, json } from '../../tools/ravendb/client.mjs'
import { BY_N, mayChange, notice } from '../support/actions.ts'
import { EVERY_TITLE, reasonIn, visitOffers } from '../support/every-offer.ts'
import { makeOfferWorld, OFFER_DATABASES } from '../support/offer-world.ts'
import { expect, test } from '../support/secured.ts'
import { saveData } from '../support/watched-page.ts'

/* Each role sees and may what the table of actions says, with certificates that a real server judges. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'Rights are the same on every version.')

const DATABASE = 'mine'
/** Timeout for a server that has three times as much to do. */
const LONG_MS = 60_000

const ADMIN = 'Needs the right Admin on the database.'
const OPERATOR = 'Needs the clearance Operator or ClusterAdmin.'

/** Changing requests that leave the page. */
function changes(page: Page): readonly string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (mayChange(request.method(), pathname + search)) sent.push(`${request.method()} ${pathname}`)
  })
  return sent
}

/** Least rights that actions need, as measured: the right on a database, or the clearance on the server. */
const LEAST: Readonly<Record<string, readonly string[]>> = {
  Read: ['database Export to a file'],
  ReadWrite: [
    'index Reset side by side',
    'index Reset in place',
    'index Swap the replacement in now',
    'index Discard the replacement',
    'index Set priority low',
    'index Set priority normal',
    'index Set priority high',
    'index Unlock',
    'index Lock, ignore changes',
    'index Lock, refuse changes',
    'index Clear errors',
    'index Delete',
    'database Import a file',
    'database Import a CSV file',
    'database Create sample data',
    'query Kill query',
    'operation Cancel operation',
    'notification Dismiss',
  ],
  Admin: [
    'index Pause indexing',
    'index Resume indexing',
    'index Disable',
    'index Enable',
    'database Restart',
    'database Flush journals',
    'database Sync data file',
    'database Back up now',
  ],
  Operator: [
    'database Enable',
    'database Disable',
    'database Unlock',
    'database Lock, ignore deletion',
    'database Lock, refuse deletion',
    'database Compact',
    'database Delete, keep the files',
    'database Delete with all files',
    'server Create database',
    'server Restore a backup',
    'server Collect garbage',
    'server notification Dismiss',
    'server notification Postpone for 1 hour',
    'server notification Postpone for 1 day',
    'server notification Postpone for 1 week',
  ],
}
const RIGHTS = ['none', 'Read', 'ReadWrite', 'Admin', 'Operator']
const NEEDS: Readonly<Record<string, string>> = {
  Read: 'Needs access to the database, reading is enough.',
  ReadWrite: 'Needs the right ReadWrite on the database.',
  Admin: ADMIN,
  Operator: OPERATOR,
}

/** A database that the certificate `writer` cannot see. */
const HIDDEN = 'theirs'

test.describe('a certificate without access to a database', () => {
  test.use({ role: 'writer' })

  test('sees what each action on it would need, and each page says why it is empty; nothing is tried @full', async ({
    page,
    secured,
  }) => {
    test.setTimeout(240_000)
    const sent = changes(page)
    await page.goto(secured.studio(`#/databases?v=1&databases.open=${HIDDEN}`))
    await expect(page.getByText(`This certificate has no access to “${HIDDEN}”`)).toBeVisible({ timeout: LONG_MS })
    const list = page.getByRole('list', { name: `What can be done to “${HIDDEN}”` })
    await expect(list.getByRole('listitem').first()).toBeVisible({ timeout: LONG_MS })
    await expect(page.getByText('The rights of this certificate are being read.')).toHaveCount(0, { timeout: LONG_MS })
    const seen: (readonly [string, string])[] = []
    for (const item of await list.getByRole('listitem').all()) {
      const button = item.getByRole('button')
      await expect(button).toBeDisabled()
      await button.evaluate((element: HTMLElement) => element.click())
      const title = (await button.innerText()).replace(/ …$/, '')
      seen.push([title, await reasonIn(item)])
    }
    const needs = RIGHTS.flatMap((right) =>
      (LEAST[right] ?? []).flatMap((what) =>
        what.startsWith('database ') ? [[what.slice(9), NEEDS[right]] as const] : [],
      ),
    )
    expect(seen).toHaveLength(needs.length)
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(needs))

    for (const panel of ['io', 'indexing', 'stalls', 'compare']) {
      await page.goto(secured.studio(`#/${panel}?v=1&s=db:${HIDDEN}`))
      const why = page.getByRole('alert').filter({ hasText: 'access to the database, reading is enough' })
      await expect(why, panel).toBeVisible({ timeout: LONG_MS })
      await expect(page.getByRole('button', { name: new RegExp(`“${HIDDEN}”`) }), panel).toHaveCount(0)
    }
    await page.goto(secured.studio('#/activity?v=1&activity.view=operations'))
    await expect(page.getByRole('status').filter({ hasText: 'Read: 1 loaded database' })).toBeVisible({
      timeout: LONG_MS,
    })
    await expect(page.getByRole('main')).not.toContainText(HIDDEN)
    await page.goto(secured.studio('#/server?v=1&server.view=alerts'))
    await expect(page.getByText('Alerts are not available')).toBeVisible({ timeout: LONG_MS })
    await expect(page.getByText('the clearance Operator or ClusterAdmin')).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(HIDDEN)
    await page.keyboard.press('Control+k')
    await page.keyboard.type(HIDDEN)
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('No panel, database')
    expect(sent).toEqual([])
  })
})

test('a right that is taken while the page is open is offered no longer once the server has refused it @full', async ({
  browser,
  secured,
  complaints,
}) => {
  complaints.allow(/status of 403/)
  const { server } = secured
  const name = 'demoted'
  const { cert, key, thumbprint } = await server.register(name, { [DATABASE]: 'Admin' })
  await server.call('PUT', `${databasePath(DATABASE)}/admin/indexes`, { Indexes: [BY_N] })
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    clientCertificates: [{ origin: server.url, cert: Buffer.from(cert), key: Buffer.from(key) }],
  })
  await saveData(context)
  const page = await context.newPage()
  page.setDefaultTimeout(LONG_MS)
  try {
    await page.goto(secured.studio(`#/indexing?v=1&s=db:${DATABASE}&indexing.view=indexes`))
    const menu = page.getByRole('button', { name: `Actions on “${BY_N.Name}” of “${DATABASE}”` })
    await menu.click()
    const pause = page.getByRole('menuitem', { name: 'Pause indexing' })
    await expect(pause).toBeEnabled()
    await server.call('POST', '/admin/certificates/edit', {
      Name: name,
      Thumbprint: thumbprint,
      SecurityClearance: 'ValidUser',
      Permissions: { [DATABASE]: 'ReadWrite' },
    })
    const read: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/whoami|license.status|server-id/.test(pathname)) read.push(pathname)
    })
    // A connection keeps the rights with which it began, and this one is new.
    await context.route(/indexes\/stop/, async (route) => route.fulfill({ response: await route.fetch() }))
    await pause.click()
    await expect(notice(page)).toContainText('Failed · Pause indexing')
    await menu.click()
    await expect(pause).toBeDisabled()
    await expect(pause).toContainText(ADMIN)
    await expect(page.getByRole('menuitem', { name: 'Set priority low' })).toBeEnabled()
    expect(read).toEqual(['/certificates/whoami'])
  } finally {
    await context.close()
    await server.call('DELETE', `${databasePath(DATABASE)}/indexes?name=${encodeURIComponent(BY_N.Name)}`)
  }
})

const MANY_ROLES = [
  // Read needs a licence, so a fake response gives it to the page; the server itself gives ReadWrite.
  ['reader', 'Read', null],
  ['writer', 'ReadWrite', null],
  ['owner', 'Admin', null],
  ['operator', 'Operator', 'Operator'],
  ['clusterAdmin', 'Operator', 'ClusterAdmin'],
] as const

test('every role sees every action of the table, and what it needs where it lacks the right; nothing is tried @full', async ({
  browser,
  secured,
}) => {
  test.setTimeout(600_000)
  const { server } = secured
  const identity = { ca: server.ca, cert: server.admin.cert, key: server.admin.key }
  const made = await makeOfferWorld((method, path, body, timeout) =>
    json(server.url, path, {
      method,
      identity,
      ...(body === undefined ? {} : { body }),
      ...(timeout === undefined ? {} : { timeout }),
    }),
  )
  for (const [name, right, clearance] of MANY_ROLES) {
    const permission = right === 'Admin' ? 'Admin' : 'ReadWrite'
    const { cert, key } = await server.register(
      `everywhere-${name}`,
      clearance ?? Object.fromEntries(OFFER_DATABASES.map((each) => [each, permission])),
    )
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      clientCertificates: [{ origin: server.url, cert: Buffer.from(cert), key: Buffer.from(key) }],
    })
    await saveData(context)
    const page = await context.newPage()
    page.setDefaultTimeout(LONG_MS)
    const sent = changes(page)
    if (right === 'Read')
      await context.route(/certificates\/whoami/, async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as object
        await route.fulfill({
          response,
          json: { ...body, Permissions: Object.fromEntries(OFFER_DATABASES.map((each) => [each, 'Read'])) },
        })
      })
    const seen = await visitOffers(page, {
      ...made.world,
      studio: secured.studio,
      alert: clearance === null ? null : 'AlertRaised/LicenseManager_AGPL3',
      isOfOwnOnly: clearance === null,
    })
    const titles = new Set(seen.map(({ title }) => title))
    const missing = EVERY_TITLE.filter((title) => !titles.has(title))
    // A database that fails to load is in `database-states.spec.ts`, sample data are offered where no documents are; the server reports nothing of its queries and itself to others.
    expect(missing).toEqual(
      clearance === null
        ? expect.arrayContaining(['Retry to load', 'Kill query'])
        : ['Retry to load', 'Create sample data'],
    )
    for (const { kind, database, title, refusal } of seen) {
      const what = `${kind === 'notification' && database === null ? 'server ' : ''}${kind} ${title}`
      const least = RIGHTS.find((each) => LEAST[each]?.includes(what)) ?? 'not listed here'
      const isAllowed = RIGHTS.indexOf(right) >= RIGHTS.indexOf(least)
      expect([name, kind, title, refusal]).toEqual([name, kind, title, isAllowed ? null : NEEDS[least]])
    }
    expect(sent).toEqual([])
    await context.close()
  }
  await made.remove()
})
