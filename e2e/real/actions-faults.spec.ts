import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { FaultProxy } from '../soak/proxy.ts'
import { activity, actOn, BY_N, confirm, dialog, LONG_MS, notice } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'
import { openDoneHere } from '../support/panels.ts'

/* Faults after an action was sent: no claim without evidence, and the final state is read. */

const NAME = 'faulty'
const PATH = databasePath(NAME)
const INDEX = BY_N.Name

const act = (page: Page, target: string, item: string): Promise<void> => actOn(page, target, item, true)

/** The server's state, read by another client. */
async function priorityOf(url: string): Promise<string | undefined> {
  const { Results: all } = (await json(url, `${PATH}/indexes/stats`)) as {
    Results: { Name: string; Priority: string }[]
  }
  return all.find(({ Name: name }) => name === INDEX)?.Priority
}

test.describe('of an index', () => {
  test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

  test.beforeEach(async ({ raven, page, complaints }) => {
    complaints.allow(/status of 408/)
    await createDatabase(raven.url, NAME)
    await putIndexes(raven.url, NAME, [BY_N])
    await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}&indexing.view=indexes`))
    await expect(page.getByRole('table', { name: `Indexes of ${NAME}` }).getByText(INDEX)).toBeVisible()
  })

  test.afterEach(async ({ raven, page }) => {
    await page.goto('about:blank')
    await deleteDatabase(raven.url, NAME)
  })

  const timedOut = (route: Route): Promise<void> =>
    route.fulfill({
      status: 408,
      json: {
        Type: 'System.TimeoutException',
        Message: 'Waited for 00:00:15 but the command was not applied in this time.',
        Error: 'System.TimeoutException: Waited for 00:00:15 but the command was not applied in this time.',
      },
    })

  test('a cluster that gave up waiting, and a gateway that did, are unknown: done where it was applied after all @full', async ({
    page,
    raven,
    complaints,
  }) => {
    complaints.allow(/status of 503/)
    let answer = timedOut
    await page.context().route(/set-priority/, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      const body = route.request().postData() ?? ''
      await fetch(raven.url + pathname + search, { method: 'POST', body })
      await answer(route)
    })
    await act(page, `“${INDEX}” of “${NAME}”`, 'Set priority low')
    await expect(notice(page)).toContainText('Done · Priority changed', { timeout: LONG_MS })
    expect(await priorityOf(raven.url)).toBe('Low')
    answer = (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<html><title>503 Unavailable</title></html>' })
    await act(page, `“${INDEX}” of “${NAME}”`, 'Set priority high')
    // The notice of the first one may be gone before the second one is found out.
    await openDoneHere(page)
    await expect(activity(page).getByRole('listitem').filter({ hasText: 'Priority changed: ' })).toHaveCount(2, {
      timeout: LONG_MS,
    })
    expect(await priorityOf(raven.url)).toBe('High')
    await expect(activity(page)).toContainText('408')
    await expect(activity(page)).toContainText('an HTML page titled “503 Unavailable” (status 503)')
    await expect(activity(page).getByRole('button', { name: 'Set priority normal' }).first()).toBeVisible()
  })

  test('a cluster that gave up waiting is unknown: nothing happened where it was not applied @full', async ({
    page,
    raven,
  }) => {
    await page.context().route(/set-priority/, timedOut)
    await act(page, `“${INDEX}” of “${NAME}”`, 'Set priority low')
    await expect(notice(page)).toContainText('Unknown: checking')
    await expect(notice(page)).toContainText('Nothing happened', { timeout: LONG_MS })
    await expect(notice(page)).toContainText(
      /Nothing has changed\. .* Waited for 00:00:15 .*Look at the state before you repeat it/,
    )
    expect(await priorityOf(raven.url)).toBe('Normal')
  })

  test('a state that comes as an empty body is not taken for any, until it can be read @full', async ({
    page,
    raven,
  }) => {
    let empty = 0
    const listing = /indexes\/stats/
    await page.context().route(listing, (route) => {
      empty += 1
      return route.fulfill({ status: 200, body: '' })
    })
    await act(page, `“${INDEX}” of “${NAME}”`, 'Set priority low')
    await expect(notice(page)).toContainText('Unknown: checking', { timeout: LONG_MS })
    await expect(notice(page)).toContainText('The state could not be read')
    expect(empty).toBeGreaterThan(0)
    expect(await priorityOf(raven.url)).toBe('Low')
    await page.context().unroute(listing)
    await expect(notice(page)).toContainText('Done · Priority changed', { timeout: LONG_MS })
  })

  test('an operation whose number came as an empty body is not called done @full', async ({ page, raven }) => {
    await page.goto(raven.studio('#/databases'))
    await page.context().route(/admin\/compact/, (route) => route.fulfill({ status: 200, body: '' }))
    await act(page, `“${NAME}”`, 'Compact …')
    await page.getByRole('dialog').getByRole('button', { name: 'Compact', exact: true }).click()
    // Nor unknown: the server has given out no number for one.
    await expect(notice(page)).toContainText('Nothing happened · Compact', { timeout: LONG_MS })
    await expect(notice(page)).toContainText('The server has begun no such operation since.')
  })
})

test('long operations whose response is lost are found by what the server reports since @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.setTimeout(300_000)
  complaints.allow(/Failed to load resource|WebSocket|ERR_/)
  const [folder, copy] = [await mkdtemp(join(tmpdir(), 'rookery-lost-')), `${NAME}-copy`]
  const found = 'The response was lost; this is the only such operation that began since.'
  const network = await FaultProxy.open(raven.url)
  /** Responses of the server, of which the page receives nothing. */
  const answers: { readonly OperationId: number }[] = []
  await page.context().route(/admin\/(backup|compact|restore\/database)$/, async (route) => {
    const { pathname } = new URL(route.request().url())
    const isCompaction = pathname.endsWith('compact')
    // A compaction begins and ends while the page is cut off: the server reports it in no way any more.
    if (isCompaction) network.become({ is: 'reset' })
    const answer = await fetch(raven.url + pathname, { method: 'POST', body: route.request().postData() ?? '' })
    const operation = (await answer.json()) as { readonly OperationId: number }
    answers.push(operation)
    if (isCompaction) {
      const state = `/operations/state?id=${operation.OperationId}`
      await expect.poll(() => json(raven.url, state), { timeout: LONG_MS }).toMatchObject({ Status: 'Completed' })
      network.become({ is: 'pass' })
    }
    await route.abort('connectionreset')
  })
  const over = async (title: string): Promise<void> => {
    const one = notice(page).filter({ hasText: `Done · ${title}` })
    await expect(one).toContainText(found, { timeout: LONG_MS })
    expect(answers.pop()).toMatchObject({ OperationId: expect.any(Number) })
  }
  try {
    await createDatabase(raven.url, NAME)
    await bulk(
      raven.url,
      NAME,
      Array.from({ length: 100 }, (_, i) => put(`things/${i}`, 'Things', { i })),
    )
    // An earlier operation, which must not be mistaken for it.
    await fetch(`${raven.url}${PATH}/admin/backup`, {
      method: 'POST',
      body: JSON.stringify({ BackupType: 'Backup', LocalSettings: { FolderPath: folder } }),
    })
    await page.goto(`${network.url}/studio/index.html#/databases`)
    await act(page, `“${NAME}”`, 'Back up now …')
    await dialog(page).getByRole('textbox', { name: 'Folder on the server' }).fill(folder)
    await confirm(page, 'Back up now')
    await over('Backed up')
    const { Results: listed } = (await json(raven.url, `${PATH}/operations`)) as {
      Results: { Description: { TaskType: string } }[]
    }
    expect(listed.filter(({ Description: { TaskType: task } }) => task === 'DatabaseBackup')).toHaveLength(2)

    await act(page, `“${NAME}”`, 'Compact …')
    await confirm(page, 'Compact')
    await over('Compacted')

    const [taken = ''] = await readdir(folder)
    await page.getByRole('button', { name: 'Restore a backup' }).click()
    await dialog(page)
      .getByRole('textbox', { name: 'Backup file on the server' })
      .fill(join(folder, taken, (await readdir(join(folder, taken)))[0] ?? ''))
    await dialog(page).getByRole('textbox', { name: 'New database' }).fill(copy)
    await confirm(page, 'Restore a backup')
    await over('Restored')
    const stats = (await json(raven.url, `${databasePath(copy)}/stats`)) as { CountOfDocuments: number }
    expect(stats.CountOfDocuments).toBe(100)
  } finally {
    await page.goto('about:blank')
    await network.close()
    for (const name of [NAME, copy]) await deleteDatabase(raven.url, name)
    await rm(folder, { recursive: true, force: true })
  }
})

test('a backup of which the server received nothing is called nothing, and not unknown @full', async ({
  page,
  raven,
  complaints,
  ravenVersion,
}) => {
  test.skip(ravenVersion !== '7.1.5', 'The list that is read is the same in all versions, as the test above shows.')
  complaints.allow(/Failed to load resource|ERR_/)
  try {
    await createDatabase(raven.url, NAME)
    await page.goto(raven.studio('#/databases'))
    await page.context().route(/admin\/backup$/, (route) => route.abort('connectionreset'))
    await act(page, `“${NAME}”`, 'Back up now …')
    await dialog(page).getByRole('textbox', { name: 'Folder on the server' }).fill('/tmp')
    await confirm(page, 'Back up now')
    await expect(notice(page)).toContainText('Nothing happened', { timeout: LONG_MS })
    await expect(notice(page)).toContainText('The server lists no such operation')
  } finally {
    await page.goto('about:blank')
    await deleteDatabase(raven.url, NAME)
  }
})

test('a server that is killed during a compaction: unknown, and what is left of the database is read @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.skip(raven.version === '6.2.4', 'The test below kills one of this version.')
  test.setTimeout(300_000)
  complaints.allow(/Failed to load resource|WebSocket|ERR_/)
  const documents = 4000
  await createDatabase(raven.url, NAME)
  const text = (): string => randomBytes(4000).toString('base64')
  for (let from = 0; from < documents; from += 1000)
    await bulk(
      raven.url,
      NAME,
      Array.from({ length: 1000 }, (_, i) => put(`things/${from + i}`, 'Things', { text: text() })),
    )
  await page.goto(raven.studio('#/databases'))
  await act(page, `“${NAME}”`, 'Compact …')
  const accepted = page.waitForResponse(/admin\/compact/)
  await page.getByRole('dialog').getByRole('button', { name: 'Compact', exact: true }).click()
  expect((await accepted).status()).toBe(200)
  await raven.kill()
  await expect(notice(page)).toContainText('Unknown: checking · Compact', { timeout: LONG_MS })
  await expect(notice(page)).not.toContainText('Done')
  await raven.restart()
  await expect(notice(page)).toContainText('Unknown · Compact', { timeout: LONG_MS })
  await expect(notice(page)).toContainText('The server does not know the operation any more')
  await expect(notice(page)).toContainText('The database is enabled')
  const stats = (await json(raven.url, `${PATH}/stats`)) as { CountOfDocuments: number }
  expect(stats.CountOfDocuments).toBe(documents)
  await openDoneHere(page)
  await page.reload()
  await expect(activity(page).getByRole('listitem').filter({ hasText: 'Compact' })).toContainText('Unknown')
  await page.goto('about:blank')
  await deleteDatabase(raven.url, NAME)
})

/** Connections of a server on which the kernel holds bytes that it has not read. */
async function unreadConnections(url: string): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return lines.filter(
    ([, local = '', , state, queues = '']) =>
      local.endsWith(`:${port}`) && state === '01' && Number.parseInt(queues.split(':')[1] ?? '0', 16) > 0,
  ).length
}

test('a server that is killed with an import and a deletion on their way: nothing is claimed, and nothing runs on @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.skip(raven.version !== '6.2.4', 'One version is enough: what is held here is the page.')
  test.setTimeout(240_000)
  complaints.allow(/Failed to load resource|WebSocket|ERR_/)
  const [folder, doomed] = [await mkdtemp(join(tmpdir(), 'rookery-killed-')), `${NAME}-doomed`]
  const file = join(folder, 'all.ravendbdump')
  try {
    for (const name of [NAME, doomed]) await createDatabase(raven.url, name)
    await bulk(raven.url, doomed, [put('things/1', 'Things', { N: 1 })])
    const dump = await fetch(`${raven.url}${databasePath(doomed)}/smuggler/export`, { method: 'POST', body: '{}' })
    await writeFile(file, Buffer.from(await dump.arrayBuffer()))
    await page.goto(raven.studio('#/databases'))
    // Both requests have left the page when the server stops to read them.
    const held: Route[] = []
    await page.context().route(/smuggler\/import|admin\/databases\?/, (route) => void held.push(route))
    await act(page, `“${NAME}”`, 'Import a file …')
    await dialog(page).getByLabel('File (.ravendbdump)').setInputFiles(file)
    await confirm(page, 'Import a file')
    await act(page, `“${doomed}”`, 'Delete with all files …')
    await dialog(page).getByRole('textbox').fill(doomed)
    await confirm(page, 'Delete with all files')
    await expect.poll(() => held.length, { timeout: LONG_MS }).toBe(2)
    raven.suspend()
    const before = await unreadConnections(raven.url)
    await Promise.all(held.map((route) => route.continue()))
    await expect.poll(() => unreadConnections(raven.url), { timeout: LONG_MS }).toBeGreaterThanOrEqual(before + 2)
    await raven.kill()
    await expect(notice(page)).toContainText('Unknown: checking · Delete with all files', { timeout: LONG_MS })
    await raven.restart()
    const imported = notice(page).filter({ hasText: 'Unknown · Import a file' })
    await expect(imported).toContainText('The server does not know the operation', { timeout: LONG_MS })
    await expect(notice(page)).toContainText('Nothing happened · Delete with all files', { timeout: LONG_MS })
    const { Databases: left } = (await json(raven.url, '/databases?namesOnly=true')) as { Databases: string[] }
    expect(left).toEqual(expect.arrayContaining([NAME, doomed]))
    await openDoneHere(page)
    await page.reload()
    await expect(activity(page).getByRole('listitem')).toHaveCount(2)
    await expect(activity(page)).not.toContainText(/Running|Sending|checking|Done/)
  } finally {
    await page.goto('about:blank')
    for (const name of [NAME, doomed]) await deleteDatabase(raven.url, name)
    await rm(folder, { recursive: true, force: true })
  }
})
