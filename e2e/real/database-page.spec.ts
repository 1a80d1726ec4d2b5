import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import { expect, startRaven, test } from '../support/raven.ts'

const NAME = 'sleeper'

test('the page of an unloaded database shows what is known without loading it, and the rest at a click', async ({
  page,
  ravenVersion,
  complaints,
}) => {
  test.setTimeout(240_000)
  complaints.allow(/WebSocket connection/)
  const settings = { 'Databases.MaxIdleTimeInSec': '5', 'Databases.FrequencyToCheckForIdleInSec': '1' }
  const sleepy = await startRaven({ version: ravenVersion, settings })
  const { url } = sleepy
  const isLoaded = async (): Promise<boolean> =>
    ((await json(url, `/debug/is-loaded?name=${NAME}`)) as { IsLoaded: boolean }).IsLoaded
  try {
    await createDatabase(url, NAME)
    await json(url, `${databasePath(NAME)}/subscriptions`, {
      method: 'PUT',
      body: { Name: 'mailer', Query: 'from Things' },
    })
    await expect.poll(isLoaded, { timeout: 90_000 }).toBe(false)
    await page.goto(sleepy.studio('#/databases'))
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
  } finally {
    await page.goto('about:blank')
    await sleepy.close()
  }
})
