import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { bulk, createDatabase, databasePath, put, putIndexes } from '../../../tools/ravendb/client.mjs'
import type { Visit } from '../visit.ts'
import { request, type World } from '../world.ts'

const DATABASE = 'troubled'
const PATH = databasePath(DATABASE)
const STEP_MS = 90_000
const READ_EVERY_MS = 250
/** Time for which it is read what a page says of an index after a restart. */
const READ_MS = 20_000

/** Fails on each document; on a few of its collection; on those that come later. */
const ALL = { Name: 'Things/AllFail', Maps: ['from t in docs.Things select new { X = 1 / (t.N - t.N) }'] }
const OLD = { Name: 'Olds/Few', Maps: ['from t in docs.Olds select new { X = 1 / t.N }'] }
const NEW = { Name: 'News/Few', Maps: ['from t in docs.News select new { X = 1 / t.N }'] }

const written = (collection: string, first: number, faulty: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    put(`${collection.toLowerCase()}/${first + i}`, collection, { N: i < faulty ? 0 : i + 1 }),
  )

interface Stats {
  readonly Results: readonly { readonly Name: string; readonly IsStale: boolean; readonly State: string }[]
}

async function untilIndexed(world: World): Promise<void> {
  for (const endMs = Date.now() + STEP_MS; Date.now() < endMs; await sleep(200)) {
    const { Results: all } = await request<Stats>(world, `${PATH}/indexes/stats`)
    if (all.every(({ IsStale, State }) => !IsStale || State === 'Error')) return
  }
}

/** Whose errors grow, and how many there are after the server was started again. */
export async function auditTroubles({ page, report }: Visit, world: World): Promise<void> {
  const { raven, load } = world
  await load.stop()
  await createDatabase(raven.url, DATABASE)
  await putIndexes(raven.url, DATABASE, [OLD, NEW])
  await bulk(raven.url, DATABASE, written('News', 0, 0, 1000))
  await bulk(raven.url, DATABASE, written('Olds', 0, 7, 1000))
  await untilIndexed(world)
  // Errors from before the page was opened are no news, and it has read of which index they are.
  const read = page.waitForResponse((response) => response.url().includes(`${PATH}/indexes/stats`))
  await page.goto(raven.studio('#/triage?v=2'))
  await read
  await bulk(raven.url, DATABASE, written('News', 1000, 5, 100))
  await untilIndexed(world)
  const grown = findingOf(page, `Indexing errors in “${NEW.Name}” of “${DATABASE}”`)
  await grown.waitFor({ timeout: STEP_MS })
  report.claim('Triage', {
    figure: 'Errors of a database in which another index has some',
    of: NEW.Name,
    shown: /([\d,]+) errors? kept/.exec(await grown.innerText())?.[1],
    truth: 12,
    allow: { why: 'counted when written' },
  })
  await auditRestart(page, report, world)
}

const findingOf = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Triage' }).getByRole('listitem').filter({ hasText: text }).first()

async function auditRestart(page: Page, report: Visit['report'], world: World): Promise<void> {
  const { raven } = world
  await putIndexes(raven.url, DATABASE, [ALL])
  await bulk(raven.url, DATABASE, written('Things', 0, 0, 300))
  const wanted = `The index “${ALL.Name}” of “${DATABASE}” stopped with errors`
  const finding = findingOf(page, wanted)
  await finding.waitFor({ timeout: STEP_MS })
  await Promise.all([world.kernel.stop(), world.server.stop()])
  await page.goto('about:blank')
  await raven.terminate()
  await raven.restart()
  await request(world, `${PATH}/stats`)
  await page.goto(raven.studio('#/triage?v=2'))
  await finding.waitFor({ timeout: STEP_MS })
  const seen = new Set<string>()
  for (const endMs = Date.now() + READ_MS; Date.now() < endMs; await sleep(READ_EVERY_MS)) {
    const [text = ''] = await finding.allInnerTexts()
    const [, count] = /([\d,]+) indexing errors? kept/.exec(text) ?? []
    if (count !== undefined) seen.add(count)
  }
  const { Results: all } = await request<{ Results: { Name: string; Errors: unknown[] }[] }>(
    world,
    `${PATH}/indexes/errors`,
  )
  const truth = all.reduce((sum, { Errors: errors }) => sum + errors.length, 0)
  // Without any it fails: nothing was read.
  for (const shown of seen.size === 0 ? [undefined] : seen)
    report.claim('Triage', {
      figure: 'Errors of a stopped index after a restart',
      of: DATABASE,
      shown,
      truth,
      allow: { why: 'what the server keeps' },
    })
}
