import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findChromium } from '../tools/browser.mjs'
import { NEWEST, PACKAGED } from '../tools/ravendb/versions.mjs'

const { path } = await findChromium()

/** Fonts, edges and colours that do not depend on the machine. */
const SAME_EVERYWHERE = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb']

/** Set by `npm test`; other runs, by hand or of `npm run test:all`, leave nothing out. */
const isGate = process.env['ROOKERY_TESTS'] === 'gate'

/**
 * The gate runs a test without a tag on the newest version, one with `@each-version` on the others, too, and one with
 * `@full` or `@soak` on none.
 */
const forVersion = (version: string) => ({
  name: version,
  testDir: 'real',
  use: { ravenVersion: version },
  ...(isGate && version !== NEWEST ? { grep: /@each-version/ } : {}),
  ...(isGate ? { grepInvert: /@full|@soak/ } : {}),
})

export default defineConfig<{ ravenVersion: string }>({
  outputDir: '../test-results',
  // Most of a test is waiting: for a server that reports every few seconds, for a database to be idle. Nothing
  // here measures speed.
  workers: 2,
  timeout: 150_000,
  // As long as it takes on two cores that five servers and four browsers share.
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  // A second try records a trace; a test that needs it has failed.
  retries: 1,
  failOnFlakyTests: true,
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
    { name: 'page', testDir: 'page', fullyParallel: true, ...(isGate ? { grepInvert: /@full/ } : {}) },
    {
      // The page suite once more, in the Firefox of the system.
      name: 'firefox',
      testDir: 'page',
      fullyParallel: true,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: join(import.meta.dirname, '../tools/test/firefox-bidi.mjs'),
          // A fine pointer that hovers, which a Firefox without windows does not have.
          firefoxUserPrefs: { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
        },
      },
    },
    {
      name: 'engines',
      testDir: 'engines',
      timeout: 240_000,
      // Firefox and WebKitGTK draw on the CPU, beside the browsers of the other suites.
      expect: { timeout: 60_000 },
      ...(isGate ? { grepInvert: /@full/ } : {}),
    },
    ...[...PACKAGED.keys()].map(forVersion),
  ],
})
