import { execFile } from 'node:child_process'
import { chmod, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { createDatabase, deleteDatabase, json } from '../../tools/ravendb/client.mjs'
import { expect, startRaven, test as base } from '../support/raven.ts'
import { openPanel } from '../support/panels.ts'

/** Command of a cloud provider that reports few credits of a burstable machine. */
const CREDITS = '#!/bin/sh\necho "{\\"Remaining\\":12000,\\"Timestamp\\":\\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\\"}"\n'

const test = base.extend<{ burstable: Awaited<ReturnType<typeof startRaven>> }>({
  burstable: async ({ ravenVersion }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-credits-'))
    const command = join(folder, 'credits.sh')
    await writeFile(command, CREDITS)
    await chmod(command, 0o700)
    const settings = {
      'Server.CpuCredits.Base': '1000',
      'Server.CpuCredits.Max': '100000',
      'Server.CpuCredits.ExhaustionBackgroundTasksThreshold': '20000',
      'Server.CpuCredits.ExhaustionFailoverThreshold': '1',
      'Server.CpuCredits.Exec': command,
      'Server.MaxTimeForTaskToWaitForDatabaseToLoadInSec': '2',
    }
    const raven = await startRaven({ version: ravenVersion, settings })
    await use(raven)
    await raven.close()
    await rm(folder, { recursive: true, force: true })
  },
})

/** The first file that a load reads is a pipe, so that it waits; the returned function gives it what it waits for. */
async function holdLoad(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'headers.one')
  const kept = `${file}.kept`
  await rename(file, kept)
  await promisify(execFile)('mkfifo', [file])
  return async () => {
    const pipe = await open(file, 'w')
    await rename(kept, file)
    await pipe.writeFile(await readFile(file))
    await pipe.close()
  }
}

/** The server reports changes of databases; its list is polled as seldom as once a minute where it is short of CPU credits. */
const PUSHED = { timeout: 45_000 }

const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const toggle = (url: string, how: 'disable' | 'enable', name: string): Promise<unknown> =>
  json(url, `/admin/databases/${how}`, { method: 'POST', body: { DatabaseNames: [name] } })

test('states: disabled, enabled, deleted, loading, faulted by a broken file, an unresponsive server, and CPU credits that run out @full', async ({
  page,
  ravenVersion,
  burstable,
  complaints,
}) => {
  test.skip(ravenVersion !== '7.1.5', 'the lists that it reads are recorded for every version')
  test.setTimeout(180_000)
  complaints.allow(/Failed to load resource|WebSocket connection|ERR_CONNECTION_REFUSED/)
  const { url } = burstable
  for (const name of ['kept', 'dropped', 'broken', 'slow']) await createDatabase(url, name)

  await test.step('a stranger sees first what is wrong: the server holds back, for want of CPU credits', async () => {
    await page.goto(burstable.studio())
    const triage = page.getByRole('region', { name: 'Triage' })
    await expect(triage).toContainText('CPU credits are nearly used up, and the server holds back.')
    await expect(triage).toContainText('Background work such as indexing is paused to save CPU credits.')
  })

  await test.step('alerts of the server lead to the newest of them', async () => {
    const triage = page.getByRole('region', { name: 'Triage' })
    const found = triage.getByRole('listitem').filter({ hasText: 'CPU credits balance exhausted.' }).first()
    await expect(found).toBeVisible({ timeout: 60_000 })
    await found.getByRole('link', { name: 'Open Vitals' }).click()
    const alerts = page.getByRole('region', { name: 'Vitals', exact: true }).getByRole('listitem')
    await expect(alerts.filter({ hasText: 'RavenDB will throttle internal processes' })).toBeInViewport()
    const newest = alerts.and(page.locator('[aria-current=true]'))
    await expect(newest).toHaveCount(1)
    await expect(newest).toBeInViewport()
    await openPanel(page, 'Triage')
    await triage.getByRole('link', { name: 'All databases' }).click()
  })

  await test.step('disabled, enabled and deleted by another client', async () => {
    await expect(row(page, 'kept')).toContainText('online')
    await toggle(url, 'disable', 'kept')
    await expect(row(page, 'kept')).toContainText('disabled', PUSHED)
    await toggle(url, 'enable', 'kept')
    await expect(row(page, 'kept')).toContainText(/online|unloaded/, PUSHED)
    await deleteDatabase(url, 'dropped')
    await expect(row(page, 'dropped')).toHaveCount(0, PUSHED)
  })

  await test.step('a data file is broken while the server is down: it says so, with the server’s words', async () => {
    await burstable.kill()
    const folder = join(burstable.dataDir, 'Databases', 'broken')
    const journals = await readdir(join(folder, 'Journals'))
    for (const file of ['Raven.voron', ...journals.map((name) => join('Journals', name))]) {
      const { size } = await stat(join(folder, file))
      await writeFile(join(folder, file), Buffer.alloc(size, 0x5a))
    }
    const release = await holdLoad(join(burstable.dataDir, 'Databases', 'slow'))
    await burstable.restart()
    const load = json(url, '/databases/slow/stats').catch(() => null)
    await expect(row(page, 'slow')).toContainText('loading', { timeout: 30_000 })
    await page.getByRole('button', { name: 'Ask how far it is: slow' }).click()
    await expect(page.getByRole('list', { name: 'What the server has done' })).toContainText(
      'Initializing DocumentStorage goes on',
    )
    await openPanel(page, 'Triage')
    const loading = page.getByRole('region', { name: 'Triage' }).getByRole('listitem').filter({
      hasText: 'The database “slow” has been loading for',
    })
    await expect(loading).toBeVisible({ timeout: 45_000 })
    await loading.getByRole('link', { name: 'Open Summary' }).click()
    const slow = page.getByRole('region', { name: 'Database slow' })
    await expect(slow).toContainText('Its indexes, storage, tasks, alerts and hints are known once it is loaded.')
    await expect(slow).toBeInViewport()
    await release()
    await load
    await expect(slow).toContainText('It has no index.')
    await page.getByRole('link', { name: 'All databases' }).click()
    await expect(row(page, 'slow')).toContainText('online')
    // Another client loads it: this page never does.
    await expect(json(url, '/databases/broken/stats')).rejects.toThrow()
    await expect(row(page, 'broken')).toContainText('faulted', { timeout: 30_000 })
    await page.getByText('1 database failed to load: what the server says').click()
    await expect(page.getByRole('group').filter({ hasText: 'what the server says' })).toContainText(
      /is corrupted|Failed to start/,
    )
    await openPanel(page, 'Triage')
    const first = page.getByRole('region', { name: 'Triage' }).getByRole('listitem').first()
    await expect(first).toContainText('The database “broken” failed to load.', { timeout: 45_000 })
    // The server says again why, and nothing is claimed.
    await first.getByRole('button', { name: 'Retry to load: “broken”' }).click()
    await expect(page.getByRole('region', { name: 'Actions just done' })).toContainText(
      /Failed · Retry to load: “broken”.*(is corrupted|Failed to start)/,
      { timeout: 30_000 },
    )
    await burstable.freeze(8000)
    await expect(page.getByRole('region', { name: 'Triage' })).toContainText(/The server was unresponsive for \d/)
    await first.getByRole('link', { name: 'Open Summary' }).click()
    await expect(page.getByRole('region', { name: 'Database broken' })).toContainText(/is corrupted|Failed to start/)
  })
})
