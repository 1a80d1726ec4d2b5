import { delta, fakeEvent } from '../support/fake-answers.ts'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { recordedText } from '../../src/testing/recorded.ts'
import { expect, test, timeline } from '../support/fake.ts'
import { summaryOf } from '../support/studio.ts'

interface Wire {
  readonly Environments: readonly {
    readonly Path: string
    readonly Files: readonly {
      readonly Recent: readonly { readonly Type: string; readonly Size?: number; readonly OriginalSize?: number }[]
      readonly History: readonly unknown[]
    }[]
  }[]
}

const text = recordedText('7.1', 'io-metrics.json')

/** Count and bytes by path and kind, and roll-ups in all, as plainly as possible from the text. */
function plainTotals(): { readonly rows: Record<string, { count: number; bytes: number }>; readonly rollUps: number } {
  const rows: Record<string, { count: number; bytes: number }> = {}
  let rollUps = 0
  for (const { Path, Files } of (JSON.parse(text) as Wire).Environments)
    for (const { Recent, History } of Files) {
      rollUps += History.length
      for (const { Type, Size, OriginalSize } of Recent) {
        const sums = (rows[`${Path} ${Type}`] ??= { count: 0, bytes: 0 })
        sums.count++
        sums.bytes += OriginalSize ?? Size ?? 0
      }
    }
  return { rows, rollUps }
}

async function studioTotals(page: Page): Promise<ReturnType<typeof plainTotals>> {
  const { rows } = await summaryOf(page)
  return {
    rows: Object.fromEntries(
      rows
        .filter(({ count }) => count > 0)
        .map(({ environmentPath, kind, count, bytes }) => [`${environmentPath} ${kind}`, { count, bytes }]),
    ),
    rollUps: rows.reduce((sum, row) => sum + row.rollUps.count, 0),
  }
}

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

test('a file of one endpoint, plain and packed, has the counts and bytes of its text', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await page.getByLabel('Open files', { exact: true }).setInputFiles(file('io-metrics.json', text))
  await expect(timeline(page)).toBeVisible()
  expect(await studioTotals(page)).toEqual(plainTotals())
  expect(new Set((await summaryOf(page)).rows.map(({ source }) => source))).toEqual(new Set(['file:io-metrics.json']))
  await expect(page.getByRole('region', { name: 'Sources' }).getByText('io-metrics.json')).toBeVisible()

  await page.getByLabel('Open files', { exact: true }).setInputFiles(file('again.json.gz', gzipSync(text)))
  await expect(page.getByRole('region', { name: 'Sources' }).getByText('again.json.gz')).toBeVisible()
  await expect
    .poll(async () => (await summaryOf(page)).rows.filter(({ source }) => source.includes('again')).length)
    .toBeGreaterThan(0)
})

test('a gzip of several members, padded at its end, has all of its text @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  const cuts = [0, 100, 70_000, Math.floor(text.length / 2), text.length]
  const members = cuts.slice(1).map((to, i) => gzipSync(text.slice(cuts[i], to)))
  const packed = Buffer.concat([...members, Buffer.alloc(512)])
  await page
    .getByLabel('Open files', { exact: true })
    .setInputFiles({ name: 'members.json.gz', mimeType: 'application/gzip', buffer: packed })
  await expect(timeline(page)).toBeVisible()
  expect(await studioTotals(page)).toEqual(plainTotals())
})

test('a gzip bomb ends in a sentence, without filling memory @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  // Members that are alike: to pack a gigabyte takes longer than a test may on a busy machine.
  const spaces = gzipSync(Buffer.alloc(10_000_000, 0x20), { level: 9 })
  const bomb = Buffer.concat([gzipSync('{"Environments":['), ...Array.from({ length: 100 }, () => spaces)])
  await page
    .getByLabel('Open files', { exact: true })
    .setInputFiles({ name: 'bomb.json.gz', mimeType: 'application/gzip', buffer: bomb })
  await expect(page.getByText(/it unpacks to more than 200 times its size/).first()).toBeVisible()
})

test('a file that is dropped on the page is opened @full', async ({ page, fake }) => {
  await page.goto(fake.studio('#/databases'))
  await expect(page.getByRole('row').filter({ hasText: 'Orders' })).toBeVisible()
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([content], 'dropped.json', { type: 'application/json' }))
    return data
  }, text)
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
  await expect(page.getByText('Drop files to open them')).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
  await expect(timeline(page)).toBeVisible()
  expect(await studioTotals(page)).toEqual(plainTotals())
})

test.describe('where the clocks were set back', () => {
  test.use({ timezoneId: 'Europe/Warsaw' })

  test('an hour that comes twice has its offset, and a typed time means the one that is in view @full', async ({
    page,
    fake,
  }) => {
    await page.goto(fake.studio())
    const events = Array.from({ length: 20 }, (_, i) => fakeEvent(Date.UTC(2026, 9, 25, 1, 20 + i)))
    const contents = JSON.stringify(delta(events, { path: '/data' }))
    await page.getByLabel('Open files', { exact: true }).setInputFiles(file('autumn.json', contents))
    await expect(timeline(page)).toBeVisible()
    const from = page.getByRole('textbox', { name: 'From', exact: true })
    await expect(from).toHaveValue(/^2026-10-25 02:19:\d\d\.\d+ \+01:00$/)
    await from.fill('02:25')
    await from.press('Enter')
    await expect(from).toHaveValue('2026-10-25 02:25:00.000 +01:00')
    await from.fill('02:25 +02:00')
    await from.press('Enter')
    await expect(from).toHaveValue('2026-10-25 02:25:00.000 +02:00')
  })
})

test('a file that is cut off: what could be read stays, and where it ends is reported @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio())
  await page.getByLabel('Open files', { exact: true }).setInputFiles(file('cut.json', text.slice(0, 100_000)))
  await expect(timeline(page)).toBeVisible()
  const strip = page.getByRole('region', { name: 'Files' })
  await expect(strip).toContainText('read in part')
  await expect(strip).toContainText(/The readable part ends at/)
  const { rows } = await studioTotals(page)
  const whole = plainTotals().rows
  expect(Object.keys(rows).length).toBeGreaterThan(0)
  for (const [key, { count }] of Object.entries(rows)) expect(count).toBeLessThanOrEqual(whole[key]?.count ?? 0)
})

for (const [name, content, words] of [
  ['page.html', '<!doctype html><p>no</p>', /byte 0: expected "\{" or "\[" of a JSON document.*HTML or XML page/],
  [
    'notes.txt',
    'dear diary',
    /byte 0: expected "\{" or "\[" of a JSON document, a zip, a gzip or a tar, got "dear diary"/,
  ],
  ['empty.json', '', /The file is empty/],
  ['other.json', '{"Results":[]}', /none of the documents/],
  ['picture.bin', Buffer.from([0, 1, 2, 3]), /expected JSON, a zip, a gzip or a tar, got binary data/],
] as const)
  test(`${name} is refused in words @full`, async ({ page, fake }) => {
    await page.goto(fake.studio())
    await page.getByLabel('Open files', { exact: true }).setInputFiles(file(name, content))
    const strip = page.getByRole('region', { name: 'Files' })
    await expect(strip).toContainText(words)
    await expect(strip).toContainText('not read')
    await page.getByRole('button', { name: `Dismiss ${name}` }).click()
    await expect(strip).toHaveCount(0)
  })

/** State in the page: names of requests since a file was handed over, and whether it has warmed up. */
interface Watched {
  readonly requested: string[]
  isWarm: boolean
}

test.describe('with code that is loaded ahead', () => {
  test.use({ fetchesAhead: true })

  test('the first picture of a file comes with its last rows: nothing that is drawn is requested', async ({
    page,
    fake,
  }) => {
    await page.addInitScript(() => {
      const watched: Watched = { requested: [], isWarm: false }
      Object.assign(globalThis, { watched })
      // eslint-disable-next-line typescript/unbound-method -- called with the worker as this, below
      const { postMessage } = Worker.prototype
      Worker.prototype.postMessage = function post(message: { type: string; name?: string }, ...rest: never[]) {
        if (message.type === 'files') watched.requested.length = 0
        if (message.type === 'request') watched.requested.push(message.name ?? '')
        postMessage.call(this, message, ...rest)
      }
      new MutationObserver((changes) => {
        const removed = changes.flatMap(({ removedNodes }) => [...removedNodes])
        watched.isWarm ||= removed.some((node) => node instanceof HTMLElement && node.inert)
      }).observe(document, { childList: true, subtree: true })
    })
    const watched = () => page.evaluate(() => (globalThis as unknown as { readonly watched: Watched }).watched)
    await page.goto(fake.studio())
    await expect.poll(async () => (await watched()).isWarm).toBe(true)
    await page.getByLabel('Open files', { exact: true }).setInputFiles(file('io-metrics.json', text))
    await expect(timeline(page)).toBeVisible()
    expect(await studioTotals(page)).toEqual(plainTotals())
    const { requested } = await watched()
    expect(requested).toContain('io.summary')
    expect(requested.filter((name) => /^io\.(lanes|idle|overview|marks)$/.test(name))).toEqual([])
  })
})
