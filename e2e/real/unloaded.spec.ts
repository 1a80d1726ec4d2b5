import { createDatabase, json } from '../../tools/ravendb/client.mjs'
import { startRaven, expect, test as base } from '../support/raven.ts'

/** A server that unloads what was idle for five seconds. */
const test = base.extend<{ sleepy: Awaited<ReturnType<typeof startRaven>> }>({
  sleepy: async ({ ravenVersion }, use) => {
    const settings = { 'Databases.MaxIdleTimeInSec': '5', 'Databases.FrequencyToCheckForIdleInSec': '1' }
    const raven = await startRaven({ version: ravenVersion, settings })
    await use(raven)
    await raven.close()
  },
})

const isLoaded = async (url: string, name: string): Promise<boolean> =>
  ((await json(url, `/debug/is-loaded?name=${name}`)) as { IsLoaded: boolean }).IsLoaded

/** Looked at for longer than a reconnect, a poll of states, and another idle sweep take. */
async function staysUnloaded(url: string): Promise<void> {
  for (const endMs = Date.now() + 6000; Date.now() < endMs; await new Promise((done) => setTimeout(done, 250)))
    expect(await isLoaded(url, 'asleep')).toBe(false)
}

test('looking neither loads a database nor keeps one loaded; only a click that says so loads it', async ({
  page,
  sleepy,
  complaints,
}) => {
  test.setTimeout(150_000)
  complaints.allow(/WebSocket connection/)
  await createDatabase(sleepy.url, 'asleep')
  await page.goto(sleepy.studio('#/io?v=1&s=db:asleep'))
  await expect
    .poll(() => isLoaded(sleepy.url, 'asleep'), { timeout: 60_000, message: 'watching must not keep it loaded' })
    .toBe(false)

  const notice = page.getByText(/unloaded/i).first()
  await expect(notice).toBeVisible({ timeout: 30_000 })
  await staysUnloaded(sleepy.url)
  await page.getByRole('link', { name: 'Databases' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'asleep' })).toContainText('unloaded')
  await staysUnloaded(sleepy.url)

  await page.getByRole('link', { name: 'I/O' }).click()
  await page.getByRole('button', { name: /^Load asleep/ }).click()
  await expect.poll(() => isLoaded(sleepy.url, 'asleep')).toBe(true)
})
