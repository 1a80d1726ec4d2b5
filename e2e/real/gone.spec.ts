import type { Page } from '@playwright/test'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { activity, actOn, BY_N, confirm, dialog, LONG_MS, mayChange, notice } from '../support/actions.ts'
import { callOf, makeWaiting } from '../support/long-query.ts'
import { expect, test } from '../support/raven.ts'
import { idle } from '../support/studio.ts'

/* Targets that another client removed between the list and the click: neither failed nor done by this page. */

const NAME = 'vanishing'
const ASKED = 'vanishing-asked'
const PATH = databasePath(NAME)
const BROKEN = { Name: 'Things/Broken', Maps: ['from t in docs.Things select new { N = 1 / (t.N - t.N) }'] }
const PAUSED = { Name: 'Things/Paused', Maps: ['from t in docs.Things select new { P = t.N }'] }
const DOCUMENTS = 20_000

test('what another client has removed is already gone, for each kind of target @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.setTimeout(420_000)
  complaints.allow(/status of (404|500)/)
  const { url } = raven
  const call = callOf(url)
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (mayChange(request.method(), pathname + search)) sent.push(`${request.method()} ${pathname}`)
  })
  /** `title`: as in the notice, with the target. */
  const gone = async (title: string, text: string | RegExp, requests = 0): Promise<void> => {
    const one = notice(page).getByText(title).locator('xpath=../..')
    await expect(one).toContainText(`Already gone · ${title}`, { timeout: LONG_MS })
    await expect(one).toContainText(text)
    await expect(one.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    expect(sent.splice(0), title).toHaveLength(requests)
    await one.getByRole('button', { name: 'Dismiss' }).click()
  }
  /** The dialog reads again what there is, and has nothing left to send. */
  const goneInDialog = async (target: string, button: string): Promise<void> => {
    await expect(dialog(page).getByRole('alert')).toContainText(`${target} does not exist any more.`, {
      timeout: LONG_MS,
    })
    await expect(dialog(page).getByRole('button', { name: button, exact: true })).toBeDisabled()
    await page.keyboard.press('Escape')
    expect(sent, target).toEqual([])
  }
  try {
    await createDatabase(url, NAME)
    await bulk(
      url,
      NAME,
      Array.from({ length: DOCUMENTS }, (_, i) => put(`things/${i}`, 'Things', { N: i })),
    )
    await putIndexes(url, NAME, [BY_N, BROKEN, PAUSED])
    const exported = await fetch(`${url}${PATH}/smuggler/export`, { method: 'POST', body: '{}' })
    await exported.arrayBuffer()
    const errorsOf = async (): Promise<number> =>
      (
        (await json(url, `${PATH}/indexes/errors?name=${BROKEN.Name}`)) as { Results: { Errors: unknown[] }[] }
      ).Results.flatMap(({ Errors }) => Errors).length
    await expect.poll(errorsOf, { timeout: LONG_MS }).toBeGreaterThan(0)

    await test.step('an index, its errors, and one that is to be paused', async () => {
      await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}&indexing.view=indexes`))
      const target = `“${BY_N.Name}” of “${NAME}”`
      await actOn(page, target, 'Delete …')
      await dialog(page).getByRole('textbox').fill(BY_N.Name)
      await json(url, `${PATH}/indexes?name=${BY_N.Name}`, { method: 'DELETE' })
      await goneInDialog(target, 'Delete')

      // The list is read every 3 s, and would remove the row with its menu.
      const listing = await held(page)
      const errors = `“${BROKEN.Name}” of “${NAME}”`
      await openMenu(page, errors)
      await json(url, `${PATH}/indexes/errors?name=${BROKEN.Name}`, { method: 'DELETE' })
      expect(await errorsOf()).toBe(0)
      await listing.choose('Clear errors')
      await gone(`Clear errors: ${errors}`, /No errors are kept any more\. Nothing was sent\./)

      const again = await held(page)
      const paused = `“${PAUSED.Name}” of “${NAME}”`
      await openMenu(page, paused)
      await json(url, `${PATH}/indexes?name=${PAUSED.Name}`, { method: 'DELETE' })
      await again.choose('Pause indexing')
      // The page sends the request, since the index may have been created again, and the server refuses it.
      await gone(`Pause indexing: ${paused}`, 'The index does not exist any more.', 1)
    })

    await test.step('an operation that another client cancelled', async () => {
      await page.goto(raven.studio('#/activity?v=1&activity.view=operations'))
      const patch = 'from Things update { for (var i = 0, s = 0; i < 3000; i++) s += i % 7; this.s = s }'
      const { OperationId: id } = (await json(url, `${PATH}/queries`, {
        method: 'PATCH',
        body: { Query: { Query: patch } },
      })) as { OperationId: number }
      await page.getByRole('button', { name: 'Refresh' }).click()
      const target = `operation ${id} of “${NAME}”`
      await page.getByRole('button', { name: `Cancel operation: ${target}` }).click({ timeout: LONG_MS })
      await json(url, `${PATH}/operations/kill?id=${id}`, { method: 'POST' })
      const stateOf = async (): Promise<string> =>
        ((await json(url, `${PATH}/operations/state?id=${id}`)) as { Status: string }).Status
      await expect.poll(stateOf, { timeout: LONG_MS }).not.toBe('InProgress')
      await confirm(page, 'Cancel operation')
      await gone(`Cancel operation: ${target}`, 'Nothing was sent.')
    })

    await test.step('a query that another client killed', async () => {
      const send = await makeWaiting(call, ASKED)
      const requested = send()
      await page.goto(raven.studio('#/activity?v=1&activity.view=queries'))
      const kill = page.getByRole('button', { name: /^Kill query: query \d+ on / }).first()
      await kill.click({ timeout: LONG_MS })
      // The query waits for its index, and ends with the wait.
      await call('POST', `${databasePath(ASKED)}/admin/indexes/start`)
      await requested
      await confirm(page, 'Kill query')
      await gone('Kill query: query', 'The query does not run any more. Nothing was sent.')
    })

    await test.step('a notification that another client dismissed', async () => {
      const { Results: all } = (await json(url, `${PATH}/notifications`)) as { Results: { Id: string; Type: string }[] }
      const id = all.find(({ Type: type }) => type === 'OperationChanged')?.Id ?? ''
      await page.goto(raven.studio('#/server?v=1&server.view=alerts'))
      await page.getByRole('region', { name: 'Notifications of databases' }).getByText(NAME, { exact: true }).click()
      const target = `notification “${id}” of “${NAME}”`
      await actOn(page, target, 'Dismiss …')
      const query = `id=${encodeURIComponent(id)}&forever=false`
      await json(url, `${PATH}/notification-center/dismiss?${query}`, { method: 'POST' })
      await confirm(page, 'Dismiss')
      await gone(`Dismiss: ${target}`, 'The server does not list it any more. Nothing was sent.')
    })

    await test.step('a database', async () => {
      await page.goto(raven.studio('#/databases'))
      await actOn(page, `“${ASKED}”`, 'Delete with all files …')
      await dialog(page).getByRole('textbox').fill(ASKED)
      await deleteDatabase(url, ASKED)
      await goneInDialog(`“${ASKED}”`, 'Delete with all files')

      await actOn(page, `“${NAME}”`, 'Compact …')
      await deleteDatabase(url, NAME)
      await goneInDialog(`“${NAME}”`, 'Compact')
    })

    await page.goto(raven.studio('#/activity?v=2&activity.view=done'))
    await page.reload()
    const entries = activity(page).getByRole('listitem')
    await expect(entries.filter({ hasText: 'Already gone' })).toHaveCount(5)
    await expect(entries.filter({ hasText: /Failed|Done|Unknown/ })).toHaveCount(0)
    await page.goto(raven.studio('#/server?v=1&live=18000000000'))
    await idle(page)
    await expect(page.getByRole('list', { name: 'Actions in this time' })).toHaveCount(0)
  } finally {
    await page.goto('about:blank')
    for (const name of [NAME, ASKED]) await deleteDatabase(url, name).catch(() => undefined)
  }
})

const openMenu = (page: Page, target: string): Promise<void> =>
  page.getByRole('button', { name: `Actions on ${target}` }).click({ timeout: LONG_MS })

/** Holds back what would renew the list of indexes, until an entry of the open menu is chosen. */
async function held(page: Page): Promise<{ readonly choose: (item: string) => Promise<void> }> {
  let isHeld = false
  const released: (() => void)[] = []
  const listing = /indexes\/stats/
  await page.context().route(listing, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => released.push(resolve))
    await route.continue().catch(() => undefined)
  })
  await expect(page.getByRole('table').first()).toBeVisible({ timeout: LONG_MS })
  isHeld = true
  return {
    choose: async (item) => {
      await page.getByRole('menuitem', { name: item, exact: true }).click()
      isHeld = false
      for (const release of released) release()
      await page.context().unroute(listing)
    },
  }
}
