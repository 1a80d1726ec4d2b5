import type { Page } from '@playwright/test'
import { expect, openIo, test } from '../support/fake.ts'
import { openDoor } from '../support/walls.ts'

/** Runs SQL, and returns what the page says of it. */
async function answerTo(page: Page, sql: string): Promise<string> {
  await page.getByLabel('SQL').fill(sql)
  await page.getByRole('button', { name: 'Run' }).click()
  const said = page.getByRole('status').filter({ hasText: / in / }).or(page.getByRole('alert'))
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden()
  return said.first().innerText()
}

test('SQL runs in the page over what it holds, loaded by a click, and reaches no address', async ({
  page,
  fake,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Playwright sees no request of a worker of Firefox that a blob started.')
  const door = await openDoor()
  let bytes = 0
  let isPacked = false
  page.on('requestfinished', (request) => {
    isPacked ||= request.url().endsWith('.woff2')
    void request.sizes().then(({ responseBodySize }) => {
      // Panels are loaded ahead meanwhile.
      if (/\/(?:duckdb|start)-[^/]*$/.test(request.url())) bytes += responseBodySize
    })
  })
  await openIo(page, fake)
  await page.evaluate(() => (location.hash += '&archive.view=ask'))
  await page.evaluate(() => (location.hash = location.hash.replace('#/io', '#/archive')))
  const load = page.getByRole('button', { name: /^Load DuckDB/ })
  await expect(load).toBeVisible()
  await page.evaluate(() => globalThis.rookery.idle())
  expect(isPacked).toBe(false)
  bytes = 0
  const mebibytes = Number(/([\d.]+)\s*MiB/.exec(await load.innerText())?.[1])
  await load.click()
  await expect(page.getByLabel('SQL')).toBeVisible({ timeout: 60_000 })
  expect(isPacked).toBe(true)
  await expect.poll(() => Math.abs(bytes / 2 ** 20 - mebibytes)).toBeLessThan(0.3)

  const held = await page.evaluate(async () => {
    await globalThis.rookery.idle()
    return globalThis.rookery.summary().rows.reduce((sum, { count }) => sum + count, 0)
  })
  expect(held).toBeGreaterThan(0)
  expect(await answerTo(page, `select count(*) as counted from io where source = 'db:Orders'`)).toMatch(
    /^1 row in .*, from [\d,]+ rows of io\./,
  )
  expect(Number(await page.getByRole('cell').first().innerText())).toBeGreaterThanOrEqual(held)

  for (const sql of [
    `select * from read_csv('${door.url}/x.csv')`,
    `select * from read_csv('${fake.url}/x.csv')`,
    `select * from '${door.url}/x.csv'`,
    'INSTALL httpfs',
    `INSTALL httpfs FROM '${door.url}'`,
    'LOAD httpfs',
    `COPY (select 1) TO '${door.url}/x.csv'`,
    `COPY (select 1) TO 'x.csv'`,
    `ATTACH '${door.url}/x.db' AS other`,
    'SET enable_external_access = true',
    'SET lock_configuration = false',
  ])
    expect(await answerTo(page, sql), sql).toMatch(/Only SELECT|Cannot access|locked|disabled/)
  expect(door.came).toEqual([])
  expect(fake.requests.filter((path) => path.includes('x.csv'))).toEqual([])
  door.close()
})

test('a statement that takes long is cancelled, and the next one is answered @full', async ({ page, fake }) => {
  await page.goto(fake.studio('#/archive?v=1&archive.view=ask'))
  await page.getByRole('button', { name: /^Load DuckDB/ }).click()
  await page.getByLabel('SQL').fill('select count(*) from range(10000000000) a(x), range(1000) b(y) where x % 7 = y')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await answerTo(page, 'select 41 + 1 as answer')).toMatch(/^1 row in /)
  await expect(page.getByRole('cell').first()).toHaveText('42')
})
