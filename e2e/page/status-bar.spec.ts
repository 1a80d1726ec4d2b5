import { FAULTS } from '../support/fake-answers.ts'
import { expect, test } from '../support/fake.ts'

test('the status bar is one line at 1280 px on every panel, with the overhead in it @full', async ({ page, fake }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const panel of ['triage', 'server', 'databases', 'io', 'indexing', 'stacks']) {
    await page.goto(fake.studio(`#/${panel}?v=1&s=db:Orders&s=server`))
    const overhead = page
      .getByRole('contentinfo')
      .getByRole('button', { name: /^Overhead: [\d.]+ % of a core, \d+ req\/min$/ })
    await expect(overhead).toBeVisible()
    const [bar, text] = [await page.getByRole('contentinfo').boundingBox(), await overhead.boundingBox()]
    expect(bar!.height).toBeLessThan(text!.height * 1.8)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)
  }
})

test('at 390 px the status bar keeps its height while polls are slowed down @full', async ({ page, fake }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(fake.studio('#/databases'))
  const bar = page.getByRole('contentinfo')
  await expect(bar.getByRole('button', { name: /^Overhead: / })).toBeVisible()
  const heightOfBar = async (): Promise<number> => (await bar.boundingBox())!.height
  const before = await heightOfBar()
  fake.fault(/./, FAULTS.gatewayPage)
  await expect(bar.getByRole('button', { name: /polls go \d+ times slower than planned/ })).toBeVisible({
    timeout: 30_000,
  })
  expect(await heightOfBar()).toBe(before)
  await expect(bar.getByRole('button', { name: /^Overhead: / })).toBeVisible()
})

test('an overhead limit holds on every page of the browser and after a reload @full', async ({
  page,
  fake,
  context,
}) => {
  await page.goto(fake.studio('#/server?v=1&server.view=overhead'))
  const other = await context.newPage()
  await other.goto(fake.studio('#/server?v=1&server.view=overhead'))
  const limitOn = (on: typeof page) => on.getByRole('textbox', { name: 'Limit for the panel in use' })
  await expect(limitOn(other)).toHaveValue('2')
  await limitOn(page).fill('5')
  await limitOn(page).press('Enter')
  await expect(limitOn(page)).toHaveValue('5')
  await expect(limitOn(other)).toHaveValue('5')
  await page.reload()
  await expect(limitOn(page)).toHaveValue('5')
  await page.getByRole('button', { name: 'Back to 2.00 % and 0.50 %' }).click()
  await expect(limitOn(other)).toHaveValue('2')
})
