import type { Page, Request } from '@playwright/test'
import { expect, NETWORK_NOISE, test } from '../support/fake.ts'

/** Parts of the header beside the state; each is there once, at any width. */
const besideState = (page: Page) => [
  page.getByRole('banner').getByText('Rookery', { exact: true }),
  page.getByRole('radiogroup', { name: 'Clock' }),
  page.getByRole('button', { name: 'Open files…' }),
]

test('the state of a server that is gone covers nothing of the header, at any width', async ({
  page,
  fake,
  complaints,
}) => {
  complaints.allow(NETWORK_NOISE)
  await page.goto(fake.studio('#/triage'))
  await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
  // The code of the panel has arrived: a page whose server is gone fetches none.
  await expect(page.getByRole('region', { name: 'Vital signs' })).toBeVisible()
  fake.dashboard('CpuUsage', { ProcessCpuUsage: 1, MachineCpuUsage: 20, UtilizedCores: 2, NumberOfCores: 2 })
  await fake.stop()
  const state = page.getByRole('status', { name: 'Server', exact: true })
  await expect(state).toContainText(/no answer · last data \d+ seconds ago/)
  const words = state.getByText(/no answer/)
  for (const width of [1920, 1440, 1280, 1024, 800, 390, 360]) {
    await page.setViewportSize({ width, height: 844 })
    const box = await words.boundingBox()
    if (width < 640) {
      await expect(words).toHaveText(/^no answer · \d+ (s|min) ago$/, { useInnerText: true })
      // Two lines of the smallest text on a phone.
      expect(box?.height).toBeLessThan(30)
    }
    for (const beside of besideState(page)) {
      const other = await beside.boundingBox()
      const isApart =
        box === null ||
        other === null ||
        box.x + box.width <= other.x ||
        other.x + other.width <= box.x ||
        box.y + box.height <= other.y ||
        other.y + other.height <= box.y
      expect(isApart, `${String(width)} px: ${JSON.stringify(box)} and ${JSON.stringify(other)}`).toBe(true)
    }
  }
})

test.describe('with code that is loaded ahead', () => {
  test.use({ fetchesAhead: true })

  test('a part of a panel opens when the server is gone that has its code @full', async ({
    page,
    fake,
    complaints,
  }) => {
    complaints.allow(NETWORK_NOISE)
    const fetching = new Set<Request>()
    page.on('request', (request) => {
      if (/\.(js|css)$/.test(request.url())) fetching.add(request)
    })
    page.on('requestfinished', (request) => void fetching.delete(request))
    const fetched = ['js', 'css'].map((kind) => page.waitForResponse(new RegExp(`/DatabasePanel-[^/]*\\.${kind}$`)))
    await page.goto(fake.studio('#/databases'))
    await Promise.all(fetched)
    // Imports of the page's modules are fetched beside them.
    await expect.poll(() => fetching.size).toBe(0)
    const row = page.getByRole('row').filter({ hasText: 'Orders' })
    await expect(row).toBeVisible()
    await fake.stop()
    await row.getByRole('button', { name: 'Details of Orders' }).click()
    await expect(page.getByRole('link', { name: 'All databases' })).toBeVisible()
  })
})
