import type { Page } from '@playwright/test'
import { HALF_HOUR } from './studio.ts'
import { expect } from './watched-page.ts'

/** Whether each of these actions is marked on the timelines of I/O, Indexing and Server, and after a reload too. */
export async function expectMarked(
  page: Page,
  studio: (hash: string) => string,
  { database, actions }: { readonly database: string; readonly actions: readonly string[] },
): Promise<void> {
  for (const panel of ['io', 'indexing', 'server']) {
    await page.goto(studio(`#/${panel}?v=1&s=db:${database}&${HALF_HOUR}`))
    if (panel === 'server') await page.reload()
    const markers = page.getByRole('list', { name: 'Actions in this time' }).first()
    for (const action of actions) await expect(markers, panel).toContainText(action, { timeout: 60_000 })
  }
}
