import type { Reply } from '../support/fake-answers.ts'
import { delta, fakeEvent, FAULTS, okJson, rings } from '../support/fake-answers.ts'
import {
  countOf,
  expect,
  gapCard,
  gapReasons,
  NETWORK_NOISE,
  openIo,
  openIoCalmly,
  openWholeIo,
  sentence,
  summaryNow,
  test,
  timeline,
} from '../support/fake.ts'
import { openPanel } from '../support/panels.ts'

const PATH = '/var/lib/ravendb/data/Databases/Orders'

test.beforeEach(({ complaints }) => complaints.allow(NETWORK_NOISE))

test('the server stops and comes back: counts stay, the gap is reported, and it continues', async ({ page, fake }) => {
  await openWholeIo(page, fake)
  const before = await countOf(page)
  await fake.stop()
  await expect(page.getByText('The server did not answer.').first()).toBeVisible()
  await expect(page.getByText(/Collected data stays/)).toBeVisible()
  await expect.poll(() => gapReasons(page)).toContain('server-stopped')
  expect(await countOf(page)).toBe(before)

  fake.database('Orders', { first: JSON.stringify(delta([fakeEvent(Date.now())], { path: PATH })) })
  await fake.start()
  // The page reconnects by itself: it tries every few seconds.
  await expect.poll(() => countOf(page), { timeout: 30_000 }).toBe(before + 1)
  await expect(page.getByText('The server did not answer.')).toHaveCount(0, { timeout: 30_000 })
  await expect(sentence(page)).toContainText(/Data is missing in this view: \d+ gaps?, the longest/)
  await expect(await gapCard(page, 'server-stopped')).toContainText('rings restarted')
})

test('a proxy answers everything with a page to log in: what came is named @full', async ({ page, fake }) => {
  await openIo(page, fake)
  const before = await countOf(page)
  fake.fault(/./, FAULTS.loginPage)
  fake.drop('Orders')
  await expect(page.getByText('Expected JSON, came an HTML page titled “Sign in to the gateway”').first()).toBeVisible()
  await expect(page.getByText(/Something between this page and the server answered in its place/).first()).toBeVisible()
  expect(await countOf(page)).toBe(before)
  await openPanel(page, 'Databases')
  // Reported once for all panels.
  const state = page.getByRole('complementary', { name: 'State of the server' })
  // Polls slow down first, by what came in place of answers.
  await expect(state).toContainText('Sign in to the gateway', { timeout: 30_000 })
  await expect(page.getByText('The list comes as soon as the server answers.')).toBeVisible()
})

test('a gateway in trouble counts as a busy server: polls slow down, and the page reports it @full', async ({
  page,
  fake,
}) => {
  fake.fault(/./, FAULTS.gatewayPage)
  await page.goto(fake.studio('#/databases'))
  await expect(page.getByText('came an HTML page titled “502 Bad Gateway”').first()).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText(/polls go \d+ times slower than planned/)
})

for (const [words, fault] of [
  ['JSON that is cut off or broken', FAULTS.truncated],
  ['The server did not answer.', FAULTS.cutOff],
] as const)
  test(`answers that end too early: ${words} @full`, async ({ page, fake }) => {
    await openIo(page, fake)
    const before = await countOf(page)
    fake.fault(/./, fault)
    fake.drop('Orders')
    await expect(page.getByText(words).first()).toBeVisible()
    expect(await countOf(page)).toBe(before)
  })

test('a frame that is cut off is a gap that says so, and the next frame is read @full', async ({ page, fake }) => {
  await openIo(page, fake)
  const before = await countOf(page)
  fake.send('Orders', JSON.stringify(delta([fakeEvent(Date.now())], { path: PATH })).slice(0, 90))
  await expect.poll(() => gapReasons(page)).toEqual(['malformed'])
  fake.send('Orders', delta([fakeEvent(Date.now())], { path: PATH }))
  await expect.poll(() => countOf(page)).toBe(before + 1)
  await expect(await gapCard(page, 'malformed')).toContainText('A frame of 90 characters could not be read')
})

test('503 while the database loads: it is reported, retried, and then watched @full', async ({ page, fake }) => {
  const mend = fake.fault(/is-loaded/, FAULTS.loading)
  await page.goto(fake.studio('#/io?v=1&s=db:Orders'))
  await expect(page.getByText('The server is loading Orders')).toBeVisible()
  mend()
  await expect(timeline(page)).toBeVisible()
  expect(fake.loads).toEqual([])
})

for (const [name, fault, what, hint] of [
  ['no grant', FAULTS.noGrant, 'The server refused', 'This needs access to the database, reading is enough.'],
  ['no certificate', FAULTS.noCertificate, 'The server wants a client certificate and got none', 'Choose one when'],
  [
    'a foreign origin',
    FAULTS.foreignOrigin,
    'The server refused',
    'The address of this page is not the address the server was asked by',
  ],
] as const)
  test(`403, ${name}: what is missing is named, and what was collected stays${name === 'no grant' ? '' : ' @full'}`, async ({
    page,
    fake,
  }) => {
    await openIo(page, fake)
    const before = await countOf(page)
    fake.fault(/is-loaded|^\/databases/, fault)
    fake.drop('Orders')
    const alert = page.getByRole('alert')
    await expect(alert).toContainText(what)
    await expect(alert).toContainText(hint)
    await expect(alert).toContainText('HTTP 403')
    expect(await countOf(page)).toBe(before)
    await expect(timeline(page)).toBeVisible()
  })

test('403 for the server’s own storage names the clearance; the database beside it continues @full', async ({
  page,
  fake,
}) => {
  fake.fault(/^\/admin\//, FAULTS.notOperator)
  await openIo(page, fake, ['server', 'db:Orders'])
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('This needs the clearance Operator or ClusterAdmin.')
  await expect(alert).toContainText('Databases that this certificate is granted can still be watched')
  expect(await countOf(page)).toBeGreaterThan(0)
})

test('429 with Retry-After is kept to, and reported @full', async ({ page, fake }) => {
  await page.goto(fake.studio('#/databases'))
  await expect(page.getByRole('row').filter({ hasText: 'Orders' })).toBeVisible()
  fake.fault(/./, FAULTS.tooManyRequests)
  await expect(page.getByRole('contentinfo')).toContainText(/left alone for a while|server is busy/)
  const requested = fake.requests.length
  await expect(page.getByText(/What is listed below is \d+ seconds old/)).toBeVisible({ timeout: 45_000 })
  expect(fake.requests.length - requested).toBeLessThan(4)
  await expect(page.getByRole('row').filter({ hasText: 'Orders' })).toBeVisible()
})

for (const [state, words, reason] of [
  ['deleted', 'The server has no database Orders', 'database-deleted'],
  ['disabled', 'Orders is disabled', 'database-disabled'],
  ['faulted', 'failed to load: VoronUnrecoverableErrorException: the journal is corrupt', 'database-unloaded'],
  ['unloaded', 'Orders is idle: not loaded on the server', 'database-unloaded'],
] as const)
  test(`the database is ${state} while it is watched: reported, kept, and not requested${state === 'deleted' ? '' : ' @full'}`, async ({
    page,
    fake,
  }) => {
    await openIoCalmly(page, fake)
    const before = await countOf(page)
    fake.become('Orders', state)
    await expect(page.getByText(words).first()).toBeVisible()
    await expect.poll(() => gapReasons(page)).toEqual([reason])
    expect(await countOf(page)).toBe(before)
    await expect(timeline(page)).toBeVisible()
    expect(fake.loads).toEqual([])
    await expect(await gapCard(page, reason)).toContainText(`No data: ${reason.replace('-', ' ')}`)
  })

test('a database that is unloaded and loaded again by others continues, with the loss reported @full', async ({
  page,
  fake,
}) => {
  await openIoCalmly(page, fake)
  const before = await countOf(page)
  fake.become('Orders', 'unloaded')
  await expect(page.getByText('Orders is idle: not loaded on the server')).toBeVisible()
  fake.database('Orders', { state: 'online', first: JSON.stringify(delta([fakeEvent(Date.now())], { path: PATH })) })
  await expect.poll(() => countOf(page), { timeout: 30_000 }).toBe(before + 1)
  await expect(page.getByText('Orders is idle: not loaded on the server')).toHaveCount(0)
  expect(new Set(await gapReasons(page))).toEqual(new Set(['database-unloaded']))
})

test('a socket that falls silent is given up after a while, which is reported, and replaced @full', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  const before = await countOf(page)
  fake.silent = true
  fake.fault(/io-metrics\/live/, 'never')
  // The text of the notice changes with each retry; the closed socket and its reason stay with the gap.
  await expect.poll(() => gapReasons(page), { timeout: 45_000 }).toEqual(['socket-closed'])
  expect(await countOf(page)).toBe(before)
  // Between the tries, and while one of them is under way.
  await expect(page.getByText(/Trying again|Retries are automatic|Reconnecting to/).first()).toBeVisible()
  await expect(await gapCard(page, 'socket-closed')).toContainText('silent for too long')
})

test('a kind, status, field and environment that are not known are shown by their names and counted @full', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  const before = await countOf(page)
  const events = [0, 1, 2].map((i) =>
    Object.assign(fakeEvent(Date.now() + i, { Type: 'WarpWrite' }), { Flux: { Level: 9 } }),
  )
  fake.send('Orders', delta(events, { path: `${PATH}/Warp`, type: 'Subspace', status: 'Haunted' }))
  await expect.poll(() => countOf(page)).toBe(before + 3)
  const row = page.getByRole('group', { name: 'Summary of the view' }).getByRole('row').filter({ hasText: 'WarpWrite' })
  await expect(row.getByRole('cell').first()).toHaveText('3')
  await expect(page.getByRole('group', { name: 'Lanes' }).getByText('Subspace')).toBeVisible()
  await page.getByText('How to read and move this').click()
  await expect(page.getByText('a kind that this studio does not know')).toBeVisible()
  expect(await gapReasons(page)).toEqual([])
})

test('numbers out of range are left out, counted and reported; what makes sense beside them is kept @full', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  const before = await countOf(page)
  const now = Date.now()
  const good = [
    fakeEvent(now, { Size: 0 }),
    fakeEvent(now + 1, { Duration: 0 }),
    fakeEvent(now + 2, { FileSize: -1 }),
    fakeEvent(now + 4, { Size: -4096 }),
    fakeEvent(now + 5, { Size: 1e300 }),
    fakeEvent(now + 6, { Size: '4096' }),
  ]
  const bad = [
    fakeEvent(now + 3, { Duration: -1 }),
    fakeEvent(now + 3, { Duration: 1e18 }),
    fakeEvent(now + 3, { Duration: null }),
    fakeEvent(now + 3, { Start: 'yesterday' }),
    fakeEvent(now + 3, { Start: '9999-99-99T99:99:99.9999999Z' }),
    fakeEvent(now + 3, { Type: '' }),
    null,
    42,
  ]
  fake.send('Orders', delta([...bad, ...good], { path: PATH }))
  await expect.poll(() => countOf(page)).toBe(before + good.length)
  const { gaps } = await summaryNow(page)
  expect(gaps).toEqual([expect.objectContaining({ reason: 'malformed', missingCount: bad.length })])
  const card = await gapCard(page, 'malformed')
  await expect(card).toContainText('No data: could not be read')
  await expect(card).toContainText(`${bad.length} events`)
  await expect(card).toContainText(
    /byte \d+: expected an event with Type, Start and Duration, got JournalWrite, .*Z, -1 ms/,
  )
})

test('events that arrive out of order, twice, and late end up sorted and once @full', async ({ page, fake }) => {
  await openIo(page, fake)
  const before = await countOf(page)
  const now = Date.now() + 2000
  const slow = (offsetMs: number, duration: number) => fakeEvent(now + offsetMs, { Duration: duration })
  fake.send('Orders', delta([slow(30, 900), slow(10, 910), slow(20, 920)], { path: PATH }))
  fake.send('Orders', delta([slow(5, 930), slow(20, 920)], { path: PATH }))
  await expect.poll(() => countOf(page)).toBe(before + 4)
  await page.getByRole('button', { name: 'Table' }).click()
  const table = page.getByRole('table', { name: 'Events in view' })
  await page.getByRole('button', { name: 'Fit all' }).click()
  await table.getByRole('button', { name: 'Start' }).click()
  const starts = async (): Promise<string[]> =>
    (await table.getByRole('row').allInnerTexts()).slice(1, 6).map((text) => text.split(/\t|\n/)[0] ?? '')
  await expect(async () => {
    const shown = await starts()
    expect(shown.length).toBeGreaterThan(3)
    expect([shown.toSorted(), shown.toSorted().toReversed()]).toContainEqual(shown)
  }).toPass()
})

test('the server’s clock goes back: nothing is lost, and it is reported @full', async ({ page, fake }) => {
  await openIo(page, fake)
  const before = await countOf(page)
  fake.send('Orders', delta([fakeEvent(Date.now())], { path: PATH }))
  await expect.poll(() => countOf(page)).toBe(before + 1)
  fake.send('Orders', delta([fakeEvent(Date.now() - 600_000)], { path: PATH }))
  await expect.poll(() => countOf(page)).toBe(before + 2)
  await expect.poll(() => gapReasons(page)).toEqual(['clock-jumped'])
  await expect(await gapCard(page, 'clock-jumped')).toContainText(/clock went back by (59|60)\d s/)
})

test('JSON of another kind in place of the document: reported, and the picture stays @full', async ({ page, fake }) => {
  await openIo(page, fake)
  const before = await countOf(page)
  for (const frame of ['{"Environments":7}', '[]', '"text"', '{"Type":"Nothing"}']) fake.send('Orders', frame)
  await expect.poll(() => gapReasons(page)).toEqual(['malformed', 'malformed', 'malformed', 'malformed'])
  expect(await countOf(page)).toBe(before)
  // The page requests the reason at once, and reports that until it has the response; then it reconnects.
  let answer: (reply: Reply) => void = () => {}
  const mend = fake.fault(/is-loaded/, new Promise((done) => (answer = done)))
  fake.send('Orders', '{"Type":"Error","Exception":"System.InvalidOperationException: boom"}')
  await expect(page.getByText('The connection closed; requesting the reason.')).toBeVisible()
  mend()
  answer(okJson({ DatabaseName: 'Orders', IsLoaded: true }))
  await expect.poll(() => fake.watchers('Orders')).toBe(1)
  expect(await countOf(page)).toBe(before)
})

test('5,000 databases are listed, found and sorted without a stall, with what the server reports of each @full', async ({
  page,
  fake,
}) => {
  const names = Array.from({ length: 5000 }, (_, i) => `tenant-${String(i).padStart(4, '0')}`)
  for (const [i, name] of names.entries())
    fake.database(name, { state: i === 4999 ? 'online' : 'unloaded', first: '{}' })
  await page.goto(fake.studio('#/databases'))
  const table = page.getByRole('table')
  await expect(table).toHaveAttribute('aria-rowcount', '5002', { timeout: 30_000 })
  await expect(page.getByRole('status').filter({ hasText: '5,001 databases' })).toContainText('this page loads none')
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await expect.poll(() => fake.watchers('\0dashboard')).toBe(2)
  const figures = { DocumentsCount: 1, IndexesCount: 1, ErroredIndexesCount: 0, IndexingErrorsCount: 0, AlertsCount: 0 }
  fake.dashboard('DatabaseOverview', {
    Items: names.map((Database) => Object.assign({ Database, Online: Database === 'tenant-4999' }, figures)),
  })
  await page.getByRole('columnheader', { name: /^Requests/ }).click()
  await page.getByRole('columnheader', { name: /^Requests/ }).click()
  // A quarter less is shown: the server divides four seconds by three. Again and again as the server does: the first frames after a socket opened are of an old cache and are dropped.
  await expect(async () => {
    fake.dashboard('DatabaseTraffic', { Items: [{ Database: 'tenant-4999', RequestsPerSecond: 321 }] })
    await expect(page.getByRole('row').nth(1)).toContainText('241 /s', { timeout: 1000 })
  }).toPass()
  await page.getByRole('searchbox', { name: 'Filter databases by name' }).fill('4999')
  await expect(page.getByText('1 of 5,001')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'tenant-4999' })).toBeVisible()
  expect(fake.loads).toEqual([])
})

const EVIL = '<img src=x onerror=alert(1)>'

test('names that are HTML stay text: database, index, file, kind, path, error @full', async ({ page, fake }) => {
  const path = `/var/lib/ravendb/data/Databases/${EVIL}`
  const document = JSON.parse(rings(EVIL, Date.now())) as { Environments: object[] }
  const hostile = delta([fakeEvent(Date.now(), { Type: EVIL, Duration: 5000 })], {
    path: `${path}/Indexes/Auto_${EVIL}`,
    type: 'Index',
    file: `${EVIL}.journal`,
  }) as { Environments: object[] }
  document.Environments.push(...hostile.Environments)
  fake.database(EVIL, { first: JSON.stringify(document), indexes: [`Auto/${EVIL}`] })
  await page.goto(fake.studio('#/databases'))
  await page.getByRole('row').filter({ hasText: EVIL }).getByText(EVIL).click()
  await page.getByRole('link', { name: /^I\/O of / }).click()
  await expect(timeline(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sources' }).getByText(EVIL)).toBeVisible()
  await page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').first().click()
  const card = page.getByRole('region', { name: 'Selected event' })
  await expect(card).toContainText(`${EVIL}.journal`)
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page.getByRole('table', { name: 'Events in view' }).getByRole('row').nth(1)).toContainText(EVIL)
  fake.become(EVIL, 'deleted')
  await expect(page.getByText(`The server has no database ${EVIL}`)).toBeVisible()
  expect(await page.locator('img').count()).toBe(0)
})
