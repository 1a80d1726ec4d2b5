import type { Page } from '@playwright/test'
import { recordedJson, recordedText } from '../../src/testing/recorded.ts'
import { violationsEverywhere } from '../support/accessibility.ts'
import { okJson } from '../support/fake-answers.ts'
import type { FakeServer } from '../support/fake-server.ts'
import { expect, NETWORK_NOISE, test } from '../support/fake.ts'

/* Views that change a server, the results of changes, and the dialogs that confirm first. */

const LONG = 'z'.repeat(120)
const AT = '2026-11-20T04:01:35.7400006Z'

const HINT = {
  Id: 'PerformanceHint/Paging/Query',
  CreatedAt: AT,
  Type: 'PerformanceHint',
  Title: 'Page size too big',
  Message: `A query returned more than is good: ${LONG}`,
  Severity: 'Warning',
  Reason: 'Paging',
  Details: {
    Actions: {
      Query: [
        {
          Details: `from Things where Name = '${LONG}'`,
          NumberOfResults: 5000,
          PageSize: 2_147_483_647,
          Duration: 44,
          Occurrence: AT,
        },
        { Details: 'from Things', NumberOfResults: 3000, PageSize: 4000, Duration: 12, Occurrence: AT },
      ],
    },
  },
}
const ALERT = {
  ...HINT,
  Id: 'AlertRaised/x',
  Type: 'AlertRaised',
  Severity: 'Error',
  Details: { Exception: `x\n  at ${LONG}` },
}
const DEFINITION = {
  Name: 'Things/ByN',
  Maps: [`// ${LONG}\nfrom t in docs.Things select new { t.N, Text = "a" }`],
  Reduce: 'from r in results group r by r.N into g select new { N = g.Key }',
  Fields: { Text: { Indexing: 'Search', Storage: 'Yes' } },
  Configuration: { 'Indexing.MapTimeoutInSec': '7' },
  AdditionalSources: { Helper: 'public static class Helper { }' },
}

/** Answers of the database `Orders` that only it can give. */
function fill(fake: FakeServer): void {
  fake.fault(/\/databases\/Orders\/notifications/, okJson({ TotalResults: 2, Results: [ALERT, HINT] }))
  fake.fault(/\/databases\/Orders\/indexes\/stats/, okJson(recordedJson('7.1', 'indexes-stats.json')))
  fake.fault(/\/databases\/Orders\/indexes\/performance/, okJson(recordedJson('7.1', 'indexes-performance-map.json')))
  fake.fault(/\/databases\/Orders\/indexes\/progress/, okJson(recordedJson('7.1', 'indexes-progress.json')))
  fake.fault(/\/databases\/Orders\/indexes\?name=/, okJson({ Results: [DEFINITION] }))
  fake.fault(
    /\/databases\/Orders\/indexes\/staleness/,
    okJson({ IsStale: true, StalenessReasons: [`There are still documents to process: ${LONG}`] }),
  )
  fake.fault(
    /\/databases\/Orders\/indexes\/suggest-index-merge/,
    okJson({
      Unmergables: { 'Things/Odd': `Cannot be merged: ${LONG}` },
      Suggestions: [
        { CanMerge: ['Things/A', LONG], Collection: 'Things', MergedIndex: DEFINITION },
        { CanDelete: ['Things/C'], SurpassingIndex: 'Things/D', MergedIndex: null },
      ],
    }),
  )
  fake.fault(/\/databases\/Orders\/tasks/, okJson({ OngoingTasks: [] }))
  fake.fault(/\/databases\/Orders\/operations$/, okJson(recordedJson('7.1', 'operations.json')))
}

/** Stores earlier actions, as this browser keeps them. */
const remembered = (page: Page): Promise<unknown> =>
  page.addInitScript(
    ({ server, atMs, long }) => {
      // The empty page that follows the test has no storage.
      if (!location.protocol.startsWith('http')) return
      const entry = (id: string, state: string, parts: object): object => ({
        id,
        server,
        call: {
          action: 'index.pause',
          target: { kind: 'index', database: 'Orders', name: id === 'b' ? long : 'Things/ByN' },
          inputs: {},
          facts: {},
        },
        title: 'Pause indexing',
        startedTicks: 2_200_000_000_000_000,
        endedTicks: state === 'running' ? null : 2_200_000_010_000_000,
        startedMs: atMs,
        endedMs: state === 'running' ? null : atMs + 1000,
        state,
        text: `The server reports state Normal. ${long}`,
        progress: state === 'running' ? 0.4 : null,
        error: null,
        accepted: true,
        attempts: 1,
        undoneBy: null,
        ...parts,
      })
      const side = (batches: number): object => ({
        startTicks: 0,
        endTicks: 3_000_000_000,
        batches,
        documents: batches * 10,
        medianTicks: batches === 0 ? null : 10_000,
        busyShare: 0.2,
        isPartial: false,
      })
      const error = { endpoint: '/databases/Orders', status: 500, message: 'Refused.', serverMessage: long, hint: long }
      localStorage.setItem(
        'rookery.activity',
        JSON.stringify([
          entry('a', 'done', { before: side(12), after: side(0) }),
          entry('b', 'failed', { error }),
          entry('c', 'unknown', {}),
          entry('d', 'nothing', {}),
        ]),
      )
    },
    {
      server: (recordedJson('7.1', 'server-id.json') as { ServerId: string }).ServerId,
      atMs: Date.now() - 60_000,
      long: LONG,
    },
  )

async function openPage(page: Page, fake: FakeServer): Promise<void> {
  fill(fake)
  await page.goto(fake.studio('#/databases?v=1&databases.open=Orders'))
  await expect(page.getByRole('list', { name: 'Notifications of Orders' })).toContainText('Page size too big')
}

/** Opens the dialog of an action on the page of the database. */
const dialogOf =
  (action: string) =>
  async (page: Page, fake: FakeServer): Promise<void> => {
    await openPage(page, fake)
    const list = page.getByRole('list', { name: 'What can be done to “Orders”' })
    await list.getByRole('button', { name: `${action} …`, exact: true }).click()
    await page.getByRole('dialog').getByText('Request', { exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy as curl' })).toBeVisible()
  }

const PLACES = {
  'the page of a database': async (page: Page, fake: FakeServer) => {
    await openPage(page, fake)
    for (const details of await page.getByText('Details', { exact: true }).all()) await details.click()
    await expect(page.getByRole('columnheader', { name: 'Number of results' })).toBeVisible()
  },
  'notifications of a database': async (page: Page, fake: FakeServer) => {
    fill(fake)
    await page.goto(fake.studio('#/server?v=1&server.view=alerts'))
    await expect.poll(() => fake.watchers('\0dashboard')).toBeGreaterThan(0)
    const overview = {
      DocumentsCount: 1,
      IndexesCount: 1,
      ErroredIndexesCount: 0,
      IndexingErrorsCount: 0,
      AlertsCount: 1,
    }
    const section = page.getByRole('region', { name: 'Notifications of databases' })
    await expect(async () => {
      fake.dashboard('DatabaseOverview', { Items: [{ Database: 'Orders', Online: true, ...overview }] })
      await expect(section).toBeVisible({ timeout: 1000 })
    }).toPass()
    await section.getByText('Orders', { exact: true }).click()
    await section.getByText('Details', { exact: true }).first().click()
  },
  'indexes and a definition': async (page: Page, fake: FakeServer) => {
    fill(fake)
    await page.goto(fake.studio('#/indexing?v=1&s=db:Orders&indexing.view=indexes'))
    await page.getByRole('table', { name: 'Indexes of Orders' }).getByText('Orders/ByCompany', { exact: true }).click()
    await expect(page.getByRole('region', { name: /^Definition of/ })).toContainText('Additional source Helper')
  },
  'a definition as text, and its history': async (page: Page, fake: FakeServer) => {
    fill(fake)
    const past = { ...DEFINITION, Maps: ['from o in docs.Orders select new { o.Earlier }'] }
    const History = [DEFINITION, past].map((Definition, day) => ({
      Definition,
      CreatedAt: `2026-11-2${7 - day}T00:00:00.0000000Z`,
      Source: LONG,
    }))
    fake.fault(/\/databases\/Orders\/indexes\/history/, okJson({ Index: 'Orders/ByCompany', History }))
    await page.goto(fake.studio('#/index-definitions?v=1&db=Orders&index-definitions.index=Orders/ByCompany'))
    await page.getByRole('button', { name: 'History', exact: true }).click()
    await page.getByRole('button', { name: 'Restore …' }).click()
    await expect(page.getByText('Another definition is being built')).toBeVisible()
  },
  'results of a query: timings, facets, places': async (page: Page, fake: FakeServer) => {
    const rows = [
      { Name: 'Company', Values: [{ Range: LONG, Count: 3 }] },
      { Lat: 45, Lng: 10, '@metadata': { '@id': LONG } },
    ]
    const part = { DurationInMs: 3, Timings: null }
    const answer = {
      TotalResults: 2,
      IndexName: 'Orders/ByCompany',
      Results: rows,
      Timings: { DurationInMs: 5, Timings: { Query: part, [LONG]: part } },
      Explanations: { 'orders/1': ['1 = weight\n  1 = boost'] },
    }
    fake.fault(/\/databases\/Orders\/queries/, okJson(answer))
    const text = "from index 'Orders/ByCompany' where spatial.within(P, spatial.circle(100, 45, 10)) include timings()"
    await page.goto(fake.studio(`#/query?v=1&db=Orders&query.text=${encodeURIComponent(text)}`))
    const run = page.getByRole('button', { name: 'Run', exact: true })
    await run.click()
    await expect(page.getByRole('region', { name: 'Timings' })).toBeVisible()
    await run.click()
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption({ index: 1 })
    await page.getByText('Explanations', { exact: true }).click()
    await page.getByRole('button', { name: 'Cost' }).click()
    await expect(page.getByRole('link', { name: 'Timeline of these seconds' })).toBeVisible()
  },
  'merge suggestions': async (page: Page, fake: FakeServer) => {
    fill(fake)
    await page.goto(fake.studio('#/index-definitions?v=1&db=Orders&index-definitions.show=merges'))
    await expect(page.getByRole('region', { name: 'Merge suggestions for Orders' })).toContainText(
      'could take their place',
    )
    await page.getByText('that cannot be merged').click()
  },
  'activity, done here': async (page: Page, fake: FakeServer) => {
    await remembered(page)
    await page.goto(fake.studio('#/activity?v=2&activity.view=done'))
    await expect(page.getByRole('group', { name: 'Effect' })).toContainText('No batch after it.')
  },
  'activity, what runs': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/activity'))
    await expect(page.getByRole('heading', { name: 'Operations', level: 2 })).toBeVisible()
  },
  'activity, operations': async (page: Page, fake: FakeServer) => {
    fill(fake)
    await page.goto(fake.studio('#/activity?v=1&activity.view=operations'))
    await expect.poll(() => fake.watchers('\0notifications')).toBeGreaterThan(0)
    const running = recordedJson('7.1', 'operation-changed.json') as object
    fake.fault(
      /\/operations\/state/,
      okJson({ Progress: { Processed: 3, Total: 4, Message: null }, Result: null, Status: 'InProgress' }),
    )
    fake.send('\0notifications', { ...running, Message: LONG })
    await expect(page.getByRole('list', { name: 'Running operations' })).toContainText(LONG)
    await expect(page.getByRole('group', { name: 'Filters' })).toBeVisible()
  },
  'activity, queries': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/activity?v=1&activity.view=queries'))
    await expect.poll(() => fake.watchers('\0queries')).toBeGreaterThan(0)
    const [first = ''] = recordedText('7.1', 'queries-running-live.ndjson').split('\n')
    await expect(async () => {
      fake.send('\0queries', first)
      await expect(page.getByText('declare function f(d)').first()).toBeVisible({ timeout: 1000 })
    }).toPass()
  },
  'the dialog of deletion': async (page: Page, fake: FakeServer) => {
    await dialogOf('Delete with all files')(page, fake)
    await expect(page.getByRole('textbox', { name: 'Type Orders to confirm' })).toBeVisible()
  },
  'the dialog of compaction': dialogOf('Compact'),
  'the dialog of export': dialogOf('Export to a file'),
  'the dialog of import': async (page: Page, fake: FakeServer) => {
    await dialogOf('Import a file')(page, fake)
    const file = { name: `${LONG}.ravendbdump`, mimeType: 'application/octet-stream', buffer: Buffer.from('x') }
    await page.getByLabel('File (.ravendbdump)').setInputFiles(file)
  },
  'the dialog of backup': dialogOf('Back up now'),
  'the dialog of flush': dialogOf('Flush journals'),
  'the dialog of restore, with the backups of a folder': async (page: Page, fake: FakeServer) => {
    const point = {
      DateTime: '2026-11-22T00:39:54.0000000',
      FileName: `/backups/${LONG}/2026.ravendb-full-backup`,
      DatabaseName: LONG,
      IsSnapshotRestore: false,
      IsIncremental: false,
      IsEncrypted: false,
    }
    fake.fault(/admin\/restore\/points/, okJson({ List: [point] }))
    await page.goto(fake.studio('#/databases'))
    await page.getByRole('button', { name: 'Restore a backup' }).click()
    await page.getByRole('textbox', { name: 'Backup file on the server' }).fill(`/backups/${LONG}`)
    await page.getByRole('button', { name: 'Find backups in this folder' }).click()
    await page.getByRole('combobox', { name: '1 backup found' }).selectOption({ index: 1 })
    await page.getByRole('dialog').getByText('Request', { exact: true }).click()
  },
  'the dialog of creation': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/databases'))
    await page.getByRole('button', { name: 'Create database' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'the command palette': async (page: Page, fake: FakeServer) => {
    await page.goto(fake.studio('#/databases?v=1&databases.open=Orders'))
    await page.getByRole('button', { name: 'Go to or do (Ctrl K)' }).click()
    await page.getByRole('combobox', { name: 'Panel, database, index, query, operation or action' }).fill('orders')
    await expect(page.getByRole('option', { name: 'Compact: “Orders”' })).toBeVisible()
  },
} satisfies Record<string, (page: Page, fake: FakeServer) => Promise<void>>

/** The gate scans one of each kind: here a dialog over the page of a database. The rest is scanned by the full run. */
const IN_GATE: ReadonlySet<string> = new Set<keyof typeof PLACES>(['the dialog of deletion'])

for (const [place, go] of Object.entries(PLACES))
  test(`${place}: no violation of WCAG 2.2 A or AA, nothing wider than the page, no text cut off in a dialog${IN_GATE.has(place) ? '' : ' @full'}`, async ({
    page,
    fake,
    complaints,
  }) => {
    test.setTimeout(180_000)
    complaints.allow(NETWORK_NOISE)
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await go(page, fake)
    expect(await violationsEverywhere(page)).toEqual([])
    for (const { width, height, scheme } of [
      { width: 1440, height: 900, scheme: 'dark' },
      { width: 390, height: 844, scheme: 'light' },
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      const dialog = page.getByRole('dialog')
      if ((await dialog.count()) === 0) continue
      // Wider than the window means that a part of it can be neither seen nor scrolled to.
      const box = (await dialog.boundingBox())!
      expect([box.x >= 0, box.x + box.width <= width], `${width}`).toEqual([true, true])
      expect(await dialog.evaluate((each) => each.scrollWidth - each.clientWidth), `${width}`).toBeLessThanOrEqual(0)
    }
  })
