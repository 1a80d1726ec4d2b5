import { readFile } from 'node:fs/promises'
import { createDatabase, json } from '../../tools/ravendb/client.mjs'
import { confirm, LONG_MS } from '../support/actions.ts'
import { expect, test, type Raven } from '../support/raven.ts'

const ORDERS = 250
const EXACT = '"Big":9007199254740993,"Price":1.10,"Far":1.0e300'

const namesOf = async ({ url }: Raven): Promise<readonly string[]> =>
  ((await json(url, '/databases/asked/indexes?namesOnly=true')) as { readonly Results: readonly string[] }).Results

async function fill(raven: Raven): Promise<void> {
  await createDatabase(raven.url, 'asked')
  const orders = Array.from(
    { length: ORDERS },
    (_, n) =>
      `{"Id":"orders/${String(n).padStart(3, '0')}","Type":"PUT","Document":{"N":${n},${EXACT},"@metadata":{"@collection":"Orders"}}}`,
  )
  const response = await fetch(`${raven.url}/databases/asked/bulk_docs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"Commands":[${orders.join(',')}]}`,
  })
  expect(response.status).toBe(201)
  await json(raven.url, '/databases/asked/admin/indexes', {
    method: 'PUT',
    body: { Indexes: [{ Name: 'Orders/ByN', Maps: ['from o in docs.Orders select new { o.N }'] }] },
  })
}

test('a query is written, run, shown exactly and exported, and no index is made by accident', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  await fill(raven)
  await page.goto(raven.studio('#/query?db=asked'))
  const editor = page.getByRole('textbox', { name: 'Query in RQL' })
  const run = page.getByRole('button', { name: 'Run', exact: true })
  const retype = async (text: string): Promise<void> => {
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
    // A list of completions would take the next Enter for itself.
    await page.keyboard.press('Escape')
  }

  await test.step('names come by completion', async () => {
    await editor.click()
    await page.keyboard.type('from Or')
    // A click, since the editor leaves Enter to the text for a moment after the list has opened.
    await page.getByRole('option', { name: /^Orders/ }).click({ timeout: LONG_MS })
    await expect(editor).toHaveText('from Orders')
  })

  await test.step('what is wrong is marked at its place, and what was typed stays', async () => {
    await retype('from Orders whre N > 1')
    await run.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Expected end of query but got: N' })).toBeVisible()
    await expect(page.locator('.cm-lintRange-error')).toHaveText('N')
    await expect(editor).toHaveText('from Orders whre N > 1')
  })

  await test.step('a query without an index is not run, and says what it takes', async () => {
    const before = await namesOf(raven)
    await retype('from Orders where N > 1')
    await run.click()
    const needs = page.getByRole('status').filter({ hasText: 'No index answers this query' })
    await expect(needs).toContainText(`an automatic index of Orders by N: it reads ${ORDERS} documents`)
    expect(await namesOf(raven)).toEqual(before)
  })

  await test.step('results are those of the server, to the last one, and survive a reload as text', async () => {
    await retype("from index 'Orders/ByN' where N >= 10 order by N as long include timings()")
    await run.click()
    await expect(page.getByRole('status').filter({ hasText: `${ORDERS - 10} results` })).toBeVisible({
      timeout: LONG_MS,
    })
    const table = page.getByRole('table', { name: 'Results' })
    const first = table.getByRole('row').nth(1)
    for (const text of ['orders/010', '9007199254740993', '1.10', '1.0e300']) await expect(first).toContainText(text)
    await first.click()
    await page.keyboard.press('End')
    await expect(table.getByText(`orders/${ORDERS - 1}`)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Timings' })).toBeVisible()
    await page.reload()
    await expect(editor).toHaveText(/^from index/)
    // A link and a reload run nothing.
    await expect(page.getByRole('table', { name: 'Results' })).toHaveCount(0)
  })

  await test.step('every result is exported', async () => {
    await run.click()
    await expect(page.getByRole('table', { name: 'Results' })).toBeVisible({ timeout: LONG_MS })
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
    await page.getByRole('button', { name: 'Export results' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^NDJSON/ }).click(),
    ])
    await expect(page.getByRole('menu', { name: 'Export results' })).toBeHidden()
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(ORDERS - 10)
    expect(lines.every((line) => line.includes(EXACT))).toBe(true)
    await expect(page.getByText(`${ORDERS - 10} results exported, as many as the server has.`)).toBeVisible()
  })

  await test.step('a patch is shown before it runs, and what it finds is typed', async () => {
    await retype("from index 'Orders/ByN' where N >= 240 update { this.Note = 'patched' }")
    await page.getByRole('button', { name: 'Preview patch' }).click()
    const preview = page.getByRole('region', { name: 'Preview of the patch' })
    await expect(preview.getByText('10 documents found by Orders/ByN. Nothing was changed.')).toBeVisible()
    await expect(preview.locator('.cm-merge-b')).toContainText('"Note": "patched"')
    const noteOf = async (): Promise<unknown> => {
      const found = (await json(raven.url, '/databases/asked/docs?id=orders/240')) as {
        readonly Results: readonly { readonly Note?: unknown }[]
      }
      return found.Results[0]?.Note
    }
    expect(await noteOf()).toBeUndefined()
    await preview.getByRole('button', { name: /^Patch by query/ }).click()
    await page.getByRole('dialog').getByLabel('Type 10 to confirm').fill('10')
    await confirm(page, 'Patch by query')
    await expect.poll(noteOf, { timeout: LONG_MS }).toBe('patched')
    await expect(page.getByText('Documents were changed since this preview was read.')).toBeVisible()
  })

  await test.step('the index is made once it is confirmed', async () => {
    await retype('from Orders where N > 1')
    await run.click()
    await page.getByRole('button', { name: /^Create automatic index/ }).click()
    await confirm(page, 'Create automatic index')
    await expect.poll(() => namesOf(raven), { timeout: LONG_MS }).toContain('Auto/Orders/ByN')
    await page.getByRole('button', { name: 'Run the query' }).click()
    await expect(page.getByRole('status').filter({ hasText: `${ORDERS - 2} results` })).toBeVisible({
      timeout: LONG_MS,
    })
  })
})
