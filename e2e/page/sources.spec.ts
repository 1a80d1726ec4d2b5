import { expect, openIo, test, timeline } from '../support/fake.ts'
import { openPanel } from '../support/panels.ts'

test('the only database opens by itself in I/O and Indexing, and the server in Stacks @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio('#/io'))
  await expect(timeline(page)).toBeVisible()
  await expect(page).toHaveURL(/s=db:Orders/)
  await page.goto('about:blank')
  await page.goto(fake.studio('#/indexing'))
  await expect(page).toHaveURL(/s=db:Orders/)
  await page.goto('about:blank')
  await page.goto(fake.studio('#/stacks'))
  await expect(page.getByRole('button', { name: 'Take stack snapshot' })).toBeVisible()
  expect(fake.requests.filter((path) => path.includes('/admin/debug/threads/stack-trace'))).toEqual([])
})

test('an unloaded only database opens as unloaded', async ({ page, fake }) => {
  fake.databases.clear()
  fake.database('Sleeping', { state: 'unloaded' })
  await page.goto(fake.studio('#/io'))
  await expect(page.getByText('Sleeping is idle: not loaded on the server').first()).toBeVisible()
  expect(fake.databases.get('Sleeping')?.state).toBe('unloaded')
})

test('the last choice of several databases is there again on a new visit; a link that names sources wins @full', async ({
  page,
  fake,
}) => {
  fake.database('Second')
  await openIo(page, fake)
  await page.goto('about:blank')
  await page.goto(fake.studio())
  await openPanel(page, 'I/O')
  await expect(timeline(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sources' })).toContainText('Orders')
  await page.goto('about:blank')
  await page.goto(fake.studio('#/io?v=1&s=db:Second'))
  await expect(page.getByRole('region', { name: 'Sources' })).toContainText('Second')
  await expect(page.getByRole('region', { name: 'Sources' })).not.toContainText('Orders')
})
