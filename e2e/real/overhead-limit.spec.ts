import type { Page } from '@playwright/test'
import { createDatabase } from '../../tools/ravendb/client.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { expect, test } from '../support/raven.ts'
import { summaryOf } from '../support/studio.ts'

const WATCHED_MS = 60_000
/** Longest time in which so much of it is looked for. */
const MOST_MS = 4 * WATCHED_MS

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5',
  'The limit is ours, and the costs of the versions differ little.',
)

/**
 * Statuses of the panel, read each second until a minute of them is without stress on the server: under stress everything backs off, and
 * a machine that has no CPU to spare may have fewer.
 */
async function saidWhileCalm(page: Page): Promise<readonly string[]> {
  const reported: string[] = []
  const endMs = Date.now() + MOST_MS
  while (Date.now() < endMs && reported.length * 1000 < WATCHED_MS) {
    const statuses = await page.getByRole('status').allInnerTexts()
    if (!statuses.some((text) => /polls go \d+ times slower/.test(text)))
      reported.push(statuses.find((text) => text.startsWith('Live threads')) ?? '')
    await page.waitForTimeout(1000)
  }
  return reported
}

test('live threads come for a minute without a pause at the default limits @full', async ({ page, raven }) => {
  test.setTimeout(MOST_MS + 120_000)
  await page.goto(raven.studio('#/stacks?v=1&s=server'))
  // The notice of connecting comes after the panel and goes with the second list: only then is there something to pause.
  await expect(page.getByRole('table', { name: 'Threads' }).getByRole('row').nth(2)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('status').filter({ hasText: /^Live threads/ })).toHaveCount(0, { timeout: 30_000 })
  const reported = await saidWhileCalm(page)
  process.stdout.write(`${reported.length} s without stress on the server\n`)
  test.skip(reported.length < 10, 'In four minutes the machine had no CPU to spare: nothing was seen at the limits.')
  expect(reported.filter((text) => text !== '')).toEqual([])
})

test('batches of an index at work come for a minute without a pause at the default limits @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  await createDatabase(raven.url, 'limited')
  await page.goto(raven.studio('#/indexing?v=1&s=db:limited'))
  await expect(page.getByRole('region', { name: 'Indexing', exact: true })).toBeVisible()
  const end = new AbortController()
  const load = runWorkload({
    url: raven.url,
    database: 'limited',
    documents: 2000,
    rate: 100,
    pauses: false,
    signal: end.signal,
  })
  try {
    await expect(page.getByRole('table', { name: 'Indexes in view' }).getByRole('row')).not.toHaveCount(0, {
      timeout: 60_000,
    })
    await page.waitForTimeout(WATCHED_MS)
    const { gaps, rows } = await summaryOf(page)
    expect(rows.filter(({ feed }) => feed === 'indexing').length).toBeGreaterThan(0)
    expect(gaps.map(({ reason }) => reason)).not.toContain('paused-by-rookery')
  } finally {
    end.abort()
    await load
  }
})
