import type { DatabaseRow } from '../../../ravendb/databases/databases.ts'

/** Since when databases load, as seen from here: the server does not say when it began. */
export class LoadingTimes {
  readonly #sinceMs = new Map<string, number>()

  /** Ms for which each that loads has been seen loading, at least; others are not in it. */
  note(rows: readonly DatabaseRow[], nowMs: number): ReadonlyMap<string, number> {
    const loading = new Set(rows.filter(({ state }) => state === 'loading').map(({ name }) => name))
    for (const name of this.#sinceMs.keys()) if (!loading.has(name)) this.#sinceMs.delete(name)
    for (const name of loading) if (!this.#sinceMs.has(name)) this.#sinceMs.set(name, nowMs)
    return new Map([...this.#sinceMs].map(([name, sinceMs]) => [name, nowMs - sinceMs]))
  }
}
