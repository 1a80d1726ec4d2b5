import { serveStudio } from '../../tools/serve.mjs'
import { expect, test } from '../support/fake.ts'
import { openDoor, whatPasses } from '../support/walls.ts'

test.skip(
  ({ browserName }) => browserName === 'firefox',
  'Playwright runs nothing in a worker of Firefox; the suite `engines` does.',
)

test('neither the page nor its worker reaches another origin or runs text as code', async ({
  page,
  fake,
  complaints,
}) => {
  // All that is refused is reported.
  complaints.allow(/security policy|Content Security Policy|requires 'Trusted|WebSocket connection/i)
  const served = await serveStudio({ dist: 'dist', target: fake.url })
  const door = await openDoor()
  try {
    for (const [where, url] of [
      ['embedded', fake.url],
      ['stand-alone', served.url],
    ] as const) {
      await test.step(where, async () => {
        await page.goto('about:blank')
        await page.goto(`${url}/studio/index.html#/io?v=1&s=db%3AOrders`)
        await expect.poll(() => page.evaluate(() => globalThis.rookery.summary().rows.length)).toBeGreaterThan(0)
        const [worker] = page.workers()
        expect(await worker?.evaluate(whatPasses, door.url)).toEqual([])
        expect(await page.evaluate(whatPasses, door.url)).toEqual([])
        expect(door.came).toEqual([])
      })
    }
  } finally {
    // The page goes first: a server that is gone is a complaint of its own.
    await page.goto('about:blank')
    door.close()
    await served.close()
  }
})
