import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { generateEnvironments, generateFiles, generateKinds, generateOperations } from '../../bench/generate-limits.mjs'
import type { FakeServer } from '../support/fake-server.ts'
import { expect, test, timeline } from '../support/fake.ts'
import { summaryOf } from '../support/studio.ts'

/** Far above what a busy machine needs, and far below the tens of seconds of a page that lays out everything. */
const USABLE_MS = 15_000

let folder: string
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-limits-'))
})
test.afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Opens the file alone: of two databases none is watched by itself, so the lanes and limits are those of the file. */
async function open(page: Page, fake: FakeServer, panel: string, path: string): Promise<void> {
  fake.database('Invoices')
  await page.goto(fake.studio(`#/${panel}?v=1`))
  await page.evaluate(() => {
    const tasks = { longestMs: 0 }
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.longestMs = Math.max(tasks.longestMs, duration)
    }).observe({ type: 'longtask' })
  })
  await page.getByLabel('Open files', { exact: true }).setInputFiles(path)
}

const longestTask = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { tasks: { longestMs: number } }).tasks.longestMs)

async function totalsOf(page: Page): Promise<{ count: number; bytes: number }> {
  const { rows } = await summaryOf(page)
  const ofFile = rows.filter(({ source }) => source.startsWith('file:'))
  return ofFile.reduce((sum, { count, bytes }) => ({ count: sum.count + count, bytes: sum.bytes + bytes }), {
    count: 0,
    bytes: 0,
  })
}

test('200,000 environments: a page of lanes, the rest folded in words, and exact totals @full', async ({
  page,
  fake,
}) => {
  test.setTimeout(240_000)
  const path = join(folder, 'environments.json')
  const totals = await generateEnvironments(path, 200_000)
  await open(page, fake, 'io', path)
  await expect(timeline(page)).toBeVisible({ timeout: 60_000 })
  expect(await totalsOf(page)).toEqual(totals)
  await expect(
    page.getByText(
      '190,000 environments beyond the first 10,000 are shown as one lane. Their events count in every figure.',
    ),
  ).toBeVisible()
  await expect(page.getByText('Lanes 1 to 500 of 10,001')).toBeVisible()

  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(page.getByText('Lanes 501 to 1,000 of 10,001')).toBeVisible()
  const filters = page.getByRole('button', { name: 'Filters' })
  if ((await filters.getAttribute('aria-expanded')) !== 'true') await filters.click()
  const lanes = page.getByRole('group', { name: 'Lanes' })
  await page.getByRole('searchbox', { name: 'Index or storage' }).fill('Orders_By7777')
  await expect(lanes.getByText('Orders_By7777', { exact: true })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Index or storage' }).fill('further')
  await expect(lanes.getByText('190,000 further environments')).toBeVisible()
  expect(await longestTask(page)).toBeLessThan(USABLE_MS)
})

test('5,000 kinds: the first have rows of their own, and every event counts @full', async ({ page, fake }) => {
  const path = join(folder, 'kinds.json')
  const totals = await generateKinds(path, 5000)
  await open(page, fake, 'io', path)
  await expect(timeline(page)).toBeVisible()
  expect(await totalsOf(page)).toEqual(totals)
  await expect(
    page.getByText('4,972 kinds beyond the first 32 are shown as “Further kinds”. Their events count in every figure.'),
  ).toBeVisible()
  await expect(page.getByRole('row', { name: /^Further kinds 4,972 / })).toBeVisible()
  expect(await longestTask(page)).toBeLessThan(USABLE_MS)
})

test('20,000 files of one environment: the newest are listed, and the others are counted @full', async ({
  page,
  fake,
}) => {
  const path = join(folder, 'files.json')
  const totals = await generateFiles(path, 20_000)
  await open(page, fake, 'io', path)
  await expect(timeline(page)).toBeVisible()
  expect(await totalsOf(page)).toEqual(totals)
  const lanes = page.getByRole('group', { name: 'Lanes' })
  await lanes.getByRole('button', { name: 'Documents' }).click()
  await lanes.getByRole('button', { name: /^Journal write/ }).click()
  await expect(lanes.getByText('…1', { exact: false }).first()).toBeVisible()
  await lanes.hover()
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    await expect(lanes.getByText('19,700 older files')).toBeVisible({ timeout: 500 })
  }).toPass()
  expect(await longestTask(page)).toBeLessThan(USABLE_MS)
})

test('a batch of 100,000 operations: the largest are listed, the others keep their time @full', async ({
  page,
  fake,
}) => {
  test.setTimeout(120_000)
  const path = join(folder, 'operations.json')
  await generateOperations(path, 100_000)
  await open(page, fake, 'indexing', path)
  const table = page.getByRole('group', { name: 'Time by operation, table' })
  await expect(table).toBeVisible({ timeout: 60_000 })
  await summaryOf(page)
  await expect(
    table.getByText('96,002 operations are counted as “(further operations)”: of each batch 4,000 are kept apart.'),
  ).toBeVisible()
  await expect(table.getByRole('row', { name: /\(further operations\) 9\.60 s/ })).toBeVisible()
  await page.getByRole('button', { name: /^Show all/ }).click()
  await expect(table.getByRole('row', { name: /smaller operations, folded/ })).toBeVisible()
  expect(await longestTask(page)).toBeLessThan(USABLE_MS)
})
