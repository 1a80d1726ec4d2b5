import type { Page } from '@playwright/test'
import { delta, fakeEvent, withDelta } from '../support/fake-answers.ts'
import { countOf, expect, gapReasons, openIo, summaryNow, test } from '../support/fake.ts'
import { setHidden } from '../support/studio.ts'
import { openPanel } from '../support/panels.ts'

const figures = async (page: Page) =>
  (await summaryNow(page)).rows
    .map(({ environmentPath, kind, count, bytes, slowestMs }) => [environmentPath, kind, count, bytes, slowestMs])
    .toSorted((a, b) => String(a).localeCompare(String(b)))

test('two tabs on one database have one socket and the same picture; when the first goes, the other continues', async ({
  page,
  context,
  fake,
}) => {
  const report = (): void => {
    const frame = delta([fakeEvent(Date.now())], { path: fake.documentsPath('Orders') })
    fake.database('Orders', { first: withDelta(fake.databases.get('Orders')!.first, frame) })
    fake.send('Orders', frame)
  }
  const first = await context.newPage()
  await openIo(first, fake)
  await openIo(page, fake)
  const known = await countOf(first)
  report()
  await expect.poll(() => countOf(first)).toBe(known + 1)
  await expect.poll(() => countOf(page)).toBe(known + 1)
  expect(await figures(page)).toEqual(await figures(first))
  expect(fake.watchers('Orders')).toBe(1)

  await setHidden(first, true)
  await expect.poll(() => fake.requests.filter((path) => path.endsWith('/debug/io-metrics/live')).length).toBe(2)
  await expect.poll(() => fake.watchers('Orders')).toBe(1)
  await setHidden(first, false)
  const before = await countOf(page)
  report()
  await expect.poll(() => countOf(page)).toBe(before + 1)
  await expect.poll(async () => (await countOf(first)) === (await countOf(page))).toBe(true)
  expect(fake.watchers('Orders')).toBe(1)

  // This time the tab that has the socket is closed.
  await setHidden(page, true)
  await expect.poll(() => fake.requests.filter((path) => path.endsWith('/debug/io-metrics/live')).length).toBe(3)
  await setHidden(page, false)
  await first.close({ runBeforeUnload: false })
  await expect.poll(() => fake.requests.filter((path) => path.endsWith('/debug/io-metrics/live')).length).toBe(4)
  await expect.poll(() => fake.watchers('Orders')).toBe(1)
  report()
  await expect.poll(() => countOf(page)).toBe(before + 2)
  expect(await gapReasons(page)).toEqual([])
  expect(fake.loads).toEqual([])
})

test('what the page says that it asked is what the server was asked', async ({ page, fake }) => {
  await openIo(page, fake)
  fake.send('Orders', delta([fakeEvent(Date.now())], { path: fake.documentsPath('Orders') }))
  await openPanel(page, 'Vitals')
  await page.getByRole('radio', { name: 'Overhead' }).click()
  const table = page.getByRole('table', { name: /Requests by endpoint/ })
  await expect(table).toBeVisible()
  const reported = async () => {
    const cells = await table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => Array.from(row.querySelectorAll('td'), (cell) => cell.textContent)))
    return cells.reduce((sum, [requests = '']) => sum + Number(requests.replaceAll(',', '')), 0)
  }
  await expect.poll(async () => (await reported()) - fake.requests.length, { intervals: [200] }).toBe(0)
  const inAll = page.getByRole('definition').filter({ hasText: /requests?, \d+ open sockets?, / })
  await expect
    .poll(async () => {
      const [, value = '', unit = ''] = /([\d.,]+)\s(B|KiB|MiB|KB|kB|MB)$/.exec((await inAll.textContent()) ?? '') ?? []
      const scale = { B: 1, KiB: 1024, MiB: 1_048_576, KB: 1000, kB: 1000, MB: 1_000_000 }[unit] ?? Number.NaN
      return (Number(value.replaceAll(',', '')) * scale) / fake.sentBytes
    })
    .toBeCloseTo(1, 1)
})
