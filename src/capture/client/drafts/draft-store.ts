import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { Observed } from '../../../base/observed.ts'
import { draftKey, type Draft, type DraftPlace } from './draft.ts'

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft }
}

const DATABASE = 'rookery-drafts'
const VERSION = 1
/** Longest delay before typed text is stored, ms. */
const STORE_MS = 200

export interface Drafts {
  /** All of this browser, newest first; null: they are being read. */
  readonly all: readonly Draft[] | null
  /** Why the browser stores nothing: drafts last as long as this page. Null: it stores them. */
  readonly problem: string | null
}

/**
 * Drafts of all kinds, in IndexedDB: what was typed is there after a reload, a crash of the page or the browser, and without a
 * server. Other pages of the browser see changes when they read again.
 */
export class DraftStore {
  readonly #drafts = new Observed<Drafts>({ all: null, problem: null })
  readonly #waiting = new Map<string, Draft | null>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #opening: Promise<IDBPDatabase<Schema>> | null = null
  #writing: Promise<void> = Promise.resolve()
  #isRead = false

  readonly subscribe = (changed: () => void): (() => void) => {
    if (!this.#isRead) void this.read()
    return this.#drafts.subscribe(changed)
  }
  readonly getSnapshot = (): Drafts => this.#drafts.get()

  /** Reads what other pages have stored. Never rejects. */
  async read(): Promise<void> {
    this.#isRead = true
    try {
      await this.flush()
      const stored = await (await this.#open()).getAll('drafts')
      const known = new Map(stored.map((draft) => [draftKey(draft), draft]))
      for (const [key, draft] of this.#waiting)
        if (draft === null) known.delete(key)
        else known.set(key, draft)
      this.#set([...known.values()], null)
    } catch (error) {
      this.#set([...(this.getSnapshot().all ?? [])], wordsOf(error))
    }
  }

  keep(draft: Draft): void {
    this.#change(draftKey(draft), draft)
  }

  remove(place: DraftPlace): void {
    this.#change(draftKey(place), null)
  }

  /** Stores now what waits: the page may be closed. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const changes = [...this.#waiting]
    if (changes.length === 0) return this.#writing
    this.#writing = this.#writing.then(() => this.#store(changes))
    return this.#writing
  }

  async #store(changes: readonly (readonly [string, Draft | null])[]): Promise<void> {
    try {
      const transaction = (await this.#open()).transaction('drafts', 'readwrite')
      await Promise.all(
        changes.map(([key, draft]) =>
          draft === null ? transaction.store.delete(key) : transaction.store.put(draft, key),
        ),
      )
      await transaction.done
      for (const [key, draft] of changes) if (this.#waiting.get(key) === draft) this.#waiting.delete(key)
      if (this.getSnapshot().problem !== null) this.#set([...(this.getSnapshot().all ?? [])], null)
    } catch (error) {
      this.#set([...(this.getSnapshot().all ?? [])], wordsOf(error))
    }
  }

  #change(key: string, draft: Draft | null): void {
    this.#waiting.set(key, draft)
    const others = (this.getSnapshot().all ?? []).filter((each) => draftKey(each) !== key)
    this.#set(draft === null ? others : [draft, ...others], this.getSnapshot().problem)
    this.#timer ??= setTimeout(() => void this.flush(), STORE_MS)
  }

  #set(all: readonly Draft[], problem: string | null): void {
    this.#drafts.set({ all: all.toSorted((a, b) => b.changedMs - a.changedMs), problem })
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#opening ??= openDB<Schema>(DATABASE, VERSION, {
      upgrade: (database) => {
        database.createObjectStore('drafts')
      },
      // Another tab with a newer version wants to change it.
      blocking: (_from, _to, event) => {
        ;(event.target as IDBDatabase).close()
        this.#opening = null
      },
      terminated: () => {
        this.#opening = null
      },
    })
    this.#opening.catch(() => {
      this.#opening = null
    })
    return this.#opening
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
