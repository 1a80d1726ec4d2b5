import { FakeServer } from '../support/fake-server.ts'
import { openPanel, panelLink } from '../support/panels.ts'
import { violations } from '../support/accessibility.ts'
import { expect, test as watched } from '../support/watched-page.ts'

const LONG = 'orders-archive-of-the-northern-region-2019-to-2024-'

const test = watched.extend<{ fake: FakeServer }>({
  fake: async ({ page }, use) => {
    const server = new FakeServer()
    for (let i = 0; i < 300; i++) server.database(`${LONG}${i}`)
    await use(await server.start())
    expect(server.loads).toEqual([])
    await page.goto('about:blank')
    await server.stop()
  },
})

test('a database is taken into scope from three hundred', async ({ page, fake }) => {
  await page.goto(fake.studio())
  const scope = page.getByRole('button', { name: 'Choose a database' })
  await scope.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Choose a database' })
  await expect(dialog.getByRole('option').first()).toContainText('online')
  await expect(dialog.getByRole('status')).toHaveText('The first 100 of 300: type more of the name.')
  await page.keyboard.type('2024-217')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: `Database ${LONG}217` })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`#/database\\?v=2&db=${LONG}217$`))
  // I/O begins with the database in scope.
  await openPanel(page, 'I/O')
  await expect(page).toHaveURL(new RegExp(`#/io\\?v=2&s=db:${LONG}217$`))
})

test('it is taken into scope in the drawer of a phone, too, and by links of an earlier version @full', async ({
  page,
  fake,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(fake.studio(`#/database?v=2&db=${LONG}217`))
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeHidden()
  await expect(await panelLink(page, 'Summary')).toBeFocused()
  expect(await violations(page, 'the drawer')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeHidden()
  await openPanel(page, 'Summary')
  await expect(page.getByRole('heading', { level: 1, name: 'Summary' })).toBeAttached()
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeHidden()
  await panelLink(page, 'Summary')
  await page.getByRole('button', { name: `Database in scope: ${LONG}217` }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose a database' })
  await dialog.getByRole('option', { name: `${LONG}0 ` }).click()
  await expect(page.getByRole('region', { name: `Database ${LONG}0` })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeHidden()

  // A link of version 1, and one to a view that is a panel now.
  await page.goto(fake.studio(`#/databases?v=1&databases.open=${LONG}5`))
  await expect(page.getByRole('region', { name: `Database ${LONG}5`, exact: true })).toBeVisible()
  await page.goto(fake.studio('#/server?v=1&server.view=cluster'))
  await expect(page.getByRole('heading', { level: 1, name: 'Cluster', exact: true })).toBeAttached()
})
