import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'

/** Times for which databases have been loading, as this page observed it: the server does not report the start. */
export class LoadingTimes {
  readonly #sinceMs = new Map<string, number>()

  /** Records the rows. Returns the minimum time for which each loading database has been observed loading, ms. */
  note(rows: readonly DatabaseRow[], nowMs: number): ReadonlyMap<string, number> {
    const loading = new Set(rows.filter(({ state }) => state === 'loading').map(({ name }) => name))
    for (const name of this.#sinceMs.keys()) if (!loading.has(name)) this.#sinceMs.delete(name)
    for (const name of loading) if (!this.#sinceMs.has(name)) this.#sinceMs.set(name, nowMs)
    return new Map([...this.#sinceMs].map(([name, sinceMs]) => [name, nowMs - sinceMs]))
  }
}
