import type { Page } from '@playwright/test'
import { createDatabase } from '../../tools/ravendb/client.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { ticksFromMs } from '../../src/base/ticks.ts'
import { IndependentIo } from '../support/independent-io.ts'
import { expect, test } from '../support/raven.ts'
import { idle, summaryOf } from '../support/studio.ts'

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5',
  'The panel is the same for every version; flow.spec and audit.spec hold its figures on all.',
)

/** The duration in ms that a text of the page gives, as it rounds to three digits. */
function msOf(text: string): number {
  const [, value = '', unit = ''] = /([\d.,]+) (µs|ms|s)\b/.exec(text) ?? []
  return Number(value.replaceAll(',', '')) * ({ µs: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}

/** Three digits are shown. */
const expectSame = (shownMs: number, wholeMs: number): void =>
  expect(Math.abs(shownMs / wholeMs - 1), `${shownMs} ms shown, ${wholeMs} ms is true`).toBeLessThan(0.006)

const card = (page: Page) => page.getByRole('region', { name: 'Selected event' })
const durationOf = async (page: Page): Promise<string> =>
  card(page)
    .locator('div', { has: page.getByText('Duration', { exact: true }) })
    .last()
    .getByRole('definition')
    .innerText()

test('the sentence, the figures and the keys of I/O lead to the events that they are about @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(240_000)
  await createDatabase(raven.url, 'commits')
  await page.goto(raven.studio('#/io?s=db:commits'))
  const independent = new IndependentIo(raven.url, 'commits')
  await independent.opened()
  await idle(page)
  await runWorkload({ url: raven.url, database: 'commits', documents: 4000, once: true })
  await expect
    .poll(async () => (await summaryOf(page)).rows.some(({ kind }) => kind === 'DataSync'), { timeout: 60_000 })
    .toBe(true)

  const sentence = page.getByRole('status').filter({ hasText: /^Slowest journal write/ })
  await test.step('the sentence names the slowest journal write, as an independent listener has it', async () => {
    await expect(async () => {
      await page.getByRole('button', { name: 'Fit all' }).click()
      const slowest = independent.slowest('JournalWrite')
      const text = await sentence.innerText({ timeout: 3000 })
      expect(text).toMatch(/^Slowest journal write \(commits wait for these\): /)
      expectSame(msOf(text), slowest.durationMs)
      const [, time] = / at \d\d:(\d\d:\d\d\.\d{3})/.exec(text) ?? []
      expect(slowest.start).toContain(time)
    }).toPass({ timeout: 60_000, intervals: [2000] })
  })
  independent.close()

  await test.step('a click on a figure selects the event that it is', async () => {
    const slowest = independent.slowest('JournalWrite')
    for (const title of ['Max', 'p99']) {
      const figure = page.getByRole('button', { name: new RegExp(`, ${title} of journal writes: go to the event`) })
      await expect(async () => {
        const shown = await figure.innerText({ timeout: 3000 })
        await figure.click({ timeout: 3000 })
        await expect(card(page)).toContainText('Journal write', { timeout: 3000 })
        await expect.poll(() => durationOf(page), { timeout: 3000 }).toBe(shown)
        if (title === 'Max') expectSame(msOf(shown), slowest.durationMs)
      }).toPass({ timeout: 60_000 })
    }
  })

  await test.step('n and p walk from the timeline, and not from a tick box or a field', async () => {
    await card(page).getByRole('button', { name: 'Unpin' }).click()
    await page.getByRole('checkbox', { name: /Compression/ }).press('n')
    await expect(card(page)).toHaveCount(0)
    await page.getByRole('application', { name: 'I/O timeline' }).press('n')
    const list = page.getByRole('region', { name: 'Slowest in view' })
    // The list itself may get a new event meanwhile.
    const current = list.getByRole('listitem').locator('[aria-current=true]')
    const nameOfCurrent = (): Promise<string> => current.innerText({ timeout: 30_000 })
    await expect(current).toHaveCount(1)
    const first = await durationOf(page)
    const firstName = await nameOfCurrent()
    await page.keyboard.press('n')
    await expect.poll(nameOfCurrent).not.toBe(firstName)
    await page.keyboard.press('p')
    await expect.poll(() => durationOf(page)).toBe(first)
    await page.getByRole('searchbox', { name: 'Index or storage' }).focus()
    await page.keyboard.press('n')
    await expect.poll(() => durationOf(page)).toBe(first)
    await page.getByRole('searchbox', { name: 'Index or storage' }).fill('')
  })

  await test.step('a data sync says what it covers, and has no speed', async () => {
    await page.getByRole('button', { name: /, Max of data syncs: go to the event/ }).click()
    await expect(card(page)).toContainText(/covers .+ flushed since the last sync/)
    await expect(card(page)).not.toContainText(/speed|iB\/s/i)
    const row = page.getByRole('group', { name: 'Summary of the view' }).getByRole('row', { name: /Data sync/ })
    await expect(row).toContainText('covers')
    await expect(row).not.toContainText('iB/s')
  })

  await test.step('where nothing is in view there is one sentence and the way to the last I/O', async () => {
    await page.goto('about:blank')
    await page.goto(raven.studio('#/io?v=1&s=db:commits&live=100000000&io.fold=off'))
    // The server still writes now and then by itself: the view is empty once it did not for ten seconds.
    const go = page.getByRole('button', { name: /^Last I\/O .+ ago: go there$/ })
    let lastMs = Number.NaN
    await expect(async () => {
      await expect(page.getByText(/^No I\/O in the 10\.0 s in view\.$/)).toBeVisible({ timeout: 30_000 })
      await expect(page.getByRole('toolbar')).toHaveCount(0, { timeout: 1000 })
      await expect(page.getByRole('group', { name: 'Summary of the view' })).toHaveCount(0, { timeout: 1000 })
      const { rows } = await summaryOf(page)
      lastMs = Math.max(...rows.flatMap((row) => (row.feed === 'io' ? (row.lastMs ?? []) : [])))
      // A write may come just now, which ends the empty view.
      await go.click({ timeout: 2000 })
    }).toPass({ timeout: 120_000 })
    await expect(page).toHaveURL(/range=\d+\.\.\d+/)
    await expect(page.getByRole('group', { name: 'Summary of the view' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: /[Ss]lowest/ })).toBeVisible()
    const [, from, to] = /range=(\d+)\.\.(\d+)/.exec(page.url()) ?? []
    expect(Number(from)).toBeLessThan(ticksFromMs(lastMs))
    expect(Number(to)).toBeGreaterThan(ticksFromMs(lastMs))
  })
})
