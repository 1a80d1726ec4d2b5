// @ts-check
import { expect, test, vi } from 'vitest'
import { findEngines, findFirefox } from './engines.mjs'

test('a browser that is missing is named, with what to install', async () => {
  vi.stubEnv('PATH', '/nowhere')
  const failed = await findEngines().catch(String)
  expect(findFirefox).toThrow(/^Firefox not found: install /)
  vi.unstubAllEnvs()
  expect(failed).toMatch(/Firefox, .*WebKitWebDriver, Xvfb not found: install .*firefox-esr webkit2gtk-driver xvfb/)
})
