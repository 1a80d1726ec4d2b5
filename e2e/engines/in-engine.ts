import type { TestInfo } from '@playwright/test'
import { findEngines } from '../../tools/engines.mjs'
import type { Driver } from './driver.ts'
import { startFirefox } from './firefox.ts'
import { Studio } from './studio.ts'
import { startWebKit } from './webkit.ts'

/** Engines other than Chromium's: the name of each, and what starts a browser of it. */
export const ENGINES: readonly (readonly [name: string, start: () => Promise<Driver>])[] = [
  ['Firefox', async () => startFirefox((await findEngines()).firefox)],
  ['WebKitGTK', async () => startWebKit((await findEngines()).miniBrowser)],
]

/** Runs a story in a browser of its own. Errors: that of the story, with the text that the page showed. */
export async function inEngine(
  start: () => Promise<Driver>,
  story: (driver: Driver) => Promise<void>,
  info: TestInfo,
): Promise<void> {
  const driver = await start()
  info.annotations.push({ type: 'engine', description: driver.engine })
  try {
    await story(driver)
  } catch (error) {
    const shown = await new Studio(driver).text('body').catch(String)
    throw new Error(`${String(error)}\n\nThe page showed:\n${shown}`, { cause: error })
  } finally {
    await driver.close()
  }
}
