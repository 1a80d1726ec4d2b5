import { bulk, put, putIndexes } from '../../../tools/ravendb/client.mjs'
import { idle, lookAtRange, ticksNow } from '../../support/studio.ts'
import { IndependentBatches } from '../../support/independent-batches.ts'
import { readOutline } from '../outline.ts'
import type { Visit } from '../visit.ts'
import type { World } from '../world.ts'

const INDEX = 'Orders/Share'
const DOCUMENTS = 1000
/** Number of documents that throw when they are indexed. */
const FAULTY = 7

/** An index that is made while it is watched, and fails on a known number of documents. */
export async function auditErrors({ page, report }: Visit, { raven, load }: World): Promise<void> {
  await load.stop()
  const orders = Array.from({ length: DOCUMENTS }, (_, i) =>
    put(`orders/${i}`, 'Orders', { Amount: i, Divisor: i < FAULTY ? 0 : 1 + (i % 9) }),
  )
  await bulk(raven.url, load.database, orders)
  await page.goto(raven.studio(`#/indexing?v=1&s=db:${load.database}`))
  await page.getByRole('application', { name: 'Index batches' }).waitFor()
  const listener = new IndependentBatches(raven.url, load.database)
  await listener.opened()
  const fromTicks = ticksNow()
  const Maps = ['from order in docs.Orders select new { Share = 100 / order.Divisor }']
  await putIndexes(raven.url, load.database, [{ Name: INDEX, Maps }])
  await listener.settled()
  listener.close()
  await lookAtRange(page, fromTicks, ticksNow())
  await idle(page)
  const indexes = (await readOutline(page)).table('Indexes in view')
  const all = { of: INDEX, allow: { why: 'counted when written' } }
  report.claim('Indexing', {
    ...all,
    figure: 'Documents of an index made while watched',
    shown: indexes?.cell(INDEX, 'Documents'),
    truth: DOCUMENTS,
  })
  report.claim('Indexing', {
    ...all,
    figure: 'Documents that failed',
    shown: indexes?.cell(INDEX, 'Failed'),
    truth: FAULTY,
  })

  await page.goto(raven.studio('#/databases?v=1'))
  const table = page.getByRole('table', { name: 'Databases' })
  await table.getByRole('row').filter({ hasText: load.database }).getByText(String(FAULTY), { exact: true }).waitFor()
  const databases = (await readOutline(page)).table('Databases')
  report.claim('Databases', {
    figure: 'Errors after documents failed',
    of: load.database,
    shown: databases?.cell(load.database, 'Errors'),
    truth: FAULTY,
    allow: { why: 'counted when written' },
  })

  await page.goto(raven.studio('#/triage?v=1'))
  const finding = page.getByRole('listitem').filter({ hasText: `Indexing errors in “${INDEX}” of “${load.database}”` })
  await finding.first().waitFor({ timeout: 60_000 })
  report.claim('Triage', {
    figure: 'Indexing errors of a finding',
    of: load.database,
    shown: /[\d,]+(?= errors? kept)/.exec(await finding.first().innerText())?.[0],
    truth: FAULTY,
    allow: { why: 'counted when written' },
  })
}
