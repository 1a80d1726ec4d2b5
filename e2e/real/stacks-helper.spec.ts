import type { Locator, Page } from '@playwright/test'
import { startHelperRaven, type HelperMode, type HelperRaven } from '../support/helper.ts'
import { expect, test as base } from '../support/raven.ts'

const test = base.extend<{ server: HelperRaven }>({
  server: async ({ ravenVersion }, use) => {
    const server = await startHelperRaven(ravenVersion)
    await use(server)
    await server.close()
  },
})

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What a helper does is the same on every version.')

const button = (page: Page): Locator => page.getByRole('button', { name: 'Take stack snapshot' })
const failed = (page: Page, title: string): Locator => page.getByRole('alert').filter({ hasText: title })

const FAILURES: readonly (readonly [mode: HelperMode, title: string, remedy: RegExp])[] = [
  ['missing', 'The server has no helper program', /put it there \(no restart is needed\).*HTTP 500/],
  ['not executable', 'The server may not run its helper program', /chmod \+x/],
  ['dies', 'The helper program ended with an error', /It failed at the step “Attaching”/],
  ['rubbish', 'wrote something that is no JSON', /replace it with the one of the same download/],
  ['cut', 'wrote something that is no JSON', /The live thread list needs no helper/],
  ['ends itself', 'The snapshot did not end in time', /A hung helper ends by itself/],
]

test('a helper that is missing, dies, prints rubbish or hangs, and a server that stops in the middle, end in words @full', async ({
  page,
  server,
  complaints,
}) => {
  test.setTimeout(150_000)
  complaints.allow(/Failed to load resource|WebSocket connection|ERR_CONNECTION_REFUSED/)
  await page.goto(server.studio('#/stacks?v=1&s=server'))
  for (const [mode, title, remedy] of FAILURES) {
    await server.helper(mode)
    await button(page).click()
    const alert = failed(page, title)
    await expect(alert, mode).toContainText(remedy)
    // Live data continues.
    await expect(page.getByRole('table', { name: 'Threads' }).getByRole('row').nth(1)).toBeVisible()
    await expect(button(page)).toBeEnabled()
  }

  await test.step('it works again as soon as the helper does', async () => {
    await server.helper('works')
    await button(page).click()
    await expect(page.getByText(/The last one took/)).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  await test.step('one that hangs: the seconds continue, and waiting can be stopped', async () => {
    await server.helper('hangs')
    await expect(page.getByText(/more a click shows that one again/)).toHaveCount(0)
    await button(page).click()
    await expect(page.getByText(/the server starts its helper, which attaches to it · [1-9]/)).toBeVisible()
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await expect(button(page)).toBeEnabled()
    await expect(page.getByRole('list', { name: 'Steps of the snapshot' })).toHaveCount(0)
    process.kill(await server.helperPid(), 'SIGKILL')
  })

  await test.step('the server is killed in the middle', async () => {
    await server.helper('hangs')
    await button(page).click()
    const helper = await server.helperPid()
    await server.kill()
    await expect(failed(page, 'The server went away during the snapshot')).toContainText('Earlier snapshots stay')
    process.kill(helper, 'SIGKILL')
    await expect(page.getByRole('combobox', { name: 'Look at' })).toBeVisible()
  })

  await test.step('and is back', async () => {
    await server.helper('works')
    await server.restart()
    await failed(page, 'The server went away').getByRole('button', { name: 'Try again' }).click()
    await expect(
      page.getByRole('combobox', { name: 'Look at' }).locator('option').filter({ hasText: 'Snapshot 2' }),
    ).toHaveCount(1, { timeout: 30_000 })
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})
