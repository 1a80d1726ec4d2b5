import { bulk, createDatabase, databasePath, deleteDatabase, json, put } from '../../tools/ravendb/client.mjs'
import { activity, confirm, dialog, LONG_MS } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'
import { openDoneHere } from '../support/panels.ts'

/* The same done to several databases, operations and notifications: one after another, each with its own result. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

const NAMES = ['several-a', 'several-b']
const [NAME = ''] = NAMES
const PATH = databasePath(NAME)
const SLOW = 'from Things update { for (var i = 0, s = 0; i < 9000; i++) s += i % 7; this.s = s }'

test('databases, operations and notifications are chosen and acted on together @full', async ({ page, raven }) => {
  test.setTimeout(240_000)
  page.setDefaultTimeout(LONG_MS)
  const { url } = raven
  const upTimes = async (): Promise<readonly (string | null)[]> => {
    const { Databases: all } = (await json(url, '/databases')) as {
      Databases: { Name: string; UpTime: string | null; Disabled: boolean }[]
    }
    return NAMES.map((name) => {
      const found = all.find((each) => each.Name === name)
      return found?.Disabled === true ? 'disabled' : (found?.UpTime ?? null)
    })
  }
  for (const name of NAMES) await createDatabase(url, name)
  await bulk(
    url,
    NAME,
    Array.from({ length: 3000 }, (_, i) => put(`things/${i}`, 'Things', { N: i })),
  )
  const act = (what: string): Promise<void> => page.getByRole('button', { name: `Act on ${what}` }).click()
  try {
    await test.step('databases', async () => {
      await page.goto(raven.studio('#/databases'))
      for (const name of NAMES) await page.getByRole('checkbox', { name: `Choose ${name}` }).check()
      await act('2 databases')
      await expect(page.getByRole('menuitem', { name: /^Delete/ })).toHaveCount(2)
      await page.getByRole('menuitem', { name: 'Disable …' }).click()
      for (const name of NAMES) await expect(dialog(page)).toContainText(`“${name}” is unloaded on all nodes`)
      await confirm(page, 'Disable')
      await expect.poll(upTimes, { timeout: LONG_MS }).toEqual(['disabled', 'disabled'])
      await expect(page.getByRole('row').filter({ hasText: 'disabled' })).toHaveCount(2)
      await act('2 databases')
      await page.getByRole('menuitem', { name: 'Enable …' }).click()
      await confirm(page, 'Enable')
      await expect
        .poll(upTimes, { timeout: LONG_MS })
        .toEqual([expect.stringContaining(':'), expect.stringContaining(':')])
    })

    await test.step('operations', async () => {
      const begin = async (): Promise<number> => {
        const body = { Query: { Query: SLOW } }
        const { OperationId: id } = (await json(url, `${PATH}/queries`, { method: 'PATCH', body })) as {
          OperationId: number
        }
        return id
      }
      const ids = [await begin(), await begin()]
      await page.goto(raven.studio('#/activity?v=1&activity.view=operations'))
      for (const id of ids) await page.getByRole('checkbox', { name: `Choose operation ${id} of “${NAME}”` }).check()
      await act('2 operations')
      await page.getByRole('menuitem', { name: 'Cancel operation …' }).click()
      await confirm(page, 'Cancel operation')
      const stateOf = async (id: number): Promise<string> =>
        ((await json(url, `${PATH}/operations/state?id=${id}`)) as { Status: string }).Status
      for (const id of ids) await expect.poll(() => stateOf(id), { timeout: LONG_MS }).toBe('Canceled')
      await expect(page.getByRole('button', { name: /^Act on/ })).toBeHidden()
    })

    await test.step('notifications', async () => {
      const notifications = async (): Promise<number> =>
        ((await json(url, `${PATH}/notifications`)) as { Results: unknown[] }).Results.length
      for (let i = 0; i < 2; i++)
        await (await fetch(`${url}${PATH}/smuggler/export`, { method: 'POST', body: '{}' })).arrayBuffer()
      await expect.poll(notifications, { timeout: LONG_MS }).toBeGreaterThanOrEqual(2)
      await page.goto(raven.studio('#/server?v=1&server.view=alerts'))
      const ofDatabases = page.getByRole('region', { name: 'Notifications of databases' })
      await ofDatabases.getByText(NAME, { exact: true }).click()
      const boxes = ofDatabases.getByRole('checkbox', { name: `of “${NAME}”` })
      await expect(boxes.nth(1)).toBeVisible()
      const count = await boxes.count()
      for (const box of await boxes.all()) await box.check()
      await act(`${count} notifications`)
      await page.getByRole('menuitem', { name: 'Dismiss …' }).click()
      await confirm(page, 'Dismiss')
      await expect.poll(notifications, { timeout: LONG_MS }).toBe(0)
      await expect(boxes).toHaveCount(0)
    })

    await openDoneHere(page)
    for (const name of NAMES)
      for (const done of ['Disabled', 'Enabled']) await expect(activity(page)).toContainText(`${done}: “${name}”`)
    await expect(activity(page).getByText(/^Cancelled: operation/)).toHaveCount(2)
  } finally {
    await page.goto('about:blank')
    for (const name of NAMES) await deleteDatabase(url, name)
  }
})
