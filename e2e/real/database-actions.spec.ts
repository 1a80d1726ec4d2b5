import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { actOn, confirm, dialog, LONG_MS, notice, said } from '../support/actions.ts'
import { expectMarked } from '../support/markers.ts'
import { openDoneHere } from '../support/panels.ts'
import { expect, test, type Raven } from '../support/raven.ts'

const NAME = 'acted'
const CREATED = 'created'
const QUERIED = 'queried'
/** Script that takes some 20 s on a quiet machine with 20,000 documents. */
const SLOW =
  'declare function slow(d) { var s = 0; for (var i = 0; i < 800; i++) s += i % 7; return { s: s + d.n } } from Things as d select slow(d)'

/** A thousand documents that do not compress, the same ones each time. */
const more = () =>
  Array.from({ length: 1000 }, (_, i) =>
    put(`more/${i}`, 'More', { text: Array.from({ length: 20 }, () => Math.random().toString(36)).join('') }),
  )

interface Journals {
  readonly LastFlushedTransaction: number
  readonly TotalWrittenButUnsyncedBytes: number
}

async function journalsOf(url: string): Promise<Journals> {
  const environment = `${databasePath(NAME)}/debug/storage/environment/report?name=${NAME}&type=Documents`
  const { Report: report } = (await json(url, environment)) as { Report: { Journals: Journals } }
  return report.Journals
}

interface StorageReport {
  readonly Results: readonly {
    readonly Report: {
      readonly DataFile: Allocated
      readonly Journals: readonly Allocated[]
      readonly TempFiles: readonly Allocated[]
    }
  }[]
}
interface Allocated {
  readonly AllocatedSpaceInBytes: number
}

interface Listed {
  readonly Disabled: boolean
  readonly LockMode: string
  readonly UpTime: string | null
}

/** The server's state, read by another client; null: there is no such database. */
async function listed(url: string, name: string): Promise<Listed | null> {
  const response = await fetch(`${url}/databases?name=${name}`)
  if (response.status === 404) return null
  // 5.4 sends the entry alone.
  const answer = (await response.json()) as Listed | { Databases: Listed[] }
  return 'Databases' in answer ? (answer.Databases[0] ?? null) : answer
}

const secondsOf = (upTime: string): number => upTime.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** Chooses an action in the menu of the database's row. */
const act = (page: Page, item: string | RegExp): Promise<void> => actOn(page, `“${NAME}”`, item)

test.beforeEach(async ({ raven }) => {
  await createDatabase(raven.url, NAME, { settings: { 'Storage.TimeToSyncAfterFlushInSec': '5' } })
  await bulk(
    raven.url,
    NAME,
    Array.from({ length: 200 }, (_, i) => put(`things/${i}`, 'Things', { n: i })),
  )
})

test.afterEach(async ({ raven, page }) => {
  await page.goto('about:blank')
  for (const name of [NAME, CREATED, QUERIED])
    if ((await listed(raven.url, name)) !== null) await deleteDatabase(raven.url, name)
})

/** Files that are left of the name are taken over only where that is chosen. */
async function createOverFiles(page: Page, raven: Raven): Promise<void> {
  await createDatabase(raven.url, CREATED)
  await bulk(raven.url, CREATED, [put('left/1', 'Left', {})])
  const body = { DatabaseNames: [CREATED], HardDelete: false, TimeToWaitForConfirmation: '00:00:15' }
  await json(raven.url, '/admin/databases', { method: 'DELETE', body })
  await page.getByRole('button', { name: 'Create database' }).click({ timeout: LONG_MS })
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(CREATED)
  await expect(dialog(page).getByRole('alert')).toContainText(`Files of that name are left in ${raven.dataDir}`)
  await expect(dialog(page).getByRole('button', { name: 'Create database' })).toBeDisabled()
  await dialog(page).getByRole('combobox').selectOption({ index: 1 })
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  await confirm(page, 'Create database')
  await said(page, `The server has the database “${CREATED}”.`)
  expect(await json(raven.url, `${databasePath(CREATED)}/stats`)).toMatchObject({ CountOfDocuments: 1 })
}

async function restart(page: Page, raven: Raven): Promise<void> {
  /** When it was loaded, ms; while it starts it has no time yet. */
  const loadedMs = async (): Promise<number> => {
    const upTime = (await listed(raven.url, NAME))?.UpTime ?? null
    return upTime === null ? 0 : Date.now() - secondsOf(upTime) * 1000
  }
  await act(page, 'Restart …')
  const clickedMs = Date.now()
  expect(await loadedMs()).toBeLessThan(clickedMs)
  await confirm(page, 'Restart')
  await said(page, /Done.*Restarted: “acted”/)
  await expect.poll(loadedMs, { timeout: LONG_MS }).toBeGreaterThan(clickedMs)
}

const effectOf = (page: Page, words: string): Locator =>
  page.getByRole('listitem').filter({ hasText: words }).getByRole('group', { name: 'Effect' })
const RESTARTED = /State (loaded|not known) → loaded.*Loaded for .+ → .+It took /

async function deleteIt(page: Page, raven: Raven): Promise<void> {
  await act(page, 'Delete with all files …')
  await dialog(page)
    .getByRole('textbox', { name: `Type ${NAME} to confirm` })
    .fill(NAME)
  await confirm(page, 'Delete with all files')
  await said(page, /Done.*Deleted: “acted”/)
  expect(await listed(raven.url, NAME)).toBeNull()
}

test('a database is created, restarted with its effect, and deleted', async ({ page, raven }) => {
  test.setTimeout(180_000)
  await page.goto(raven.studio('#/databases'))
  await createOverFiles(page, raven)
  await restart(page, raven)
  await openDoneHere(page)
  await expect(effectOf(page, 'Restarted: “acted”')).toContainText(RESTARTED)
  await page.goto(raven.studio('#/databases'))
  await deleteIt(page, raven)
})

test('a database is created, locked, backed up, flushed, restarted, compacted, disabled and deleted @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(240_000)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-backup-'))
  await page.goto(raven.studio('#/databases'))

  await test.step('create', () => createOverFiles(page, raven))

  await test.step('create again, in another case: refused before it is sent', async () => {
    await page.getByRole('button', { name: 'Create database' }).click()
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill(CREATED.toUpperCase())
    await expect(dialog(page).getByRole('alert')).toContainText('exists already')
    await expect(dialog(page).getByRole('button', { name: 'Create database' })).toBeDisabled()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  })

  // The change of the record discards what a reset side by side has built, of which 5.4 has none.
  const lock = async (mode: string): Promise<void> => {
    const confirms = !raven.version.startsWith('5.')
    await act(page, confirms ? `${mode} …` : mode)
    if (!confirms) return
    await expect(dialog(page)).toContainText('What a reset side by side has built so far in it')
    await confirm(page, mode)
  }
  let backedUpMs = 0
  let compactedToMib = 0
  await test.step('back up to a folder of the server', async () => {
    // 5.4 numbers a backup by the server’s counter, and lists an ended one only if no older operation of the database has its number.
    const isReused = raven.version.startsWith('5.')
    const body = { Query: { Query: 'from Nothing update { this.n = 1 }' } }
    for (let i = 0; i < (isReused ? 12 : 0); i++)
      await json(raven.url, `${databasePath(NAME)}/queries`, { method: 'PATCH', body })
    backedUpMs = Date.now()
    await act(page, 'Back up now …')
    await dialog(page).getByRole('textbox', { name: 'Folder on the server' }).fill(folder)
    await confirm(page, 'Back up now')
    await said(page, /Done.*Backed up: “acted”/)
    expect(await readdir(folder, { recursive: true })).toEqual(
      expect.arrayContaining([expect.stringMatching(/full-backup$/)]),
    )
  })

  await test.step('flush and sync: said to be done where the server reports it, and nothing else', async () => {
    const newest = notice(page).locator(':scope > div').first()
    const tried = async (title: string, done: string): Promise<boolean> => {
      await act(page, `${title} …`)
      await confirm(page, title)
      await expect(newest).toContainText(title === 'Flush journals' ? /Flush/ : /Sync/)
      await expect(newest).toContainText(/^(Done|Nothing happened)/, { timeout: LONG_MS })
      return ((await newest.textContent()) ?? '').startsWith(`Done · ${done}: “${NAME}”`)
    }
    // A client that goes on writing, as in production: there is always something to do. The server flushes on request where
    // its last flush is as old as the setting says, and by itself, so that one of few tries finds it done.
    const writing = new AbortController()
    const written = (async (): Promise<void> => {
      while (!writing.signal.aborted) {
        await bulk(raven.url, NAME, more())
        await sleep(200)
      }
    })()
    await expect(async () => {
      const before = await journalsOf(raven.url)
      expect(await tried('Flush journals', 'Flushed')).toBe(true)
      expect((await journalsOf(raven.url)).LastFlushedTransaction).toBeGreaterThan(before.LastFlushedTransaction)
    }).toPass({ timeout: LONG_MS })
    await expect(async () => expect(await tried('Sync data file', 'Synced')).toBe(true)).toPass({ timeout: LONG_MS })
    writing.abort()
    await written
  })

  await test.step('restart', () => restart(page, raven))

  await test.step('compact', async () => {
    await act(page, 'Compact …')
    // The server reports it in UTC, to the second. What it says of the database follows while the dialog is open.
    await expect(dialog(page)).toContainText(/last backup is of \S+ \S+ UTC/, { timeout: LONG_MS })
    const [, taken = ''] = /last backup is of (\S+ \S+) UTC/.exec((await dialog(page).textContent()) ?? '') ?? []
    expect(Math.abs(Date.parse(`${taken}Z`) - backedUpMs)).toBeLessThan(LONG_MS)
    await expect(dialog(page)).toContainText('It has no index that can be compacted.')
    await confirm(page, 'Compact')
    await said(page, /Done.*Compacted: “acted”.*MB before/)
    const stats = (await json(raven.url, `${databasePath(NAME)}/stats`)) as { CountOfDocuments: number }
    expect(stats.CountOfDocuments).toBe(1200)
    // Another endpoint reports the size of each file of each environment.
    const report = (await json(raven.url, `${databasePath(NAME)}/debug/storage/report`)) as StorageReport
    const sum = (files: readonly Allocated[]): number =>
      files.reduce((bytes, { AllocatedSpaceInBytes }) => bytes + AllocatedSpaceInBytes, 0)
    const bytes = report.Results.reduce((all, { Report: { DataFile, Journals, TempFiles } }) => {
      return all + DataFile.AllocatedSpaceInBytes + sum(Journals) + sum(TempFiles)
    }, 0)
    compactedToMib = bytes / 2 ** 20
  })

  await test.step('disable and enable', async () => {
    await act(page, 'Disable …')
    await confirm(page, 'Disable')
    await said(page, /Done.*Disabled: “acted”/)
    expect((await listed(raven.url, NAME))?.Disabled).toBe(true)
    await act(page, 'Enable')
    await said(page, /Done.*Enabled: “acted”/)
    expect((await listed(raven.url, NAME))?.Disabled).toBe(false)
  })

  await test.step('each says what it changed, and is marked on all timelines, after a reload too', async () => {
    await page.goto(raven.studio('#/activity?v=2&activity.view=done'))
    const effect = (words: string): Locator => effectOf(page, words)
    await expect(effect('Backed up: “acted”')).toContainText(/Last backup — → \d{4}-\d\d-\d\d/)
    await expect(effect('Restarted: “acted”')).toContainText(RESTARTED)
    // The page measured it a moment before: journals and temporary files come and go in steps of up to half a megabyte.
    // Journals that were left out made 10 %.
    const onDisk = /On disk .+B → ([\d.]+) MiB/
    await expect(effect('Compacted: “acted”')).toContainText(onDisk)
    const shownMib = Number(onDisk.exec((await effect('Compacted: “acted”').textContent()) ?? '')?.[1])
    expect(Math.abs(shownMib - compactedToMib)).toBeLessThan(0.05 * compactedToMib)
    await expect(effect('Disabled: “acted”')).toContainText(/State (loaded|not known) → disabled/)
    await expect(effect('Enabled: “acted”')).toContainText(/State (disabled|not known) → (loaded|not loaded)/)
    await putIndexes(raven.url, NAME, [{ Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.n }'] }])
    const done = ['Backed up', 'Flushed', 'Synced', 'Restarted', 'Compacted', 'Disabled', 'Enabled']
    await expectMarked(page, raven.studio, { database: NAME, actions: done.map((verb) => `${verb}: “${NAME}”`) })
    await page.goto(raven.studio('#/databases'))
  })

  await test.step('a lock that ignores deletion: nothing happened', async () => {
    await lock('Lock, ignore deletion')
    await said(page, /Done.*Lock mode changed/)
    expect((await listed(raven.url, NAME))?.LockMode).toBe('PreventDeletesIgnore')
    await act(page, 'Delete with all files …')
    await expect(dialog(page)).toContainText(/Its last backup is of \d{4}-\d\d-\d\d [\d:]{8} UTC\./)
    await expect(dialog(page).getByRole('button', { name: 'Delete with all files' })).toBeDisabled()
    await dialog(page)
      .getByRole('textbox', { name: `Type ${NAME} to confirm` })
      .fill(NAME)
    await confirm(page, 'Delete with all files')
    await said(page, /Nothing happened.*lock mode is PreventDeletesIgnore/)
    expect(await listed(raven.url, NAME)).not.toBeNull()
  })

  await test.step('deleted, and created again by another client before the page can see it', async () => {
    await page.context().route(/admin\/databases\?raft/, async (route) => {
      const answer = await route.fetch()
      await createDatabase(raven.url, CREATED)
      await route.fulfill({ response: answer })
    })
    await actOn(page, `“${CREATED}”`, 'Delete with all files …')
    await dialog(page)
      .getByRole('textbox', { name: `Type ${CREATED} to confirm` })
      .fill(CREATED)
    await confirm(page, 'Delete with all files')
    await said(page, /Done.*Deleted: “created”.*exists again: another client has created it since/)
    await page.context().unrouteAll({ behavior: 'wait' })
  })

  await test.step('delete', async () => {
    await lock('Unlock')
    await said(page, /The server reports lock mode Unlock/)
    await deleteIt(page, raven)
  })
  await rm(folder, { recursive: true, force: true })
})

test('a running query is killed, and garbage is collected @full', async ({ page, raven }) => {
  test.setTimeout(180_000)
  await createDatabase(raven.url, QUERIED)
  const documents = Array.from({ length: 20_000 }, (_, i) => put(`things/${i}`, 'Things', { n: i }))
  await bulk(raven.url, QUERIED, documents)
  await page.goto(raven.studio('#/activity?v=1&activity.view=queries'))
  await expect(page.getByText(/No query runs for more than/)).toBeVisible({ timeout: LONG_MS })
  const victim = fetch(`${raven.url}${databasePath(QUERIED)}/queries`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Query: SLOW }),
  })
  await page.getByRole('button', { name: /^Kill query/ }).click({ timeout: LONG_MS })
  await confirm(page, 'Kill query')
  await said(page, /Done.*Killed: query \d+ on “queried”/)
  expect(await (await victim).text()).toContain('OperationCanceledException')
  const running = (await json(raven.url, `${databasePath(QUERIED)}/debug/queries/running`)) as object
  expect(Object.keys(running).filter((key) => key !== '@metadata')).toEqual([])

  const collected = async (): Promise<number> => {
    const { FullBlocking: full } = (await json(raven.url, '/admin/debug/memory/gc')) as {
      FullBlocking: { Index: number }
    }
    return full.Index
  }
  const before = await collected()
  await page.goto(raven.studio('#/server'))
  await page.getByRole('button', { name: 'Collect garbage' }).click({ timeout: LONG_MS })
  await confirm(page, 'Collect garbage')
  await said(page, /Done.*Managed memory: .* before/)
  expect(await collected()).toBeGreaterThan(before)

  await putIndexes(raven.url, QUERIED, [{ Name: 'Nothing/ByN', Maps: ['from t in docs.Nothing select new { t.n }'] }])
  await page.goto(raven.studio('#/activity?v=2&activity.view=done'))
  const effect = (words: string): Locator =>
    page.getByRole('listitem').filter({ hasText: words }).getByRole('group', { name: 'Effect' })
  await expect(effect('Killed: query')).toContainText(
    /This query (runs → gone.*Queries that run 1 → 0 1 less|not known → gone)/,
  )
  await expect(effect('Garbage collected')).toContainText(/Managed memory .+B → .+B/)
  await expectMarked(page, raven.studio, { database: QUERIED, actions: ['Killed: query', 'Garbage collected'] })
})
