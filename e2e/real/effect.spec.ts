import { setTimeout as sleep } from 'node:timers/promises'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { BY_N, notice as noticeOf } from '../support/actions.ts'
import { expectMarked } from '../support/markers.ts'
import { expect, test } from '../support/raven.ts'
import { openDoneHere } from '../support/panels.ts'

/* Effects of an action on the timelines, and in the comparison of before and after. */

const NAME = 'effected'
const INDEX = BY_N.Name
/** Timeout for a server that has three times as much to do. */
const LONG_MS = 120_000

/** Writes some documents a second until it is stopped, like a client in production. */
function keepWriting(url: string): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await bulk(url, NAME, [put(`things/${n % 500}`, 'Things', { N: n })])
      await sleep(150)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

test('pausing an index is marked on all timelines, and its effect is measured: no batch since @full', async ({
  page,
  raven,
  ravenVersion,
}) => {
  test.skip(ravenVersion !== '7.1.5', 'An index is paused, and its batches are read, on every version elsewhere.')
  test.setTimeout(300_000)
  await createDatabase(raven.url, NAME)
  await putIndexes(raven.url, NAME, [BY_N])
  const writing = keepWriting(raven.url)
  try {
    await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}`))
    // Batches as the server itself lists them: what the page receives of them later belongs to what was before, too.
    const batches = async (): Promise<number> => {
      const path = `${databasePath(NAME)}/indexes/performance?name=${INDEX}`
      const { Results: all } = (await json(raven.url, path)) as { Results: { Performance: unknown[] }[] }
      return all[0]?.Performance.length ?? 0
    }
    await expect.poll(batches, { timeout: LONG_MS }).toBeGreaterThan(10)

    await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}&indexing.view=indexes`))
    await page.getByRole('button', { name: `Actions on “${INDEX}” of “${NAME}”` }).click({ timeout: LONG_MS })
    await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
    const notice = noticeOf(page)
    await expect(notice).toContainText(`Done · Paused: “${INDEX}”`, { timeout: LONG_MS })
    const { Results: all } = (await json(raven.url, `${databasePath(NAME)}/indexes/stats`)) as {
      Results: { Name: string; Status: string }[]
    }
    expect(all.find(({ Name: name }) => name === INDEX)?.Status).toBe('Paused')

    await openDoneHere(page)
    const effect = page.getByRole('group', { name: 'Effect' })
    await expect(effect).toContainText(/Before[1-9][\d,]* batches in [^,]+, median .* documents/, {
      timeout: LONG_MS,
    })
    await expect(effect).toContainText(/After0 batches in .*EffectNo batch (was recorded )?after it\./, {
      timeout: LONG_MS,
    })
    await page.reload()
    await expect(effect).toContainText(/No batch (was recorded )?after it\./)
    await expectMarked(page, raven.studio, { database: NAME, actions: [`Paused: “${INDEX}” of “${NAME}”`] })
  } finally {
    await writing.stop()
    await page.goto('about:blank')
    await deleteDatabase(raven.url, NAME)
  }
})
