import { resolve } from 'node:path'
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
import { serveStudio } from '../../tools/serve.mjs'
import { ACTIONS } from '../../src/actions/table.ts'
import { writeRequestOf } from '../../src/actions/write-request.ts'
import { parseVersion } from '../../src/ravendb/versions.ts'
import { FaultProxy } from '../soak/proxy.ts'
import { activity, BY_N, mayChange, notice } from '../support/actions.ts'
import { expect, test as base } from '../support/raven.ts'
import { openDoneHere } from '../support/panels.ts'

/* Safety: no change without a right, none sent twice, and no claim without evidence. */

const NAME = 'guarded'
const PATH = databasePath(NAME)
const TABLE = `#/indexing?v=1&s=db:${NAME}&indexing.view=indexes`

const test = base.extend<{ network: FaultProxy }>({
  network: async ({ raven, page }, use) => {
    await createDatabase(raven.url, NAME)
    await putIndexes(raven.url, NAME, [
      BY_N,
      { Name: 'Things/Other', Maps: ['from t in docs.Things select new { M = t.N }'] },
    ])
    const network = await FaultProxy.open(raven.url)
    await use(network)
    await page.goto('about:blank')
    await network.close()
    await deleteDatabase(raven.url, NAME)
  },
})

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5',
  'What is held here is the page and the network, not the server.',
)

const statusOf = async (url: string): Promise<string> => {
  const { Results: all } = (await json(url, `${PATH}/indexes/stats`)) as { Results: { Name: string; Status: string }[] }
  return all.find(({ Name: name }) => name === 'Things/ByN')?.Status ?? 'gone'
}
const changing = ({ requested }: FaultProxy): string[] =>
  requested.flatMap(({ what, method, path }) =>
    what === 'request' && mayChange(method, path) ? [`${method} ${path}`] : [],
  )
const openMenu = (page: Page): Promise<void> =>
  page.getByRole('button', { name: `Actions on “Things/ByN” of “${NAME}”` }).click()

test('in view-only mode no action can be chosen, and no changing request leaves', async ({ page, network }) => {
  await page.goto(`${network.url}/studio/index.html${TABLE}`)
  await page.getByRole('button', { name: 'View only' }).click()
  await openMenu(page)
  const items = page.getByRole('menuitem')
  await expect(items.first()).toBeVisible()
  await expect(
    page.getByText('View only: allow changes by the lock in the header.').filter({ visible: true }),
  ).toHaveCount(1)
  for (const item of await items.all()) {
    await expect(item).toHaveAttribute('aria-disabled', 'true')
    await item.click({ force: true })
  }
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('button', { name: 'View only', pressed: true })).toBeVisible()
  expect(changing(network)).toEqual([])
  await page.getByRole('button', { name: 'View only' }).click()
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
  await expect(notice(page)).toContainText('Done · Paused')
  expect(changing(network)).toHaveLength(1)

  // The official studio shares the storage, and may have filled it.
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Resume indexing' }).click()
  await expect(notice(page)).toContainText('Done · Resumed')
  await page.getByRole('button', { name: 'View only' }).click()
  await expect(page.getByRole('button', { name: 'View only · this page only', pressed: true })).toBeVisible()
  await openDoneHere(page)
  await expect(page.getByText(/^This browser did not store [12] actions?\.$/)).toBeVisible()
  await expect(activity(page).getByRole('listitem')).toHaveCount(2)
  const undone = activity(page).getByRole('listitem').first().getByRole('button', { name: 'Pause indexing' })
  await expect(undone).toBeDisabled()
  expect(changing(network)).toHaveLength(2)
})

test('the stand-alone server that only looks locks the page for good', async ({ page, raven, network, complaints }) => {
  complaints.allow(/status of 403/)
  const dist = resolve(import.meta.dirname, '../../dist')
  const served = await serveStudio({ dist, target: network.url, allowChanges: false })
  await page.goto(`${served.url}/studio/index.html${TABLE}`)
  const lock = page.getByRole('button', { name: 'View only', pressed: true })
  await expect(lock).toHaveAttribute('aria-disabled', 'true')
  await expect(lock).toHaveAttribute('title', /--allow-changes/)
  // The stand-alone server also refuses a request that the page would not send.
  const status = await page.evaluate(
    async (path) => (await fetch(path, { method: 'POST' })).status,
    `${PATH}/admin/indexes/stop`,
  )
  expect(status).toBe(403)
  expect(changing(network)).toEqual([])
  expect(await statusOf(raven.url)).toBe('Running')
  await page.goto('about:blank')
  await served.close()
})

/** Every request of the table, once for each of its choices. */
const EVERY_REQUEST = ACTIONS.flatMap((action) =>
  (action.presets ?? [{ inputs: {} }]).map(({ inputs }) => {
    const isServer = action.target === 'server'
    const target = {
      kind: action.target,
      database: isServer ? null : NAME,
      name: isServer || action.target === 'database' ? null : action.target === 'query' ? '7 Things/ByN' : 'Things/ByN',
    }
    const filled = Object.fromEntries((action.fields ?? []).map(({ name, choices }) => [name, choices?.[0] ?? 'x']))
    const call = { action: action.id, target, inputs: { ...inputs, ...filled }, facts: {} }
    const { method, path, body } = writeRequestOf(action, call, parseVersion({ FullVersion: '7.1.5' }))
    return { action: action.id, method, path, body: body === null ? null : JSON.stringify(body) }
  }),
)

test('the stand-alone server that only looks refuses what any action sends @full', async ({
  page,
  network,
  complaints,
}) => {
  complaints.allow(/status of 40[03]/)
  const dist = resolve(import.meta.dirname, '../../dist')
  const served = await serveStudio({ dist, target: network.url, allowChanges: false })
  await page.goto(`${served.url}/studio/index.html#/files`)
  const answers = await page.evaluate(async (all) => {
    const statuses: string[] = []
    for (const { action, method, path, body } of all)
      statuses.push(`${action} ${(await fetch(path, { method, body })).status}`)
    return statuses
  }, EVERY_REQUEST)
  expect(answers.length).toBeGreaterThan(25)
  // Node knows no RESET: it is refused before anything looks at it.
  const resets = EVERY_REQUEST.filter(({ method }) => method === 'RESET').map(({ action }) => `${action} 400`)
  expect(answers.filter((answer) => !answer.endsWith(' 403'))).toEqual(resets)
  expect(changing(network)).toEqual([])
  await page.goto('about:blank')
  await served.close()
})

test('an index is reset in place through the stand-alone server, whose HTTP parser knows no RESET @full', async ({
  page,
  raven,
  network,
}) => {
  test.setTimeout(180_000)
  const entriesOf = async (): Promise<{ created: string; entries: number; isStale: boolean }> => {
    const { Results: all } = (await json(raven.url, `${PATH}/indexes/stats`)) as {
      Results: { Name: string; CreatedTimestamp: string; EntriesCount: number; IsStale: boolean }[]
    }
    const index = all.find(({ Name: name }) => name === 'Things/ByN')
    if (index === undefined) throw new Error('the index is gone')
    return { created: index.CreatedTimestamp, entries: index.EntriesCount, isStale: index.IsStale }
  }
  const documents = Array.from({ length: 300 }, (_, i) => put(`things/${i}`, 'Things', { N: i }))
  await bulk(raven.url, NAME, documents)
  await expect.poll(async () => (await entriesOf()).entries, { timeout: 60_000 }).toBe(300)
  const before = await entriesOf()
  const dist = resolve(import.meta.dirname, '../../dist')
  const served = await serveStudio({ dist, target: network.url, allowChanges: true })
  try {
    await page.goto(`${served.url}/studio/index.html${TABLE}`)
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Reset in place …' }).click()
    await expect(page.getByRole('dialog')).toContainText('drops its 300 entries')
    await page.getByRole('dialog').getByRole('button', { name: 'Reset in place', exact: true }).click()
    await expect(notice(page)).toContainText('Done · Reset in place: “Things/ByN”', { timeout: 90_000 })
    await expect(notice(page)).toContainText('with 300 entries')
    const after = await entriesOf()
    expect(after.created).not.toBe(before.created)
    expect(after).toMatchObject({ entries: 300, isStale: false })
    await openDoneHere(page)
    const effect = page.getByRole('group', { name: 'Effect' })
    await expect(effect).toContainText(/Rebuild[1-9]\d* batch(es)? in .* 300 documents/, { timeout: 90_000 })
  } finally {
    await page.goto('about:blank')
    await served.close()
  }
})

test('a connection that is cut during a write is unknown, then found out, and nothing is sent again', async ({
  page,
  raven,
  network,
  complaints,
}) => {
  complaints.allow(/Failed to load resource|WebSocket/)
  test.setTimeout(180_000)
  await page.goto(`${network.url}/studio/index.html${TABLE}`)
  await openMenu(page)
  await expect(page.getByRole('menuitem', { name: 'Pause indexing' })).toBeVisible()
  const from = network.requested.length
  // The request is accepted by the network and stays there; then the connection is reset.
  await page.context().route(/indexes\/stop/, (route) => {
    network.become({ is: 'hold' })
    return route.continue()
  })
  await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
  const stops = (): number => network.requested.slice(from).filter(({ path }) => path.includes('/stop')).length
  await expect.poll(stops).toBe(1)
  await expect(notice(page)).toContainText('Sending')
  network.become({ is: 'reset' })
  await expect(notice(page)).toContainText('Unknown: checking')
  network.become({ is: 'pass' })
  await page.context().unroute(/indexes\/stop/)
  await expect(notice(page)).toContainText('Nothing happened', { timeout: 90_000 })
  expect(await statusOf(raven.url)).toBe('Running')
  expect(stops()).toBe(1)
  await notice(page).getByRole('button', { name: 'Retry' }).click()
  await expect(notice(page)).toContainText('Done · Paused', { timeout: 60_000 })
  expect(await statusOf(raven.url)).toBe('Paused')
})

test('an answer that is lost after the server did it is found out, also after a reload @full', async ({
  page,
  raven,
  network,
  complaints,
}) => {
  complaints.allow(/Failed to load resource|WebSocket/)
  test.setTimeout(180_000)
  await page.goto(`${network.url}/studio/index.html${TABLE}`)
  await openMenu(page)
  // The server gets the request and acts; its answer never comes.
  await page.context().route(/indexes\/stop/, async (route) => {
    await fetch(raven.url + new URL(route.request().url()).pathname + new URL(route.request().url()).search, {
      method: 'POST',
    })
    await route.abort('connectionreset')
  })
  await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
  await expect(notice(page)).toContainText('Done · Paused', { timeout: 60_000 })
  await openDoneHere(page)
  const list = activity(page)
  await expect(list).toContainText('The connection was lost.')
  await page.reload()
  await expect(list).toContainText('Paused: “Things/ByN”')
})

test('what is refused while its state cannot be read has failed, with its cause @full', async ({
  page,
  raven,
  network,
  complaints,
}) => {
  complaints.allow(/Failed to load resource/)
  await page.goto(`${network.url}/studio/index.html${TABLE}`)
  await openMenu(page)
  await expect(page.getByRole('menuitem', { name: 'Pause indexing' })).toBeVisible()
  // The list is read every 3 s, and would remove the row with its menu.
  await page.context().route(/indexes\/stats/, () => undefined)
  await json(raven.url, `${PATH}/indexes?name=Things/ByN`, { method: 'DELETE' })
  await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
  await expect(notice(page)).toContainText('Failed · Pause indexing')
  await page.context().unrouteAll({ behavior: 'ignoreErrors' })
  await expect(notice(page)).toContainText(/Things\/ByN/)
})

for (const [status, type] of [
  [403, 'InvalidAuth'],
  [409, 'Raven.Client.Exceptions.ConcurrencyException'],
  [402, 'Raven.Client.Exceptions.Commercial.LicenseLimitException'],
  [412, 'Raven.Client.Exceptions.PreconditionFailedException'],
] as const)
  test(`a refusal with ${status} is failed at once, with the innermost cause @full`, async ({
    page,
    raven,
    network,
    complaints,
  }) => {
    complaints.allow(/Failed to load resource/)
    await page.goto(`${network.url}/studio/index.html${TABLE}`)
    await openMenu(page)
    const body = {
      Type: type,
      Message: 'Outer.',
      Error: `${type}: Outer.\n ---> A.B.InnerException: The real cause.\n   at C.D()`,
    }
    await page.context().route(/indexes\/stop/, (route) => route.fulfill({ status, json: body }))
    await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
    await expect(notice(page)).toContainText('Failed · Pause indexing')
    await expect(notice(page)).toContainText('The real cause.')
    expect(await statusOf(raven.url)).toBe('Running')
  })
