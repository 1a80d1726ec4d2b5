import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { recordedText } from '../../src/testing/recorded.ts'
import { expect, gapReasons, NETWORK_NOISE, openIoCalmly, test, timeline } from '../support/fake.ts'
import { exportAs } from '../support/export.ts'
import { summaryOf } from '../support/studio.ts'
import type { SummaryRow } from '../support/studio.ts'

const openFile = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.getByLabel('Open files', { exact: true }).setInputFiles({ name, mimeType: 'application/json', buffer })

/** Rows of the summary without the source's name. */
const figures = ({ rows }: { readonly rows: readonly SummaryRow[] }) => rows.map((row) => ({ ...row, source: '' }))

test('what was exported opens again equal', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await openFile(page, 'io-metrics.json', Buffer.from(recordedText('7.1', 'io-metrics.json')))
  await expect(timeline(page)).toBeVisible()
  const before = await summaryOf(page)
  const { download, bytes } = await exportAs(page, /^I\/O metrics/)
  expect(download.suggestedFilename()).toMatch(/^rookery-io-io-metrics-2026-11-20T\d{4}Z\.json$/)
  expect(Object.keys(JSON.parse(bytes.toString()) as object)).toEqual(['Environments', 'Performances'])

  await page.goto('about:blank')
  await page.goto(fake.studio())
  await openFile(page, 'again.json', bytes)
  await expect(timeline(page)).toBeVisible()
  const after = await summaryOf(page)
  expect(figures(after)).toEqual(figures(before))
  expect(after.rows.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(100)
  expect(after.rows.reduce((sum, { rollUps }) => sum + rollUps.count, 0)).toBeGreaterThan(0)
})

test('a gap of what was watched live is in the file that was made of it @full', async ({ page, fake, complaints }) => {
  complaints.allow(NETWORK_NOISE)
  await openIoCalmly(page, fake)
  fake.become('Orders', 'unloaded')
  await expect.poll(() => gapReasons(page)).toEqual(['database-unloaded'])
  await page.getByRole('button', { name: 'Pause' }).click()
  const { bytes } = await exportAs(page, /^I\/O metrics/)

  await page.goto('about:blank')
  await page.goto(fake.studio())
  await openFile(page, 'again.json', bytes)
  await expect(timeline(page)).toBeVisible()
  await expect.poll(() => gapReasons(page)).toEqual(['database-unloaded'])
})

test('index batches open again equal, and are the list that the official Studio imports @full', async ({
  page,
  fake,
}) => {
  const open = async (name: string, bytes: Buffer): Promise<void> => {
    // The page is not Indexing itself, which would open the only database beside the file, and two sources have no name in common.
    await page.goto(fake.studio())
    await openFile(page, name, bytes)
    await expect(page.getByRole('application', { name: 'Index batches' })).toBeVisible()
  }
  await open('performance.json', Buffer.from(recordedText('7.1', 'indexes-performance-map-reduce.json')))
  const before = await summaryOf(page)
  const { download, bytes } = await exportAs(page, /^Index batches/, 'Export index batches')
  expect(download.suggestedFilename()).toMatch(/^rookery-indexing-performance-2026-11-20T\d{4}Z\.json$/)
  const list = JSON.parse(bytes.toString()) as { Name: string; Performance: object[] }[]
  expect(list.every(({ Name, Performance }) => Name !== '' && Performance.length > 0)).toBe(true)

  await page.goto('about:blank')
  await open('performance.json', bytes)
  const after = await summaryOf(page)
  expect(figures(after)).toEqual(figures(before))
  expect(after.rows.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(20)
})

test('every other format has as many events @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await openFile(page, 'io-metrics.json', Buffer.from(recordedText('7.1', 'io-metrics.json')))
  await expect(timeline(page)).toBeVisible()
  const events = (await summaryOf(page)).rows.reduce((sum, { count }) => sum + count, 0)

  const csv = await exportAs(page, /^CSV/)
  expect(csv.bytes.toString()).toMatch(/^start_utc,duration_ms,size_bytes,kind,/)
  expect(csv.bytes.toString().trimEnd().split('\r\n').length).toBe(events + 1)

  const ndjson = await exportAs(page, /^NDJSON/)
  expect(ndjson.bytes.toString().trimEnd().split('\n').length).toBe(events)

  const trace = await exportAs(page, /^Chrome trace/)
  const { traceEvents } = JSON.parse(trace.bytes.toString()) as { traceEvents: readonly { ph: string }[] }
  expect(traceEvents.filter(({ ph }) => ph === 'X').length).toBe(events)

  // The library for Parquet is loaded at this moment, under the page's own security policy.
  const parquet = await exportAs(page, /^Parquet/)
  expect([parquet.bytes.subarray(0, 4).toString(), parquet.bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
})

test('lists go out by keyboard @full', async ({ page, fake }) => {
  await page.goto(fake.studio('#/databases'))
  await expect(page.getByRole('row').filter({ hasText: 'Orders' })).toBeVisible()
  const button = page.getByRole('button', { name: 'Export databases' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: /^CSV/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await expect(page.getByRole('menu', { name: 'Export databases' })).toBeHidden()
  await page.keyboard.press('Enter')
  const begun = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const download = await begun
  expect(download.suggestedFilename()).toMatch(/^rookery-databases-\d{4}-\d\d-\d\dT\d{4}Z\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toMatch(/^name,state,documents,/)
  expect(lines[1]).toMatch(/^Orders,online,/)
})
