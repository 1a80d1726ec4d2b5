import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clockAhead } from '../../tools/delays/compile.mjs'
import { bulk, createDatabase, databasePath, json, put, putIndexes } from '../../tools/ravendb/client.mjs'
import { activity, BY_N, notice } from '../support/actions.ts'
import { NO_COMPILER } from '../support/delays.ts'
import { requestLong } from '../support/long-query.ts'
import { openDoneHere, openPanel } from '../support/panels.ts'
import { expect, startRaven, test } from '../support/raven.ts'

/* Sentences that count up to now, where the clock of the server is not that of the browser. */

const NAME = 'clocked'
const HOUR_MS = 3_600_000
const LONG_MS = 90_000
/** Time that a test may take between an action and its sentence. */
const MOST_MS = 240_000

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5' || process.platform !== 'linux',
  'Clocks are compared in the same way for every version; the shim is made for Linux.',
)

/** Writes some documents a second, until it is stopped. */
function keepWriting(url: string): () => void {
  let n = 0
  const timer = setInterval(() => {
    bulk(url, NAME, [put(`things/${String(n++)}`, 'Things', { N: n })]).catch(() => undefined)
  }, 300)
  return () => clearInterval(timer)
}

/** Distance of a time of day, written in UTC, from now by a clock that is ahead by so much, ms: from −12 to 12 hours. */
function sinceThen(text: string, aheadMs: number): number {
  const [hours = 0, minutes = 0, seconds = 0] = (/\d\d:\d\d:\d\d/.exec(text)?.[0] ?? '').split(':').map(Number)
  const then = ((hours * 60 + minutes) * 60 + seconds) * 1000
  const day = 24 * HOUR_MS
  return ((((Date.now() + aheadMs - then) % day) + 1.5 * day) % day) - day / 2
}

/** `12 s`, `2 min 3 s`, `45 seconds` → ms; NaN: it is no length of time below an hour. */
function lengthOf(text: string): number {
  const [, minutes = '0', seconds = '0'] = /(?:(\d+) min ?)?(?:(\d+)(?:\.\d+)? s(?:econds?)?\b)?/.exec(text) ?? []
  return /\d+ (?:min|s)/.test(text) ? (Number(minutes) * 60 + Number(seconds)) * 1000 : Number.NaN
}

for (const [words, ahead] of [
  ['behind', 1],
  ['ahead of', -1],
] as const)
  test(`where this computer is an hour ${words} the server, times and ages are the server’s @full`, async ({
    page,
    ravenVersion,
  }) => {
    test.setTimeout(300_000)
    const aheadMs = ahead * HOUR_MS
    const folder = await mkdtemp(join(tmpdir(), 'rookery-clock-'))
    const env = await clockAhead(folder, aheadMs / 1000)
    test.skip(env === null, NO_COMPILER)
    const own = await startRaven({ version: ravenVersion, env: env ?? {} })
    let stop = (): void => undefined
    try {
      await createDatabase(own.url, NAME)
      await putIndexes(own.url, NAME, [
        BY_N,
        { Name: 'Things/Other', Maps: ['from t in docs.Things select new { M = t.N }'] },
      ])
      stop = keepWriting(own.url)

      await page.goto(own.studio(`#/indexing?v=2&s=db:${NAME}&indexing.view=indexes&clock=utc`))
      const clocks = page.getByRole('complementary', { name: 'Clocks' })
      await expect(clocks).toContainText(
        new RegExp(`The clock of this computer is (1 h|59 min 5\\d s|1 h \\d s) ${words} the server’s`),
      )
      await clocks.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByRole('button', { name: `Actions on “${BY_N.Name}” of “${NAME}”` }).click({ timeout: LONG_MS })
      await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
      await expect(notice(page)).toContainText(`Done · Paused: “${BY_N.Name}”`, { timeout: LONG_MS })

      await test.step('the server is up for seconds, and a stopped index was paused just now', async () => {
        await openPanel(page, 'Triage')
        const up = page.getByRole('region', { name: 'Vital signs' }).locator('dt', { hasText: /^Up$/ }).locator('+ dd')
        await expect(up).toHaveText(/\d/, { timeout: LONG_MS })
        expect(lengthOf(await up.innerText())).toBeLessThan(MOST_MS)
        const finding = page
          .getByRole('region', { name: 'Triage' })
          .getByRole('listitem')
          .filter({ hasText: `The index “${BY_N.Name}” of “${NAME}” does not run` })
          .first()
        const stopped = finding.getByRole('list', { name: 'Stopped from this browser' })
        await expect(stopped).toContainText(/Paused from this browser at \d\d:\d\d:\d\d/, { timeout: LONG_MS })
        const pausedMs = sinceThen(await stopped.innerText(), aheadMs)
        expect(pausedMs).toBeGreaterThan(-3000)
        expect(pausedMs).toBeLessThan(MOST_MS)
        await stopped.getByRole('button', { name: 'Resume indexing' }).click()
        await expect(notice(page)).toContainText(`Done · Resumed: “${BY_N.Name}”`, { timeout: LONG_MS })
        await expect(stopped).toBeHidden({ timeout: LONG_MS })
      })

      await test.step('actions have the time of the server', async () => {
        await openDoneHere(page)
        const entry = activity(page).getByRole('listitem').first()
        await expect(entry).toContainText('Resumed')
        const doneMs = sinceThen(await entry.innerText(), aheadMs)
        expect(Math.abs(doneMs)).toBeLessThan(MOST_MS)
      })

      await test.step('a query has run since it was sent', async () => {
        const { startMs, end } = await requestLong(own.url, 'waited')
        await page.getByRole('radio', { name: 'Running', exact: true }).check({ force: true })
        const query = page.getByRole('listitem', { name: /^Query \d+ on waited$/ }).first()
        await expect(query).toContainText(/\d+(?:\.\d+)? s/, { timeout: LONG_MS })
        const text = await query.innerText()
        const seen = Date.now() - startMs
        await end()
        expect(lengthOf(/\d+ min(?: \d+ s)?|\d+(?:\.\d+)? s/.exec(text)?.[0] ?? '')).toBeLessThan(seen + 5000)
      })

      await test.step('I/O follows the newest', async () => {
        await page.goto(own.studio(`#/io?v=2&s=db:${NAME}&clock=utc`))
        await expect(page.getByRole('application', { name: 'I/O timeline' })).toBeVisible({ timeout: LONG_MS })
        await expect(page.getByRole('button', { name: 'Live', exact: true })).toHaveAttribute('aria-pressed', 'true')
        const newest = async (): Promise<number> => {
          const summary = await page.evaluate(() => globalThis.rookery.summary())
          return Math.max(...summary.rows.map(({ lastMs }) => lastMs ?? 0))
        }
        await expect.poll(async () => Math.abs(Date.now() + aheadMs - (await newest()))).toBeLessThan(20_000)
        const to = await page.getByRole('textbox', { name: 'To', exact: true }).inputValue()
        expect(Math.abs(sinceThen(to, aheadMs))).toBeLessThan(20_000)
      })
      const { Results: all } = (await json(own.url, `${databasePath(NAME)}/indexes/stats`)) as {
        Results: { Name: string; Status: string }[]
      }
      expect(all.map(({ Status: status }) => status)).toEqual(['Running', 'Running'])
    } finally {
      stop()
      await page.goto('about:blank')
      await own.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
