import { createDatabase, databasePath, deleteDatabase, json, putIndexes } from '../../tools/ravendb/client.mjs'
import { actOn, BY_N, confirm, dialog, LONG_MS, mayChange, said } from '../support/actions.ts'
import { expect, test } from '../support/raven.ts'
import { openDoneHere, openPanel } from '../support/panels.ts'
import { HALF_HOUR } from '../support/studio.ts'

/* Names, targets and clicks that an administrator does not plan for. */

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

/** Names of databases are letters, digits, `_`, `-` and `.`. */
const NAME = '__proto__'
const PATH = databasePath(NAME)
/** Hostile names for indexes: those of databases, and one with `/`. */
const STATIC = ['__proto__', 'constructor', 'x/y.z', `long-${'n'.repeat(123)}`]
/** The server makes their indexes, with whatever is in the name of the collection. */
const COLLECTIONS = [`a'b"c`, '🦆 & x=1?#%2F <b>']
const NAMES = [...STATIC, ...COLLECTIONS.map((collection) => `Auto/${collection}/ByN`)]

test('indexes and a database of hostile names are acted on, and no others @full', async ({ page, raven }) => {
  test.setTimeout(240_000)
  page.setDefaultTimeout(LONG_MS)
  const { url } = raven
  const statuses = async (): Promise<Record<string, string>> => {
    const { Results: all } = (await json(url, `${PATH}/indexes/stats`)) as {
      Results: { Name: string; Status: string }[]
    }
    return Object.fromEntries(all.map(({ Name: name, Status: status }) => [name, status]))
  }
  await page.goto(raven.studio('#/databases'))
  await page.getByRole('button', { name: 'Create database' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(NAME)
  await confirm(page, 'Create database')
  await said(page, `The server has the database “${NAME}”.`)
  for (const collection of COLLECTIONS)
    await json(url, `${PATH}/queries`, {
      method: 'POST',
      body: { Query: `from ${JSON.stringify(collection)} where N > 1` },
    })
  // The map differs, or the server would take them for one.
  await putIndexes(
    url,
    NAME,
    STATIC.map((name, i) => ({ Name: name, Maps: [`from t in docs.Things select new { F${i} = t.N }`] })),
  )
  try {
    await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}&indexing.view=indexes`))
    const paused: string[] = []
    for (const name of NAMES) {
      await page.getByRole('button', { name: `Actions on “${name}” of “${NAME}”`, exact: true }).click()
      await page.getByRole('menuitem', { name: 'Pause indexing' }).click()
      await said(page, `Done · Paused: “${name}” of “${NAME}”`)
      paused.push(name)
      const now = await statuses()
      expect(NAMES.filter((each) => now[each] === 'Paused')).toEqual(paused)
    }

    await test.step('two clicks while the server does not answer are one request', async () => {
      const [name = ''] = NAMES
      const requested: string[] = []
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.context().route(/indexes\/start/, async (route) => {
        requested.push(route.request().url())
        await held
        await route.continue().catch(() => undefined)
      })
      const reminder = page
        .getByRole('list', { name: 'Stopped by you' })
        .getByRole('listitem')
        .filter({ hasText: name })
      await reminder.getByRole('button', { name: 'Resume indexing' }).dblclick()
      await expect.poll(() => requested.length).toBe(1)
      await reminder.getByRole('button', { name: 'Resume indexing' }).click()
      // The page is loaded again in the middle of it.
      await page.reload()
      release()
      await page.context().unroute(/indexes\/start/)
      await openDoneHere(page)
      const entry = page.getByRole('list', { name: 'Actions from this browser' }).getByRole('listitem').first()
      await expect(entry).toContainText(`“${name}” of “${NAME}”`)
      await expect(entry).toContainText(/Done|Nothing happened/, { timeout: LONG_MS })
      const isDone = ((await entry.textContent()) ?? '').includes('Done')
      expect((await statuses())[name]).toBe(isDone ? 'Running' : 'Paused')
      expect(requested).toHaveLength(1)
    })

    await test.step('a dialog that stays open follows its target, and says when it is gone', async () => {
      const [, name = '', other = ''] = STATIC
      const target = `“${name}” of “${NAME}”`
      await page.goto(raven.studio(`#/indexing?v=1&s=db:${NAME}&${HALF_HOUR}`))
      const lanes = page.getByRole('group', { name: 'Lanes' })
      await lanes.getByRole('button', { name: `Actions on ${target}`, exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Delete …' }).click()
      await expect(dialog(page)).not.toContainText('It is locked')
      const body = { IndexNames: [name], Mode: 'LockedError' }
      await json(url, `${PATH}/indexes/set-lock`, { method: 'POST', body })
      await expect(dialog(page)).toContainText('It is locked: the server will not delete it.')
      await json(url, `${PATH}/indexes/set-lock`, { method: 'POST', body: { ...body, Mode: 'Unlock' } })
      await json(url, `${PATH}/indexes?name=${encodeURIComponent(name)}`, { method: 'DELETE' })
      await expect(dialog(page).getByRole('alert')).toContainText(`${target} does not exist any more.`)
      await dialog(page).getByRole('textbox').fill(name)
      await expect(dialog(page).getByRole('button', { name: 'Delete', exact: true })).toBeDisabled()
      await page.keyboard.press('Escape')
      expect(Object.keys(await statuses())).not.toContain(name)
      expect(Object.keys(await statuses())).toContain(other)
    })

    await test.step('a database that is deleted while its dialog asks', async () => {
      await page.goto(raven.studio('#/databases'))
      await actOn(page, `“${NAME}”`, 'Restart …')
      await deleteDatabase(url, NAME)
      await expect(dialog(page).getByRole('alert')).toContainText(`“${NAME}” does not exist any more.`)
      await expect(dialog(page).getByRole('button', { name: 'Restart', exact: true })).toBeDisabled()
    })
  } finally {
    await page.goto('about:blank')
    await createDatabase(url, NAME)
    await deleteDatabase(url, NAME)
  }
})

test('a dialog does not outlive what forbids its action in another tab, nor the way back @full', async ({
  page,
  raven,
}) => {
  const name = 'asked'
  const target = `“${BY_N.Name}” of “${name}”`
  await createDatabase(raven.url, name)
  await putIndexes(raven.url, name, [BY_N])
  const changes: string[] = []
  page.context().on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (mayChange(request.method(), pathname + search)) changes.push(pathname)
  })
  const other = await page.context().newPage()
  try {
    await other.goto(raven.studio('#/databases'))
    await page.goto(raven.studio(`#/indexing?v=1&s=db:${name}&indexing.view=indexes`))
    await openPanel(page, 'Databases')
    await actOn(page, `“${name}”`, 'Delete with all files …', true)
    const button = dialog(page).getByRole('button', { name: 'Delete with all files', exact: true })
    for (const wrong of ['', `${name}x`, name.toUpperCase()]) {
      await dialog(page).getByRole('textbox').fill(wrong)
      await page.keyboard.press('Enter')
      await expect(button).toBeDisabled()
    }
    await dialog(page).getByRole('textbox').fill(name)
    await expect(button).toBeEnabled()
    await other.getByRole('button', { name: 'View only' }).click()
    await expect(dialog(page).getByRole('alert')).toContainText('View only: allow changes by the lock in the header.')
    await expect(button).toBeDisabled()
    await other.getByRole('button', { name: 'View only' }).click()
    await expect(button).toBeEnabled()
    await page.goBack()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('table', { name: `Indexes of ${name}` })).toBeVisible()
    expect(changes).toEqual([])

    // Both tabs remind of what one of them has stopped, until another client starts it.
    await actOn(page, target, 'Pause indexing')
    await other.goto(raven.studio(`#/indexing?v=1&s=db:${name}&indexing.view=indexes`))
    const reminders = [page, other].map((tab) => tab.getByRole('list', { name: 'Stopped by you' }))
    for (const reminder of reminders) await expect(reminder).toContainText(`${BY_N.Name} paused by you`)
    await json(raven.url, `${databasePath(name)}/admin/indexes/start?name=${BY_N.Name}`, { method: 'POST' })
    for (const reminder of reminders) await expect(reminder).toBeHidden()
  } finally {
    await other.close()
    await page.goto('about:blank')
    await deleteDatabase(raven.url, name)
  }
})
