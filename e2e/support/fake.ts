import type { Locator, Page } from '@playwright/test'
import { FakeServer } from './fake-server.ts'
import { lookAtRange, type Summary } from './studio.ts'
import { expect, test as watched } from './watched-page.ts'

/** Each test has a fake server of its own with one loaded database, `Orders`. */
export const test = watched.extend<{ fake: FakeServer }>({
  fake: async ({ page }, use) => {
    const fake = await new FakeServer().database('Orders').start()
    await use(fake)
    // The page goes first: a server that is gone is a complaint of its own.
    await page.goto('about:blank')
    await fake.stop()
  },
})

/** Refused requests and dropped sockets, which the browser itself writes into the console. */
export const NETWORK_NOISE =
  /Failed to load resource|WebSocket connection|ERR_CONNECTION_REFUSED|Unable to preload CSS|establish a connection to the server|The connection to ws:\S+ was interrupted/

/** Opens the I/O of these sources and waits until all of them are there. */
export async function openIo(page: Page, fake: FakeServer, sources: readonly string[] = ['db:Orders']): Promise<void> {
  const chosen = sources.map((id) => `s=${encodeURIComponent(id)}`).join('&')
  await page.goto(fake.studio(`#/io?v=1&${chosen}`))
  await expect(timeline(page)).toBeVisible()
  await expect.poll(() => countOf(page)).toBeGreaterThan(0)
}

/**
 * The same, until the last request that it makes of the database has arrived: one that was sent while it was loaded would arrive when it is
 * not, and load it. No page can know that.
 */
export async function openIoCalmly(page: Page, fake: FakeServer): Promise<void> {
  await openIo(page, fake)
  await expect.poll(() => fake.requests.some((path) => path.startsWith('/databases/Orders/indexes'))).toBe(true)
}

/** The same, until all of its code has arrived: parts that the first picture does not need are fetched after it, and not when the server is gone. */
export async function openWholeIo(page: Page, fake: FakeServer): Promise<void> {
  await openIo(page, fake)
  await expect(page.getByRole('button', { name: 'Add lane' })).toBeVisible()
  // Lanes below have their ids for a name until their code is there.
  await expect(page.getByRole('button', { name: /^Lane server\./ })).toHaveCount(0)
}

export const timeline = (page: Page): Locator => page.getByRole('application', { name: 'I/O timeline' })

/** Summary at this moment, at most a second old; `idle` would wait for a live page to fall quiet. Made to be polled. */
export const summaryNow = (page: Page): Promise<Summary> => page.evaluate(() => globalThis.rookery.summary())

/** Events in the tables, as `summaryNow`. */
export const countOf = async (page: Page): Promise<number> =>
  (await summaryNow(page)).rows.reduce((sum, { count }) => sum + count, 0)

/** Reasons of the gaps that are known, as `summaryNow`. */
export const gapReasons = async (page: Page): Promise<string[]> =>
  (await summaryNow(page)).gaps.map(({ reason }) => reason)

/** Words of the card that opens over a gap: the view is moved to it, and the pointer is put on it. */
export async function gapCard(page: Page, reason: string): Promise<Locator> {
  const gap = (await summaryNow(page)).gaps.find((each) => each.reason === reason)
  if (gap === undefined) throw new Error(`There is no gap ${reason}.`)
  const pad = Math.max(Math.ceil((gap.endTicks - gap.startTicks) * 0.2), 100_000)
  await lookAtRange(page, gap.startTicks - pad, gap.endTicks + pad)
  const tooltip = page.getByRole('tooltip').filter({ hasText: 'No data' })
  await expect(async () => {
    const box = (await timeline(page).boundingBox())!
    // A mark in the middle would be hit before the gap: lanes differ.
    for (let y = box.y + 44; y < box.y + box.height - 8; y += 9) {
      await page.mouse.move(box.x + box.width / 2, y)
      if (await tooltip.isVisible()) return
    }
    expect(await tooltip.isVisible()).toBe(true)
  }).toPass({ timeout: 45_000 })
  return tooltip
}

/** The sentence of what stands out; not to be confused with other states of the page. */
export const sentence = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: /Slowest|No I\/O|No single events/ })

export { expect }
