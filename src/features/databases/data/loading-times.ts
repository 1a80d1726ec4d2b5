import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'

/** Times since when databases load, as this page saw it: the server does not report when it began. */
export class LoadingTimes {
  readonly #sinceMs = new Map<string, number>()

  /** Notes the rows. Returns the least time for which each loading database has been seen loading, ms; others are not in it. */
  note(rows: readonly DatabaseRow[], nowMs: number): ReadonlyMap<string, number> {
    const loading = new Set(rows.filter(({ state }) => state === 'loading').map(({ name }) => name))
    for (const name of this.#sinceMs.keys()) if (!loading.has(name)) this.#sinceMs.delete(name)
    for (const name of loading) if (!this.#sinceMs.has(name)) this.#sinceMs.set(name, nowMs)
    return new Map([...this.#sinceMs].map(([name, sinceMs]) => [name, nowMs - sinceMs]))
  }
}
