import type { Locator, Page } from '@playwright/test'
import { createDatabase, deleteDatabase, json } from '../../tools/ravendb/client.mjs'
import { LONG_MS } from '../support/actions.ts'
import { expect, test, type Raven } from '../support/raven.ts'

/* Files of this computer, imported by clicks: what another client finds then. */

const HOME = 'home'
const FROM_CSV = 'from-csv'
const FROM_DUMP = 'from-dump'
const CANCELLED = 'cancelled'
/** Takes the server some seconds, so that it can be cancelled. */
const ROWS = 100_000

const csv = (): Buffer => {
  const rows = Array.from({ length: ROWS }, (_, n) => `rows/${n},"Name, ${n}",${n}.10,"two\nlines é"`)
  return Buffer.from(`@id,Name,Amount,Note\n${rows.join('\n')}\n`)
}

/* Another client. */
const countOf = async ({ url }: Raven, database: string): Promise<number> =>
  ((await json(url, `/databases/${database}/collections/stats`)) as { readonly CountOfDocuments: number })
    .CountOfDocuments
const textOf = async ({ url }: Raven, database: string, id: string): Promise<string> =>
  (await (await fetch(`${url}/databases/${database}/docs?id=${encodeURIComponent(id)}`)).text()).replaceAll(
    /"@change-vector":"[^"]*"|"@last-modified":"[^"]*"/g,
    '""',
  )
async function dumpOf({ url }: Raven, database: string): Promise<Buffer> {
  const response = await fetch(`${url}/databases/${database}/smuggler/export`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  return Buffer.from(await response.arrayBuffer())
}

interface ImportedFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Chooses a file and imports it into a new database. */
async function begin(page: Page, file: ImportedFile, into: string): Promise<Locator> {
  const section = page.getByRole('region', { name: 'Import' })
  await section.getByLabel('File (.csv or .ravendbdump)').setInputFiles(file)
  await section.getByRole('textbox', { name: 'Name of the new database' }).fill(into)
  await section.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(section.getByRole('group', { name: 'Progress of the import' })).toBeFocused()
  return section
}

test.afterEach(async ({ page, raven }) => {
  await page.goto('about:blank').catch(() => undefined)
  for (const name of [HOME, FROM_CSV, FROM_DUMP, CANCELLED]) await deleteDatabase(raven.url, name)
})

test(
  'a CSV file and a dump become databases, and a cancelled import stops',
  { tag: '@full' },
  async ({ page, raven }) => {
    test.setTimeout(300_000)
    await createDatabase(raven.url, HOME)
    await page.goto(raven.studio(`#/documents?db=${HOME}`))
    await page.getByRole('button', { name: 'Import', exact: true }).click({ timeout: LONG_MS })

    await test.step('a CSV file, after a look at its first rows', async () => {
      const file = { name: 'rows.csv', mimeType: 'text/csv', buffer: csv() }
      const section = page.getByRole('region', { name: 'Import' })
      await section.getByLabel('File (.csv or .ravendbdump)').setInputFiles(file)
      await expect(section.getByRole('table', { name: 'First rows of the file' })).toContainText('Name, 9')
      await section.getByRole('textbox', { name: 'Collection' }).fill('Rows')
      await begin(page, file, FROM_CSV)
      await expect(section).toContainText(/[\d,]+ documents? read\./, { timeout: LONG_MS })
      await expect(section).toContainText(`It is in “${FROM_CSV}”.`, { timeout: 2 * LONG_MS })
      expect(await countOf(raven, FROM_CSV)).toBe(ROWS)
      expect(await textOf(raven, FROM_CSV, 'rows/19999')).toContain(
        String.raw`{"Name":"Name, 19999","Amount":19999.10,"Note":"two\nlines é",`,
      )
      expect(await countOf(raven, HOME)).toBe(0)
    })

    await test.step('a CSV file that is no UTF-8 after its preview is refused', async () => {
      const section = page.getByRole('region', { name: 'Import' })
      const buffer = Buffer.concat([
        Buffer.from(`Name\n${'Miller\n'.repeat(100_000)}`),
        Buffer.from('Müller\n', 'latin1'),
      ])
      await section
        .getByLabel('File (.csv or .ravendbdump)')
        .setInputFiles({ name: 'latin.csv', mimeType: 'text/csv', buffer })
      await expect(section.getByRole('alert')).toContainText('no text in UTF-8')
      await expect(section.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
    })

    const dump = { name: 'rows.ravendbdump', mimeType: '', buffer: await dumpOf(raven, FROM_CSV) }

    await test.step('a dump', async () => {
      const section = await begin(page, dump, FROM_DUMP)
      await expect(section).toContainText(`It is in “${FROM_DUMP}”.`, { timeout: 2 * LONG_MS })
      expect(await countOf(raven, FROM_DUMP)).toBe(ROWS)
      expect(await textOf(raven, FROM_DUMP, 'rows/99999')).toBe(await textOf(raven, FROM_CSV, 'rows/99999'))
    })

    await test.step('a cancelled import', async () => {
      const section = await begin(page, dump, CANCELLED)
      await expect(section).toContainText(/[\d,]+ documents? read\./, { timeout: LONG_MS })
      await section.getByRole('button', { name: 'Cancel' }).click()
      await expect(section).toContainText('It was cancelled.', { timeout: LONG_MS })
      // Its button is gone, and the place of its progress has the focus.
      await expect(section.getByRole('group', { name: 'Progress of the import' })).toBeFocused()
      const stopped = await countOf(raven, CANCELLED)
      expect(stopped).toBeLessThan(ROWS)
      await section.getByRole('textbox', { name: 'Name of the new database' }).fill('')
      await expect(section.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
      expect(await countOf(raven, CANCELLED)).toBe(stopped)
    })

    await test.step('a name that is taken is refused', async () => {
      const section = await begin(page, dump, FROM_DUMP)
      await expect(section.getByRole('alert')).toContainText(FROM_DUMP, { timeout: LONG_MS })
      expect(await countOf(raven, FROM_DUMP)).toBe(ROWS)
    })
  },
)
