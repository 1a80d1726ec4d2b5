import type { Locator, Page } from '@playwright/test'
import WebSocket from 'ws'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { activity, confirm, LONG_MS, notice } from '../support/actions.ts'
import { expectMarked } from '../support/markers.ts'
import { expect, test } from '../support/raven.ts'

/** Operations of another client are shown, cancelled, and their end is read by that client. */

const NAME = 'patched'
const PATH = databasePath(NAME)
const DOCUMENTS = 20_000
/** 5.4 stops a script after 10,000 steps. */
const TURNS = 800
const LOOP = (turns: number): string => `var s = 0; for (var i = 0; i < ${turns}; i++) s += i % 7;`

test.beforeEach(({ raven }) => createDatabase(raven.url, NAME))

/** Writes so many documents that a script over all of them takes long. */
const fill = (url: string): Promise<void> =>
  bulk(
    url,
    NAME,
    Array.from({ length: DOCUMENTS }, (_, i) => put(`things/${i}`, 'Things', { n: i })),
  )

/** Creates an index without documents: the Indexing timeline is there, and stays empty. */
const index = (url: string): Promise<unknown> =>
  putIndexes(url, NAME, [{ Name: 'Nothing/ByN', Maps: ['from t in docs.Nothing select new { t.n }'] }])

test.afterEach(async ({ raven, page }) => {
  await page.goto('about:blank')
  await deleteDatabase(raven.url, NAME)
})

test('an operation of another client is listed with its progress and cancelled', async ({ page, raven }) => {
  test.setTimeout(180_000)
  await fill(raven.url)
  await page.goto(raven.studio('#/activity?v=1&activity.view=operations'))
  await expect(page.getByRole('status').filter({ hasText: 'No operation is running' })).toBeVisible()
  const { OperationId: id } = (await json(raven.url, `${PATH}/queries`, {
    method: 'PATCH',
    body: { Query: { Query: `from Things update { ${LOOP(TURNS)} this.s = s }`, QueryParameters: {} } },
  })) as { OperationId: number }
  const stateOf = async (): Promise<string> =>
    ((await json(raven.url, `${PATH}/operations/state?id=${id}`)) as { Status: string }).Status
  expect(await stateOf()).toBe('InProgress')

  await page.getByRole('button', { name: 'Refresh' }).click()
  const running = page
    .getByRole('list', { name: 'Running operations' })
    .getByRole('listitem', { name: `Operation ${id} of ${NAME}` })
  await expect(running).toContainText('Patch by query: patched', { timeout: LONG_MS })
  await expect(running).toContainText('from Things update {')
  await expect(running).toContainText(/[\d,]+ of 20,000 processed/)
  await expect(running.getByRole('progressbar', { name: 'Progress' })).toBeVisible()

  const box = await openPalette(page)
  await box.fill('operation things update')
  await expect(
    page.getByRole('option', { name: `Operation ${id} of ${NAME}: Patch by query: from Things` }),
  ).toBeVisible()
  await box.fill('cancel things update')
  await expect(
    page.getByRole('option', { name: `Cancel operation: operation ${id} of “${NAME}” · Patch by query: from Things` }),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  await running.getByRole('button', { name: `Cancel operation: operation ${id} of “${NAME}”` }).click()
  await expect(page.getByRole('dialog')).toContainText(`Operation ${id} of “${NAME}” (Patch by query) ends`)
  await confirm(page, 'Cancel operation')
  await expect(notice(page)).toContainText(`Done · Cancelled: operation ${id} of “${NAME}”`, { timeout: LONG_MS })
  expect(await stateOf()).toBe('Canceled')
  await expect(
    page.getByRole('list', { name: 'Ended operations' }).getByRole('listitem', { name: `Operation ${id} of ${NAME}` }),
  ).toContainText('Cancelled', { timeout: LONG_MS })

  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('searchbox', { name: 'Find an operation' }).fill('no such operation')
  await expect(filters.getByRole('status')).toHaveText(/^0 of \d+ listed$/)
  await expect(page.getByRole('list', { name: 'Ended operations' })).toHaveCount(0)
  await filters.getByRole('button', { name: 'Clear' }).click()
  await filters.getByRole('combobox', { name: 'Type' }).selectOption('Patch by query')
  await filters.getByRole('combobox', { name: 'Database' }).selectOption(NAME)
  await expect(page).toHaveURL(/activity\.task=UpdateByQuery/)
  await expect(page.getByRole('list', { name: 'Ended operations' }).getByRole('listitem')).toHaveCount(1)

  await page.getByRole('radio', { name: 'Done here' }).check()
  await expect(activity(page)).toContainText('The operation is cancelled.')
  await index(raven.url)
  await expectMarked(page, raven.studio, { database: NAME, actions: [`Cancelled: operation ${id}`] })
})

test('the palette finds what runs without Activity having been open, asks no database that rests, and loads nothing @full', async ({
  page,
  raven,
  ravenVersion,
}) => {
  test.skip(ravenVersion !== '7.1.5', 'The lists that it reads are read on every version by the test above.')
  test.setTimeout(180_000)
  const idleName = `${NAME}-unloaded`
  try {
    await createDatabase(raven.url, idleName)
    await json(raven.url, '/admin/databases/disable', { method: 'POST', body: { DatabaseNames: [idleName] } })
    await fill(raven.url)
    await page.goto(raven.studio('#/files'))
    const requested: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.context().route(/\/databases\/[^/]+\/operations$/, async (route) => {
      requested.push(decodeURIComponent(new URL(route.request().url()).pathname.split('/')[2] ?? ''))
      await held
      await route.continue().catch(() => undefined)
    })
    const box = await openPalette(page)
    const status = page.getByRole('dialog').getByRole('status')
    await box.fill('cancel things update')
    await expect(status).toContainText('No panel, database')
    // The palette does not read a database that no client uses.
    await expect
      .poll(
        async () => {
          const things = { '@metadata': { '@collection': 'Things' } }
          await json(raven.url, `${PATH}/docs?id=things/used`, { method: 'PUT', body: things })
          return requested.includes(NAME)
        },
        { timeout: LONG_MS },
      )
      .toBe(true)
    // The operation starts only now, so that it still runs when it is found, however fast the server is.
    const { OperationId: id } = (await json(raven.url, `${PATH}/queries`, {
      method: 'PATCH',
      body: { Query: { Query: `from Things update { ${LOOP(TURNS)} this.s = s }`, QueryParameters: {} } },
    })) as { OperationId: number }
    release()
    const found = page.getByRole('option', { name: `Cancel operation: operation ${id} of “${NAME}” · Patch by query` })
    await expect(found).toBeVisible({ timeout: LONG_MS })
    // Databases of other tests on this server may not have responded yet.
    await expect(status).not.toContainText('Reading the operations')
    await expect(found).toHaveAttribute('aria-selected', 'true')
    expect(requested).not.toContain(idleName)
    await page.keyboard.press('Enter')
    await confirm(page, 'Cancel operation')
    await expect(notice(page)).toContainText(`Done · Cancelled: operation ${id} of “${NAME}”`, { timeout: LONG_MS })
  } finally {
    await deleteDatabase(raven.url, idleName)
  }
})

test('a compaction, which only the server itself reports, is listed when it has ended @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  await page.goto(raven.studio('#/activity?v=1&activity.view=operations'))
  await expect(page.getByRole('status').filter({ hasText: /of \d+ loaded database|loaded database/ })).toBeVisible()
  const { OperationId: id } = (await json(raven.url, '/admin/compact', {
    method: 'POST',
    body: { DatabaseName: NAME, Documents: true, Indexes: [], SkipOptimizeIndexes: false },
  })) as { OperationId: number }
  const compaction = page.getByRole('listitem', { name: `Operation ${id} of the server` })
  await expect(compaction).toContainText('Compaction: the server', { timeout: LONG_MS })
  await expect(compaction).toContainText('Completed', { timeout: LONG_MS })
})

test('a query that runs long is killed at its finding @full', async ({ page, raven, ravenVersion }) => {
  test.skip(ravenVersion !== '7.1.5', 'A query is killed on every version in database-actions.spec.ts.')
  test.setTimeout(240_000)
  await fill(raven.url)
  await page.goto(raven.studio('#/triage'))
  const victim = fetch(`${raven.url}${PATH}/queries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      Query: `declare function slow(d) { ${LOOP(TURNS * 10)} return { s: s + d.n } } from Things as d select slow(d)`,
    }),
  })
  const finding = page.getByRole('listitem').filter({ hasText: `A query on “${NAME}” has been running for` })
  await expect(finding).toBeVisible({ timeout: 120_000 })
  const box = await openPalette(page)
  await box.fill(`query ${NAME}`)
  await expect(page.getByRole('option', { name: /^Query \d+ on patched: declare function slow/ })).toBeVisible()
  await box.fill('kill declare function slow')
  await expect(page.getByRole('option', { name: /^Kill query: query \d+ on “patched” · declare/ })).toBeVisible()
  await box.fill(`compact ${NAME}`)
  await expect(page.getByRole('option', { name: `Compact: “${NAME}”` })).toBeVisible()
  await page.keyboard.press('Escape')
  await finding.getByRole('button', { name: /^Kill query: query \d+ on “patched”/ }).click({ timeout: 120_000 })
  await confirm(page, 'Kill query')
  await expect(notice(page)).toContainText(`on “${NAME}”`)
  await expect(notice(page)).toContainText('Done · Killed: query', { timeout: LONG_MS })
  expect(await (await victim).text()).toContain('OperationCanceledException')
})

test('notifications of the server and of a database are dismissed, and one is postponed @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  // An export leaves a notification in the database.
  const exported = await fetch(`${raven.url}${PATH}/smuggler/export`, { method: 'POST', body: '{}' })
  await exported.arrayBuffer()
  const ofDatabase = async (): Promise<readonly string[]> => {
    const { Results: all } = (await json(raven.url, `${PATH}/notifications`)) as { Results: { Id: string }[] }
    return all.map(({ Id: id }) => id)
  }
  await expect.poll(ofDatabase, { timeout: LONG_MS }).toHaveLength(1)
  const [kept = ''] = await ofDatabase()

  await page.goto(raven.studio('#/server?v=1&server.view=alerts'))
  const licence = 'AlertRaised/LicenseManager_AGPL3'
  await expect(page.getByRole('button', { name: `Actions on notification “${licence}” of the server` })).toBeVisible({
    timeout: LONG_MS,
  })
  const box = await openPalette(page)
  await box.fill('dismiss agpl3')
  await expect(page.getByRole('option', { name: /^Dismiss: notification/ })).toBeVisible()
  await box.fill('notification of the server')
  await expect(page.getByRole('option', { name: /^Notification of the server: / }).first()).toBeVisible()
  await box.fill('postpone hour agpl3')
  await page.keyboard.press('Enter')
  await expect(notice(page)).toContainText('Done · Postponed: notification', { timeout: LONG_MS })
  expect(await alertsOf(raven.url)).not.toContain(licence)

  await page.getByRole('region', { name: 'Notifications of databases' }).getByText(NAME, { exact: true }).click()
  await page.getByRole('button', { name: `Actions on notification “${kept}” of “${NAME}”` }).click({ timeout: LONG_MS })
  await page.getByRole('menuitem', { name: 'Dismiss …' }).click()
  await confirm(page, 'Dismiss')
  await expect(notice(page)).toContainText('Done · Dismissed: notification', { timeout: LONG_MS })
  expect(await ofDatabase()).toEqual([])
  await expect(page.getByText('No open alerts or hints.')).toBeVisible()
  await index(raven.url)
  const actions = [
    `Postponed: notification “${licence}” of the server`,
    `Dismissed: notification “${kept}” of “${NAME}”`,
  ]
  await expectMarked(page, raven.studio, { database: NAME, actions })
})

async function openPalette(page: Page): Promise<Locator> {
  await expect(page.getByRole('button', { name: 'Go to or do' })).toBeVisible()
  await page.keyboard.press('Control+k')
  return page.getByRole('combobox', { name: 'Panel, database, index, query, operation or action' })
}

/** Ids of the alerts that the server reports to a client that connects: they end with a change of the topology. */
async function alertsOf(url: string): Promise<readonly string[]> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/server/notification-center/watch`)
  const ids: string[] = []
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data: Buffer) => {
      const text = data.toString().trim()
      if (text === '') return
      const { Type: type, Id: id } = JSON.parse(text) as { Type: string; Id: string }
      ids.push(id)
      if (type === 'ClusterTopologyChanged') resolve()
    })
  })
  socket.close()
  return ids
}
