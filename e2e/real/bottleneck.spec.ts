import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Page } from '@playwright/test'
import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import { cpuOfProcess } from '../audit/kernel.ts'
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
      /^CPU is the limit since .+: The machine was (9[5-9]|100)[\d.]* % busy; this server used .+ of its/,
      {
        timeout: 120_000,
      },
    )
  } finally {
    for (const burner of burners) burner.kill('SIGKILL')
  }
})

test('a server that may use one of the cores is at its limit when that core is, whatever the others do @full', async ({
  page,
  ravenVersion,
}) => {
  test.setTimeout(240_000)
  test.skip(availableParallelism() < 2, 'It needs a core that the server may not use.')
  // A server of its own: it binds itself to as many cores as .NET counts, which is what it does behind a quota, too.
  const raven = await startRaven({ version: ravenVersion, env: { DOTNET_PROCESSOR_COUNT: '1' } })
  const end = new AbortController()
  const asking: Promise<void>[] = []
  try {
    await createDatabase(raven.url, 'asked')
    await page.goto(raven.studio('#/triage'))
    const path = `${databasePath('asked')}/queries?query=${encodeURIComponent('from @all_docs')}`
    const ask = async (): Promise<void> => {
      while (!end.signal.aborted) await json(raven.url, path)
    }
    for (let client = 0; client < 24; client++) asking.push(ask())
    const sign = page.getByText('CPU of the machine', { exact: true }).locator('..')
    await expect(sign).toContainText(/This server: [\d.]+ % of its only core/, { timeout: 60_000 })
    const core = async () => ({ atMs: Date.now(), ...(await cpuOfProcess(raven.pid())) })
    const before = await core()
    await expect(async () => {
      const evidence = await page.getByRole('note', { name: 'Bottleneck' }).textContent()
      const found =
        /this server used ([\d.]+) % of its only core, other processes (?:at least ([\d.]+) %|an unknown)/.exec(
          evidence ?? '',
        )
      expect(found).not.toBeNull()
      const after = await core()
      const used = ((after.user + after.kernel - before.user - before.kernel) / (after.atMs - before.atMs)) * 100
      expect(Math.abs(Number(found?.[1]) - used)).toBeLessThan(15)
      // At most what is not this server's part of all cores.
      expect(Number(found?.[2] ?? 0)).toBeLessThanOrEqual(100 - used / availableParallelism() + 5)
    }).toPass({ timeout: 150_000, intervals: [2000] })
  } finally {
    end.abort()
    await Promise.all(asking)
    await page.goto('about:blank')
    await raven.close()
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
