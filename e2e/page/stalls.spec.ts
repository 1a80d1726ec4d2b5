import type { Page } from '@playwright/test'
import { formatTicks, parseTicks, spanFromMs, type Ticks } from '../../src/base/ticks.ts'
import { generateStalls, type GeneratedLane, type StallScenario } from '../../src/testing/stalls/generated-stalls.ts'
import { expect, test } from '../support/fake.ts'

const ORIGIN = parseTicks('2026-11-20T02:00:00.0000000Z')
const at = (ms: number): string => formatTicks((ORIGIN + spanFromMs(ms)) as Ticks)

/** As the server's `/debug/io-metrics` reports it. */
const documentOf = (lanes: readonly GeneratedLane[]): string =>
  JSON.stringify({
    Environments: lanes.map(({ environment, writes, syncs }) => ({
      Path: environment,
      Type: 'Documents',
      Files: [
        {
          File: '0000000000000000001.journal',
          Status: 'InUse',
          Recent: writes.map(({ start, end, bytes }) => ({
            Start: at(start),
            Size: bytes,
            FileSize: 67_108_864,
            Duration: Math.round((end - start) * 100) / 100,
            Type: 'JournalWrite',
          })),
          History: [],
        },
        {
          File: 'Raven.voron',
          Status: 'InUse',
          Recent: syncs.map(({ start, end, bytes }) => ({
            Start: at(start),
            Size: bytes,
            FileSize: 67_108_864,
            Duration: Math.round((end - start) * 100) / 100,
            Type: 'DataSync',
          })),
          History: [],
        },
      ],
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

async function open(page: Page, scenario: StallScenario, minutes: number): Promise<GeneratedLane[]> {
  const lanes = generateStalls(scenario, 11, minutes * 60_000)
  await page.getByLabel('Open files', { exact: true }).setInputFiles({
    name: 'io-metrics.json',
    mimeType: 'application/json',
    buffer: Buffer.from(documentOf(lanes)),
  })
  return lanes
}

const stallsOf = (page: Page, volumes: { pathContains: string; volume: string }[]): Promise<Stall[]> =>
  page.evaluate(async (named) => {
    const { rookery } = globalThis as unknown as { rookery: Handle }
    await rookery.idle()
    rookery.setVolumes(named)
    return rookery.stalls()
  }, volumes)

test('syncs that hold up writes are named as their cause, on screen and for scripts', async ({ page, fake }) => {
  await page.goto(fake.studio())
  const lanes = await open(page, 'sync', 20)
  const held = lanes.flatMap(({ writes }) => writes).filter(({ truth }) => truth === 'sync')
  const stalls = await stallsOf(page, [])
  expect(stalls.length).toBeGreaterThan(20)
  expect(new Set(stalls.map(({ cause }) => cause))).toEqual(new Set(['sync']))
  expect(new Set(stalls.map(({ verdict }) => verdict))).toEqual(new Set(['explains']))
  const starts = new Set(held.map(({ start }) => at(start)))
  for (const { start } of stalls) expect(starts).toContain(start)

  await page.getByRole('link', { name: 'Stalls' }).click()
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('status').first()).toContainText('Data sync explains 100 % of them')
  const sync = panel.getByRole('row', { name: /^Data sync explains/ })
  await expect(sync).toContainText('ended with it')
  await panel.getByText(/^Most stalled: .+ of the known time\.$/).click()
  const shares = panel.getByRole('table', { name: 'Stalled time by environment' }).getByRole('row')
  const counts = (await shares.allInnerTexts()).slice(1).map((row) => Number(row.split('\t')[1]?.replaceAll(',', '')))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(stalls.length)
  await panel.getByRole('table', { name: 'Stalls' }).getByRole('row').nth(1).click()
  await expect(page.getByRole('region', { name: 'I/O', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText('Journal write')
  await expect(page.getByRole('button', { name: 'Stalls', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(`${String(stalls.length)} stalled journal writes marked by cause`)).toBeVisible()
  await page.getByRole('region', { name: 'Selected event' }).getByRole('button', { name: 'Show in Stalls' }).click()
  await expect(panel.getByRole('table', { name: 'Stalls' }).locator('[aria-current="true"]')).toBeInViewport()
})

test('counter-examples of a cause are shown and opened', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await open(page, 'sync', 20)
  await page.getByRole('link', { name: 'Stalls' }).click()
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await panel.getByRole('button', { name: 'Counter-examples' }).click()
  await panel
    .getByRole('region', { name: /^Not held up by/ })
    .getByRole('button')
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText('Journal write')
})

test('stalls of roll-ups alone are listed, and too few to tell', async ({ page, fake }) => {
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
  expect(await stallsOf(page, [])).toEqual([])
  await page.getByRole('link', { name: 'Stalls' }).click()
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('status').first()).toContainText('too few single writes to tell')
  await expect(panel.getByRole('row', { name: /Too few to tell/ })).toBeVisible()
})

test('syncs that merely overlap stalls are not blamed', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await open(page, 'independent', 30)
  const stalls = await stallsOf(page, [])
  expect(stalls.length).toBeGreaterThan(20)
  expect(new Set(stalls.map(({ cause }) => cause))).toEqual(new Set(['unexplained']))
  await page.getByRole('link', { name: 'Stalls' }).click()
  const panel = page.getByRole('region', { name: 'Stalls', exact: true })
  await expect(panel.getByRole('row', { name: /^Data sync no evidence/ })).toBeVisible()
  await expect(panel.getByRole('status').first()).toContainText('None of the causes that were checked explains them')
})

test('a volume that the user names joins environments: the neighbour on it is to blame', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await open(page, 'sync of a neighbour', 30)
  expect(new Set((await stallsOf(page, [])).map(({ cause }) => cause))).toEqual(new Set(['unexplained']))
  const named = await stallsOf(page, [{ pathContains: '/data', volume: 'disk' }])
  expect(new Set(named.map(({ cause }) => cause))).toEqual(new Set(['sync']))
})

test('on a phone, the evidence for a cause is below it', async ({ page, fake }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(fake.studio())
  await open(page, 'sync', 20)
  await page.getByRole('link', { name: 'Stalls', exact: true }).click()
  const row = page.getByRole('row', { name: /^Data sync explains/ })
  const evidence = row.getByRole('cell').last()
  await expect(evidence).toContainText('ended with it')
  const [cause, box] = [await row.getByRole('rowheader').boundingBox(), await evidence.boundingBox()]
  expect(box?.y).toBeGreaterThanOrEqual((cause?.y ?? 0) + (cause?.height ?? 0) - 1)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
})
