import { defineConfig } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'

const { path } = await findChromium()

/** Fonts, edges and colours that do not depend on the machine. */
const SAME_EVERYWHERE = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb']

const forVersion = (version: string, testDir: string) => ({ name: version, testDir, use: { ravenVersion: version } })

export default defineConfig<{ ravenVersion: string }>({
  outputDir: '../test-results',
  // Most of a test is waiting: for a server that reports every few seconds, for a database to be idle. Nothing
  // here measures speed.
  workers: 2,
  timeout: 150_000,
  // As long as it takes on two cores that five servers and four browsers share.
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // A second chance on a busy machine; the report calls such a test flaky.
  retries: 1,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: { args: SAME_EVERYWHERE, ...(path === undefined ? {} : { executablePath: path }) },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'dark',
    // Recording costs as much CPU as the page itself.
    trace: 'on-first-retry',
  },
  projects: [
    { name: 'page', testDir: 'page', fullyParallel: true },
    // In this order: the last has the tests that need most CPU, and suites beside these have ended by then.
    forVersion('5.4.207', 'real'),
    forVersion('6.2.4', 'real'),
    forVersion('7.1.5', 'real'),
  ],
})
