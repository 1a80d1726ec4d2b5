import type { Page } from '@playwright/test'
import { expect } from './watched-page.ts'

/** Half an hour, in ticks: whatever a test has done is in sight. */
const LIVE = 18_000_000_000

/** Whether each of these actions is marked on the timelines of I/O, Indexing and Server, and after a reload too. */
export async function expectMarked(
  page: Page,
  studio: (hash: string) => string,
  { database, actions }: { readonly database: string; readonly actions: readonly string[] },
): Promise<void> {
  for (const panel of ['io', 'indexing', 'server']) {
    await page.goto(studio(`#/${panel}?v=1&s=db:${database}&live=${LIVE}`))
    if (panel === 'server') await page.reload()
    const markers = page.getByRole('list', { name: 'Actions in this time' }).first()
    for (const action of actions) await expect(markers, panel).toContainText(action, { timeout: 60_000 })
  }
}
