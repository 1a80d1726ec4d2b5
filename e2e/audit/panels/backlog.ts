import { setTimeout as sleep } from 'node:timers/promises'
import { bulk, createDatabase, databasePath, json, put, putIndexes } from '../../../tools/ravendb/client.mjs'
import { openPanel } from '../../support/panels.ts'
import { readOutline } from '../outline.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const DATABASE = 'backlog'
const PATH = databasePath(DATABASE)
const PAUSED = 'Orders/Paused'
const RUNNING = 'Orders/Running'
const STEP_MS = 90_000
const DOCUMENTS = 1500
/** Documents that are written again, which is one more change and no further document. */
const UPDATED = 400
/** Writes to another collection, which the index need not read. */
const OTHERS = 900
const MARK_EVERY_MS = 300
const MAP = 'from o in docs.Orders select new { o.N }'

/** Backlog of a paused index: documents of its collection that are not in it, whatever else is written. */
export async function auditBacklog({ page, report }: Visit, world: World): Promise<void> {
  const { raven, load } = world
  const { url, studio } = raven
  await load.stop()
  await createDatabase(url, DATABASE)
  await putIndexes(url, DATABASE, [
    { Name: PAUSED, Maps: [MAP] },
    { Name: RUNNING, Maps: [MAP.replace('o.N', 'o.N, o.M')] },
  ])
  await json(url, `${PATH}/admin/indexes/stop?name=${encodeURIComponent(PAUSED)}`, { method: 'POST' })
  const orders = (count: number, m: number) =>
    Array.from({ length: count }, (_, i) => put(`orders/${i}`, 'Orders', { N: i, M: m }))
  await bulk(url, DATABASE, orders(DOCUMENTS, 0))
  await bulk(url, DATABASE, orders(UPDATED, 1))
  await bulk(
    url,
    DATABASE,
    Array.from({ length: OTHERS }, (_, i) => put(`others/${i}`, 'Others', { N: i })),
  )
  const over = new AbortController()
  // A database is read only while other clients write to it or index.
  const marking = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      await bulk(url, DATABASE, [put(`others/${n % OTHERS}`, 'Others', { N: -n })])
      await sleep(MARK_EVERY_MS)
    }
  })()
  const allow = { why: 'counted when written' }
  const of = PAUSED
  try {
    await page.goto(studio('#/triage?v=2'))
    const finding = page
      .getByRole('listitem')
      .filter({ hasText: `“${DATABASE}”` })
      .filter({ hasText: 'documents behind' })
    await finding.first().waitFor({ timeout: STEP_MS })
    report.claim('Triage', {
      figure: 'Documents that a paused index is behind',
      of,
      shown: /it is ([\d,]+) documents behind/.exec(await finding.first().innerText())?.[1],
      truth: DOCUMENTS,
      allow,
    })
    await openPanel(page, 'Databases')
    const row = page.getByRole('table', { name: 'Databases' }).getByRole('row').filter({ hasText: DATABASE })
    const cell = row.getByTitle(/with [\d,]+ documents? to go/)
    await cell.first().waitFor({ timeout: STEP_MS })
    const [, indexes, documents] =
      /([\d,]+) index(?:es)? with ([\d,]+) documents? to go/.exec((await cell.first().getAttribute('title')) ?? '') ??
      []
    report.claim('Databases', { figure: 'Stale indexes', of: DATABASE, shown: indexes, truth: 1, allow })
    report.claim('Databases', { figure: 'Documents to go', of: DATABASE, shown: documents, truth: DOCUMENTS, allow })
    await page.goto(studio(`#/indexing?v=1&s=db:${DATABASE}&indexing.view=indexes`))
    await page.getByRole('row').filter({ hasText: PAUSED }).first().waitFor({ timeout: STEP_MS })
    await page
      .getByRole('cell', { name: /^\d,\d{3}$/ })
      .first()
      .waitFor({ timeout: STEP_MS })
    const table = (await readOutline(page)).find('main')?.table()
    report.claim('Indexing', { figure: 'Lag', of, shown: table?.cell(PAUSED, 'Lag'), truth: DOCUMENTS, allow })
  } finally {
    over.abort()
    await marking
  }
}
