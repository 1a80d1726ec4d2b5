import type { Page } from '@playwright/test'
import { formatTicks, parseTicks, spanFromMs } from '../../src/base/ticks.ts'
import type { Ticks } from '../../src/base/brand.ts'
import { generateStalls, type GeneratedLane, type StallScenario } from '../../src/testing/generated-stalls.ts'
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
  await panel.getByRole('table', { name: 'Stalls' }).getByRole('row').nth(1).click()
  await expect(page.getByRole('region', { name: 'I/O', exact: true })).toBeVisible()
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
