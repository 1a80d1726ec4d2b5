import { buildVersion, delta, fakeEvent, FAULTS, okJson } from '../support/fake-answers.ts'
import { countOf, expect, gapReasons, NETWORK_NOISE, openIo, test, timeline } from '../support/fake.ts'
import { setHidden } from '../support/studio.ts'
import { openPanel } from '../support/panels.ts'

const EMPTY = '{"Environments":[],"Performances":[]}'

test('the first minute: the start of live data, and what is older @full', async ({ page, fake }) => {
  await openIo(page, fake)
  await expect(page.getByText(/Watching since .* What is older is what the server still remembers/)).toBeVisible()
})

test('a database without I/O: that it is watched, and when the first appears @full', async ({ page, fake }) => {
  fake.database('Orders', { first: EMPTY })
  await page.goto(fake.studio('#/io?v=1&s=db:Orders'))
  await expect(page.getByRole('heading', { name: 'No I/O yet' })).toBeVisible()
  await expect(
    page.getByText(/waiting for the first journal write, flush or sync, which appears here within three seconds/),
  ).toBeVisible()
  fake.send('Orders', delta([fakeEvent(Date.now())], { path: fake.documentsPath('Orders') }))
  await expect(timeline(page)).toBeVisible()
})

test('an empty server: the way to its own storage @full', async ({ page, fake }) => {
  fake.databases.clear()
  const empty = page.getByRole('heading', { name: 'This server has no database that you may see' })
  await page.goto(fake.studio('#/indexing'))
  await expect(empty).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Databases' }).click()
  await expect(page.getByRole('button', { name: 'Create database' })).toBeVisible()
  await expect(empty).toBeVisible()
  await page.getByRole('button', { name: 'Open the server’s own I/O' }).click()
  // The recorded I/O is older than the view.
  await page.getByRole('button', { name: /^Last I\/O .* ago: go there$/ }).click()
  await expect(timeline(page)).toBeVisible()
  await expect(page.getByRole('group', { name: 'Lanes' }).getByText('System').first()).toBeVisible()
})

test('loading: what is waited for is named @full', async ({ page, fake }) => {
  fake.fault(/^\/databases\?|is-loaded/, 'never')
  await page.goto(fake.studio('#/databases'))
  await expect(page.getByRole('heading', { name: 'Requesting the list of databases' })).toBeVisible()
  await page.goto(fake.studio('#/io?v=1&s=db:Orders'))
  await expect(page.getByRole('heading', { name: 'No I/O yet' })).toBeVisible()
  await expect(page.getByText('Waiting for the first response of Orders …')).toBeVisible()
})

test('refused: which right is missing, on both pages @full', async ({ page, fake, complaints }) => {
  complaints.allow(NETWORK_NOISE)
  fake.fault(/^\/databases|is-loaded/, FAULTS.noGrant)
  await page.goto(fake.studio('#/databases'))
  await expect(page.getByRole('alert')).toContainText('This needs a certificate that the server knows')
  await page.goto(fake.studio('#/io?v=1&s=db:Orders'))
  await expect(page.getByRole('alert')).toContainText('This needs access to the database, reading is enough')
  await expect(page.getByRole('heading', { name: 'No I/O yet' })).toHaveCount(0)
})

test('gone: a link to a database that is not there @full', async ({ page, fake, complaints }) => {
  complaints.allow(NETWORK_NOISE)
  await page.goto(fake.studio('#/io?v=1&s=db:Nowhere'))
  await expect(page.getByText('The server has no database Nowhere')).toBeVisible()
  expect(fake.loads).toEqual([])
})

test('unloaded: nothing is loaded until the button is pressed that says so', async ({ page, fake }) => {
  fake.become('Orders', 'unloaded')
  await page.goto(fake.studio('#/io?v=1&s=db:Orders'))
  await expect(page.getByText(/Loading it takes memory on the server/)).toBeVisible()
  expect(fake.loads).toEqual([])
  await page.getByRole('button', { name: 'Load Orders' }).click()
  await expect(timeline(page)).toBeVisible()
  expect(fake.loads).toHaveLength(1)
})

test('a hidden tab asks nothing and watches nothing; shown again it continues, with the loss reported', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  const before = await countOf(page)
  await setHidden(page, true)
  await expect(page.getByText('Orders is paused while this tab is hidden')).toBeVisible()
  await expect.poll(() => fake.watchers('Orders')).toBe(0)
  const requested = fake.requests.length
  fake.database('Orders', {
    first: JSON.stringify(delta([fakeEvent(Date.now() + 1500)], { path: fake.documentsPath('Orders') })),
  })
  expect(fake.requests.length).toBe(requested)
  await setHidden(page, false)
  await expect.poll(() => countOf(page)).toBe(before + 1)
  await expect(page.getByText('Orders is paused while this tab is hidden')).toHaveCount(0)
  // Rings that were there before are not there any more.
  await expect.poll(async () => new Set(await gapReasons(page))).toEqual(new Set(['database-restarted']))
})

test('a link that cannot be read falls back to what can, with a note for each part @full', async ({ page, fake }) => {
  await page.goto(fake.studio('#/wrong?v=99&s=db:Orders&s=what&range=5..1&live=-3&clock=mars&io.kinds=%E0%A4%A'))
  const note = page.getByRole('complementary', { name: 'About this link' })
  await expect(note).toContainText('Part of this link could not be read')
  await expect(note).toContainText('There is no panel “wrong”.')
  await expect(note).toContainText('This link was made by a newer Rookery')
  await expect(note).toContainText('“what” is not a source.')
  await expect(page.getByRole('heading', { name: 'Triage', exact: true, level: 1 })).toBeAttached()
  await note.getByRole('button', { name: 'Dismiss' }).click()
  await expect(note).toHaveCount(0)
  await page.goto(fake.studio('#/io?s=db:Orders&range=abc'))
  await expect(page.getByText('“abc” is not a range of time; live is shown.')).toBeVisible()
  await expect(timeline(page)).toBeVisible()
})

test('code of a panel that does not arrive: the page can be reloaded, and the other panels work', async ({
  page,
  fake,
  complaints,
}) => {
  // Firefox has other words for it, and none for the error that React reports.
  complaints.allow(
    /Failed to load resource|Failed to fetch dynamically imported module|error loading dynamically imported module|^console: Error$/,
  )
  await page.route(/\/StacksPanel[^/]*\.js$/, (route) => route.abort())
  await openIo(page, fake)
  await openPanel(page, 'Stacks')
  await expect(page.getByText('The panel Stacks could not be fetched.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  await openPanel(page, 'I/O')
  await expect(timeline(page)).toBeVisible()
})

test('a server of a version that is not tested is shown as any other, with a word at its version @full', async ({
  page,
  fake,
}) => {
  fake.fault(
    /^\/build\/version/,
    okJson({ ...(buildVersion() as object), FullVersion: '8.0.0', ProductVersion: '8.0', BuildVersion: 80001 }),
  )
  await openIo(page, fake)
  const server = page.getByRole('status', { name: 'Server', exact: true })
  await expect(server).toContainText('RavenDB 8.0.0, not tested')
  await expect(server).toContainText('Rookery is not tested with RavenDB 8.0, but with 7.1, 6.2 and 5.4')
  // Triage has no finding of it.
  await openPanel(page, 'Triage')
  await expect(page.getByRole('main')).not.toContainText('not tested')
})
