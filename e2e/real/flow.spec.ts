import type { Locator } from '@playwright/test'
import { createDatabase, json } from '../../tools/ravendb/client.mjs'
import { NEWEST } from '../../tools/ravendb/versions.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { IndependentIo } from '../support/independent-io.ts'
import { expect, test } from '../support/raven.ts'
import { saveData } from '../support/watched-page.ts'
import { idle, lookAtRange, summaryOf, totalsOf } from '../support/studio.ts'

/** By itself a sync follows the last flush by up to a minute. */
const SYNCS_SOON = { 'Storage.TimeToSyncAfterFlushInSec': '5' }
const isGate = process.env['ROOKERY_TESTS'] === 'gate'
const KINDS = ['Journal write', 'Data flush', 'Data sync', 'Compression']

test('a workload is watched from the first event: marks, counts, cards and links show what the server sent @each-version', async ({
  page,
  raven,
  browser,
}) => {
  test.setTimeout(240_000)
  await createDatabase(raven.url, 'watched', { settings: SYNCS_SOON })
  await page.goto(raven.studio('#/databases'))

  await test.step('the list shows the database and its state', async () => {
    const row = page.getByRole('row').filter({ hasText: 'watched' })
    await expect(row).toContainText('online')
    await row.getByText('watched').click()
    await page.getByRole('link', { name: 'I/O of watched' }).click()
    await expect(page.getByRole('application', { name: 'I/O timeline' })).toBeVisible()
  })

  const independent = new IndependentIo(raven.url, 'watched')
  await independent.opened()
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible()
  await idle(page)
  await runWorkload({ url: raven.url, database: 'watched', documents: 4000, once: true })

  await test.step('counts and byte sums per environment and kind equal those of an independent listener', async () => {
    await expect
      .poll(async () => totalsOf(await summaryOf(page)), { timeout: 60_000, intervals: [1000] })
      .toEqual(expect.objectContaining({ [`${await documentsPath(raven.url)} JournalWrite`]: expect.anything() }))
    const kinds = async () => [...new Set((await summaryOf(page)).rows.map(({ kind }) => kind))].toSorted()
    await expect
      .poll(kinds, { timeout: 90_000, intervals: [2000] })
      .toEqual(['Compression', 'DataFlush', 'DataSync', 'JournalWrite'])
    await expect(async () => {
      // Both receive the same events, each some seconds late: once nothing more comes, they must agree.
      const before = independent.totals()
      const studio = totalsOf(await summaryOf(page))
      expect(independent.totals()).toEqual(before)
      expect(studio).toEqual(before)
    }).toPass({ timeout: 90_000, intervals: [3000] })
  })
  independent.close()

  await test.step('every index is a lane with its real name', async () => {
    const { Results } = (await json(raven.url, '/databases/watched/indexes?namesOnly=true')) as { Results: string[] }
    expect(Results.length).toBe(6)
    const lanes = page.getByRole('group', { name: 'Lanes' })
    await page.getByRole('button', { name: 'Fit all' }).click()
    // The page requests names every ten seconds at most.
    for (const name of Results) await expect(lanes.getByText(name, { exact: true })).toBeVisible({ timeout: 40_000 })
    const named = new Set((await summaryOf(page)).rows.map(({ environment }) => environment))
    expect([...named]).toEqual(expect.arrayContaining(Results))
  })

  await test.step('the summary on screen has the counts', async () => {
    const table = page.getByRole('group', { name: 'Summary of the view' })
    // The server continues by itself: a write that comes after "Fit all" is in the tables and not in the view.
    await expect(async () => {
      await page.getByRole('button', { name: 'Fit all' }).click()
      const { rows } = await summaryOf(page)
      for (const [i, kind] of ['JournalWrite', 'DataFlush', 'DataSync', 'Compression'].entries()) {
        const count = rows.filter((row) => row.kind === kind).reduce((sum, row) => sum + row.count, 0)
        const shown = table.getByRole('row').filter({ hasText: KINDS[i] ?? '' })
        await expect(shown.getByRole('cell').first()).toHaveText(count.toLocaleString('en-US'), { timeout: 3000 })
      }
    }).toPass({ timeout: 90_000 })
  })

  // Cards, links and tables are the same on every version.
  if (isGate && raven.version !== NEWEST) return

  await test.step('the slowest opens its card, which agrees with the summary; the link shows the same in a fresh browser', async () => {
    const slowest = page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').first()
    const card = page.getByRole('region', { name: 'Selected event' })
    // The server continues by itself: a slower write may come after "Fit all", and a click on a list that follows opens another.
    await expect(async () => {
      await page.getByRole('button', { name: 'Fit all' }).click()
      const { rows } = await summaryOf(page)
      const slowestMs = Math.max(...rows.map((row) => row.slowestMs ?? 0))
      const words = slowestMs >= 1000 ? (slowestMs / 1000).toPrecision(3) : slowestMs.toPrecision(3)
      await expect(slowest).toContainText(words, { timeout: 3000 })
      await slowest.click({ timeout: 3000 })
      await expect(card).toContainText(words, { timeout: 3000 })
    }).toPass({ timeout: 90_000 })
    await expect(card).toContainText(/slowest of/)
    const context = await browser.newContext({ timezoneId: 'UTC' })
    await saveData(context)
    const fresh = await context.newPage()
    await fresh.goto(page.url())
    const freshCard = fresh.getByRole('region', { name: 'Selected event' })
    // The server goes on flushing: both pages receive that, and count it, at times of their own.
    await expect(async () => {
      const facts = await factsOf(card)
      expect(facts.length).toBeGreaterThan(3)
      expect(await factsOf(freshCard)).toEqual(facts)
    }).toPass({ timeout: 90_000 })
    await context.close()
  })

  await test.step('hovering a mark shows its card', async () => {
    const duration = await page
      .getByRole('region', { name: 'Selected event' })
      .getByRole('definition')
      .nth(1)
      .innerText()
    const [, start, length] = decodeURIComponent(page.url()).match(/sel=[^~]+~(\d+)~(\d+)~/) ?? []
    const middle = Number(start) + Number(length) / 2
    // Wide enough to be hit in the middle, however short it is.
    await lookAtRange(page, middle - Number(length) * 10, middle + Number(length) * 10)
    const canvas = page.getByRole('application', { name: 'I/O timeline' })
    const tooltip = page.getByRole('tooltip').filter({ hasText: duration })
    await expect(async () => {
      const box = (await canvas.boundingBox())!
      for (let y = box.y + 40; y < box.y + box.height && !(await tooltip.isVisible()); y += 3)
        await page.mouse.move(box.x + box.width / 2, y)
      expect(await tooltip.isVisible()).toBe(true)
    }).toPass({ timeout: 90_000 })
    await page.mouse.move(0, 0)
  })

  await test.step('a table twin lists what is in view', async () => {
    await page.getByRole('button', { name: 'Table' }).click()
    const table = page.getByRole('table', { name: 'Events in view' })
    await expect(table).toBeVisible()
    await expect(table.getByRole('row').nth(1)).toContainText(/µs|ms| s/)
  })
})

/** Facts of a card. Live frames do not report the size after compression, the first frame of a fresh page does. */
const factsOf = async (card: Locator): Promise<string[]> =>
  (await card.getByRole('definition').allInnerTexts()).filter((text) => !/not reported by the live feed|LZ4/.test(text))

const documentsPath = async (url: string): Promise<string> => {
  const { Environments } = (await json(url, '/databases/watched/debug/io-metrics')) as {
    Environments: { Path: string; Type: string }[]
  }
  return Environments.find(({ Type }) => Type === 'Documents')!.Path
}
