import type { Page } from '@playwright/test'
import { summaryOf } from '../support/studio.ts'
import { readOutline, type Outline } from './outline.ts'
import { openPanel } from '../support/panels.ts'

/** Texts that a page must not show about a healthy server. */
const BLAMES =
  /connection (was )?lost|unresponsive|not heard|no data for too long|stood still|does not answer|did not answer|no data received/i
/** Reasons of gaps, in the summary for tests from outside. */
const BLAMING_REASONS = new Set(['socket-closed', 'server-stopped', 'server-unresponsive'])

/** Collects what pages say of a server, to be held against what it was. */
export class HealthWatch {
  readonly #reported = new Set<string>()

  /** Looks at whatever panel is open; on Triage also at its findings. */
  read(outline: Outline): void {
    const main = outline.find('main')
    const panel = main?.find('heading')?.text ?? ''
    for (const role of ['status', 'paragraph', 'listitem', 'term', 'definition', 'tooltip'])
      for (const { text } of outline.all(role)) if (BLAMES.test(text)) this.#reported.add(`${panel}: ${text}`)
    if (panel !== 'Triage') return
    for (const item of main?.all('listitem') ?? []) {
      const title = item.find('heading')?.text
      if (title !== undefined && /^critical\b/.test(item.text)) this.#reported.add(`${panel}: critical: ${title}`)
    }
  }

  /** Opens Triage for what it found meanwhile. */
  async visitTriage(page: Page): Promise<void> {
    await openPanel(page, 'Triage')
    await page.getByRole('region', { name: 'Vital signs' }).waitFor()
    this.read(await readOutline(page))
    for (const { source, reason } of (await summaryOf(page)).gaps)
      if (BLAMING_REASONS.has(reason)) this.#reported.add(`a gap of ${source}: ${reason}`)
  }

  /** Points between so many parts of the chart on Server, which says there what is not known, and why. */
  async sweepChart(page: Page, parts: number): Promise<void> {
    const box = await page.getByRole('application', { name: 'Figures of the server over time' }).boundingBox()
    if (box === null) throw new Error('Server shows no chart.')
    for (let i = 1; i < parts; i++) {
      await page.mouse.move(box.x + (box.width * i) / parts, box.y + box.height / 3)
      this.read(await readOutline(page))
    }
    await page.mouse.move(0, 0)
  }

  get reported(): readonly string[] {
    return [...this.#reported]
  }
}
