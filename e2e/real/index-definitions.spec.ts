import { createDatabase, json, put } from '../../tools/ravendb/client.mjs'
import { LONG_MS } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'

const DATABASE = 'defined'

interface Definition {
  readonly Maps: readonly string[]
}

test('an index is written, refused at its line, tested, saved, and says why a document fails', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  // A test without saving, which also finds the failing field, came with 6.2.
  const canTest = !raven.version.startsWith('5.4')
  await createDatabase(raven.url, DATABASE)
  await json(raven.url, `/databases/${DATABASE}/bulk_docs`, {
    method: 'POST',
    body: { Commands: [0, 1, 2].map((n) => put(`things/${n}`, 'Things', { N: n })) },
  })
  const definitionOf = async (name: string): Promise<Definition | undefined> => {
    const path = `/databases/${DATABASE}/indexes?name=${encodeURIComponent(name)}`
    const found = (await json(raven.url, path).catch(() => null)) as { readonly Results: readonly Definition[] } | null
    return found?.Results[0]
  }
  await page.goto(raven.studio(`#/index-definitions?db=${DATABASE}`))
  const map = page.getByRole('textbox', { name: 'Map', exact: true })
  const retype = async (text: string): Promise<void> => {
    await map.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }

  await page.getByRole('button', { name: 'New index' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Things/Share')
  await retype('from t in docs.Things\nselect new { Share = Foo(t.N) }')
  const testButton = page.getByRole('button', { name: /^Test on/ })
  if (canTest) await testButton.click()
  else {
    await expect(testButton).toBeDisabled()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await expect(page.getByRole('alert').filter({ hasText: "The name 'Foo' does not exist" })).toBeVisible({
    timeout: LONG_MS,
  })
  await expect(page.locator('.cm-lintRange-error')).toHaveText('Foo')

  // The draft is still there after a reload.
  await page.reload()
  await expect(map).toContainText('Foo(t.N)')
  await retype('from t in docs.Things\nselect new { Share = 6 / (t.N - 1) }')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => definitionOf('Things/Share'), { timeout: LONG_MS }).toBeDefined()
  expect((await definitionOf('Things/Share'))?.Maps).toEqual([
    'from t in docs.Things\nselect new { Share = 6 / (t.N - 1) }',
  ])

  // The list of indexes has a column of that name.
  const definition = page.getByRole('region', { name: 'Definition of Things/Share' })
  await definition.getByRole('button', { name: 'Errors', exact: true }).click()
  await page.getByRole('button', { name: 'things/1' }).click({ timeout: LONG_MS })
  await expect(page.getByText('Attempted to divide by zero')).toBeVisible()
  await expect(page.getByLabel('Document things/1')).toContainText('"N": 1')
  const find = page.getByRole('button', { name: 'Find the failing field' })
  if (canTest) {
    await find.click()
    await expect(page.getByText('Share fails on this document; marked in the map.')).toBeVisible({ timeout: LONG_MS })
    await expect(page.locator('.cm-lintRange-error')).toHaveText('6 / (t.N - 1)')
  } else await expect(find).toBeDisabled()

  // A change is shown before it is saved.
  await retype('from t in docs.Things\nselect new { Share = t.N }')
  await page.getByRole('button', { name: 'Save …' }).click()
  await page.getByRole('button', { name: 'Save index' }).click()
  await expect
    .poll(async () => (await definitionOf('Things/Share'))?.Maps[0], { timeout: LONG_MS })
    .toContain('Share = t.N')
  // The page has read it again: until then its History compares with the definition before.
  await expect(page.getByText('changed here and not saved')).toHaveCount(0, { timeout: LONG_MS })
  await expect(map).toContainText('Share = t.N')

  // The earlier definition goes back into the editor, and is saved only through the same difference.
  await page.getByRole('button', { name: 'History', exact: true }).click()
  await page.getByRole('button', { name: 'Restore …' }).click({ timeout: LONG_MS })
  await expect(map).toContainText('Share = 6 / (t.N - 1)')
  await expect(page.getByRole('button', { name: 'Save index' })).toBeVisible()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Terms' }).click()
  await expect(page.getByRole('table', { name: 'Terms of Share' }).getByRole('row')).toHaveCount(4, {
    timeout: LONG_MS,
  })
})
