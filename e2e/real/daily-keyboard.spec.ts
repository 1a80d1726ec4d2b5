import type { Page } from '@playwright/test'
import { createDatabase, deleteDatabase, json, put } from '../../tools/ravendb/client.mjs'
import { violations } from '../support/accessibility.ts'
import { dialog, LONG_MS } from '../support/actions.ts'
import { walk } from '../support/keyboard.ts'
import { expect, test } from '../support/raven.ts'

/* Documents, Query and Indexes without a mouse: the keys of an editor, the way out of it, and what axe finds in each state. */

const NAME = 'by-keys'
const MAP = 'from o in docs.Orders select new { o.N }'

test.afterEach(async ({ page, raven }) => {
  await page.goto('about:blank').catch(() => undefined)
  await deleteDatabase(raven.url, NAME)
})

/** Types in place of the whole text of an editor. */
async function retype(page: Page, label: string, text: string): Promise<void> {
  await walk(page, 'Tab', page.getByRole('textbox', { name: label, exact: true }))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** Escape leaves an editor, and Tab goes on to what is behind it. */
async function leave(page: Page, label: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: label, exact: true })
  await expect(editor).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editor).not.toBeFocused()
}

test(
  'documents, queries and indexes are read, changed and saved by keys',
  { tag: '@full' },
  async ({ page, raven }) => {
    test.setTimeout(180_000)
    await createDatabase(raven.url, NAME)
    const at = `/databases/${NAME}`
    await json(raven.url, `${at}/bulk_docs`, {
      method: 'POST',
      body: { Commands: [put('orders/1', 'Orders', { N: 1, By: 'people/1' }), put('people/1', 'People', { N: 2 })] },
    })
    await json(raven.url, `${at}/admin/indexes`, { method: 'PUT', body: { Indexes: [{ Name: 'ByN', Maps: [MAP] }] } })
    const found: string[] = []
    const check = async (where: string): Promise<void> => void found.push(...(await violations(page, where)))

    await test.step('a document is opened, changed and saved', async () => {
      await page.goto(raven.studio(`#/documents?db=${NAME}`))
      await walk(page, 'Tab', page.getByRole('button', { name: 'people/1' }))
      await check('list')
      await page.keyboard.press('Enter')
      await retype(page, 'Text of people/1', '{"N":12345678901234567890,"@metadata":{"@collection":"People"}}')
      await page.keyboard.press('ControlOrMeta+s')
      await expect(dialog(page)).toContainText('12345678901234567890')
      await check('save')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await leave(page, 'Text of people/1')
      await walk(page, 'Shift+Tab', page.getByRole('button', { name: 'Save …' }))
      await page.keyboard.press('Enter')
      await expect(dialog(page).getByRole('button', { name: 'Save', exact: true })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toHaveCount(0, { timeout: LONG_MS })
      // The button that opened it is disabled now.
      await expect(page.getByRole('textbox', { name: 'Text of people/1' })).toBeFocused()
      await expect
        .poll(async () => (await fetch(`${raven.url}${at}/docs?id=people%2F1`)).text(), { timeout: LONG_MS })
        .toContain('"N":12345678901234567890')
    })

    await test.step('references are found', async () => {
      await walk(page, 'Shift+Tab', page.getByRole('radio', { name: 'Text', exact: true }))
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      const find = page.getByRole('button', { name: 'Find references in 2 documents' })
      await walk(page, 'Tab', find)
      await page.keyboard.press('Enter')
      await expect(page.getByText('1 document refers to this one in 2 documents that were read.')).toBeVisible()
      await check('references')
      await walk(page, 'Tab', page.getByRole('button', { name: 'orders/1' }))
      await page.keyboard.press('Enter')
      await expect(page.getByRole('textbox', { name: 'Text of orders/1' })).toContainText('people/1')
      await check('document')
    })

    await test.step('a query runs, and is kept under a name', async () => {
      await page.goto(raven.studio(`#/query?db=${NAME}`))
      await retype(page, 'Query in RQL', "from index 'ByN'")
      await page.keyboard.press('ControlOrMeta+Enter')
      await expect(page.getByRole('table', { name: 'Results' })).toContainText('orders/1', { timeout: LONG_MS })
      await check('results')
      await page.keyboard.press('ControlOrMeta+s')
      const name = page.getByRole('textbox', { name: 'Name' })
      await expect(name).toBeFocused()
      await page.keyboard.type('mine')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Remove mine' })).toBeVisible()
      await check('saved queries')
    })

    await test.step('an index is changed and saved', async () => {
      await page.goto(raven.studio(`#/index-definitions?db=${NAME}`))
      await walk(page, 'Tab', page.getByRole('row', { name: /^ByN/ }))
      await check('indexes')
      await page.keyboard.press('Enter')
      await retype(page, 'Map', MAP.replace('o.N', 'o.N, o.By'))
      await page.keyboard.press('ControlOrMeta+s')
      await expect(page.getByRole('region', { name: 'Changes to be saved' })).toBeFocused()
      await check('changes of an index')
      await walk(page, 'Tab', page.getByRole('button', { name: /unchanged lines/ }).first())
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: /unchanged lines/ })).toHaveCount(0)
      await walk(page, 'Tab', page.getByRole('button', { name: 'Save index' }))
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => JSON.stringify(await json(raven.url, `${at}/indexes?name=ByN`)), { timeout: LONG_MS })
        .toContain('o.By')
      await expect(page.getByRole('heading', { name: 'ByN' })).toBeFocused()
    })
    expect(found).toEqual([])
  },
)
