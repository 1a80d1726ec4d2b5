import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Page } from '@playwright/test'
import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import { bulkInsertSlowly } from '../support/bulk-insert.ts'
import { expect, startRaven } from '../support/raven.ts'
import { delaysTest as test, JOURNAL_WAITS, NO_COMPILER } from '../support/delays.ts'
import { idle } from '../support/studio.ts'

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5' || process.platform !== 'linux',
  'The rules are the same for every version.',
)

/** Opens the table of the lane, in which each label has its evidence. */
async function openEvidence(page: Page) {
  const lane = page.getByRole('region', { name: 'Bottleneck', exact: true })
  await lane.locator('summary').click({ timeout: 90_000 })
  return lane.getByRole('group', { name: 'Bottleneck: evidence' })
}

test('a slow journal is found by the I/O that is watched @full', async ({ page, ravenVersion, delays }) => {
  test.setTimeout(240_000)
  test.skip(delays === null, NO_COMPILER)
  const raven = await startRaven({ version: ravenVersion, env: delays?.env ?? {} })
  const end = new AbortController()
  const writing: Promise<void>[] = []
  try {
    await createDatabase(raven.url, 'slow')
    await page.goto(raven.studio('#/io?s=db:slow'))
    await idle(page)
    const write = async (writer: number): Promise<void> => {
      for (let id = 0; !end.signal.aborted; id++)
        await json(raven.url, `${databasePath('slow')}/docs?id=writes/${String(writer)}-${String(id)}`, {
          method: 'PUT',
          body: { Text: 'written', '@metadata': { '@collection': 'Writes' } },
        })
    }
    await delays?.set(JOURNAL_WAITS)
    writing.push(write(1), write(2))
    const evidence = await openEvidence(page)
    // A machine whose other work saturates the CPU is limited by that, with the journal beside it.
    const rows = evidence.getByRole('row', {
      name: /(Disk|Also at its limit:.*) Journal writes of Documents took [5-9]\d/,
    })
    await expect(rows.first()).toBeVisible({ timeout: 120_000 })
  } finally {
    end.abort()
    await Promise.all(writing)
    await page.goto('about:blank')
    await raven.close()
  }
})

test('all cores in use are the limit, in Triage with since when @full', async ({ page, raven }) => {
  test.setTimeout(180_000)
  await page.goto(raven.studio('#/triage'))
  const burners = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    const note = page.getByRole('note', { name: 'Bottleneck' })
    await expect(note).toHaveText(
      /^CPU is the limit since .+: The machine was (9[5-9]|100)[\d.]* % busy, .+ by this server/,
      {
        timeout: 120_000,
      },
    )
  } finally {
    for (const burner of burners) burner.kill('SIGKILL')
  }
})

test('a client that sends slowly is seen below its I/O, by the merger that waits for it @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(240_000)
  await createDatabase(raven.url, 'bulk')
  const end = new AbortController()
  const sent = bulkInsertSlowly(raven.url, 'bulk', end.signal)
  try {
    await page.goto(raven.studio('#/io?s=db:bulk'))
    const evidence = await openEvidence(page)
    const waits = evidence.getByRole('row', { name: /merger waited for writes (9\d|100)[\d.]* % of the time/ })
    await expect(waits.first()).toBeVisible({ timeout: 150_000 })
  } finally {
    end.abort()
    await sent
  }
})
