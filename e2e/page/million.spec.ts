import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate, OUTLIER_MS } from '../../bench/generate.mjs'
import { expect, test, timeline } from '../support/fake.ts'
import { idle, summaryOf } from '../support/studio.ts'
import type { SummaryRow } from '../support/studio.ts'

const EVENTS = 1_000_000

/** Rows of the summary without the source's name and without the order in which kinds were first met. */
const figures = ({ rows }: { readonly rows: readonly SummaryRow[] }) =>
  rows
    .map((row) => ({ ...row, source: '' }))
    .toSorted((a, b) => `${a.environment} ${a.kind}`.localeCompare(`${b.environment} ${b.kind}`))

test('a million events: opened, panned, searched, exported, and opened again equal @full', async ({ page, fake }) => {
  test.setTimeout(240_000)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-million-'))
  try {
    const file = join(folder, 'million.json')
    const totals = await generate(file, EVENTS, 7)
    const opened = async (path: string) => {
      await page.goto('about:blank')
      await page.goto(fake.studio())
      await page.getByLabel('Open files', { exact: true }).setInputFiles(path)
      await expect(timeline(page)).toBeVisible()
      const summary = await summaryOf(page)
      expect(summary.rows.reduce((sum, { count }) => sum + count, 0)).toBe(EVENTS)
      return summary
    }
    const before = await opened(file)
    const kinds: Record<string, { count: number; bytes: number }> = {}
    for (const { kind, count, bytes } of before.rows) {
      const sums = (kinds[kind] ??= { count: 0, bytes: 0 })
      sums.count += count
      sums.bytes += bytes
    }
    expect(kinds).toEqual(totals.kinds)

    // The planted outlier is the slowest journal write of the documents, whatever is in view around it.
    const documents = before.rows.find(
      ({ kind, environment }) => kind === 'JournalWrite' && environment === 'Documents',
    )
    expect(documents?.slowestMs).toBe(OUTLIER_MS)

    const box = (await timeline(page).boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + 60)
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -200)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 4, box.y + 60, { steps: 8 })
    await page.mouse.up()
    await idle(page)

    const filters = page.getByRole('button', { name: 'Filters' })
    if ((await filters.getAttribute('aria-expanded')) !== 'true') await filters.click()
    await page.getByRole('searchbox', { name: 'Index or storage' }).fill('Nearby')
    const lanes = page.getByRole('group', { name: 'Lanes' })
    await expect(lanes.getByText(/Nearby/)).toBeVisible()
    await expect(lanes.getByText(/ByName/)).toHaveCount(0)
    await page.getByRole('searchbox', { name: 'Index or storage' }).fill('')

    await page.getByRole('button', { name: 'Export', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Export I/O events' })
    await dialog.getByRole('radio', { name: 'Everything' }).check()
    await dialog.getByRole('radio', { name: /^I\/O metrics/ }).check()
    const begun = page.waitForEvent('download', { timeout: 120_000 })
    await dialog.getByRole('button', { name: 'Export', exact: true }).click()
    const again = join(folder, 'again.json')
    await (await begun).saveAs(again)
    expect(figures(await opened(again))).toEqual(figures(before))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
