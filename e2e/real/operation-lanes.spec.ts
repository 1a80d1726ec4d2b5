import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import { bulkInsertSlowly } from '../support/bulk-insert.ts'
import { expect, test } from '../support/raven.ts'

const NAME = 'lanes'
/** Time between two writes; more of them would only cost CPU: the server reports rates every few seconds. */
const WRITE_EVERY_MS = 100

test('a bulk insert is a lane with its pace, of which the documents sent are the sum @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(300_000)
  await createDatabase(raven.url, NAME)
  const end = new AbortController()
  const sending = bulkInsertSlowly(raven.url, NAME, end.signal)
  await page.goto(raven.studio('#/server?v=1&live=6000000000'))
  const lane = page.getByRole('region', { name: 'Operations', exact: true })
  await lane.locator('summary').click({ timeout: 120_000 })
  const rows = lane.getByRole('group', { name: 'Operations: evidence' }).locator('tbody tr')
  const judged = rows.filter({ hasText: 'The client or the network limits it.' })
  try {
    await expect(judged.first()).toBeVisible({ timeout: 120_000 })
  } finally {
    end.abort()
  }
  const sent = await sending
  // Writes go on, so that the page reads the database again and finds the end in its list.
  const over = new AbortController()
  const writing = (async () => {
    for (let id = 0; !over.signal.aborted; id++, await sleep(WRITE_EVERY_MS))
      await json(raven.url, `${databasePath(NAME)}/docs?id=more/${String(id)}`, { method: 'PUT', body: { n: id } })
  })()
  try {
    const itemsOf = async (): Promise<readonly number[]> =>
      (await rows.filter({ hasText: `Operation ${String(sent.id)} of “${NAME}”.` }).allInnerTexts()).map((text) =>
        Number(/([\d,]+) items? in /.exec(text)?.[1]?.replaceAll(',', '') ?? Number.NaN),
      )
    await expect
      .poll(async () => (await itemsOf()).reduce((sum, items) => sum + items, 0), { timeout: 120_000 })
      .toBe(sent.documents)
    const paces = (await judged.allInnerTexts()).map((text) => Number(/: ([\d.,]+)\s*\/s\./.exec(text)?.[1]))
    // Between two readings there is one batch of the client more or less.
    const perSecond = sent.documents / sent.seconds
    expect(paces.length).toBeGreaterThan(0)
    for (const pace of paces) expect(Math.abs(pace - perSecond)).toBeLessThan(perSecond * 0.35)
  } finally {
    over.abort()
    await writing
  }
  // Tests before this one may have compacted on the same server.
  const summary = lane.locator('summary')
  await expect(summary).toHaveText(/^Operations: \d+ operations? in view$/)
  const before = Number(/\d+/.exec(await summary.innerText())?.[0])

  // An operation of the server itself, by another client: pushed, and as long in the lane as by the server's own clock.
  const body = { DatabaseName: NAME, Documents: true, Indexes: [] }
  const { OperationId: id } = (await json(raven.url, '/admin/compact', { method: 'POST', body })) as {
    OperationId: number
  }
  const compaction = rows.filter({ hasText: `Operation ${String(id)} of the server. Compacting database: ${NAME}` })
  await expect(compaction).toHaveCount(1, { timeout: 60_000 })
  await expect(compaction).toContainText('Compaction')
  await expect(summary).toHaveText(`Operations: ${String(before + 1)} operations in view`)
})
