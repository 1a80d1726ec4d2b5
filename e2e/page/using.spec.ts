import { delta, fakeEvent } from '../support/fake-answers.ts'
import { countOf, expect, openIo, test, timeline } from '../support/fake.ts'
import { saveData } from '../support/watched-page.ts'

test('a link carries range, selection, lanes, filters and clock into a fresh browser', async ({
  page,
  fake,
  browser,
}) => {
  await openIo(page, fake)
  await page.getByRole('radio', { name: 'UTC' }).check({ force: true })
  await page.getByRole('button', { name: 'Fit all' }).click()
  await page.getByRole('group', { name: 'Lanes' }).getByRole('button', { name: 'Events/ByKind', exact: true }).click()
  await page.getByRole('checkbox', { name: /Compression/ }).uncheck()
  await page.getByRole('textbox', { name: 'Duration from' }).fill('0.2 ms')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').getByRole('button').nth(1).click()
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(page).toHaveURL(/sel=.*io\.duration=|io\.duration=.*sel=/)
  await expect(page).toHaveURL(/range=\d+\.\.\d+/)
  for (const part of [/clock=utc/, /io\.open=/, /io\.hide=Compression/, /io\.table=on/])
    await expect(page).toHaveURL(part)

  const picture = async (of: typeof page): Promise<unknown> => ({
    card: await of.getByRole('region', { name: 'Selected event' }).getByRole('definition').allInnerTexts(),
    summary: await of.getByRole('group', { name: 'Summary of the view' }).innerText(),
    from: await of.getByRole('textbox', { name: 'From', exact: true }).inputValue(),
    to: await of.getByRole('textbox', { name: 'To', exact: true }).inputValue(),
    lanes: await of.getByRole('group', { name: 'Lanes' }).getByRole('button').allInnerTexts(),
    filter: await of.getByRole('textbox', { name: 'Duration from' }).inputValue(),
    table: await of.getByRole('table', { name: 'Events in view' }).getByRole('row').nth(1).innerText(),
  })
  await page.evaluate(() => globalThis.rookery.idle())
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo' })
  await saveData(context)
  const fresh = await context.newPage()
  await fresh.setViewportSize(page.viewportSize()!)
  await fresh.goto(page.url())
  const wanted = await picture(page)
  await expect.poll(() => picture(fresh)).toEqual(wanted)
  await context.close()
})

test('pausing live loses nothing, says how far behind it is, and live continues from the newest', async ({
  page,
  fake,
}) => {
  await openIo(page, fake)
  const before = await countOf(page)
  const live = page.getByRole('button', { name: /^Live/ })
  await expect(live).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(live).toHaveAttribute('aria-pressed', 'false')
  const to = page.getByRole('textbox', { name: 'To', exact: true })
  const held = await to.inputValue()
  for (let i = 0; i < 20; i++)
    fake.send('Orders', delta([fakeEvent(Date.now() + i)], { path: fake.documentsPath('Orders') }))
  await expect.poll(() => countOf(page)).toBe(before + 20)
  await expect(live).toContainText(/\d s behind/)
  await expect(to).toHaveValue(held)
  await live.click()
  await expect(live).toHaveAttribute('aria-pressed', 'true')
  await expect(to).not.toHaveValue(held)
})

test('the whole way by keyboard: skip link, timeline, focus, pin, slowest, help, table', async ({ page, fake }) => {
  await openIo(page, fake)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the panel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  for (let i = 0; i < 60 && !(await timeline(page).evaluate((e) => e === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await expect(timeline(page)).toBeFocused()

  const from = page.getByRole('textbox', { name: 'From', exact: true })
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('button', { name: /^Live/ })).toHaveAttribute('aria-pressed', 'false')
  const after = await from.inputValue()
  await page.keyboard.press('+')
  await expect(from).not.toHaveValue(after)
  await page.keyboard.press('0')
  await expect(page).toHaveURL(/range=/)

  const spoken = page.locator('[aria-live=polite]').filter({ hasText: 'Enter pins it' })
  await page.keyboard.press('m')
  await expect(spoken).toHaveText(/ on .*Enter pins it/)
  const first = await spoken.innerText()
  await page.keyboard.press('ArrowRight')
  await expect(spoken).not.toHaveText(first)
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Selected event' })
  await expect(card).toContainText('slowest of')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)

  const items = page.getByRole('region', { name: 'Slowest in view' }).getByRole('listitem').getByRole('button')
  await page.keyboard.press('n')
  await expect(items.nth(0)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('n')
  await expect(items.nth(1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('p')
  await expect(items.nth(0)).toHaveAttribute('aria-current', 'true')

  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await expect(help).toContainText('next, previous of the slowest')
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  await page.keyboard.press('End')
  await expect(page.getByRole('button', { name: /^Live/ })).toHaveAttribute('aria-pressed', 'true')
})

test('wheel zooms about the pointer, drag pans, the overview takes arrows @full', async ({ page, fake }) => {
  await openIo(page, fake)
  const span = page.getByTitle('Time in view', { exact: true })
  const box = (await timeline(page).boundingBox())!
  await page.getByRole('button', { name: 'Fit all' }).click()
  await expect(page).toHaveURL(/range=/)
  const wide = await span.innerText()
  await page.mouse.move(box.x + box.width / 2, box.y + 60)
  await page.mouse.wheel(0, -400)
  await expect(span).not.toHaveText(wide)
  const from = page.getByRole('textbox', { name: 'From', exact: true })
  await expect(page).toHaveURL(/range=/)
  const zoomed = await from.inputValue()
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 120, box.y + 60, { steps: 4 })
  await page.mouse.up()
  await expect(from).not.toHaveValue(zoomed)
  const panned = await from.inputValue()
  await page.getByRole('slider').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(from).not.toHaveValue(panned)
})
