import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { databasePath, deleteDatabase, json } from '../../tools/ravendb/client.mjs'
import { dialog, LONG_MS, said } from '../support/actions.ts'
import { walk } from '../support/keyboard.ts'
import { expect, test } from '../support/raven.ts'

const NAME = 'keyed-one'
const OTHER = 'keyed-two'

interface Listed {
  readonly Name: string
  readonly Disabled: boolean
  readonly LockMode: string
}

const listed = async (url: string): Promise<readonly Listed[]> =>
  ((await json(url, '/databases')) as { Databases: Listed[] }).Databases.filter(({ Name: name }) =>
    [NAME, OTHER].includes(name),
  )

const rowMenu = (page: Page, name: string): Locator =>
  page.getByRole('button', { name: `Actions on “${name}”`, exact: true })

/** Opens the menu of a button and chooses in it by arrows. */
async function chooseIn(page: Page, button: Locator, title: string): Promise<void> {
  await walk(page, 'Tab', button)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').filter({ visible: true }).first()).toBeFocused()
  await walk(page, 'ArrowDown', page.getByRole('menuitem', { name: title, exact: true }))
  await page.keyboard.press('Enter')
}

/* A notice stays for ten seconds: it is waited for from before its action is confirmed. */

/** Confirms from the button Cancel, where a dialog without a field begins. */
async function confirmFromCancel(page: Page, title: string): Promise<void> {
  await expect(dialog(page)).toHaveAccessibleDescription(/\S/)
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('button', { name: title, exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
}

/** Types into the field where a dialog begins, and Enter. */
async function confirmByField(page: Page, text: string): Promise<void> {
  await expect(dialog(page).getByRole('textbox').first()).toBeFocused()
  await page.keyboard.type(text)
  // The server is read before it may.
  await expect(dialog(page).getByRole('button').last()).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
}

async function fromPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(text)
  // The list has options before it has those of the text.
  await expect(page.getByRole('option').first()).toContainText(text, { ignoreCase: true })
  await page.keyboard.press('Enter')
}

test.afterAll(async ({ raven }) => {
  for (const { Name: name } of await listed(raven.url)) await deleteDatabase(raven.url, name)
})

test('actions on databases from beginning to end by keyboard alone, in the list and on the page @full', async ({
  page,
  raven,
}) => {
  test.setTimeout(240_000)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-keyed-'))
  await page.goto(raven.studio('#/databases'))
  await expect(page.getByRole('button', { name: 'Create database' })).toBeEnabled({ timeout: LONG_MS })

  await test.step('1, 2: create two, by the palette and by the button', async () => {
    await fromPalette(page, 'create data')
    await confirmByField(page, NAME)
    await said(page, `Database created: “${NAME}”`)
    await walk(page, 'Tab', page.getByRole('button', { name: 'Create database' }))
    await page.keyboard.press('Enter')
    await confirmByField(page, OTHER)
    await said(page, `Database created: “${OTHER}”`)
    await expect(page.getByRole('button', { name: 'Create database' })).toBeFocused()
  })

  const menu = rowMenu(page, NAME)
  await test.step('3, 4: lock and unlock in the menu of the row; the focus returns to its button', async () => {
    for (const [title, mode] of [
      ['Lock, refuse deletion', 'PreventDeletesError'],
      ['Unlock', 'Unlock'],
    ] as const) {
      const reported = `The server reports lock mode ${mode}`
      // The dialog says that resets side by side are discarded, which 5.4 does not have.
      if (raven.version.startsWith('5.4')) await Promise.all([said(page, reported), chooseIn(page, menu, title)])
      else {
        await chooseIn(page, menu, `${title} …`)
        await Promise.all([said(page, reported), confirmFromCancel(page, title)])
      }
      await expect(menu).toBeFocused()
    }
  })

  await test.step('5, 6: disable and enable', async () => {
    await chooseIn(page, menu, 'Disable …')
    await Promise.all([said(page, `Disabled: “${NAME}”`), confirmFromCancel(page, 'Disable')])
    await expect.poll(async () => (await listed(raven.url))[0]?.Disabled, { timeout: LONG_MS }).toBe(true)
    await Promise.all([said(page, `Enabled: “${NAME}”`), chooseIn(page, menu, 'Enable')])
    await expect.poll(async () => (await listed(raven.url))[0]?.Disabled, { timeout: LONG_MS }).toBe(false)
  })

  await test.step('7: back up', async () => {
    await chooseIn(page, menu, 'Back up now …')
    await Promise.all([said(page, `Backed up: “${NAME}”`), confirmByField(page, folder)])
    expect(await readdir(folder, { recursive: true })).toEqual(
      expect.arrayContaining([expect.stringMatching(/full-backup$/)]),
    )
  })

  await test.step('8: compact; its dialog has the indexes to tick', async () => {
    const Configuration = { 'Indexing.Static.SearchEngineType': 'Lucene' }
    const lucene = { Name: 'Things/ByN', Maps: ['from t in docs.Things select new { t.n }'], Configuration }
    await json(raven.url, `${databasePath(NAME)}/admin/indexes`, { method: 'PUT', body: { Indexes: [lucene] } })
    await chooseIn(page, menu, 'Compact …')
    const box = dialog(page).getByRole('checkbox', { name: lucene.Name })
    await walk(page, 'Shift+Tab', box)
    await page.keyboard.press('Space')
    await expect(dialog(page)).toContainText(`and “${lucene.Name}”.`)
    await walk(page, 'Tab', dialog(page).getByRole('button', { name: 'Compact', exact: true }))
    await page.keyboard.press('Enter')
    await said(page, /Compacted: “keyed-one”.*(Database on disk: [\d,]+ MB|It is compacted)/)
  })

  await test.step('9, 10: restart and disable on its page', async () => {
    await walk(page, 'Shift+Tab', page.getByRole('button', { name: `Details of ${NAME}` }))
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: `What can be done to “${NAME}”` })
    for (const [title, done, key] of [
      ['Restart', 'Restarted', 'Tab'],
      ['Disable', 'Disabled', 'Shift+Tab'],
    ] as const) {
      await walk(page, key, list.getByRole('button', { name: `${title} …`, exact: true }))
      await page.keyboard.press('Enter')
      await Promise.all([said(page, `${done}: “${NAME}”`), confirmFromCancel(page, title)])
    }
  })

  await test.step('11: delete both at once, chosen in the list; view only is in the palette', async () => {
    await fromPalette(page, 'view only')
    await expect(page.getByRole('button', { name: 'View only' })).toHaveAttribute('aria-pressed', 'true')
    await fromPalette(page, 'view only')
    await expect(page.getByRole('button', { name: 'View only' })).toHaveAttribute('aria-pressed', 'false')
    await page.goto(raven.studio('#/databases'))
    const row = (name: string): Locator => page.getByRole('row').filter({ has: rowMenu(page, name) })
    await walk(page, 'Tab', page.locator('[role=row][tabindex="0"]'))
    await page.keyboard.press('Home')
    for (const name of [NAME, OTHER]) {
      await walk(page, 'ArrowDown', row(name))
      await page.keyboard.press('Space')
    }
    await chooseIn(page, page.getByRole('button', { name: 'Act on 2 databases' }), 'Delete with all files …')
    await expect(dialog(page).getByRole('list', { name: 'What happens' }).getByRole('listitem')).toHaveCount(2)
    await confirmByField(page, '2')
    await expect.poll(() => listed(raven.url), { timeout: LONG_MS }).toEqual([])
  })
  await rm(folder, { recursive: true, force: true })
})
