import type { Page } from '@playwright/test'
import { recordedText } from '../../src/testing/recorded.ts'
import { NARROW, overflowPx, violations, violationsEverywhere } from '../support/accessibility.ts'
import { FAULTS, rings } from '../support/fake-answers.ts'
import type { FakeServer } from '../support/fake-server.ts'
import { expect, NETWORK_NOISE, openIo, openWholeIo, test, timeline } from '../support/fake.ts'
import { verticalScrollers } from '../support/scrollers.ts'
import { openPanel } from '../support/panels.ts'

/** Every page and state that there is, and how one gets there. */
const PLACES = {
  databases: async (page: Page, fake: FakeServer) => {
    fake.database('Sleeping', { state: 'unloaded' }).database('Off', { state: 'disabled' })
    fake.database('Broken', { state: 'faulted' }).database('Coming', { state: 'loading' })
    await page.goto(fake.studio('#/databases'))
    await expect(page.getByRole('row').filter({ hasText: 'Broken' })).toBeVisible()
    await page.getByText('failed to load: what the server says').click()
  },
  'triage of a busy server on which things happened': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/triage'))
    await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
    // An event before the server's time is known has no time, and is not reported.
    let online = false
    await expect(async () => {
      online = !online
      fake.dashboard('DatabaseOverview', {
        Items: ['Orders', 'z'.repeat(200)].map((Database, i) =>
          Object.assign({ Database, Online: i === 0 || online }, OVERVIEW),
        ),
      })
      await expect(page.getByRole('region', { name: 'What happened' })).toContainText('unloaded', { timeout: 1000 })
    }).toPass()
    // A quarter less is shown: the server divides four seconds by three. Again and again as the server does: the first frames after a socket opened are of an old cache and are dropped.
    await expect(async () => {
      fake.dashboard('DatabaseTraffic', { Items: [{ Database: 'Orders', RequestsPerSecond: 123_456 }] })
      await expect(page.getByRole('region', { name: 'Busiest now' })).toContainText('92,592', { timeout: 1000 })
    }).toPass()
  },
  'server, its machine': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/server'))
    await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
    const cpu = { ProcessCpuUsage: 1, MachineCpuUsage: 20, UtilizedCores: 2, NumberOfCores: 2 }
    await expect(async () => {
      fake.dashboard('CpuUsage', cpu)
      await expect(page.getByRole('region', { name: 'Latency of requests' })).toBeVisible({ timeout: 1000 })
    }).toPass()
  },
  'server, its cluster': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/server?server.view=cluster'))
    await expect(page.getByRole('table', { name: 'Nodes of the cluster, side by side' })).toBeVisible()
  },
  'server, its alerts': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/server?server.view=alerts'))
    await expect.poll(() => fake.watchers('\0notifications')).toBe(1)
    fake.send('\0notifications', { ...ALERT, Id: 'a', Severity: 'Error', Database: 'x'.repeat(200) })
    fake.send('\0notifications', { ...ALERT, Id: 'b', Severity: 'Warning', Message: 'y'.repeat(400) })
    await expect(page.getByText('2 alerts not dismissed, newest first.')).toBeVisible()
  },
  'server, the overhead': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/server?server.view=overhead'))
    await expect(page.getByRole('textbox', { name: 'Limit for everything else' })).toHaveValue('0.5')
  },
  'no database': async (page: Page, fake: FakeServer) => {
    fake.databases.clear()
    await page.goto(fake.studio('#/databases'))
    await expect(page.getByRole('heading', { name: 'This server has no database that you may see' })).toBeVisible()
  },
  'refused list': async (page: Page, fake: FakeServer) => {
    fake.fault(/^\/databases/, FAULTS.noCertificate)
    await page.goto(fake.studio('#/databases'))
    await expect(page.getByRole('alert')).toBeVisible()
  },
  'nothing chosen': async (page: Page, fake: FakeServer) => {
    fake.database('Second')
    await page.goto(fake.studio('#/io'))
    await expect(page.getByRole('heading', { name: 'Select a database' })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Orders' })).toBeVisible()
  },
  'picker of sources': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/io?s=db:Orders'))
    await page.getByRole('button', { name: 'Change' }).click()
    await expect(page.getByRole('dialog').getByRole('row').filter({ hasText: 'Orders' })).toBeVisible()
  },
  'waiting for a database': async (page: Page, fake: FakeServer) => {
    fake.fault(/is-loaded/, 'never')
    await page.goto(fake.studio('#/io?s=db:Orders'))
    await expect(page.getByRole('heading', { name: 'No I/O yet' })).toBeVisible()
  },
  'I/O, live, with a card': async (page: Page, fake: FakeServer) => {
    await openIo(page, fake, ['db:Orders', 'server'])
    await page.getByRole('button', { name: 'Fit all' }).click()
    await page.getByRole('application', { name: 'I/O timeline' }).press('n')
    await expect(page.getByRole('region', { name: 'Selected event' })).toContainText('slowest of')
  },
  'I/O as a table, filters and legend open': async (page: Page, fake: FakeServer) => {
    await openIo(page, fake)
    await page.getByText('How to read and move this').click()
    const filters = page.getByRole('button', { name: 'Filters' })
    if ((await filters.getAttribute('aria-expanded')) !== 'true') await filters.click()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('button', { name: 'Distribution' }).click()
    await expect(page.getByRole('img', { name: /^Share of events that take less/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Events in view' }).getByRole('row').nth(1)).toBeVisible()
  },
  'I/O as a heat map with stalls marked': async (page: Page, fake: FakeServer) => {
    await openIo(page, fake)
    await page.getByRole('radio', { name: 'Heat map' }).check({ force: true })
    await page.getByRole('button', { name: 'Mark stalls', exact: true }).click()
    await expect(page.getByRole('application', { name: 'I/O latency heat map' })).toBeVisible()
    await expect(page.getByText(/marked by cause|No journal write stalled/)).toBeVisible()
  },
  'I/O of a refused, an unloaded and a missing source': async (page: Page, fake: FakeServer) => {
    fake.database('Sleeping', { state: 'unloaded' })
    fake.fault(/^\/admin/, FAULTS.notOperator)
    await openIo(page, fake, ['db:Orders', 'server', 'db:Sleeping', 'db:Nowhere'])
    for (const words of ['Sleeping is idle: not loaded on the server', 'The server has no database Nowhere'])
      await expect(page.getByText(words).first()).toBeVisible()
    await expect(page.getByRole('alert')).toBeVisible()
  },
  'a server that is gone': async (page: Page, fake: FakeServer) => {
    await openWholeIo(page, fake)
    await fake.stop()
    await expect(page.getByText('The server did not answer.').first()).toBeVisible()
  },
  'a link with bad parts and a file that is refused': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/wrong?range=x'))
    await page
      .getByLabel('Open files', { exact: true })
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
    await expect(page.getByRole('region', { name: 'Files' })).toBeVisible()
  },
  'stacks, live': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/stacks?s=server'))
    await expect(page.getByRole('button', { name: 'Take stack snapshot' })).toBeVisible()
  },
  'cluster log with a card and its table': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/cluster-log?cluster-log.table=on'))
    await page.getByRole('button', { name: 'Fit all' }).click()
    await page.getByRole('row').filter({ hasText: 'PutIndexes' }).click()
    await expect(page.getByRole('region', { name: 'Selected command' })).toContainText('committed')
  },
  'stalls of a file': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/stalls'))
    await page.getByLabel('Open files', { exact: true }).setInputFiles({
      name: 'io-metrics.json',
      mimeType: 'application/json',
      buffer: Buffer.from(recordedText('7.1', 'io-metrics.json')),
    })
    await openPanel(page, 'Stalls')
    await page.getByText(/^\d+ other causes: /).click()
    await page.getByText('How is this judged').click()
    await expect(page.getByText(/^All of the capture is judged/)).toBeVisible()
  },
  'comparison of a file': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/io'))
    await page.getByLabel('Open files', { exact: true }).setInputFiles({
      name: 'io-metrics.json',
      mimeType: 'application/json',
      buffer: Buffer.from(recordedText('7.1', 'io-metrics.json')),
    })
    await openPanel(page, 'Compare')
    await page.getByRole('button', { name: 'Compare the first half with the second' }).click()
    await expect(page.getByRole('table', { name: 'Before against after, line by line' })).toBeVisible()
  },
  'cluster log that is refused': async (page: Page, fake: FakeServer) => {
    fake.fault(/^\/admin\/cluster\/log/, FAULTS.notOperator)
    await page.goto(fake.studio('#/cluster-log'))
    await expect(page.getByRole('alert')).toBeVisible()
  },
  'indexing of a database that refuses': async (page: Page, fake: FakeServer) => {
    fake.fault(/indexes\/performance/, FAULTS.noGrant)
    await page.goto(fake.studio('#/indexing?s=db:Orders'))
    await expect(page.getByRole('heading', { name: 'Index data is not available' })).toBeVisible()
  },
  'keys and costs': async (page: Page, fake: FakeServer) => {
    await openIo(page, fake)
    await page.getByRole('button', { name: 'Keys (?)' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  appearance: async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio())
    await page.getByRole('button', { name: 'Appearance' }).click()
    await expect(page.getByRole('radiogroup', { name: 'Theme' })).toBeVisible()
  },
} satisfies Record<string, (page: Page, fake: FakeServer) => Promise<void>>

const OVERVIEW = { DocumentsCount: 1, IndexesCount: 1, ErroredIndexesCount: 0, IndexingErrorsCount: 0, AlertsCount: 0 }

const ALERT = {
  CreatedAt: '2026-11-20T04:01:35.7400006Z',
  Type: 'AlertRaised',
  Title: '<b>Slow</b> writes',
  Message: null,
  IsPersistent: true,
  Database: null,
  Key: null,
  Reason: 'SlowIo',
  Details: null,
}

/** The gate scans one of each kind: a table, a timeline with a card, and a form with charts. The full run scans the rest. */
const IN_GATE: ReadonlySet<string> = new Set<keyof typeof PLACES>([
  'databases',
  'I/O, live, with a card',
  'comparison of a file',
])

for (const [place, go] of Object.entries(PLACES))
  test(`${place}: no violation of WCAG 2.2 A or AA, and nothing wider than the page${IN_GATE.has(place) ? '' : ' @full'}`, async ({
    page,
    fake,
    complaints,
  }) => {
    complaints.allow(NETWORK_NOISE)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await go(page, fake)
    expect(await violationsEverywhere(page)).toEqual([])
  })

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true })

  test('databases are cards that show what matters and lead on; nothing scrolls but the page @full', async ({
    page,
    fake,
  }) => {
    for (let i = 0; i < 12; i++) fake.database(`Shop ${i}`)
    await page.goto(fake.studio('#/databases'))
    const cards = page.getByRole('list', { name: 'Databases' }).getByRole('listitem')
    await expect(cards).toHaveCount(13)
    const card = cards.filter({ hasText: 'Orders' })
    for (const words of ['online', 'Documents', 'On disk', 'Indexes', 'Errors', 'Alerts'])
      await expect(card).toContainText(words)
    expect(await verticalScrollers(page)).toEqual([expect.stringMatching(/^main /)])
    expect(await violations(page, '390')).toEqual([])
    await card.getByRole('button').first().click()
    await expect(page).toHaveURL(/#\/database\?.*db=Orders/)
  })

  test('the I/O page shows its first marks on the first screen; its controls are behind one button', async ({
    page,
    fake,
  }) => {
    await openIo(page, fake)
    const plot = (await timeline(page).boundingBox())!
    const foot = (await page.getByRole('contentinfo').boundingBox())!
    // Below the axis of 37 px one lane at least is in sight.
    expect(plot.y + 37 + 40).toBeLessThan(foot.y)
    const controls = page.getByRole('button', { name: 'Controls' })
    await expect(controls).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByRole('button', { name: 'Fit all' })).toHaveCount(0)
    expect(await violations(page, '390', NARROW)).toEqual([])
    // Each end of the range can be pressed over 24 px, however narrow the range is and wherever it begins.
    const strip = (await page.getByRole('group', { name: 'Overview of everything seen' }).boundingBox())!
    const start = (await page.getByRole('slider', { name: 'Start of range' }).boundingBox())!
    const end = (await page.getByRole('slider', { name: 'End of range' }).boundingBox())!
    expect(start.x).toBeGreaterThanOrEqual(strip.x)
    expect(end.x).toBeGreaterThanOrEqual(start.x + 24)
    expect(end.x + 24).toBeLessThanOrEqual(strip.x + strip.width + 0.5)
    await controls.click()
    await expect(page.getByRole('button', { name: 'Filters' })).toHaveAttribute('aria-expanded', 'false')
    expect(await violations(page, '390, controls open', NARROW)).toEqual([])
    expect(await overflowPx(page)).toBeLessThanOrEqual(0)
    for (const name of ['Fit all', 'Zoom in', 'Table', 'Filters'])
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  })
})

test('the colours of the kinds can be distinguished without seeing red or green: the choice is kept @full', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('radio', { name: 'Colour-blind safe' }).check({ force: true })
  await page.reload()
  await expect(timeline(page)).toBeVisible()
  await page.getByRole('button', { name: 'Appearance' }).click()
  await expect(page.getByRole('radio', { name: 'Colour-blind safe' })).toBeChecked()
})

test('a file has no Live to follow, and a wide table shows by a shade that there is more @full', async ({
  page,
  fake,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(fake.studio('#/files'))
  await page
    .getByLabel('Open files', { exact: true })
    .setInputFiles({ name: 'io.json', mimeType: 'application/json', buffer: Buffer.from(rings('Orders', Date.now())) })
  await expect(timeline(page)).toBeVisible()
  await page.getByRole('button', { name: 'Controls' }).click()
  await expect(page.getByRole('button', { name: 'Fit all' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Live|Pause)/ })).toHaveCount(0)
  const box = page.getByRole('group', { name: 'Summary of the view' })
  const shades = box.locator('xpath=following-sibling::*')
  await expect(shades).toHaveCount(1)
  // The kind stays in sight, and at the end of the way there is nothing more.
  await box.evaluate((each) => each.scrollTo({ left: each.scrollWidth }))
  const kind = box.getByRole('rowheader', { name: 'Journal write' })
  // Sideways it is the box that keeps it in sight.
  await kind.evaluate((each) => each.scrollIntoView({ block: 'center', inline: 'nearest' }))
  await expect(kind).toBeInViewport({ ratio: 1 })
  await expect
    .poll(() => shades.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left < 195)))
    .toEqual([true])
})

test('with colours forced by the system every control and mark is still there @full', async ({ page, fake }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await openIo(page, fake)
  await page.getByRole('button', { name: 'Fit all' }).click()
  await page.getByRole('application', { name: 'I/O timeline' }).press('n')
  await expect(page.getByRole('region', { name: 'Selected event' })).toContainText('slowest of')
  expect(await violations(page, 'forced colours')).toEqual([])
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
