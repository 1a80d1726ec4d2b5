import { Observed } from '../../base/observed.ts'
import { readStored, removeStored, watchStoredUnder, writeStored } from '../../ui/storage.ts'
import { isFinished, type ActivityEntry } from './activity-entry.ts'
import { ENTRY_KEY, loadEntries, parseEntry } from './stored-entries.ts'

/** Maximum number of entries. Older ones are removed, running ones last. */
const MOST_ENTRIES = 200
/** Maximum number of characters in the store. */
const MOST_CHARACTERS = 400_000

/** Whether the entries are stored. */
export interface Keeping {
  /** Number of entries that only this page has, for lack of space or storage in the browser. */
  readonly unstored: number
  /** Number of stored entries that could not be read and were removed. */
  readonly dropped: number
}

/**
 * Actions of this browser, newest first. Each entry is stored separately and shared by the pages of the browser; their
 * number is bounded. An entry that cannot be stored lasts as long as the page.
 */
export class ActivityLog {
  readonly #entries = new Observed<readonly ActivityEntry[]>([])
  readonly #keeping = new Observed<Keeping>({ unstored: 0, dropped: 0 })
  /** Stored texts by id. */
  readonly #texts = new Map<string, string>()
  readonly #unstored = new Set<string>()
  #dropped = 0

  constructor() {
    this.#load()
    watchStoredUnder(ENTRY_KEY, (id) => {
      if (id === null) this.#load()
      else this.#take(id)
    })
  }

  readonly getSnapshot = this.#entries.get
  readonly subscribe = this.#entries.subscribe

  readonly getKeeping = this.#keeping.get
  readonly subscribeKeeping = this.#keeping.subscribe

  /** Reads it from the store, since another page may just have changed it. Not for rendering. */
  get(id: string): ActivityEntry | null {
    this.#take(id)
    return this.#known(id)
  }

  /** Adds an entry, or replaces the one with its id. */
  put(entry: ActivityEntry): void {
    this.#set(entry)
    this.#store(entry)
    // Try again: there may be space by now.
    for (const id of this.#unstored) {
      const other = this.#known(id)
      if (other === null) this.#unstored.delete(id)
      else if (!this.#store(other)) break
    }
    this.#bound()
    this.#report()
  }

  /** Changes fields of the entry with that id. */
  patch(id: string, parts: Partial<ActivityEntry>): void {
    const entry = this.get(id)
    if (entry !== null) this.put({ ...entry, ...parts })
  }

  /** The user has read how many entries were removed. */
  forgetDropped(): void {
    this.#dropped = 0
    this.#report()
  }

  /** Removes the finished entries of this server. */
  clear(server: string): void {
    this.#drop(this.getSnapshot().filter((entry) => entry.server === server && isFinished(entry)))
    this.#report()
  }

  #known(id: string): ActivityEntry | null {
    return this.getSnapshot().find((entry) => entry.id === id) ?? null
  }

  #set(entry: ActivityEntry): void {
    const known = this.getSnapshot()
    const at = known.findIndex(({ id }) => id === entry.id)
    this.#entries.set(newestFirst(at < 0 ? [entry, ...known] : known.with(at, entry)))
  }

  #store(entry: ActivityEntry): boolean {
    const text = JSON.stringify(entry)
    const isStored = writeStored(ENTRY_KEY + entry.id, text)
    if (isStored) {
      this.#texts.set(entry.id, text)
      this.#unstored.delete(entry.id)
    } else this.#unstored.add(entry.id)
    return isStored
  }

  /** Reads everything that is stored; keeps entries that only this page has. */
  #load(): void {
    this.#texts.clear()
    const { texts, entries, dropped } = loadEntries(MOST_ENTRIES)
    for (const [id, text] of texts) this.#texts.set(id, text)
    this.#dropped += dropped
    const own = this.getSnapshot().filter(({ id }) => this.#unstored.has(id))
    for (const { id } of entries) if (!texts.has(id)) this.#unstored.add(id)
    const others = entries.filter(({ id }) => !own.some((entry) => entry.id === id))
    this.#entries.set(newestFirst([...own, ...others]))
    this.#bound()
    this.#report()
  }

  /** Reads an entry that another page may have changed or removed. */
  #take(id: string): void {
    if (this.#unstored.has(id)) return
    const text = readStored(ENTRY_KEY + id)
    const before = this.#texts.get(id)
    if (text === (before ?? null)) return
    if (text === null) {
      this.#texts.delete(id)
      this.#entries.set(this.getSnapshot().filter((entry) => entry.id !== id))
      return
    }
    const entry = parseEntry(text, id)
    if (entry === null) return
    this.#texts.set(id, text)
    this.#set(entry)
  }

  #bound(): void {
    let left = this.getSnapshot().length
    let characters = 0
    for (const text of this.#texts.values()) characters += text.length
    if (left <= MOST_ENTRIES && characters <= MOST_CHARACTERS) return
    const oldestFirst = this.getSnapshot().toReversed()
    const over: ActivityEntry[] = []
    for (const entry of [...oldestFirst.filter(isFinished), ...oldestFirst.filter((each) => !isFinished(each))]) {
      if (left <= MOST_ENTRIES && (characters <= MOST_CHARACTERS || left === 1)) break
      over.push(entry)
      left -= 1
      characters -= this.#texts.get(entry.id)?.length ?? 0
    }
    this.#drop(over)
  }

  #drop(entries: readonly ActivityEntry[]): void {
    if (entries.length === 0) return
    const ids = new Set(entries.map(({ id }) => id))
    for (const id of ids) {
      this.#texts.delete(id)
      this.#unstored.delete(id)
      removeStored(ENTRY_KEY + id)
    }
    this.#entries.set(this.getSnapshot().filter(({ id }) => !ids.has(id)))
  }

  #report(): void {
    const keeping = { unstored: this.#unstored.size, dropped: this.#dropped }
    const known = this.#keeping.get()
    if (keeping.unstored !== known.unstored || keeping.dropped !== known.dropped) this.#keeping.set(keeping)
  }
}

const newestFirst = (entries: readonly ActivityEntry[]): readonly ActivityEntry[] =>
  entries.toSorted((a, b) => b.startedMs - a.startedMs)
