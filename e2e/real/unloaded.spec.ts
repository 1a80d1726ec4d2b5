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
  // Longer than a reconnect, a poll of states, and another idle sweep take.
  for (let i = 0; i < 8; i++) {
    await page.waitForTimeout(1000)
    expect(await isLoaded(sleepy.url, 'asleep')).toBe(false)
  }
  await page.getByRole('link', { name: 'Databases' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'asleep' })).toContainText('unloaded')
  for (let i = 0; i < 6; i++) {
    await page.waitForTimeout(1000)
    expect(await isLoaded(sleepy.url, 'asleep')).toBe(false)
  }

  await page.getByRole('link', { name: 'I/O' }).click()
  await page.getByRole('button', { name: /^Load asleep/ }).click()
  await expect.poll(() => isLoaded(sleepy.url, 'asleep')).toBe(true)
})
