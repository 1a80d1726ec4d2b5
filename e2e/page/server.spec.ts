import type { Locator } from '@playwright/test'
import { FAULTS } from '../support/fake-answers.ts'
import type { FakeServer } from '../support/fake-server.ts'
import { expect, NETWORK_NOISE, test } from '../support/fake.ts'
import { keptHistory } from '../support/kept-history.ts'
import { openPanel } from '../support/panels.ts'

const cpu = (fake: FakeServer, machine: number): void =>
  fake.dashboard('CpuUsage', { ProcessCpuUsage: 1, MachineCpuUsage: machine, UtilizedCores: 2, NumberOfCores: 2 })

/** Sends the CPU again and again, as a server does, until it is on screen: the first frames of a socket are dropped. */
async function tellCpu(fake: FakeServer, machine: number, where: Locator, text: string | RegExp): Promise<void> {
  await expect(async () => {
    cpu(fake, machine)
    await expect(where).toContainText(text, { timeout: 500 })
  }).toPass({ intervals: [0] })
}

/** A gap is as wide as a few figures, which come each second. */
const GAP_MS = 5000

test('what the last visit saw is there again, with the gap between', async ({ page, fake }) => {
  await page.goto(fake.studio())
  await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
  await tellCpu(fake, 77, page.getByRole('region', { name: 'Vital signs' }), '77 %')
  // Like a tab that is closed: it is hidden first.
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(async () => (await keptHistory(page, 'blocks')).length).toBeGreaterThan(0)
  await page.goto('about:blank')
  const leftMs = Date.now()
  await expect.poll(() => Date.now() - leftMs).toBeGreaterThan(GAP_MS)

  await page.goto(fake.studio('#/server?server.table=on'))
  await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
  await tellCpu(fake, 11, page.getByRole('region', { name: 'Figures in view' }), '11 %')
  await expect(page.getByText(/The visit before this one ended \d+ s ago/)).toBeVisible()
  await page.getByRole('button', { name: 'Fit all' }).click()
  const figures = page.getByRole('region', { name: 'Figures in view' })
  const machine = figures.getByRole('row').filter({ hasText: 'CPU of the machine' })
  await expect(machine.getByRole('cell').nth(1)).toHaveText('11 %')
  await expect(machine.getByRole('cell').nth(3)).toHaveText('77 %')
  const plot = (await page.getByRole('application').first().boundingBox())!
  const tooltip = page
    .getByRole('tooltip')
    .filter({ hasText: /No data: (Every tab that showed the server was hidden|The page was closed)/ })
  await expect(async () => {
    for (let x = plot.x + 10; x < plot.x + plot.width; x += 15) {
      await page.mouse.move(x, plot.y + 60)
      if (await tooltip.isVisible()) return
    }
    throw new Error('no gap was found')
  }).toPass({ timeout: 60_000 })
})

test('a certificate without the clearance Operator: what is seen is shown, what is missing is reported once @full', async ({
  page,
  fake,
  complaints,
}) => {
  complaints.allow(NETWORK_NOISE)
  fake.fault(/^\/admin\//, FAULTS.notOperator)
  await page.goto(fake.studio())
  await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
  await tellCpu(fake, 12, page.getByRole('region', { name: 'Vital signs' }), '12 %')
  const triage = page.getByRole('region', { name: 'Triage' })
  await expect(triage.getByRole('status')).toContainText('No issues found in what this certificate may read')
  await expect(triage).toContainText('The certificate may not see 9 things.')
  await expect(triage.getByRole('listitem').filter({ hasText: 'Operator or ClusterAdmin' }).first()).toBeVisible()
  await expect(triage.getByText(/^Not shown here/)).toHaveCount(0)
  await expect(triage.getByText('This needs the clearance Operator')).toHaveCount(1)

  await openPanel(page, 'Vitals')
  const server = page.getByRole('region', { name: 'Vitals', exact: true })
  await expect(server.getByRole('status').first()).toContainText('The machine is 12 % busy')
  await expect(server.getByText(/^Not shown here/)).toHaveCount(1)
  await page.getByRole('radio', { name: 'Notifications' }).check({ force: true })
  await expect(page.getByRole('heading', { name: 'Alerts are not available' })).toBeVisible()

  await openPanel(page, 'Databases')
  await expect(page.getByRole('row').filter({ hasText: 'Orders' })).toContainText('online')
  await expect(page.getByText('Idle times and unloading are not reported.')).toHaveCount(1)
  expect(fake.loads).toEqual([])
})

test('no server at all: the first page says so, and leads to files @full', async ({ page, fake, complaints }) => {
  complaints.allow(NETWORK_NOISE)
  fake.fault(/./, { status: 404, type: 'text/html', body: '<!doctype html><title>Not found</title>' })
  await page.goto(fake.studio())
  const empty = page.getByRole('heading', { name: 'No server here' })
  await expect(empty).toBeVisible()
  await expect(page.getByRole('status', { name: 'Server', exact: true })).toContainText('no server')
  for (const panel of ['Databases', 'Vitals', 'I/O', 'Indexing', 'Stacks']) {
    await openPanel(page, panel)
    await expect(page.getByRole('heading', { name: panel, level: 1, exact: true })).toBeAttached()
    await expect(empty).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Try now' })).toHaveCount(0)
  }
  await page.getByRole('main').getByRole('button', { name: 'Open files' }).click()
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeAttached()
})
