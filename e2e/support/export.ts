import { readFile } from 'node:fs/promises'
import { expect, type Download, type Page } from '@playwright/test'

/** Exports everything as the format of that name; the download, and its bytes. */
export async function exportAs(
  page: Page,
  format: RegExp,
  title = 'Export I/O events',
): Promise<{ download: Download; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('radio', { name: 'Everything' }).check()
  await dialog.getByRole('radio', { name: format }).check()
  const begun = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  const download = await begun
  await expect(dialog.getByText(/^Done: /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  return { download, bytes: await readFile(await download.path()) }
}
