import type { Locator, Page } from '@playwright/test'

/** The link of a panel in the rail; on a narrow screen the rail is a drawer, and opened first. */
export async function panelLink(page: Page, title: string): Promise<Locator> {
  const rail = page.getByRole('navigation', { name: 'Panels' })
  const drawer = page.getByRole('button', { name: 'Panels', exact: true })
  if ((await drawer.isVisible()) && !(await rail.isVisible())) await drawer.click()
  return rail.getByRole('link', { name: title, exact: true })
}

/** Opens what was done from this browser; Activity itself opens on what runs. */
export async function openDoneHere(page: Page): Promise<void> {
  await openPanel(page, 'Activity')
  await page.getByRole('radio', { name: 'Done here' }).check({ force: true })
}

/** Opens a panel by a click in the rail. */
export async function openPanel(page: Page, title: string): Promise<void> {
  await (await panelLink(page, title)).click()
}
