import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { Recorder } from '../audit/recorder.ts'
import { delta, fakeEvent, withDelta } from '../support/fake-answers.ts'
import { countOf, expect, gapReasons, openIo, summaryNow, test } from '../support/fake.ts'
import { setHidden } from '../support/studio.ts'

const TABS = 6
const OPENED_EVERY_MS = 250
/** How many times slower the main thread of each runs, as where the browser is short of CPU. */
const THROTTLED = 3
const PROBE_EVERY_MS = 250
/** A server that keeps another client waiting for so long is rightly reported. */
const SLOW_MS = 2000
const BLAMES = /unresponsive|unreachable|not answer|no answer/i

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

  // This time the one that has the socket is closed.
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
  await page.getByRole('link', { name: 'Server' }).click()
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

test('tabs opened within seconds in a browser that is short of CPU do not blame the server for it', async ({
  context,
  fake,
}) => {
  test.setTimeout(300_000)
  const probe = new Recorder(PROBE_EVERY_MS, async () => {
    const sentMs = Date.now()
    await (await fetch(`${fake.url}/build/version`)).text()
    return { answerMs: Date.now() - sentMs }
  })
  probe.start()
  const blames: string[] = []
  const pages: Page[] = []
  const opened: Promise<unknown>[] = []
  for (let i = 0; i < TABS; i++) {
    const page = await context.newPage()
    pages.push(page)
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: THROTTLED })
    opened.push(page.goto(fake.studio(`#/${i % 2 === 0 ? 'io' : 'triage'}?v=1&s=db:Orders`), { timeout: 120_000 }))
    await sleep(OPENED_EVERY_MS)
  }
  await Promise.all(opened)
  for (const page of pages)
    await expect.poll(() => page.evaluate(() => 'rookery' in globalThis), { timeout: 120_000 }).toBe(true)
  // What was drawn late is there once each has an event that comes now.
  const tabs = pages.filter((_, i) => i % 2 === 0)
  for (const page of tabs) await expect.poll(() => countOf(page), { timeout: 120_000 }).toBeGreaterThan(0)
  const known = await Promise.all(tabs.map(countOf))
  fake.send('Orders', delta([fakeEvent(Date.now())], { path: fake.documentsPath('Orders') }))
  for (const [i, page] of tabs.entries())
    await expect.poll(() => countOf(page), { timeout: 120_000 }).toBe((known[i] ?? 0) + 1)

  for (const page of pages) {
    const text = await page.evaluate(() => document.body.innerText)
    blames.push(...(await gapReasons(page)), ...text.split('\n').filter((line) => BLAMES.test(line)))
  }
  await probe.stop()
  const slowestMs = probe.longestMs
  expect(slowestMs < SLOW_MS ? blames : [], `the slowest answer took ${slowestMs} ms`).toEqual([])
})
