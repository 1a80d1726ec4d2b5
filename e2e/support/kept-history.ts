import type { Page } from '@playwright/test'

/** History of a server that the browser keeps for the next visit, as JSON; empty where it keeps nothing yet. */
export const keptHistory = (page: Page, store: 'blocks' | 'meta'): Promise<readonly string[]> =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((done) => {
        const opening = indexedDB.open('rookery-server')
        opening.addEventListener('error', () => done([]))
        opening.addEventListener('success', () => {
          const database = opening.result
          const finish = (records: readonly unknown[]): void => {
            database.close()
            done(records.map((record) => JSON.stringify(record)))
          }
          if (!database.objectStoreNames.contains(name)) return finish([])
          const reading = database.transaction(name).objectStore(name).getAll()
          reading.addEventListener('success', () => finish(reading.result))
        })
      }),
    store,
  )
