import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { bulk, createDatabase, databasePath, deleteDatabase, put as command } from '../../tools/ravendb/client.mjs'
import { overflowPx, violations } from '../support/accessibility.ts'
import { confirm, dialog, LONG_MS } from '../support/actions.ts'
import { expect, test, type Raven } from '../support/raven.ts'

/* Documents: browsed, edited and saved by clicks, with what another client finds then. */

const NAME = 'texts'
const ODD_ID = 'orders/odd?&#%"<b>x</b>\u202Eé'
const NUMBERS =
  '"Id":12345678901234567890,"Price":1.10,"Long":0.123456789012345678901234567890,"Exp":1E+2,"Neg":-0.0,"Max":9223372036854775808'
const TEXT = `{${NUMBERS},"Name":"<img src=x onerror=alert(1)>","Customer":"customers/1","Lines":[{"N":1},{"N":2}],"@metadata":{"@collection":"Orders","Own":1.50}}`

const place = (id: string): string => `${databasePath(NAME)}/docs?id=${encodeURIComponent(id)}`

/** Another client. */
const other = (raven: Raven) => ({
  put: async (id: string, text: string): Promise<void> => {
    const response = await fetch(raven.url + place(id), { method: 'PUT', body: text })
    expect(response.status, await response.text()).toBe(201)
  },
  remove: async (id: string): Promise<void> => {
    expect((await fetch(raven.url + place(id), { method: 'DELETE' })).status).toBe(204)
  },
  /** Text of the document in the server's response. */
  get: async (id: string): Promise<string> => (await fetch(raven.url + place(id))).text(),
})

/** Removes the parts that change with each save. */
const lasting = (text: string): string => text.replaceAll(/"@change-vector":"[^"]*"|"@last-modified":"[^"]*"/g, '""')

const editor = (page: Page, id: string): Locator => page.getByRole('textbox', { name: `Text of ${id}` })

/** Types in place of the first occurrence of a text. */
async function replace(page: Page, id: string, from: string, to: string): Promise<void> {
  const text = editor(page, id)
  await text.click()
  await page.keyboard.press('ControlOrMeta+f')
  const find = page.getByRole('textbox', { name: 'Find' })
  // The panel of the search takes what is typed by its keys.
  await find.fill('')
  await find.pressSequentially(from)
  await find.press('Enter')
  await find.press('Escape')
  await expect(text).toBeFocused()
  await page.keyboard.insertText(to)
}

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save …' }).click()

test.beforeEach(async ({ raven }) => {
  await createDatabase(raven.url, NAME)
  const { put } = other(raven)
  await put(ODD_ID, TEXT)
  await put('customers/1', '{"Name":"A","@metadata":{"@collection":"Customers"}}')
  await bulk(
    raven.url,
    NAME,
    Array.from({ length: 250 }, (_, i) => command(`orders/${String(i)}`, 'Orders', { N: i })),
  )
})
test.afterEach(async ({ page, raven }) => {
  await page.goto('about:blank').catch(() => undefined)
  await deleteDatabase(raven.url, NAME)
})

test('a document is found, one value is changed, and every other byte stays as it was', async ({ page, raven }) => {
  test.setTimeout(240_000)
  const { get, put, remove } = other(raven)
  await page.goto(raven.studio(`#/documents?db=${NAME}`))
  const collections = page.getByRole('navigation', { name: 'Collections' })
  await expect(collections).toContainText(/All documents\s*252.*Customers\s*1.*Orders\s*251/s, { timeout: LONG_MS })
  await collections.getByRole('button', { name: 'Orders' }).click()
  const table = page.getByRole('table', { name: 'Documents' })
  await expect(table).toHaveAttribute('aria-rowcount', '252')
  // The last of them by one move of the bar.
  await table.evaluate((box) => {
    box.scrollTop = box.scrollHeight
  })
  // Those that are selected are exported as they are now, with the digits that the server has.
  await page.getByRole('checkbox', { name: 'Select orders/odd' }).check()
  await page.getByRole('checkbox', { name: 'Select orders/0', exact: true }).check()
  await remove('orders/0')
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  await page.getByRole('button', { name: 'Export the selected documents' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^NDJSON/ }).click(),
  ])
  const exported = await readFile(await download.path(), 'utf8')
  expect(exported.trimEnd().split('\n')).toHaveLength(1)
  expect(exported).toContain(NUMBERS)
  await expect(page.getByText('1 of 2 documents exported: the rest does not exist any more.')).toBeVisible()
  await page.getByRole('button', { name: 'orders/odd' }).click()

  await expect(editor(page, 'orders/odd')).toContainText('12345678901234567890', { timeout: LONG_MS })
  const before = await get(ODD_ID)
  await replace(page, 'orders/odd', '1.10', '1.100')
  await save(page)
  await expect(dialog(page)).toContainText('1.100')
  await confirm(page, 'Save')
  await expect(dialog(page)).toHaveCount(0, { timeout: LONG_MS })
  await expect(page.getByRole('button', { name: 'Save …' })).toBeDisabled()
  const after = await get(ODD_ID)
  expect(lasting(after)).toBe(lasting(before).replace('"Price":1.10,', '"Price":1.100,'))
  expect(after).toContain(NUMBERS.replace('1.10', '1.100'))

  // Text that is no JSON is not sent, and its place is shown.
  await replace(page, 'orders/odd', '1E+2', 'nul')
  await expect(page.getByText('This is no value of JSON.')).toBeVisible()
  await save(page)
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard changes' }).click()

  // Another client changes it: announced, and compared with what was typed.
  await replace(page, 'orders/odd', '1.100', '7')
  await put(ODD_ID, TEXT.replace('1.10', '1.100').replace('"N":2', '"N":22'))
  await save(page)
  await confirm(page, 'Save')
  const conflict = page.getByRole('region', { name: 'Conflict' })
  await expect(conflict).toContainText('Another client has changed this document', { timeout: LONG_MS })
  expect(await get(ODD_ID)).toContain('"N":22')
  expect(await get(ODD_ID)).not.toContain('"Price":7')
  await conflict.getByRole('button', { name: 'Merge both' }).click()
  await conflict.getByRole('button', { name: 'Continue with the text on the right' }).click()
  await save(page)
  await confirm(page, 'Save')
  await expect(dialog(page)).toHaveCount(0, { timeout: LONG_MS })
  await expect.poll(() => get(ODD_ID), { timeout: LONG_MS }).toContain('"Price":7,')
  expect(await get(ODD_ID)).toContain('"N":22')

  // A text in the tree that is the id of a document leads there.
  await page.getByText('Tree', { exact: true }).click()
  await page.getByRole('button', { name: '"customers/1"' }).click()
  await expect(editor(page, 'customers/1')).toContainText('"A"')
  expect(await violations(page, 'wide')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await violations(page, 'narrow')).toEqual([])
  expect(await overflowPx(page)).toBeLessThanOrEqual(0)
})

test('a draft is back after its page was killed, and is saved then', async ({ page, raven, complaints, context }) => {
  test.setTimeout(240_000)
  complaints.allow(/the page crashed/)
  const { get } = other(raven)
  await page.goto(raven.studio(`#/documents?db=${NAME}&documents.id=customers/1`))
  await expect(editor(page, 'customers/1')).toContainText('"A"', { timeout: LONG_MS })
  await replace(page, 'customers/1', '"A"', '"kept"')
  const stored = (): Promise<string> =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('rookery-drafts')
          opening.onsuccess = () => {
            const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
            all.onsuccess = () => {
              opening.result.close()
              resolve(JSON.stringify(all.result))
            }
          }
        }),
    )
  await expect.poll(stored, { intervals: [50] }).toContain('kept')
  const session = await context.newCDPSession(page)
  // Chromium does not respond to this command.
  session.send('Page.crash').catch(() => undefined)
  const next = await context.newPage()
  await next.goto(raven.studio(`#/documents?db=${NAME}`))
  await next.getByRole('button', { name: 'Drafts (1)' }).click({ timeout: LONG_MS })
  await next.getByRole('table', { name: 'Drafts' }).getByRole('button', { name: 'customers/1', exact: true }).click()
  await expect(next.getByText(/This is your draft of/)).toBeVisible({ timeout: LONG_MS })
  await expect(editor(next, 'customers/1')).toContainText('"kept"')
  expect(await get('customers/1')).toContain('"A"')
  await save(next)
  await confirm(next, 'Save')
  await expect.poll(() => get('customers/1'), { timeout: LONG_MS }).toContain('"kept"')
  await expect(next.getByRole('button', { name: 'Drafts', exact: true })).toBeVisible()
})
