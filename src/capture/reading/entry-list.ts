import type { FileEntry } from '../client/state.ts'

/**
 * Entries of a package, and which of them have changed since the last report. The cost of a change does not depend on
 * their number.
 */
export class EntryList {
  #entries: FileEntry[] = []
  readonly #places = new Map<string, number>()
  /** Those in [from, to) are not reported. Entries are read in order, so that hardly any others are among them. */
  #from = 0
  #to = 0

  fill(entries: readonly FileEntry[]): void {
    this.#entries = [...entries]
    entries.forEach(({ path }, place) => this.#places.set(path, place))
    this.#from = 0
    this.#to = entries.length
  }

  /** Changes the entry with that path; of several, the last. */
  change(path: string, parts: Partial<FileEntry>): void {
    const place = this.#places.get(path)
    const entry = place === undefined ? undefined : this.#entries[place]
    if (place === undefined || entry === undefined) return
    this.#entries[place] = { ...entry, ...parts }
    const isReported = this.#from === this.#to
    this.#from = isReported ? place : Math.min(this.#from, place)
    this.#to = isReported ? place + 1 : Math.max(this.#to, place + 1)
  }

  count(counts: (entry: FileEntry) => boolean): number {
    return this.#entries.reduce((sum, entry) => sum + (counts(entry) ? 1 : 0), 0)
  }

  /** The entries that were not reported, from index `at` on; marks them as reported. */
  take(): { readonly at: number; readonly entries: readonly FileEntry[] } {
    const at = this.#from
    const entries = this.#entries.slice(at, this.#to)
    this.#from = this.#to = 0
    return { at, entries }
  }
}
