// @ts-check
/** Drives the daily pages of both studios with the same actions. */

/** @typedef {import('@playwright/test').Page} Page */

/**
 * @typedef {object} Peer
 * @property {string} name
 * @property {(database: string) => string} list address of the list of a collection
 * @property {(database: string, id: string) => string} document address of a document
 * @property {(page: Page, text: string) => Promise<unknown>} untilText resolves when the editor shows a text
 * @property {(page: Page) => Promise<void>} focusText
 * @property {(page: Page) => import('@playwright/test').Locator} searchField of the editor
 * @property {(page: Page, database: string, text: string) => Promise<void>} writeQuery opens the page of queries and types one
 * @property {(page: Page) => Promise<void>} exportCsv
 * @property {(page: Page) => Promise<void>} settle removes what lies above the page
 */

/** @param {{ rookery: string, official: string }} urls @returns {readonly Peer[]} */
export const peers = ({ rookery, official }) => [rookeryPeer(rookery), officialPeer(official)]

/** @param {string} url @returns {Peer} */
function rookeryPeer(url) {
  const at = (/** @type {string} */ hash) => `${url}/studio/index.html#/${hash}`
  return {
    name: 'Rookery',
    list: (database) => at(`documents?v=1&s=db:${database}&documents.collection=People`),
    document: (database, id) => at(`documents?v=1&s=db:${database}&documents.id=${encodeURIComponent(id)}`),
    untilText: (page, text) =>
      page.waitForFunction(
        (wanted) =>
          Array.from(document.querySelectorAll('main *')).some(({ shadowRoot }) =>
            shadowRoot?.querySelector('.cm-content')?.textContent.includes(wanted),
          ),
        text,
      ),
    focusText: async (page) => {
      await page.getByRole('textbox', { name: /^Text of/ }).click({ position: { x: 200, y: 30 } })
    },
    searchField: (page) => page.getByRole('textbox', { name: 'Find' }),
    writeQuery: async (page, database, text) => {
      await page.goto(at(`query?v=1&s=db:${database}`))
      await page.getByRole('textbox', { name: 'Query in RQL' }).click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(text)
    },
    exportCsv: async (page) => {
      await page.getByRole('button', { name: 'Export results' }).click()
      await page.getByRole('menuitem', { name: /^CSV/ }).click()
    },
    settle: () => Promise.resolve(),
  }
}

/** @param {string} url @returns {Peer} */
function officialPeer(url) {
  const at = (/** @type {string} */ hash) => `${url}/studio/index.html#databases/${hash}`
  const editorOf = (/** @type {Page} */ page) =>
    page.waitForFunction(() => {
      const found = Array.from(document.querySelectorAll('.ace_editor')).find(
        (each) => each.clientHeight > 0 && each.id !== 'docEditorLeft',
      )
      return Reflect.get(found ?? {}, 'env')?.editor
    })
  return {
    name: 'official Studio',
    list: (database) => at(`documents?&collection=People&database=${database}`),
    document: (database, id) => at(`edit?&collection=Large&database=${database}&id=${encodeURIComponent(id)}`),
    untilText: (page, text) =>
      page.waitForFunction((wanted) => {
        // A large document opens after a second click.
        const buttons = Array.from(document.querySelectorAll('button'))
        buttons.find((each) => each.clientHeight > 0 && each.innerText.trim() === 'Open document')?.click()
        const layer = document.querySelector('#docEditor .ace_text-layer')
        return layer?.textContent.includes(wanted)
      }, text),
    focusText: async (page) => {
      await (
        await editorOf(page)
      ).evaluate((editor) => {
        editor.focus()
        editor.gotoLine(2, 4)
      })
    },
    searchField: (page) => page.locator('.ace_search_field').first(),
    writeQuery: async (page, database, text) => {
      await page.goto(at(`query/index?&database=${database}`))
      await (
        await editorOf(page)
      ).evaluate((editor, wanted) => {
        editor.setValue(wanted, 1)
        editor.focus()
      }, text)
    },
    exportCsv: async (page) => {
      await page.getByRole('button', { name: /Export to file/ }).click()
      await page.locator('.dropdown-menu:visible').getByText('Export', { exact: true }).click()
    },
    settle: async (page) => {
      // A survey dialog about usage covers part of the page; it appears some time after the page.
      const no = page.getByText('No, thank you')
      await no.waitFor({ timeout: 5000 }).catch(() => undefined)
      if (await no.isVisible()) await no.click()
    },
  }
}
