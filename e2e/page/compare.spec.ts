import type { Page } from '@playwright/test'
import { formatTicks, parseTicks, spanFromMs, type Ticks } from '../../src/base/ticks.ts'
import { generateFigures } from '../../src/testing/generated/generated-figures.ts'
import { generateLoad, type LoadLane } from '../../src/testing/generated/generated-load.ts'
import { expect, test } from '../support/fake.ts'
import { idle } from '../support/studio.ts'
import { openPanel } from '../support/panels.ts'

const ORIGIN = parseTicks('2026-11-20T02:00:00.0000000Z')
const at = (ms: number): string => formatTicks((ORIGIN + spanFromMs(ms)) as Ticks)
const MINUTES = 20

/** Document in the form of the server's `/debug/io-metrics`; the lanes are parts of one database. */
const documentOf = (lanes: readonly LoadLane[], root: string, fromMs = 0): object => ({
  Environments: lanes.map(({ start, duration }, i) => ({
    Path: i === 0 ? `${root}/Databases/Orders` : `${root}/Databases/Orders/Indexes/i${i}`,
    Type: i === 0 ? 'Documents' : 'Index',
    Files: [
      {
        File: '0000000000000000001.journal',
        Status: 'InUse',
        Recent: Array.from(start, (ms, row) => ({
          Start: at(fromMs + ms),
          Size: 8192,
          FileSize: 67_108_864,
          Duration: Math.round((duration[row] as number) * 100) / 100,
          Type: 'JournalWrite',
        })),
        History: [],
      },
    ],
  })),
  Performances: [],
})

const fileOf = (name: string, document: object) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(document)),
})

const panelOf = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true })

test('two captures: what became slower is named, with how much at least', async ({ page, fake }) => {
  const [before, after] = generateLoad('bursts', 5, MINUTES * 60_000, 3, (ms) => ms * 1.6)
  await page.goto(fake.studio())
  await page
    .getByLabel('Open files', { exact: true })
    .setInputFiles([
      fileOf('before.json', documentOf(before, '/old')),
      fileOf('after.json', documentOf(after, '/new', 3_600_000)),
    ])
  await expect(page.getByRole('region', { name: 'I/O', exact: true })).toBeVisible()
  await openPanel(page, 'Compare')
  const panel = panelOf(page)
  // Sides are chosen here, among all that is open.
  await panel.getByLabel('Before').selectOption({ label: 'before.json' })
  await expect(panel.getByRole('heading', { name: 'Choose a range as after' })).toBeVisible()
  await panel.getByLabel('After').selectOption({ label: 'after.json' })
  await expect(panel.getByRole('status').first()).toContainText(
    /^After is slower: journal writes of .* at least \+\d+ %/,
  )
  const row = panel.getByRole('row', { name: /^Documents Journal write slower/ })
  await expect(row).toContainText('→')

  await panel.getByRole('button', { name: 'Swap' }).click()
  await expect(panel.getByRole('status').first()).toContainText('After is faster')
  // The link carries both sides.
  expect(page.url()).toContain('compare.before=')
})

test('two ranges of the timeline: without a change none is claimed @full', async ({ page, fake }) => {
  const [whole] = generateLoad('steady', 3, 2 * MINUTES * 60_000, 2, (ms) => ms)
  await page.goto(fake.studio())
  await page.getByLabel('Open files', { exact: true }).setInputFiles(fileOf('io.json', documentOf(whole, '/data')))
  const io = page.getByRole('region', { name: 'I/O', exact: true })
  const take = async (from: number, to: number, side: 'before' | 'after'): Promise<void> => {
    const edges = io.getByRole('textbox', { name: /^(From|To)$/ })
    const text = (minutes: number): string =>
      at(minutes * 60_000)
        .slice(0, 19)
        .replace('T', ' ')
    await edges.nth(1).fill(text(to))
    await edges.nth(1).press('Enter')
    await expect(edges.nth(1)).toHaveValue(new RegExp(text(to)))
    await edges.nth(0).fill(text(from))
    await edges.nth(0).press('Enter')
    // The choice below takes the range in view, so the view has to be there first.
    await expect(edges.nth(0)).toHaveValue(new RegExp(text(from)))
    await io.getByRole('button', { name: 'Compare range in view' }).click()
    await page.getByRole('menuitem', { name: `Use as ${side}` }).click()
  }
  await page.getByText('UTC', { exact: true }).click()
  await take(0, MINUTES, 'before')
  await take(MINUTES, 2 * MINUTES, 'after')
  const panel = panelOf(page)
  await expect(panel.getByRole('status').first()).toContainText('No difference that this much data could show.')
  await expect(panel.getByRole('textbox', { name: 'After from' })).toHaveValue(/02:20:00/)
  await expect(panel.getByRole('row', { name: /^Documents Journal write no difference shown/ })).toBeVisible()
})

test('the server: two ranges of its figures, of which the second is slower @full', async ({ page, fake }) => {
  await page.goto(fake.studio('#/server'))
  await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
  const seconds = 2400
  const [before, after] = generateFigures(1, seconds, 5, { latency: 1.8, cpu: 1.5 })
  const firstMs = Date.now() - 2 * seconds * 1000
  for (let i = 0; i < 2 * seconds; i += 10) {
    const [samples, at] = i < seconds ? [before, i] : [after, i - seconds]
    fake.dashboard(
      'CpuUsage',
      {
        ProcessCpuUsage: samples.cpuPercent[at],
        MachineCpuUsage: Math.min(100, 10 + (samples.cpuPercent[at] ?? 0)),
        UtilizedCores: 2,
        NumberOfCores: 2,
      },
      firstMs + i * 1000,
    )
    fake.dashboard(
      'Traffic',
      {
        RequestsPerSecond: Math.round(samples.requests[at] ?? 0),
        AverageRequestDuration: samples.latencyMs[at],
        DocumentWritesPerSecond: 30,
        AttachmentWritesPerSecond: 0,
        CounterWritesPerSecond: 0,
        TimeSeriesWritesPerSecond: 0,
        DocumentsWriteBytesPerSecond: 4096,
        AttachmentsWriteBytesPerSecond: 0,
        CountersWriteBytesPerSecond: 0,
        TimeSeriesWriteBytesPerSecond: 0,
      },
      firstMs + i * 1000,
    )
  }
  const ticks = (ms: number): string => String(parseTicks(new Date(ms).toISOString().replace('Z', '0000Z')))
  const [from, middle, to] = [0, seconds, 2 * seconds].map((second) => ticks(firstMs + second * 1000))
  await page.evaluate((hash) => {
    location.hash = hash
  }, `#/compare?s=server&compare.of=server&compare.before=${from}~${middle}~server&compare.after=${middle}~${to}~server`)
  const panel = panelOf(page)
  await expect(panel.getByRole('status').first()).toContainText(
    /^After is slower: Mean duration of requests .* ms → .* at least \+\d+ %\)\. Higher: CPU of the/,
  )
  await expect(panel.getByRole('row', { name: /^Mean duration of requests Traffic slower/ })).toContainText('→')
})

test('what is live: up to now while nothing is received, and all of it while it grows @full', async ({
  page,
  fake,
}) => {
  fake.database('Orders')
  await page.goto(fake.studio('#/io?s=db:Orders'))
  await idle(page)
  await page.evaluate(() => (location.hash = location.hash.replace('#/io', '#/compare')))
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Compare the first half with the second' }).click()
  const sentence = panel.getByText(/^(Comparing …|No difference|After is|Too few events|Too variable to tell)/).first()
  /** Waits until the comparison is done and stays so. */
  const isCompared = async (): Promise<void> => {
    let calm = 0
    const round = async (): Promise<number> => {
      calm = (await sentence.innerText()) === 'Comparing …' ? 0 : calm + 1
      return calm
    }
    await expect.poll(round, { intervals: [200] }).toBeGreaterThanOrEqual(10)
  }
  await isCompared()
  await panel.getByRole('group', { name: 'After', exact: true }).getByRole('button', { name: 'Use all' }).click()
  await expect(panel.getByRole('textbox', { name: 'After from' })).toHaveValue(
    await panel.getByRole('textbox', { name: 'Before from' }).inputValue(),
  )
  await isCompared()
  // A gap that goes on grows all the time.
  fake.become('Orders', 'unloaded')
  await expect(page.getByRole('region', { name: 'Sources' })).toContainText(/unloaded/)
  await panel.getByRole('button', { name: 'Clear' }).click()
  await panel.getByRole('button', { name: 'Compare the first half with the second' }).click()
  await isCompared()
})

test('what is missing is asked for', async ({ page, fake }) => {
  await page.goto(fake.studio('#/compare?s=db:Orders'))
  await expect(panelOf(page).getByText('bring a range in view')).toBeVisible()
})

test('a side is kept as a run, exported, imported, and compared with another one @full', async ({ page, fake }) => {
  const [before, after] = generateLoad('steady', 8, MINUTES * 60_000, 1, (ms) => ms * 1.6)
  await page.goto(fake.studio())
  await page
    .getByLabel('Open files', { exact: true })
    .setInputFiles([
      fileOf('before.json', documentOf(before, '/old')),
      fileOf('after.json', documentOf(after, '/new', 3_600_000)),
    ])
  await expect(page.getByRole('region', { name: 'I/O', exact: true })).toBeVisible()
  await openPanel(page, 'Compare')
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Compare before.json with after.json' }).click()
  const keep = async (side: string, name: string): Promise<void> => {
    await panel.getByRole('group', { name: side, exact: true }).getByRole('button', { name: 'Save as run' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a run' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('textbox', { name: 'Cores' }).fill('16')
    await dialog.getByRole('textbox', { name: 'Bottleneck' }).fill('Disk')
    await dialog.getByRole('button', { name: 'Save run' }).click()
  }
  await keep('Before', 'Shared volume')
  await keep('After', 'Own volume')
  const table = panel.getByRole('table', { name: 'Runs that were kept, newest first' })
  await expect(table.getByRole('row', { name: /^Shared volume/ })).toContainText(/Disk.*16 cores/)

  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Export runs' }).click()
  const path = await (await download).path()
  for (const name of ['Shared volume', 'Own volume']) {
    await table.getByRole('button', { name: `Actions on ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await expect(panel.getByText('None yet.')).toBeVisible()
  await panel.getByLabel('File of runs').setInputFiles(path)
  await expect(panel.getByText('2 runs imported.')).toBeVisible()

  await panel.getByRole('button', { name: 'Clear' }).click()
  const take = async (name: string, as: string): Promise<void> => {
    await table.getByRole('button', { name: `Actions on ${name}` }).click()
    await page.getByRole('menuitem', { name: as }).click()
  }
  await take('Shared volume', 'Use as before')
  await take('Own volume', 'Use as after')
  await expect(panel.getByRole('status').first()).toContainText(/^After is slower: journal writes of Documents/)
  // Kept in the browser; the address follows what is chosen with some delay.
  await expect(page).toHaveURL(/compare\.after=[^&]*run:/)
  await page.reload()
  await openPanel(page, 'Compare')
  await expect(panelOf(page).getByText(/^After is slower/)).toBeVisible()

  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await panelOf(page).getByLabel('File of runs').setInputFiles(path)
  await expect(panelOf(page).getByText('This browser did not store the runs.')).toBeVisible()
  await expect(panelOf(page).getByText('export them as a file')).toBeVisible()
})

test('the distribution of the durations in view is drawn, with the percentiles of the summary @full', async ({
  page,
  fake,
}) => {
  const [whole] = generateLoad('stalls', 3, MINUTES * 60_000, 2, (ms) => ms)
  await page.goto(fake.studio())
  await page.getByLabel('Open files', { exact: true }).setInputFiles(fileOf('io.json', documentOf(whole, '/data')))
  await page.getByRole('button', { name: 'Distribution' }).click()
  const section = page.getByRole('region', { name: 'Distribution of durations' })
  const count = whole.reduce((sum, { start }) => sum + start.length, 0)
  await expect(section).toContainText(`Journal write ${count.toLocaleString('en-US')}`)
  const chart = section.getByRole('img', { name: /^Share of events that take less\. Journal write: p50 .*, p99 .*/ })
  await expect(chart).toBeVisible()
  await expect(chart.getByText(/99\.0 % take at most/)).toHaveCount(1)
  for (const title of [
    'Events per second',
    'Bytes per second, without data syncs',
    'In flight, mean',
    'In flight, most at once',
    'Slowest, 10 µs to 10 s',
  ])
    await expect(
      section.getByRole('img', { name: new RegExp(`^${title}\\. Journal write: at most \\d`) }),
    ).toBeVisible()
  await expect(
    section.getByRole('img', {
      name: new RegExp(`^Size against duration of ${count.toLocaleString('en-US')} journal writes\\.`),
    }),
  ).toBeVisible()
  await section
    .getByRole('button', { name: /^Journal write: .* in / })
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText(
    `slowest of ${count.toLocaleString('en-US')}`,
  )
  await expect(page).toHaveURL(/io\.distribution=on/)
})
