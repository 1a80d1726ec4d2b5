import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import {
  createDatabase,
  databasePath,
  deleteDatabase,
  json,
  put,
  bulk,
  putIndexes,
} from '../../tools/ravendb/client.mjs'
import { BY_N } from '../support/actions.ts'
import { selectLongest } from '../support/keyboard.ts'
import { expect, test } from '../support/raven.ts'
import { HALF_HOUR, idle } from '../support/studio.ts'

test.skip(({ ravenVersion }) => ravenVersion !== '7.1.5', 'What is held here is the page, not the server.')

const NAME = 'composed'
/** Each journal write counts as a stall: a real one would need a slow disk. */
const ANY_STALL = 'stalls.least=0.001&stalls.times=0.001'

const names = (page: Page): Locator => page.getByRole('group', { name: 'Rows' }).getByRole('button', { expanded: true })

test('any lane stands on any timeline, a selection lights what it overlaps, and the address has it all', async ({
  page,
  raven,
}) => {
  test.setTimeout(180_000)
  const { url } = raven
  await createDatabase(url, NAME)
  await putIndexes(url, NAME, [BY_N])
  await bulk(
    url,
    NAME,
    Array.from({ length: 200 }, (_, i) => put(`things/${i}`, 'Things', { N: i })),
  )
  const end = new AbortController()
  const writing = (async () => {
    for (let id = 0; !end.signal.aborted; id++, await sleep(100))
      await json(url, `${databasePath(NAME)}/docs?id=more/${String(id)}`, { method: 'PUT', body: { n: id } })
  })()
  try {
    await test.step('Timeline begins with lanes of the server, of I/O, of stalls, of indexing', async () => {
      await page.goto(raven.studio(`#/timeline?v=1&s=db:${NAME}&${ANY_STALL}`))
      for (const lane of ['CPU', 'Bottleneck', 'Journal writes', 'Stalls', 'Batches'])
        await expect(page.getByRole('region', { name: lane, exact: true }).locator('summary')).toHaveText(
          new RegExp(`^${lane}: .*\\d`),
          { timeout: 60_000 },
        )
      await expect(page.locator('main').getByRole('status').first()).toHaveText(
        /in view: .*\d+ journal writes?, .*\d+ stalls?/,
      )
    })

    await test.step('a stall is selected, and its journal write lights up', async () => {
      end.abort()
      await writing
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await expect(page).toHaveURL(/range=/)
      await page.goto(`${page.url()}&timeline.composed=stalls.stalls,io.journals`)
      await page.reload()
      for (const lane of ['Stalls', 'Journal writes'])
        await expect(page.getByRole('region', { name: lane, exact: true })).toContainText(/: \d+ /, { timeout: 30_000 })
      await idle(page)
      // The longest of both lanes, which is a mark of each: that of the upper one.
      await selectLongest(page, page.getByRole('application', { name: 'Timeline' }))
      const card = page.getByRole('region', { name: 'Selected mark' })
      await expect(card).toContainText('Stall: ')
      const written = card.getByRole('region', { name: 'Journal writes' }).getByRole('button')
      await expect(written.filter({ hasText: 'same storage' }).first()).toBeVisible()
      const text = await card.innerText()
      await page.reload()
      await expect(card).toHaveText(text, { useInnerText: true, timeout: 30_000 })
      await written.first().click()
      await expect(card).toContainText('Open in I/O')
    })

    await test.step('operations are added under I/O by typing, and a reload keeps them', async () => {
      await page.goto(raven.studio(`#/io?v=1&s=db:${NAME}&${HALF_HOUR}&io.composed=-`))
      await expect(page.getByRole('application', { name: 'I/O timeline' })).toBeVisible()
      await page.getByRole('button', { name: 'Add lane' }).click()
      await page.getByRole('searchbox', { name: 'Find a lane' }).fill('operat')
      await page.keyboard.press('Enter')
      await expect(names(page)).toHaveText([/^Operations/])
      await page.reload()
      await expect(names(page)).toHaveText([/^Operations/])
      await page.getByRole('button', { name: 'Add lane' }).click()
      await page.getByRole('searchbox', { name: 'Find a lane' }).fill('batch')
      await page.keyboard.press('Enter')
      await expect(names(page)).toHaveText([/^Operations/, /^Batches/])
      await expect(page.getByRole('region', { name: 'Batches', exact: true })).toContainText(/\d+ batch/)
    })
  } finally {
    end.abort()
    await writing
    await deleteDatabase(url, NAME)
  }
})
