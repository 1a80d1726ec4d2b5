import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  bulk,
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { activity, actOn, confirm, dialog, LONG_MS, notice, said, saidBriefly } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'
import { openDoneHere } from '../support/panels.ts'

/* Files of a database: backup and restore, export and import. */

const NAME = 'written'
const RESTORED = 'restored'
const COPY = 'copied'
const DOCUMENTS = 300

/** Chooses an action in the menu of the database's row. */
const act = (page: Page, name: string, item: string): Promise<void> => actOn(page, `“${name}”`, item)

/** Read by another client. */
async function documentsOf(url: string, name: string): Promise<number> {
  const stats = (await json(url, `${databasePath(name)}/stats`)) as { CountOfDocuments: number }
  return stats.CountOfDocuments
}

const onlyIn = async (path: string): Promise<string> => (await readdir(path))[0] ?? ''

/** Opens the dialog for a backup file of a folder, by default the only one; returns its path. */
async function dialogOfRestore(page: Page, path: string, name: string, of?: string): Promise<string> {
  const file = join(path, of ?? (await onlyIn(path)))
  await page.getByRole('button', { name: 'Restore a backup' }).click({ timeout: LONG_MS })
  await dialog(page).getByRole('textbox', { name: 'Backup file on the server' }).fill(file)
  await dialog(page).getByRole('textbox', { name: 'New database' }).fill(name)
  return file
}

let folder: string

test.beforeEach(async ({ raven }) => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-files-'))
  await createDatabase(raven.url, NAME)
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => put(`things/${i}`, 'Things', { n: i }))
  await bulk(raven.url, NAME, documents)
  await putIndexes(raven.url, NAME, [{ Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.n }'] }])
})

test.afterEach(async ({ raven, page }) => {
  await page.goto('about:blank')
  for (const name of [NAME, RESTORED, COPY])
    if ((await fetch(`${raven.url}/databases?name=${name}`)).ok) await deleteDatabase(raven.url, name)
  await rm(folder, { recursive: true, force: true })
})

test('a long backup of a number that an older operation has is followed while it runs, and done by what the server reports @full', async ({
  page,
  raven,
  ravenVersion,
}) => {
  test.skip(!ravenVersion.startsWith('5.4'), 'Others number them by the database, and list each.')
  test.setTimeout(300_000)
  const text = (): string => randomBytes(6000).toString('base64')
  for (let from = 0; from < 12; from++)
    await bulk(
      raven.url,
      NAME,
      Array.from({ length: 1000 }, (_, i) => put(`long/${from}-${i}`, 'Long', { text: text() })),
    )
  const body = { Query: { Query: 'from Nothing update { this.n = 1 }' } }
  for (let i = 0; i < 30; i++) await json(raven.url, `${databasePath(NAME)}/queries`, { method: 'PATCH', body })
  await page.goto(raven.studio('#/databases'))
  await act(page, NAME, 'Back up now …')
  await dialog(page).getByRole('textbox', { name: 'Folder on the server' }).fill(folder)
  // The server lists it with the older one of its number until it ends, in little more than a second.
  const running = saidBriefly(page, /Running · Back up now: “written”.*Read [\d,]+ documents/)
  await Promise.all([running, confirm(page, 'Back up now')])
  await said(page, /Done.*Backed up: “written”.*reports a one-time backup since/)
})

test('a backup that fails, of a number that an older operation has, ends as failed with the cause @full', async ({
  page,
  raven,
  ravenVersion,
}) => {
  test.skip(!ravenVersion.startsWith('5.4'), 'Others number them by the database, and list each.')
  const body = { Query: { Query: 'from Nothing update { this.n = 1 }' } }
  for (let i = 0; i < 40; i++) await json(raven.url, `${databasePath(NAME)}/queries`, { method: 'PATCH', body })
  // The server can write to it, and not to the path of the backup below it, which is longer than Linux allows.
  let deep = folder
  while (deep.length < 3900) deep = join(deep, 'd'.repeat(100))
  deep = join(deep, 'e'.repeat(4029 - deep.length))
  await mkdir(deep, { recursive: true })
  await page.goto(raven.studio('#/databases'))
  // The alert of the first backup is still there when the second fails, and must not be taken for its own.
  for (const time of ['first', 'second']) {
    await test.step(time, async () => {
      await act(page, NAME, 'Back up now …')
      await dialog(page).getByRole('textbox', { name: 'Folder on the server' }).fill(deep)
      await confirm(page, 'Back up now')
      await said(page, /Failed · Back up now: “written”.*The path '.*alerts that a one-time backup failed since/)
    })
  }
  await openDoneHere(page)
  await expect(activity(page).getByRole('listitem').filter({ hasText: 'Failed' })).toHaveCount(2)
})

test('a backup is restored into a new database with the same documents @full', async ({ page, raven }) => {
  test.setTimeout(300_000)
  await page.goto(raven.studio('#/databases'))
  await act(page, NAME, 'Back up now …')
  const where = dialog(page).getByRole('textbox', { name: 'Folder on the server' })
  // The server would take either for a folder of its program.
  for (const path of ['relative/x', String.raw`\\share\x`, String.raw`C:\x`]) {
    await where.fill(path)
    await expect(dialog(page).getByRole('alert')).toContainText(`“${path}” is no full path on Linux`)
    await expect(dialog(page).getByRole('button', { name: 'Back up now', exact: true })).toBeDisabled()
  }
  await where.fill(join(folder, '..'))
  await dialog(page).getByRole('button', { name: 'Browse folders' }).click()
  await dialog(page).getByRole('combobox').selectOption(folder)
  await expect(where).toHaveValue(folder)
  await expect(dialog(page)).toContainText(`is written to a new folder in ${folder} of the server`)
  await confirm(page, 'Back up now')
  await said(page, /Done.*Backed up: “written”/)
  await expect(notice(page)).toContainText(
    `is in ${raven.version.startsWith('5.') ? folder : join(folder, await onlyIn(folder))}`,
  )

  await page.getByRole('button', { name: 'Restore a backup' }).click()
  await dialog(page).getByRole('textbox', { name: 'Backup file on the server' }).fill(folder)
  await dialog(page).getByRole('button', { name: 'Find backups in this folder' }).click()
  const found = dialog(page).getByRole('combobox', { name: '1 backup found' })
  await found.selectOption({ index: 1 }, { timeout: LONG_MS })
  await expect(dialog(page).getByRole('textbox', { name: 'Backup file on the server' })).toHaveValue(/full-backup$/)
  await expect(dialog(page)).toContainText('Its ongoing tasks stay disabled.')
  await dialog(page).getByRole('textbox', { name: 'New database' }).fill(RESTORED)
  await confirm(page, 'Restore a backup')
  await said(page, /Done.*“restored” is restored, with 300 documents\./)
  expect(await documentsOf(raven.url, RESTORED)).toBe(DOCUMENTS)

  // Versions 6.2 and later delete the existing database on a restore to its name, in whatever case.
  const file = await dialogOfRestore(page, join(folder, await onlyIn(folder)), RESTORED.toUpperCase())
  const would = raven.version.startsWith('5.') ? 'the server refuses' : 'the server would delete it'
  await expect(dialog(page).getByRole('alert')).toContainText(`“${RESTORED.toUpperCase()}” exists: ${would}`)
  await expect(dialog(page).getByRole('button', { name: 'Restore a backup', exact: true })).toBeDisabled()
  // From a file that does not exist, all versions restore the other backups in its folder.
  await dialog(page).getByRole('textbox', { name: 'New database' }).fill(COPY)
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
  const box = dialog(page).getByRole('textbox', { name: 'Backup file on the server' })
  await box.fill(file.replace('full', 'incremental'))
  await expect(dialog(page).getByRole('alert')).toContainText('The server finds no backup file')
  await box.fill(folder)
  await expect(dialog(page).getByRole('alert')).toContainText('is no backup file')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
})

test('an export is imported into another database with the same documents', async ({ page, raven }) => {
  test.setTimeout(300_000)
  await createDatabase(raven.url, COPY)
  await page.goto(raven.studio('#/databases'))
  await act(page, NAME, 'Export to a file …')
  const download = page.waitForEvent('download', { timeout: LONG_MS })
  await confirm(page, 'Export to a file')
  const file = join(folder, (await download).suggestedFilename())
  await (await download).saveAs(file)
  await said(page, /Done.*300 documents written\. The file has/)
  expect(file).toMatch(/written .*\.ravendbdump$/)
  expect((await readFile(file)).length).toBeGreaterThan(100)

  await act(page, COPY, 'Import a file …')
  await expect(dialog(page)).toContainText('overwritten without asking')
  await expect(dialog(page).getByRole('button', { name: 'Import a file', exact: true })).toBeDisabled()
  await dialog(page).getByLabel('File (.ravendbdump)').setInputFiles(file)
  await confirm(page, 'Import a file')
  await said(page, /Done.*300 documents imported\./)
  expect(await documentsOf(raven.url, COPY)).toBe(DOCUMENTS)
  const { Results: indexes } = (await json(raven.url, `${databasePath(COPY)}/indexes/stats`)) as {
    Results: { Name: string }[]
  }
  expect(indexes.map(({ Name: name }) => name)).toEqual(['Things/ByN'])
})

test('an export for which this computer has no room fails, and leaves no part of a file @full', async ({
  page,
  raven,
  ravenVersion,
}) => {
  test.skip(ravenVersion !== '7.1.5', 'What is held here is the page and the disk of the browser.')
  test.setTimeout(300_000)
  const text = (): string => randomBytes(750_000).toString('base64')
  for (let from = 0; from < 100; from += 10)
    await bulk(
      raven.url,
      NAME,
      Array.from({ length: 10 }, (_, i) => put(`large/${from + i}`, 'Large', { text: text() })),
    )
  // A place for a file of any size, as the user would pick one; a test cannot press the browser's own dialog.
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      showSaveFilePicker: async () =>
        (await navigator.storage.getDirectory()).getFileHandle('picked.ravendbdump', { create: true }),
    })
  })
  await page.goto(raven.studio('#/databases'))
  const browser = await page.context().newCDPSession(page)
  await browser.send('Storage.overrideQuotaForOrigin', { origin: raven.url, quotaSize: 16 * 2 ** 20 })
  await act(page, NAME, 'Export to a file …')
  await expect(dialog(page)).toContainText(/400 documents, at least \d{3,} MiB on disk/, { timeout: LONG_MS })
  await confirm(page, 'Export to a file')
  await said(page, /Failed.*Export to a file: “written”.*There is no space left/)
  await expect(notice(page)).not.toContainText(/Done|The file has/)
  const left = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory()
    return (await (await folder.getFileHandle('picked.ravendbdump')).getFile()).size
  })
  expect(left).toBe(0)
  const stateOf = async (): Promise<string | undefined> => {
    const { Results: all } = (await json(raven.url, `${databasePath(NAME)}/operations`)) as {
      Results: { Description: { TaskType: string }; State: { Status: string } }[]
    }
    return all.find(({ Description: { TaskType: task } }) => task === 'DatabaseExport')?.State.Status
  }
  await expect.poll(stateOf, { timeout: LONG_MS }).not.toBe('InProgress')
})

test('an import of half a file fails with its cause, and what it had committed stays @full', async ({
  page,
  raven,
  complaints,
}) => {
  test.setTimeout(300_000)
  complaints.allow(/status of (500|400)/)
  const text = (): string => randomBytes(1500).toString('base64')
  const more = Array.from({ length: 3000 }, (_, i) => put(`more/${i}`, 'More', { text: text() }))
  await bulk(raven.url, NAME, more)
  const dump = await fetch(`${raven.url}${databasePath(NAME)}/smuggler/export`, { method: 'POST', body: '{}' })
  const whole = Buffer.from(await dump.arrayBuffer())
  const half = join(folder, 'half.ravendbdump')
  await writeFile(half, whole.subarray(0, whole.length / 2))
  await createDatabase(raven.url, COPY)
  await page.goto(raven.studio('#/databases'))
  await act(page, COPY, 'Import a file …')
  await dialog(page).getByLabel('File (.ravendbdump)').setInputFiles(half)
  await confirm(page, 'Import a file')
  await said(page, /Failed.*Import a file: “copied”/)
  await expect(notice(page)).not.toContainText(/Done|imported\./)
  const committed = await documentsOf(raven.url, COPY)
  expect(committed).toBeLessThan(DOCUMENTS + more.length)
  await openDoneHere(page)
  const entry = activity(page).getByRole('listitem')
  await expect(entry).toContainText('Failed')
})

test('a restore and an import that fail say why, also after a reload @full', async ({ page, raven, complaints }) => {
  test.setTimeout(300_000)
  complaints.allow(/status of (500|400)/)
  await page.goto(raven.studio('#/databases'))
  const missing = join(folder, 'nothing-here')
  await dialogOfRestore(page, missing, RESTORED, 'none.ravendb-full-backup')
  await expect(dialog(page).getByRole('alert')).toContainText(`No backup can be read in “${missing}”: Path`)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  const taken = join(folder, `2026-11-26-15-48-46.ravendb-${NAME}-A-backup`)
  await mkdir(taken)
  await writeFile(join(taken, '2026-11-26-15-48-46.ravendb-full-backup'), 'This is no backup of a database.')
  await dialogOfRestore(page, taken, RESTORED)
  await confirm(page, 'Restore a backup')
  const cause = "Cannot have a 'T' in this position"
  await said(page, new RegExp(`Failed.*Restore a backup.*${cause}`))
  // A retry would have deleted the database that has this name by now.
  await createDatabase(raven.url, RESTORED)
  await notice(page).filter({ hasText: 'Restore a backup' }).getByRole('button', { name: 'Retry' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText(`“${RESTORED}” exists`)
  await expect(dialog(page).getByRole('button', { name: 'Restore a backup', exact: true })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  const broken = join(folder, 'broken.ravendbdump')
  await writeFile(broken, 'This is no dump of a database.')
  await act(page, NAME, 'Import a file …')
  await dialog(page).getByLabel('File (.ravendbdump)').setInputFiles(broken)
  await confirm(page, 'Import a file')
  await said(page, /Failed.*Import a file: “written”/)
  expect(await documentsOf(raven.url, NAME)).toBe(DOCUMENTS)

  await openDoneHere(page)
  await page.reload()
  const list = activity(page)
  for (const action of ['Restore a backup', 'Import a file']) {
    const entry = list.getByRole('listitem').filter({ hasText: action })
    await expect(entry).toContainText('Failed')
    await expect(entry).not.toContainText('--->')
  }
  await expect(list.getByRole('listitem').filter({ hasText: 'Restore a backup' })).toContainText(cause)
})
