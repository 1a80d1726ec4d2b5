import { bulk, createDatabase, databasePath, deleteDatabase, json, put } from '../../tools/ravendb/client.mjs'
import { notice as noticeOf } from '../support/actions.ts'
import { expect, isLoaded, SLEEPY, test as base } from '../support/raven.ts'

const NAME = 'sleeper'

/** An empty database that is unloaded when it was idle; gone before the next test. */
const test = base.extend<{ sleeper: { readonly isLoaded: () => Promise<boolean> } }>({
  sleeper: async ({ raven, page }, use) => {
    await createDatabase(raven.url, NAME, { settings: SLEEPY })
    await use({ isLoaded: () => isLoaded(raven.url, NAME) })
    await page.goto('about:blank')
    await deleteDatabase(raven.url, NAME)
  },
})

test('the page of an unloaded database shows what is known without loading it, and the rest at a click @full', async ({
  page,
  raven: { url, studio },
  sleeper: { isLoaded },
  complaints,
}) => {
  test.setTimeout(240_000)
  complaints.allow(/WebSocket connection/)
  await json(url, `${databasePath(NAME)}/subscriptions`, {
    method: 'PUT',
    body: { Name: 'mailer', Query: 'from Things' },
  })
  await expect.poll(isLoaded, { timeout: 90_000 }).toBe(false)
  await page.goto(studio('#/databases'))
  await page.getByRole('button', { name: `Details of ${NAME}` }).click()
  const detail = page.getByRole('region', { name: `Database ${NAME}` })
  await expect(detail).toContainText('unloaded')
  const storage = detail.getByRole('region', { name: `Storage of ${NAME}` })
  await expect(storage).toContainText('As it was when it was unloaded.')
  await expect(storage.getByRole('row', { name: /^Documents/ })).toContainText(/[KM]iB/)
  const tasks = detail.getByRole('region', { name: `Ongoing tasks of ${NAME}` })
  const load = tasks.getByRole('button', { name: `Load ${NAME} to see them` })
  await expect(load).toBeVisible()
  expect(await isLoaded()).toBe(false)
  await page.goBack()
  await expect(page.getByRole('table', { name: 'Databases' })).toBeVisible()
  await page.goForward()
  await load.click()
  await expect(tasks.getByRole('row', { name: /^mailer/ })).toContainText('Subscription', { timeout: 60_000 })
  expect(await isLoaded()).toBe(true)
})

test('actions on an unloaded database say that they load it, and load it only when confirmed @full', async ({
  page,
  raven: { version, url, studio },
  sleeper: { isLoaded },
  complaints,
}) => {
  test.skip(version !== '7.1.5', 'What is asked first is ours; files are exported on every version elsewhere.')
  test.setTimeout(240_000)
  complaints.allow(/WebSocket connection/)
  const dialog = page.getByRole('dialog')
  await bulk(url, NAME, [put('things/1', 'Things', { n: 1 })])
  await expect.poll(isLoaded, { timeout: 90_000 }).toBe(false)
  await page.goto(studio(`#/databases?v=1&databases.open=${NAME}`))
  const actions = page.getByRole('list', { name: `What can be done to “${NAME}”` })
  await page.getByText('What each does').click()
  const loads = page.getByText('is not loaded: the server loads it on this node.').first()
  await expect(loads).toBeVisible()
  await actions.getByRole('button', { name: 'Export to a file …' }).click()
  await expect(dialog).toContainText('It is not loaded: the server loads it first.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await isLoaded()).toBe(false)

  await actions.getByRole('button', { name: 'Export to a file …' }).click()
  const download = page.waitForEvent('download', { timeout: 90_000 })
  await dialog.getByRole('button', { name: 'Export to a file', exact: true }).click()
  await (await download).delete()
  const notice = noticeOf(page)
  await expect(notice).toContainText('1 document written.', { timeout: 90_000 })
  await expect(page.getByTitle('Databases loaded by this page: 1.')).toBeVisible()
  // The server counts the time without requests from the export: the page keeps nothing loaded.
  await expect.poll(isLoaded, { timeout: 90_000 }).toBe(false)

  await expect(loads).toBeVisible({ timeout: 90_000 })
  await actions.getByRole('button', { name: 'Restart …' }).click()
  await expect(dialog).toContainText(`“${NAME}” is not loaded: the server loads it on this node.`)
  await dialog.getByRole('button', { name: 'Restart', exact: true }).click()
  await expect(notice.filter({ hasText: /Done.*Restarted/ })).toContainText('It is loaded', { timeout: 60_000 })
})
