import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { bulk, createDatabase, json, put } from '../../tools/ravendb/client.mjs'
import { expect, test, type Raven } from '../support/raven.ts'
import { totalsOfEvents, type IoEvent } from '../../src/testing/server/io-events.ts'
import { PolledIo } from '../support/independent-io.ts'
import { summaryOf, totalsOf, type Summary } from '../support/studio.ts'

const countOf = ({ rows }: Summary): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Writes some ten documents a second, also where a write takes as long as that: on a busy machine. */
async function writeUntilGone(url: string, database: string): Promise<void> {
  for (let n = 0; ; n++) {
    const nextMs = Date.now() + 80
    try {
      await bulk(url, database, [put(`users/${1000 + n}`, 'Users', { n })])
    } catch {
      return
    }
    await sleep(Math.max(0, nextMs - Date.now()))
  }
}

/** Whether a declared gap says that this event may be missing. */
const isInGap = ({ path, kind, startTicks, durationMs }: IoEvent, { gaps }: Summary): boolean =>
  gaps.some(
    (gap) =>
      (gap.lane === null || gap.lane.endsWith(`|${path}`)) &&
      (gap.kind === null || gap.kind === kind) &&
      startTicks < gap.endTicks &&
      startTicks + durationMs * 10_000 > gap.startTicks,
  )

/** Expects that the page shows all that happened outside of gaps, per environment and kind, and nothing else. */
function expectComplete(summary: Summary, events: readonly IoEvent[]): void {
  const shown = totalsOf(summary)
  const outside = totalsOfEvents(events.filter((event) => !isInGap(event, summary)))
  const all = totalsOfEvents(events)
  for (const [key, { count, bytes }] of Object.entries(outside)) {
    expect(shown[key]?.count ?? 0, `events of ${key}`).toBeGreaterThanOrEqual(count)
    expect(shown[key]?.bytes ?? 0, `bytes of ${key}`).toBeGreaterThanOrEqual(bytes)
  }
  for (const [key, { count, bytes }] of Object.entries(shown)) {
    expect(all[key]?.count ?? 0, `events of ${key} that happened`).toBeGreaterThanOrEqual(count)
    expect(all[key]?.bytes ?? 0, `bytes of ${key} that were written`).toBeGreaterThanOrEqual(bytes)
  }
}

/** Reads the server after the page: it may flush at any time, and the page receives that. */
async function expectCaughtUp(page: Page, independent: PolledIo): Promise<void> {
  const summary = await summaryOf(page)
  await independent.request()
  expectComplete(summary, independent.events)
}

const writeSome = (url: string, from: number, database = 'restarted') =>
  bulk(
    url,
    database,
    Array.from({ length: 50 }, (_, i) => put(`users/${from + i}`, 'Users', { n: i })),
  )

/** Events that the server has and the page has not: at least those of one write. */
const UNSENT = 3

/** Suspends the server with events that it has not sent, and which it then never sends. The count of those that were. */
async function suspendWithUnsent(page: Page, raven: Raven, independent: PolledIo): Promise<number> {
  for (;;) {
    const resume = raven.suspend()
    // Frames that are on their way arrive.
    await sleep(500)
    const count = countOf(await page.evaluate(() => globalThis.rookery.summary()))
    if (independent.events.length > count + UNSENT) return count
    resume()
    await sleep(300)
  }
}

/** A frame came, and the server has some events that it sends with the next one, 3 s later. The count before that. */
async function soonAfterFrame(page: Page, independent: PolledIo, countFirst: number): Promise<number> {
  await expect
    .poll(async () => countOf(await summaryOf(page)), { intervals: [100], timeout: 90_000 })
    .toBeGreaterThan(countFirst + 20)
  // On a busy machine the next frame may come before enough was written: then the one after it is waited for.
  let count = 0
  await expect(async () => {
    count = countOf(await summaryOf(page))
    expect(independent.events.length).toBeGreaterThan(count + UNSENT)
  }).toPass({ intervals: [50], timeout: 90_000 })
  return count
}

test('a server that is killed and started again while watched: nothing collected is lost, and what is lies in the gap', async ({
  page,
  raven,
  complaints,
}) => {
  complaints.allow(/Failed to load resource|WebSocket connection|ERR_CONNECTION_REFUSED/)
  await createDatabase(raven.url, 'restarted')
  await writeSome(raven.url, 0)
  await page.goto(raven.studio('#/io?v=1&s=db:restarted'))
  await expect.poll(async () => (await summaryOf(page)).rows.length).toBeGreaterThan(0)
  const countFirst = countOf(await summaryOf(page))
  const independent = new PolledIo(raven.url, 'restarted')
  independent.start()
  const writing = writeUntilGone(raven.url, 'restarted')
  await soonAfterFrame(page, independent, countFirst)
  const countBefore = await suspendWithUnsent(page, raven, independent)
  await raven.kill()
  await Promise.all([independent.stop(), writing])
  await expect(page.getByText('The server did not answer').first()).toBeVisible({ timeout: 90_000 })
  const during = await summaryOf(page)
  const countDuring = countOf(during)
  // Something may have arrived between the count and the kill; nothing may have gone.
  expect(countDuring).toBeGreaterThanOrEqual(countBefore)
  expect(during.gaps.map(({ reason }) => reason)).toContain('server-stopped')
  expect(independent.events.length, 'the server died with events that it had not sent').toBeGreaterThan(countDuring)
  // The gap lasts: “now” of the page is when it last received data from the server.
  const lasting = during.gaps.map((gap) => ({ ...gap, endTicks: Number.POSITIVE_INFINITY }))
  expectComplete({ ...during, gaps: lasting }, independent.events)

  await raven.restart()
  await writeSome(raven.url, 200)
  independent.start()
  await expect(page.getByText('The server did not answer')).toHaveCount(0, { timeout: 60_000 })
  await expect.poll(async () => countOf(await summaryOf(page)), { timeout: 60_000 }).toBeGreaterThan(countDuring)
  await independent.stop()
  // The newest come with the next frame.
  await expect(() => expectCaughtUp(page, independent)).toPass({ timeout: 90_000 })
  const { gaps } = await summaryOf(page)
  const gap = gaps.find(({ reason }) => reason === 'server-stopped')
  expect(gap).toBeDefined()
  expect(gap!.endTicks).toBeGreaterThan(gap!.startTicks)
})

test('a database that is disabled and enabled while watched: its state is right at once, and what is lost lies in the gap @full', async ({
  page,
  raven,
  complaints,
}) => {
  complaints.allow(/Failed to load resource|WebSocket connection/)
  const database = 'toggled'
  const toggle = (how: 'disable' | 'enable') =>
    json(raven.url, `/admin/databases/${how}`, { method: 'POST', body: { DatabaseNames: [database] } })
  await createDatabase(raven.url, database)
  await writeSome(raven.url, 0, database)
  await page.goto(raven.studio(`#/io?v=1&s=db:${database}`))
  await expect.poll(async () => (await summaryOf(page)).rows.length).toBeGreaterThan(0)
  const independent = new PolledIo(raven.url, database)
  independent.start()
  const writing = writeUntilGone(raven.url, database)
  await soonAfterFrame(page, independent, countOf(await summaryOf(page)))
  await toggle('disable')
  await Promise.all([independent.stop(), writing])
  const notice = page.getByText(`${database} is disabled`)
  await expect(notice).toBeVisible()
  await toggle('enable')
  // The page polls every 30 s, but the server reports the change.
  await expect(notice).toHaveCount(0, { timeout: 20_000 })
  await writeSome(raven.url, 200, database)
  await expect(() => expectCaughtUp(page, independent)).toPass({ timeout: 90_000 })
  expect((await summaryOf(page)).gaps.map(({ reason }) => reason)).toEqual(['database-disabled'])
})
