import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import type { Download, Page } from '@playwright/test'
import { recordedJson, recordedText } from '../../src/testing/recorded.ts'
import type { Reply } from '../support/fake-answers.ts'
import { okJson } from '../support/fake-answers.ts'
import type { FakeServer } from '../support/fake-server.ts'
import { expect, NETWORK_NOISE, test } from '../support/fake.ts'

/** Height of a row of the chart, px. */
const FLAME_ROW_PX = 20
const STACKS = /^\/admin\/debug\/threads\/stack-trace/
const PACKAGE = join(import.meta.dirname, '../../src/testing/recorded/7.1/debug-info-package.zip')
const WRITING = recordedJson('7.1', 'stack-trace-writing.json') as Stacks

interface Stacks {
  readonly Results: readonly { readonly ThreadIds: readonly number[]; readonly StackTrace: readonly string[] }[]
  readonly Threads: readonly { readonly Id: number; readonly Name: string }[]
}

const snapshots = ({ requests }: FakeServer): number => requests.filter((path) => STACKS.test(path)).length
const openStacks = (page: Page, fake: FakeServer) => page.goto(fake.studio('#/stacks?v=1&s=server'))
const button = (page: Page) => page.getByRole('button', { name: 'Take stack snapshot' })
const taken = (page: Page) => page.getByText(/The last one took/)

/**
 * Clicks as soon as a snapshot was taken, from within the page: what was taken counts for three seconds, by which a test may
 * be late.
 */
const clickOnceTaken = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const look = (): void => {
          const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
            textContent.includes('Take stack snapshot'),
          )
          if (button === undefined || button.disabled || !document.body.textContent.includes('The last one took'))
            return void requestAnimationFrame(look)
          button.click()
          done()
        }
        look()
      }),
  )

/** A server that answers requests for stacks on command. */
function held(fake: FakeServer): (reply: Reply) => void {
  let release: (reply: Reply) => void = () => {}
  fake.fault(STACKS, new Promise((done) => (release = done)))
  return (reply) => release(reply)
}

/** Holds timers of a minute and more until a message comes. */
const HELD_TIMERS = `{
  const [start, stop, held] = [setTimeout, clearTimeout, new Map()]
  self.setTimeout = (run, ms) => {
    if (!(ms >= 60000)) return start(run, ms)
    const id = -1 - held.size - Math.random()
    held.set(id, run)
    return id
  }
  self.clearTimeout = (id) => void (held.delete(id) || stop(id))
  new BroadcastChannel('e2e-timers').onmessage = () => {
    const runs = [...held.values()]
    held.clear()
    for (const run of runs) run()
  }
}
`

test('two who click make one request: in one page, and in two tabs of one browser', async ({ page, context, fake }) => {
  const release = held(fake)
  await openStacks(page, fake)
  const other = await context.newPage()
  await openStacks(other, fake)
  await button(page).click()
  // The other tab would be first if it clicked before the request of this one is on its way.
  await expect.poll(() => snapshots(fake)).toBe(1)
  await button(other).click()
  await expect(other.getByText(/another tab is at it/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps of the snapshot' })).toBeVisible()
  expect(snapshots(fake)).toBe(1)
  const again = clickOnceTaken(other)
  release(okJson(WRITING))
  for (const tab of [page, other]) await expect(taken(tab)).toBeVisible()
  expect(snapshots(fake)).toBe(1)
  // A click right after the snapshot does not take another one.
  await again
  await expect(taken(other)).toBeVisible()
  expect(snapshots(fake)).toBe(1)
})

test('after a snapshot the flame graph has room for fifteen rows, without the threads that wait for work @full', async ({
  page,
  fake,
}) => {
  fake.fault(STACKS, okJson(WRITING))
  await page.goto(fake.studio('#/stacks?v=1&stacks.tab=flame'))
  const cpu = page.getByRole('application', { name: 'CPU of the machine by job over time' })
  await expect(cpu).toBeVisible()
  await button(page).click()
  await expect(taken(page)).toBeVisible()
  await expect(cpu).toHaveCount(0)
  const chart = (await page.getByRole('application', { name: 'Icicle of stacks' }).boundingBox())!
  const foot = (await page.getByRole('contentinfo').boundingBox())!
  expect(Math.min(chart.y + chart.height, foot.y) - chart.y).toBeGreaterThanOrEqual(15 * FLAME_ROW_PX)
  const all = WRITING.Results.reduce((sum, { ThreadIds }) => sum + ThreadIds.length, 0)
  const idle = page.getByRole('checkbox', { name: /^Waiting threads/ })
  const hidden = Number(/(\d+) hidden/.exec((await page.getByText(/Waiting threads: \d+ hidden/).textContent())!)![1])
  expect(hidden).toBeGreaterThan(0)
  await expect(page.getByText(`${all - hidden} samples`)).toBeVisible()
  await idle.check({ force: true })
  await expect(page).toHaveURL(/stacks\.waiting=on/)
  await expect(page.getByText(`${all} samples`)).toBeVisible()
  await page.getByRole('button', { name: 'CPU chart' }).click()
  await expect(cpu).toBeVisible()
})

test('a helper that never ends: its seconds are counted, the page gives up with what to do, and can ask again @full', async ({
  page,
  fake,
  complaints,
}) => {
  complaints.allow(NETWORK_NOISE)
  // The worker's timers of a minute and more are over when the test says so, and not before.
  await page.route(/capture\.worker[^/]*\.js$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: HELD_TIMERS + (await answer.text()) })
  })
  const end = fake.fault(STACKS, 'never')
  await openStacks(page, fake)
  await button(page).click()
  await Promise.all([
    expect(page.getByText(/· [1-9]\d* s, gives up in \d+\.\d s/)).toBeVisible(),
    expect(button(page)).toBeDisabled(),
  ])
  await page.evaluate(() => new BroadcastChannel('e2e-timers').postMessage(''))
  const alert = page.getByRole('alert').filter({ hasText: 'The snapshot did not end in time.' })
  await expect(alert).toContainText('A hung helper ends by itself, or is to be ended on the server.')
  await expect(alert).toContainText('It failed at the step “Attaching”')
  end()
  fake.fault(STACKS, okJson(WRITING))
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(taken(page)).toBeVisible()
  await expect(alert).toHaveCount(0)
})

test('a debug package brings its stacks; the newest with stacks is shown, and its list is one step away @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio('#/stacks?v=1'))
  await openFile(page, 'package.zip', await readFile(PACKAGE))
  const look = page.getByRole('combobox', { name: 'Look at' })
  await expect(
    look.locator('option').filter({ hasText: /^Snapshot \d, .* threads?(?: without stacks)?$/ }),
  ).toHaveCount(2)
  await expect(page.getByText(/of \d+ threads? waited|of \d+ threads waited for the disk/).first()).toBeVisible()
  const table = page.getByRole('table', { name: 'Threads' })
  await search(page, 'PortableThreadPool')
  await expect(table.getByRole('row').filter({ hasText: 'Thread pool' }).first()).toBeVisible()
  await expect(button(page)).toHaveCount(0)
  expect(snapshots(fake)).toBe(0)
})

test('an expression that would take other engines forever is answered at once, and a wrong one is reported @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio('#/stacks?v=1'))
  await openFile(page, 'writing.json', Buffer.from(recordedText('7.1', 'stack-trace-writing.json')))
  const table = page.getByRole('table', { name: 'Threads' })
  await page.getByRole('checkbox', { name: 'Regex' }).check()
  await search(page, '(a+|a)+(e+)*(x*)*$')
  await expect(page.getByText(/^\d+ of \d+ threads/)).toBeVisible()
  await search(page, 'Voron\\..*Journal(Writer|File)\\.')
  await expect(page.getByText(/^1 of \d+ threads/)).toBeVisible()
  await expect(table.getByRole('row').filter({ hasText: 'Transaction merger of bench' }).first()).toBeVisible()
  await search(page, '(')
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid expression: missing closing )' })).toBeVisible()
})

test('what goes out is whole: JSON opens again equal, and text, folded, speedscope and pprof hold every sample @full', async ({
  page,
  fake,
}) => {
  await page.goto(fake.studio('#/stacks?v=1'))
  await openFile(page, 'writing.json', Buffer.from(recordedText('7.1', 'stack-trace-writing.json')))
  const samples = WRITING.Results.reduce((sum, { ThreadIds }) => sum + ThreadIds.length, 0)

  const json = await exportAs(page, /^Stack traces/)
  expect(json.download.suggestedFilename()).toMatch(/^rookery-stacks-2026-11-20T\d{4}Z\.json$/)
  const again = JSON.parse(json.bytes.toString()) as Stacks
  expect(stacksOf(again)).toEqual(stacksOf(WRITING))
  const idsOf = ({ Threads }: typeof again) => new Set(Threads.map(({ Id }) => Id))
  expect(idsOf(again)).toEqual(idsOf(WRITING))
  const before = await shownThreads(page)

  const text = (await exportAs(page, /^Text/)).bytes.toString()
  expect(text.match(/^Thread \d+ "/gm)).toHaveLength(samples)
  expect(text).toContain('Writes the journal · waits for the disk: journal write')

  const folded = (await exportAs(page, /^Folded/)).bytes.toString().trim().split('\n')
  expect(folded.reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)![1]), 0)).toBe(samples)

  const scope = JSON.parse((await exportAs(page, /^speedscope/)).bytes.toString()) as Speedscope
  expect(scope.$schema).toBe('https://www.speedscope.app/file-format-schema.json')
  expect(scope.profiles[0]!.endValue).toBe(samples)
  for (const { type, startValue, endValue, samples: stacks, weights } of scope.profiles) {
    expect([type, startValue, stacks.length]).toEqual(['sampled', 0, weights.length])
    expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(endValue)
    expect(stacks.flat().every((frame) => typeof scope.shared.frames[frame]?.name === 'string')).toBe(true)
  }

  const pprof = await exportAs(page, /^pprof/)
  expect(pprof.download.suggestedFilename()).toMatch(/\.pb\.gz$/)
  const profile = Profile.decode(gunzipSync(pprof.bytes))
  expect(profile.stringTable.strings).toEqual(expect.arrayContaining(['samples', 'cpu', 'job', 'Transaction merger']))
  expect(profile.sample.reduce((sum, { value }) => sum + Number(value[0]), 0)).toBe(samples)

  await page.goto('about:blank')
  await page.goto(fake.studio('#/stacks?v=1'))
  await openFile(page, 'again.json', json.bytes)
  expect(await shownThreads(page)).toEqual(before)
})

interface Speedscope {
  readonly $schema: string
  readonly shared: { readonly frames: readonly { readonly name: string }[] }
  readonly profiles: readonly {
    readonly type: string
    readonly startValue: number
    readonly endValue: number
    readonly samples: readonly (readonly number[])[]
    readonly weights: readonly number[]
  }[]
}

/** Frames by thread. */
const stacksOf = ({ Results }: Stacks): Map<number, readonly string[]> =>
  new Map(Results.flatMap(({ ThreadIds, StackTrace }) => ThreadIds.map((id) => [id, StackTrace] as const)))

const openFile = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.getByLabel('Open files', { exact: true }).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

const search = (page: Page, text: string): Promise<void> =>
  page.getByRole('searchbox', { name: /Search threads and frames/ }).fill(text)

/** The table of threads as it is read. */
async function shownThreads(page: Page): Promise<string[]> {
  const rows = page.getByRole('table', { name: 'Threads' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Transaction merger of bench' }).first()).toBeVisible()
  return rows.allInnerTexts()
}

async function exportAs(page: Page, format: RegExp): Promise<{ download: Download; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export stacks' }).click()
  const begun = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: format }).click()
  const download = await begun
  await expect(page.getByText(/^Saved rookery-stacks-/)).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  return { download, bytes: await readFile(await download.path()) }
}
