import type { Locator, Page } from '@playwright/test'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { isReading } from '../../src/base/http/reading.mjs'
import { FaultProxy } from '../soak/proxy.ts'
import { activity, actOn, BY_N, confirm, dialog, LONG_MS, said } from '../support/actions.ts'
import { EVERY_TITLE, visitOffers } from '../support/every-offer.ts'
import { askLong } from '../support/long-query.ts'
import { expect, test } from '../support/raven.ts'

/* All actions of the table, wherever they are offered. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

const NAME = 'everywhere'
const OFF = 'everywhere-off'
const ASKED = 'everywhere-asked'
const PATH = databasePath(NAME)
const RUNNING = { Name: 'Things/Running', Maps: ['from t in docs.Things select new { R = t.N }'] }
const OTHER = { Name: 'Things/Other', Maps: ['from t in docs.Things select new { M = t.N }'] }
const BROKEN = { Name: 'Things/Broken', Maps: ['from t in docs.Things select new { N = 1 / (t.N - t.N) }'] }

test('two browsers see what the other does, each keeps its own activity, and names differ by case', async ({
  page,
  raven,
  browser,
}) => {
  test.setTimeout(180_000)
  const shared = 'Größe_1.a-b'
  const path = databasePath(shared)
  await createDatabase(raven.url, shared)
  await putIndexes(raven.url, shared, [BY_N])
  const context = await browser.newContext()
  const other = await context.newPage()
  try {
    const table = raven.studio(`#/indexing?v=1&s=db:${encodeURIComponent(shared)}&indexing.view=indexes`)
    const rowOf = (of: Page): Locator => of.getByRole('row').filter({ hasText: BY_N.Name })
    const target = `“${BY_N.Name}” of “${shared}”`
    await page.goto(table)
    // The address in another case is spelled as the server does.
    await other.goto(table.replace(encodeURIComponent(shared), encodeURIComponent('GRÖßE_1.A-B')))
    await expect(other.getByRole('region', { name: `Indexes of ${shared}` })).toBeVisible({ timeout: LONG_MS })

    await actOn(page, target, 'Pause indexing')
    await said(page, `Done · Paused: ${target}`)
    await expect(rowOf(other)).toContainText('Paused', { timeout: LONG_MS })
    await expect(other.getByRole('list', { name: 'Stopped by you' })).toBeHidden()
    await actOn(other, target, 'Resume indexing')
    await said(other, `Done · Resumed: ${target}`)
    await expect(rowOf(page)).toContainText('Running', { timeout: LONG_MS })
    await expect(page.getByRole('list', { name: 'Stopped by you' })).toBeHidden()

    // One browser deletes while the other is asked.
    for (const of of [page, other]) await of.goto(raven.studio('#/databases'))
    await actOn(other, `“${shared}”`, 'Delete with all files …')
    const typed = dialog(other).getByRole('textbox', { name: `Type ${shared} to confirm` })
    const go = dialog(other).getByRole('button', { name: 'Delete with all files' })
    for (const wrong of [shared.toLowerCase(), 'GRÖßE_1.A-B', 'Grösse_1.a-b']) {
      await typed.fill(wrong)
      await expect(go).toBeDisabled()
    }
    await typed.fill(shared)
    await actOn(page, `“${shared}”`, 'Delete with all files …')
    await dialog(page)
      .getByRole('textbox', { name: `Type ${shared} to confirm` })
      .fill(shared)
    await confirm(page, 'Delete with all files')
    await said(page, `Done · Deleted: “${shared}”`)
    await go.click()
    await said(other, /The database does not exist any more/)
    await expect(json(raven.url, `${path}/stats`)).rejects.toThrow()

    for (const of of [page, other]) await of.getByRole('link', { name: 'Activity' }).click()
    await expect(activity(page)).toContainText(`Paused: ${target}`)
    await expect(activity(other)).toContainText(`Resumed: ${target}`)
    await expect(activity(other)).not.toContainText(`Paused: ${target}`)
  } finally {
    await context.close()
    await page.goto('about:blank')
    await deleteDatabase(raven.url, shared)
  }
})

test('in view-only mode nothing of the whole table leaves the browser, on a phone either', async ({ page, raven }) => {
  test.setTimeout(180_000)
  page.setDefaultTimeout(LONG_MS)
  const { url } = raven
  const post = (path: string, body?: object): Promise<unknown> =>
    json(url, path, { method: 'POST', ...(body === undefined ? {} : { body }) })
  await createDatabase(url, NAME)
  await createDatabase(url, OFF)
  await post('/admin/databases/set-lock', { DatabaseNames: [OFF], Mode: 'PreventDeletesIgnore' })
  await post('/admin/databases/disable', { DatabaseNames: [OFF] })
  await bulk(
    url,
    NAME,
    Array.from({ length: 3000 }, (_, i) => put(`things/${i}`, 'Things', { N: i })),
  )
  // One of each state, so that each action is offered at one of them.
  await putIndexes(url, NAME, [BY_N, OTHER, BROKEN, RUNNING])
  const statsOf = async (name: string): Promise<Record<string, unknown> | undefined> =>
    ((await json(url, `${PATH}/indexes/stats`)) as { Results: Record<string, unknown>[] }).Results.find(
      ({ Name }) => Name === name,
    )
  await expect.poll(async () => (await statsOf(BROKEN.Name))?.['ErrorsCount'], { timeout: LONG_MS }).toBeGreaterThan(0)
  await post(`${PATH}/admin/indexes/stop?name=${BY_N.Name}`)
  await post(`${PATH}/indexes/set-priority`, { IndexNames: [OTHER.Name], Priority: 'Low' })
  await post(`${PATH}/indexes/set-lock`, { IndexNames: [OTHER.Name], Mode: 'LockedIgnore' })
  await post(`${PATH}/admin/indexes/disable?name=${OTHER.Name}&clusterWide=false`)
  await (await fetch(`${url}${PATH}/smuggler/export`, { method: 'POST', body: '{}' })).arrayBuffer()
  const notificationsOf = async (): Promise<readonly string[]> =>
    ((await json(url, `${PATH}/notifications`)) as { Results: { Id: string; Type: string }[] }).Results.filter(
      ({ Type }) => Type === 'OperationChanged',
    ).map(({ Id }) => Id)
  await expect.poll(notificationsOf, { timeout: LONG_MS }).toHaveLength(1)
  const [notification = ''] = await notificationsOf()
  const query = await askLong(url, ASKED)
  const { OperationId: patch } = (await json(url, `${PATH}/queries`, {
    method: 'PATCH',
    body: {
      Query: { Query: 'from Things update { for (var i = 0, s = 0; i < 9000; i++) s += i % 7; this.s = s }' },
    },
  })) as { OperationId: number }

  // In a database of which the record stays as it is, since a change of it discards what a reset builds beside an index; its
  // indexes are stopped.
  await putIndexes(url, ASKED, [BY_N])
  await json(url, `${databasePath(ASKED)}/indexes?name=${BY_N.Name}&mode=SideBySide`, { method: 'RESET' })

  const network = await FaultProxy.open(url)
  try {
    await page.setViewportSize({ width: 390, height: 844 })
    const studio = (hash: string): string => `${network.url}/studio/index.html${hash}`
    await page.goto(studio('#/databases'))
    await page.getByRole('button', { name: 'View only' }).click()
    await expect(page.getByRole('button', { name: 'View only', pressed: true })).toBeVisible()
    const seen = await visitOffers(page, {
      studio,
      database: NAME,
      indexes: [BY_N, OTHER, BROKEN, RUNNING].map(({ Name: name }) => name),
      replaced: { database: ASKED, index: BY_N.Name },
      others: [OFF],
      alert: 'AlertRaised/LicenseManager_AGPL3',
      notification,
    })
    for (const { title, refusal } of seen) expect(refusal, title).toContain('View only: allow changes by the lock')
    const titles = new Set(seen.map(({ title }) => title))
    // A database that fails to load is in `database-states.spec.ts`.
    expect(EVERY_TITLE.filter((title) => !titles.has(title))).toEqual(['Retry to load'])
    const changing = network.asked.filter(({ what, method, path }) => what === 'request' && !isReading(method, path))
    expect(changing).toEqual([])
    expect(network.asked.length).toBeGreaterThan(50)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  } finally {
    await page.goto('about:blank')
    await network.close()
    await post(`${PATH}/operations/kill?id=${patch}`).catch(() => undefined)
    // What it waits for.
    await post(`${databasePath(ASKED)}/admin/indexes/start`)
    await query.ended
    await post('/admin/databases/set-lock', { DatabaseNames: [OFF], Mode: 'Unlock' })
    for (const name of [NAME, OFF, ASKED]) await deleteDatabase(url, name)
  }
})
