import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, createDatabase, put } from '../../tools/ravendb/client.mjs'
import { expect, test } from '../support/raven.ts'
import { PolledIo, totalsOfEvents, type IoEvent } from '../support/independent-io.ts'
import { summaryOf, totalsOf, type Summary } from '../support/studio.ts'

const countOf = ({ rows }: Summary): number => rows.reduce((sum, { count }) => sum + count, 0)

/** Some ten writes a second. */
async function writeUntilGone(url: string): Promise<void> {
  for (let n = 0; ; n++) {
    try {
      await bulk(url, 'restarted', [put(`users/${1000 + n}`, 'Users', { n })])
    } catch {
      return
    }
    await sleep(80)
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

/** All that happened outside of gaps is shown, per environment and kind, and nothing that did not happen. */
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

const writeSome = (url: string, from: number) =>
  bulk(
    url,
    'restarted',
    Array.from({ length: 50 }, (_, i) => put(`users/${from + i}`, 'Users', { n: i })),
  )

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
  const writing = writeUntilGone(raven.url)
  await expect
    .poll(async () => countOf(await summaryOf(page)), { intervals: [100], timeout: 15_000 })
    .toBeGreaterThan(countFirst + 20)
  const countBefore = countOf(await summaryOf(page))
  // Soon after a frame: the server dies before it sends the next one, 3 s later.
  const heard = independent.events.length
  await expect.poll(() => independent.events.length, { intervals: [50] }).toBeGreaterThan(heard + 10)
  await raven.kill()
  await Promise.all([independent.stop(), writing])
  await expect(page.getByText('The server did not answer').first()).toBeVisible({ timeout: 30_000 })
  const during = await summaryOf(page)
  const countDuring = countOf(during)
  // Something may have arrived between the count and the kill; nothing may have gone.
  expect(countDuring).toBeGreaterThanOrEqual(countBefore)
  expect(during.gaps.map(({ reason }) => reason)).toContain('server-stopped')
  expect(independent.events.length, 'the server died with events that it had not sent').toBeGreaterThan(countDuring)
  // It lasts: what the page calls now is when it heard the server last.
  const lasting = during.gaps.map((gap) => ({ ...gap, endTicks: Number.POSITIVE_INFINITY }))
  expectComplete({ ...during, gaps: lasting }, independent.events)

  await raven.restart()
  await writeSome(raven.url, 200)
  independent.start()
  await expect(page.getByText('The server did not answer')).toHaveCount(0, { timeout: 60_000 })
  await expect.poll(async () => countOf(await summaryOf(page)), { timeout: 60_000 }).toBeGreaterThan(countDuring)
  await independent.stop()
  // The newest come with the next frame.
  await expect(async () => expectComplete(await summaryOf(page), independent.events)).toPass({ timeout: 15_000 })
  const { gaps } = await summaryOf(page)
  const gap = gaps.find(({ reason }) => reason === 'server-stopped')
  expect(gap).toBeDefined()
  expect(gap!.endTicks).toBeGreaterThan(gap!.startTicks)
})
