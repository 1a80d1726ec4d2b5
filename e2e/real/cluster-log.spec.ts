import { createDatabase, deleteDatabase, putIndexes } from '../../tools/ravendb/client.mjs'
import { selectLongest } from '../support/keyboard.ts'
import { expect, startRaven, test } from '../support/raven.ts'

interface Entry {
  readonly Index: number
  readonly CommandType: string
}

/** Entries of the server's own log, read beside the page. */
async function entriesOf(url: string): Promise<readonly Entry[]> {
  const response = await fetch(`${url}/admin/cluster/log`)
  const { Log } = (await response.json()) as { Log: { Logs: readonly Entry[] } }
  return Log.Logs
}

const kindOf = ({ CommandType: type }: Entry): string =>
  type.replace(/ for .* in term \d+$/, '').replace(/Command$/, '')

test('the cluster log shows each command in its lane, in the table and in a card @full', async ({ page, raven }) => {
  await createDatabase(raven.url, 'logged')
  await putIndexes(raven.url, 'logged', [{ Name: 'Logged', Maps: ['from d in docs.Users select new { d.Name }'] }])
  await createDatabase(raven.url, 'dropped')
  await deleteDatabase(raven.url, 'dropped')

  const entries = await entriesOf(raven.url)
  await page.goto(raven.studio('#/cluster-log?cluster-log.table=on'))
  await page.getByRole('button', { name: 'Fit all' }).click()
  const lanes = page.getByRole('group', { name: 'Lanes' })
  await expect(lanes.getByText('DeleteDatabase', { exact: true })).toBeVisible()
  for (const kind of new Set(entries.map(kindOf))) await expect(lanes.getByText(kind, { exact: true })).toBeVisible()
  const table = page.getByRole('table', { name: 'Commands in view' })
  for (const entry of entries.slice(0, 5)) {
    const row = table.getByRole('row').filter({ has: page.getByText(String(entry.Index), { exact: true }) })
    await expect(row).toContainText(kindOf(entry))
    await expect(row).toContainText('committed')
  }
  await expect(page.getByRole('status').filter({ hasText: /is leader in term \d+/ })).toContainText('all committed')

  await selectLongest(page, page.getByRole('application', { name: 'Commands of the cluster' }))
  await expect(page.getByRole('region', { name: 'Selected command' })).toContainText('committed')

  // A command that comes while one looks is there after the next read.
  await createDatabase(raven.url, 'later')
  const newest = Math.max(...(await entriesOf(raven.url)).map(({ Index: index }) => index))
  // On a slow machine it also says how far behind the view is.
  await page.getByRole('button', { name: /^Live/ }).click()
  await expect(table.getByRole('row').filter({ has: page.getByText(String(newest), { exact: true }) })).toBeVisible()
})

test('before the first database there is no log, and the page says so @full', async ({ page, ravenVersion }) => {
  const raven = await startRaven({ version: ravenVersion })
  try {
    await page.goto(raven.studio('#/cluster-log'))
    await expect(page.getByRole('heading', { name: 'No cluster log yet' })).toBeVisible()
    await page.goto('about:blank')
  } finally {
    await raven.close()
  }
})
