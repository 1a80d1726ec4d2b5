import type { Page } from '@playwright/test'
import { formatTicks, parseTicks, spanFromMs, type Ticks } from '../../src/base/ticks.ts'
import type { Events } from '../../src/features/stalls/data/lanes.ts'
import { readRecording, type Labelled } from '../../src/testing/stalls/recordings.ts'
import { expect, openIo, test } from '../support/fake.ts'
import { openPanel } from '../support/panels.ts'

const ORIGIN = parseTicks('2026-11-20T02:00:00.0000000Z')
const at = (ms: number): string => formatTicks((ORIGIN + spanFromMs(ms)) as Ticks)

const fileOf = (File: string, Type: string, { start, end, bytes }: Events) => ({
  File,
  Status: 'InUse',
  Recent: Array.from(start, (ms, row) => ({
    Start: at(ms),
    Size: bytes[row],
    FileSize: 67_108_864,
    Duration: Math.round(((end[row] ?? 0) - ms) * 100) / 100,
    Type,
  })),
  History: [],
})

/** Document in the form of the server's `/debug/io-metrics`. */
const documentOf = ({ lanes }: Labelled): string =>
  JSON.stringify({
    Environments: lanes.map(({ environment, writes, syncs }) => ({
      Path: environment,
      Type: environment.includes('/Indexes/') ? 'Index' : 'Documents',
      Files: [fileOf('0000000000000000001.journal', 'JournalWrite', writes), fileOf('Raven.voron', 'DataSync', syncs)],
    })),
    Performances: [],
  })

interface Stall {
  readonly start: string
  readonly environment: string
  readonly cause: string
  readonly verdict: string
}

interface Handle {
  readonly idle: () => Promise<void>
  readonly stalls: () => Promise<Stall[]>
  readonly setVolumes: (volumes: { pathContains: string; volume: string }[]) => void
}

/** Volumes of the recordings. */
const VOLUMES = [
  { pathContains: '/Indexes/Orders_Totals', volume: 'second' },
  { pathContains: '/', volume: 'main' },
]

async function open(page: Page, name: string): Promise<Labelled> {
  const recording = readRecording(name, false)
  await page.getByLabel('Open files', { exact: true }).setInputFiles({
    name: 'io-metrics.json',
    mimeType: 'application/json',
    buffer: Buffer.from(documentOf(recording)),
  })
  return recording
}

const stallsOf = (page: Page, volumes = VOLUMES): Promise<Stall[]> =>
  page.evaluate(async (named) => {
    const { rookery } = globalThis as unknown as { rookery: Handle }
    await rookery.idle()
    rookery.setVolumes(named)
    return rookery.stalls()
  }, volumes)

test('syncs that hold up writes are named as their cause, on screen and for scripts', async ({ page, fake }) => {
  await page.goto(fake.studio())
  const { lanes, truths } = await open(page, 'sync-blocks-journal')
  const held = lanes.flatMap(({ writes }, lane) =>
    [...(truths[lane] ?? [])].flatMap(([row, { cause, heldMs }]) =>
      cause === 'sync-blocks-journal' && heldMs >= 90 ? at(writes.start[row] ?? 0) : [],
    ),
  )
  const stalls = await stallsOf(page)
  const bySync = stalls.filter(({ cause }) => cause === 'sync')
  expect(bySync.map(({ start }) => start).toSorted()).toEqual(held.toSorted())
  expect(new Set(bySync.map(({ verdict }) => verdict)).size).toBe(1)

  await openPanel(page, 'Stalls')
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('status').first()).toContainText(/\d+ by data syncs; for \d+ no cause has evidence\./)
  const sync = panel.getByRole('row', { name: /^Data sync/ })
  await expect(sync).toContainText(/\d+ of \d+ stalls waited for a data sync of the same volume; by chance/)
  await expect(panel.getByText(/^\d+ other causes: /)).toBeVisible()
  await panel.getByText(/^Most stalled: .+ %$/).click()
  const shares = panel.getByRole('table', { name: 'Stalled time by environment' }).getByRole('row')
  const counts = (await shares.allInnerTexts()).slice(1).map((row) => Number(row.split('\t')[1]?.replaceAll(',', '')))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(stalls.length)
  await panel.getByRole('table', { name: 'Stalls', exact: true }).getByRole('row').nth(1).click()
  await expect(page.getByRole('region', { name: 'I/O', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText('Journal write')
  await expect(page.getByRole('button', { name: 'Mark stalls', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(`${String(stalls.length)} stalled journal writes marked by cause`)).toBeVisible()
  await page.getByRole('region', { name: 'Selected event' }).getByRole('button', { name: 'Show in Stalls' }).click()
  // The range of the event came along: its stalls are counted, and all on request.
  await expect(panel.getByRole('status').first()).toContainText('in this range')
  await expect(
    panel.getByRole('table', { name: 'Stalls', exact: true }).locator('[aria-current="true"]'),
  ).toBeInViewport()
})

test('a slow write in a file is found and proved in two clicks, and no live server is judged with it @full', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  const { lanes } = await open(page, 'sync-blocks-journal')
  await expect(page).toHaveURL(/s=file/)
  const durations = lanes.flatMap(({ writes: { start, end } }) => Array.from(end, (ms, row) => ms - (start[row] ?? 0)))
  const longestMs = Math.max(...durations)
  const longest = longestMs >= 1000 ? (longestMs / 1000).toPrecision(3) : longestMs.toPrecision(3)
  const slowest = page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').first()
  // The file is fitted once it is read; the live minute is in view before.
  await expect(slowest).toContainText('io-metrics.json')
  await slowest.getByRole('button').first().click()
  const card = page.getByRole('region', { name: 'Selected event' })
  // The slowest event is the sync; the write that it held up is listed in its card.
  await expect(card).toContainText('Journal write')
  await expect(card).toContainText(longest)
  await openPanel(page, 'Stalls')
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('row', { name: /^Data sync/ })).toContainText('waited for a data sync')
  await expect(panel.getByRole('status').first()).toContainText(
    `of ${durations.length.toLocaleString('en-US')} journal writes`,
  )
})

test('counter-examples of a cause are shown and opened; the page has few words @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await open(page, 'neighbour-index')
  await openPanel(page, 'Stalls')
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('row', { name: /^Large write/ })).toBeVisible()
  await expect(panel.getByRole('row', { name: /^Steady rate/ })).toContainText('as long as their bytes at')
  // Rows that the table holds ready outside of its box are not seen.
  const words = await panel.evaluate((element) => {
    const box = element.querySelector('[aria-label="Stalls"]')?.getBoundingClientRect()
    const hidden = [...element.querySelectorAll('[aria-label="Stalls"] [role="row"]')].filter(
      (row) => box !== undefined && row.getBoundingClientRect().top >= box.bottom,
    )
    const count = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
    return (
      count((element as HTMLElement).innerText) -
      hidden.reduce((sum, row) => sum + count((row as HTMLElement).innerText), 0)
    )
  })
  expect(words).toBeLessThanOrEqual(250)
  await panel.getByRole('button', { name: 'Counter-examples' }).first().click()
  await panel
    .getByRole('region', { name: /^Not held up by/ })
    .getByRole('button')
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText('Journal write')
})

test('stalls of roll-ups alone are listed, and too few to tell @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  const sum = { Start: at(0), End: at(60_000), Size: 257 * 8192, FileSize: 67_108_864, Duration: 60_000 }
  const history = {
    ...sum,
    ActiveDuration: 900,
    MaxDuration: 400,
    MinDuration: 1,
    MaxAcceleration: 0,
    MinAcceleration: 0,
  }
  const file = { File: '0001.journal', Status: 'InUse', Recent: [], History: [{ ...history, Type: 'JournalWrite' }] }
  const text = JSON.stringify({
    Environments: [{ Path: '/data/a', Type: 'Documents', Files: [file] }],
    Performances: [],
  })
  await page.getByLabel('Open files', { exact: true }).setInputFiles({
    name: 'io-metrics.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  })
  expect(await stallsOf(page)).toEqual([])
  await openPanel(page, 'Stalls')
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('status').first()).toContainText('too few single writes to tell')
  await expect(panel.getByText(/^\d+ other causes: .*too few to tell/)).toBeVisible()
  await expect(panel.getByRole('row', { name: /Too few to tell/ })).toBeVisible()
})

test('syncs that merely overlap stalls are not blamed @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await open(page, 'coincidence')
  const stalls = await stallsOf(page)
  expect(stalls.length).toBeGreaterThan(20)
  expect(new Set(stalls.map(({ cause }) => cause))).toEqual(new Set(['unexplained']))
  await openPanel(page, 'Stalls')
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('status').first()).toContainText('No cause has evidence.')
  await expect(panel.getByRole('row', { name: /^Unexplained/ })).toBeVisible()
  await panel.getByText(/^\d+ other causes: /).click()
  await expect(panel.getByText(/^Data sync: no evidence/)).toBeVisible()
})

test('a volume that the user names tells apart what lies on several @full', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await open(page, 'other-process')
  const causesOf = async (volumes: typeof VOLUMES): Promise<Set<string>> =>
    new Set((await stallsOf(page, volumes)).map(({ cause }) => cause))
  expect(await causesOf([{ pathContains: '/', volume: 'disk' }])).not.toContain('standstill')
  expect(await causesOf(VOLUMES)).toContain('standstill')
})

test('on a phone, the first cause and its evidence are in the first screen @full', async ({ page, fake }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(fake.studio())
  await open(page, 'sync-blocks-journal')
  await openPanel(page, 'Stalls')
  const row = page.getByRole('row', { name: /^Data sync/ })
  const evidence = row.getByRole('cell').last()
  await expect(evidence).toContainText('waited for a data sync')
  const [cause, box] = [await row.getByRole('rowheader').boundingBox(), await evidence.boundingBox()]
  expect(box?.y).toBeGreaterThanOrEqual((cause?.y ?? 0) + (cause?.height ?? 0) - 1)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
})
