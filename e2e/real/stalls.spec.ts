import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { createDatabase, databasePath, json } from '../../tools/ravendb/client.mjs'
import { runWorkload } from '../../tools/workload.mjs'
import { expect, startRaven } from '../support/raven.ts'
import { delaysTest as test, NO_COMPILER } from '../support/delays.ts'
import { idle } from '../support/studio.ts'
import { openPanel } from '../support/panels.ts'

interface Stalls {
  readonly causes: readonly string[]
  readonly verdicts: Readonly<Record<string, string>>
}

/** Long syncs that hold up writes, and such that are innocent of the stalls beside them. */
const SYNCS_BLOCK = 'sync-of-volume 400 1'
const WRITES_STALL = ['idle-sync 400', 'every 40 150']

/** Instead of 30 s after a flush. */
const SYNCS_OFTEN = { 'Storage.TimeToSyncAfterFlushInSec': '1', 'Storage.SyncJournalsCountThreshold': '1' }

test.skip(
  ({ ravenVersion }) => ravenVersion !== '7.1.5' || process.platform !== 'linux',
  'The rules are the same for every version; the shim is made for Linux.',
)

const stallsOf = async (page: Page): Promise<Stalls> => {
  await idle(page)
  return page.evaluate(async () => {
    interface Found extends Array<{ cause: string }> {
      verdicts: Record<string, string>
    }
    const { rookery } = globalThis as unknown as { rookery: { stalls: () => Promise<Found> } }
    const found = await rookery.stalls()
    return { causes: found.map(({ cause }) => cause), verdicts: found.verdicts }
  })
}

/** Causes other than the size of the write itself; unexplained stalls are left out. */
const namedIn = (stalls: Stalls | null): string[] =>
  (stalls?.causes ?? ['none']).filter((cause) => cause !== 'unexplained' && cause !== 'bytes')

/** Finding of Triage on commits of the database that is slowed. */
const heldUpBySyncs = (page: Page): Locator =>
  page.getByText(/^Commits of .+ of slowed were held up [\d,]+ times .+, (?:[\d,]+ of them )?by data syncs\.$/).first()

/** A document of 60 kB that does not compress. */
async function putLarge(url: string, database: string, id: number): Promise<void> {
  const body = { Text: randomBytes(30_000).toString('hex'), '@metadata': { '@collection': 'Larges' } }
  await json(url, `${databasePath(database)}/docs?id=larges/${String(id)}`, { method: 'PUT', body })
}

/** Writes to a database of its own while the panel I/O records it, until `isEnough`. */
async function write(page: Page, url: string, database: string, isEnough: () => Promise<boolean>): Promise<void> {
  await createDatabase(url, database)
  await page.goto('about:blank')
  await page.goto(`${url}/studio/index.html#/io?s=db:${database}`)
  await idle(page)
  await runWorkload({ url, database, documents: 500, once: true })
  for (let id = 0; id % 100 !== 0 || id === 0 || !(await isEnough()); id += 2) {
    await Promise.all([putLarge(url, database, id), putLarge(url, database, id + 1)])
  }
}

test('syncs of a slowed volume are named as the cause of stalls, and of none without @full', async ({
  page,
  ravenVersion,
  delays,
}) => {
  test.setTimeout(300_000)
  test.skip(delays === null, NO_COMPILER)
  const raven = await startRaven({
    version: ravenVersion,
    settings: SYNCS_OFTEN,
    env: delays?.env ?? {},
  })
  try {
    await test.step('without', async () => {
      await write(page, raven.url, 'calm', () => Promise.resolve(true))
      expect(namedIn(await stallsOf(page))).toEqual([])
    })
    await test.step('writes that stall beside long syncs', async () => {
      await delays?.set(...WRITES_STALL)
      let beside: Stalls | null = null
      await write(page, raven.url, 'beside', async () => {
        beside = await stallsOf(page)
        return beside.causes.length >= 10
      })
      expect(namedIn(beside)).toEqual([])
    })
    await delays?.set(SYNCS_BLOCK)
    // This page shows Triage alone, and no source is opened in it.
    const first = await page.context().newPage()
    await first.goto(`${raven.url}/studio/index.html`)
    let slowed: Stalls | null = null
    await write(page, raven.url, 'slowed', async () => {
      slowed = await stallsOf(page)
      return slowed.causes.filter((cause) => cause === 'sync').length >= 5 && (await heldUpBySyncs(first).isVisible())
    })
    expect(slowed).toMatchObject({ verdicts: { sync: expect.stringMatching(/^(explains|contributes)$/) as unknown } })
    await openPanel(page, 'Stalls')
    const panel = page.getByRole('region', { name: 'Stalls', exact: true })
    await expect(panel.getByRole('row', { name: /^Data sync/ })).toContainText('waited for a data sync')
    await panel.getByText('How is this judged').click()
    await expect(panel.getByText(/Volumes as the server reports them: .+ \(\d+ environments?\)/)).toBeVisible({
      timeout: 90_000,
    })
    await panel.getByText(/^\d+ other causes: /).click()
    await expect(
      panel.getByText(/^CPU saturated: (may contribute|with nearly all writes|no evidence|too few to tell)/),
    ).toBeVisible()
    await expect(
      panel.getByRole('table', { name: 'Stalls' }).getByText('Documents', { exact: true }).first(),
    ).toBeVisible()
    await test.step('Triage has it as a finding that leads to Stalls', async () => {
      await openPanel(page, 'Triage')
      // Judged again each 30 s.
      await expect(heldUpBySyncs(page)).toBeVisible({ timeout: 90_000 })
    })
  } finally {
    await page.goto('about:blank')
    await raven.close()
  }
})

/** Small writes without a pause and with one in turn, as long as `isEnough` does not say so. */
async function writeSmall(url: string, database: string, isEnough: () => Promise<boolean>): Promise<void> {
  for (let id = 0, quiet = true; ; id++) {
    if (id % 500 === 0) {
      if (id > 0 && quiet && (await isEnough())) return
      quiet = !quiet
    }
    // Those after a rest show what the disk can do.
    if (quiet) id += 9
    if (quiet) await sleep(80)
    const Text = randomBytes(100 + 1500 * (id % 5)).toString('hex')
    await json(url, `${databasePath(database)}/docs?id=smalls/${String(id)}`, {
      method: 'PUT',
      body: { Text, '@metadata': { '@collection': 'Smalls' } },
    })
  }
}

test('small writes behind a limit of operations are slow as a whole, those of a slow disk have no limit @full', async ({
  page,
  ravenVersion,
  delays,
}) => {
  test.setTimeout(300_000)
  test.skip(delays === null, NO_COMPILER)
  const raven = await startRaven({ version: ravenVersion, env: delays?.env ?? {} })
  const sentence = async (): Promise<string> => {
    await idle(page)
    return (await page.getByRole('region', { name: 'Stalls', exact: true }).textContent()) ?? ''
  }
  try {
    await test.step('a slow disk', async () => {
      await createDatabase(raven.url, 'slow')
      await page.goto(raven.studio('#/stalls?s=db:slow'))
      await delays?.set('random 1 4.5')
      await writeSmall(raven.url, 'slow', async () => /[1-9],\d{3} journal writes/.test(await sentence()))
      expect(await sentence()).not.toContain('limit of operations')
    })
    await test.step('a limit of operations', async () => {
      await createDatabase(raven.url, 'limited')
      await page.goto('about:blank')
      await page.goto(raven.studio('#/stalls?s=db:limited'))
      await delays?.set('operations 0.04 1 0')
      await writeSmall(raven.url, 'limited', async () =>
        /Documents is slow as a whole, .+ one each 2[3-7][.\d]* ms, as behind a limit of operations/.test(
          await sentence(),
        ),
      )
    })
    await openPanel(page, 'Triage')
    const finding = page
      .getByText(
        /^Commits of Documents of limited are slow as a whole: half take .+, as behind a limit of (?:3[6-9]|4[0-3]) writes a second\.$/,
      )
      .first()
    // Judged again each 30 s.
    await expect(finding).toBeVisible({ timeout: 90_000 })
    await expect(page.getByText(/^Its volume completed one each 2[3-7][.\d]* ms, /).first()).toBeVisible()
  } finally {
    await page.goto('about:blank')
    await raven.close()
  }
})
