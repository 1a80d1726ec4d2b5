import { bulk, createDatabase, put } from '../../tools/ravendb/client.mjs'
import { expect, test } from '../support/raven.ts'
import { summaryOf, type Summary } from '../support/studio.ts'

const countOf = ({ rows }: Summary): number => rows.reduce((sum, { count }) => sum + count, 0)

const writeSome = (url: string, from: number) =>
  bulk(
    url,
    'restarted',
    Array.from({ length: 50 }, (_, i) => put(`users/${from + i}`, 'Users', { n: i })),
  )

test('a server that is killed and started again while watched: nothing collected is lost, the gap is told', async ({
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
  await writeSome(raven.url, 100)
  await expect.poll(async () => countOf(await summaryOf(page))).toBeGreaterThan(countFirst)
  const countBefore = countOf(await summaryOf(page))

  await raven.kill()
  await expect(page.getByText('The server did not answer').first()).toBeVisible({ timeout: 30_000 })
  const during = await summaryOf(page)
  const countDuring = countOf(during)
  // Something may have arrived between the count and the kill; nothing may have gone.
  expect(countDuring).toBeGreaterThanOrEqual(countBefore)
  expect(during.gaps.map(({ reason }) => reason)).toContain('server-stopped')

  await raven.restart()
  await writeSome(raven.url, 200)
  await expect(page.getByText('The server did not answer')).toHaveCount(0, { timeout: 60_000 })
  await expect.poll(async () => countOf(await summaryOf(page)), { timeout: 60_000 }).toBeGreaterThan(countDuring)
  const after = await summaryOf(page)
  const gap = after.gaps.find(({ reason }) => reason === 'server-stopped')
  expect(gap).toBeDefined()
  expect(gap!.endTicks).toBeGreaterThan(gap!.startTicks)
})
