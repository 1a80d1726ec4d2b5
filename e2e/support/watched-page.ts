import type { BrowserContext, Page } from '@playwright/test'
import { test as base, expect } from '@playwright/test'

/** Faults that a page reported: console errors, reports of its own security policy, uncaught errors, dialogs. */
export interface Complaints {
  /** Texts of complaints that this test brings about on purpose. */
  readonly allow: (pattern: RegExp) => void
  readonly all: () => readonly string[]
}

interface Watched {
  readonly complaints: Complaints
  /** Whether the page loads code before it is needed, which takes more CPU than many a test. */
  readonly fetchesAhead: boolean
}

/** Firefox reports a socket as an error that the page itself closes before it is open. */
const CLOSED_EARLY = /establish a connection to the server at ws:|connection to ws:\S+ was interrupted/

/** Every test fails on a complaint of its page that it did not allow. */
export const test = base.extend<Watched>({
  fetchesAhead: [false, { option: true }],
  context: async ({ context, fetchesAhead }, use) => {
    if (!fetchesAhead) await saveData(context)
    await use(context)
  },
  complaints: [
    async ({ page, context, browserName }, use) => {
      if (browserName === 'firefox') await context.addInitScript(insertAsTyped)
      const reported: string[] = []
      const allowed: RegExp[] = browserName === 'firefox' ? [CLOSED_EARLY] : []
      await watchPage(page, reported)
      const all = (): string[] => reported.filter((text) => !allowed.some((pattern) => pattern.test(text)))
      await use({ allow: (pattern) => allowed.push(pattern), all })
      expect(all(), 'the page complained').toEqual([])
    },
    { auto: true },
  ],
})

/** Pages that are opened in this context from now on load no code before it is needed. */
export const saveData = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })

/** Adds to `reported` whatever this page should not have reported. */
export async function watchPage(page: Page, reported: string[]): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error') reported.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => reported.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    reported.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('crash', () => reported.push('the page crashed'))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
    })
  })
}

/**
 * Inserts text as a user's typing does. Playwright assigns the value of a field in Firefox, which React takes for its own doing, so that
 * no component would learn of it.
 */
function insertAsTyped(): void {
  Object.defineProperty(globalThis, '__pw_bidiInsertText', {
    configurable: true,
    get: () => (text: string) => {
      // oxlint-disable-next-line typescript/no-deprecated -- no other way inserts text as typing does
      document.execCommand('insertText', false, text)
      return null
    },
    // Playwright sets its own after this.
    set() {},
  })
}

export { expect }
