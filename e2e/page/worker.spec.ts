import { type Reply, okJson } from '../support/fake-answers.ts'
import { expect, NETWORK_NOISE, openIo, test } from '../support/fake.ts'

// The limit of 3 s is tested where time is simulated (`worker-watch.test.ts`): a page short of CPU blames no one.
test('a capture worker that dies or hangs is noticed, and replaced', async ({
  page,
  fake,
  complaints,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Playwright runs nothing in a worker of Firefox.')
  complaints.allow(NETWORK_NOISE)
  await openIo(page, fake)
  const notice = page.getByRole('complementary', { name: 'State of the capture worker' })
  await expect(notice).toHaveCount(0)

  // Closes the worker like a crash of its process: no event notifies the page.
  await page.workers()[0]!.evaluate(() => self.close())
  await expect(notice).toContainText('was restarted at')
  await expect.poll(() => fake.watchers('Orders')).toBe(1)
  await openIoAgain()
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)

  // A worker that waits for a response hangs for as long as the test wants, and takes no CPU from the page.
  let release: (reply: Reply) => void = () => {}
  fake.fault(/^\/hangs$/, new Promise((done) => (release = done)))
  const hanging = page
    .workers()
    .at(-1)!
    .evaluate((url) => {
      const request = new XMLHttpRequest()
      request.open('GET', url, false)
      request.send()
    }, `${fake.url}/hangs`)
  await expect(notice).toContainText('is not responding')
  release(okJson({}))
  await hanging
  await expect(notice).toHaveCount(0)

  async function openIoAgain(): Promise<void> {
    await expect
      .poll(() => page.evaluate(() => globalThis.rookery.summary().rows.reduce((sum, { count }) => sum + count, 0)))
      .toBeGreaterThan(0)
  }
})

test('a browser that makes no worker says why @full', async ({ page, fake, complaints }) => {
  complaints.allow(/./)
  await page.addInitScript(() => {
    globalThis.Worker = function refuse() {
      throw new DOMException('Workers are switched off here.', 'SecurityError')
    } as never
  })
  await page.goto(fake.studio('#/io'))
  await expect(page.getByRole('alert')).toContainText('Workers are switched off here.')
  await expect(page.getByRole('alert')).not.toContainText('goes on')
})
