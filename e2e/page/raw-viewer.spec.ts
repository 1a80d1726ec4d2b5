import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, timeline } from '../support/fake.ts'
import { openPanel } from '../support/panels.ts'

const PACKAGE = join(import.meta.dirname, '../../src/testing/recorded/7.1/debug-info-package.zip')

const input = (page: Page) => page.getByLabel('Open files', { exact: true })

async function openPackage(page: Page): Promise<void> {
  await input(page).setInputFiles(PACKAGE)
  await expect(page.getByText('It is a record of the server')).toBeVisible()
  await openPanel(page, 'Files')
}

test('#open is where files are dropped; a package is judged, and what it has of I/O is chosen and fitted @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio('#open'))
  await expect(page.getByRole('button', { name: 'Choose files…' })).toBeFocused()
  await input(page).setInputFiles(PACKAGE)
  await expect(page.getByText('It is a record of the server')).toBeVisible()
  await openPanel(page, 'I/O')
  await expect(timeline(page)).toBeVisible()
  const sources = page.getByRole('region', { name: 'Sources' })
  await expect(sources.getByText('debug-info-package.zip/northwind')).toBeVisible()
  await expect(page).toHaveURL(/#\/io\?.*range=\d+\.\.\d+/)
  await sources.getByRole('button', { name: 'Remove debug-info-package.zip/server-wide' }).click()
  await expect(sources.getByText('debug-info-package.zip/server-wide')).toBeHidden()
})

test('its entries are listed, and one that no panel knows is read as a tree and as text, and searched', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio())
  await openPackage(page)
  const table = page.getByRole('table', { name: 'Entries of debug-info-package.zip' })
  await expect(table).toHaveAttribute('aria-rowcount', '64')
  await expect(table.getByRole('row', { name: /admin\.io-metrics\.json/ }).getByRole('link')).toHaveText('I/O')

  await page.getByLabel('Filter entries by path').fill('configuration')
  await table.getByRole('row', { name: /admin\.configuration\.settings\.json/ }).click()
  const tree = page.getByRole('tree')
  await expect(tree.getByRole('treeitem', { name: /Settings.*411 items/ })).toBeVisible()

  await page.getByLabel('Search in the text').fill('syncjournals')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(page.getByText('$.Settings[174].Metadata.Keys[0]')).toBeVisible()
  await expect(tree.getByRole('treeitem', { selected: true })).toContainText('Storage.SyncJournalsCountThreshold')

  await page.getByRole('button', { name: 'Show in text' }).click()
  await expect(page.getByRole('list', { name: /^Text of/ }).locator('mark')).toHaveText('SyncJournals')
  // The link brings one back to the byte, as soon as the file is there again.
  await expect(page).toHaveURL(/files\.entry=northwind%2F|files\.entry=northwind\//)
})

test('a text entry is read as text; by key one goes through a tree @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await openPackage(page)
  await page.getByLabel('Filter entries by path').fill('proc.status')
  await page.getByRole('row', { name: /admin\.proc\.status\.txt/ }).click()
  await expect(page.getByRole('list', { name: /^Text of/ }).getByText(/^Threads:/)).toBeVisible()

  await page.getByLabel('Filter entries by path').fill('build.version')
  await page.getByRole('row', { name: /build\.version\.json/ }).click()
  const tree = page.getByRole('tree')
  await expect(tree.getByRole('treeitem', { name: /FullVersion/ })).toBeVisible()
  await tree.focus()
  await page.keyboard.press('End')
  await expect(tree.getByRole('treeitem').last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(tree.getByRole('treeitem')).toHaveCount(1)
})

test('what is no known document is refused in a sentence with its byte, and can be looked at all the same @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio('#open'))
  await input(page).setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<b>503</b> sorry') })
  await expect(page.getByText(/byte 0: expected "\{" or "\["/)).toBeVisible()
  await page.getByRole('button', { name: 'Look into it' }).click()
  await expect(page.getByRole('list', { name: 'Text of page.html' }).getByText('<b>503</b> sorry')).toBeVisible()
})
