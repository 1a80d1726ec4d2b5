import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { draftKey, type Draft } from './draft.ts'

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft }
  /** Stamps of the drafts, to compare a draft without reading its text. */
  stamps: { key: string; value: string }
}

const NAME = 'rookery-drafts'
const VERSION = 2

/** Drafts of this browser in IndexedDB, shared by all tabs. Errors: those of the browser. */
export class DraftDatabase {
  #opening: Promise<IDBPDatabase<Schema>> | null = null

  async all(): Promise<readonly Draft[]> {
    return (await this.#open()).getAll('drafts')
  }

  /** Stores a draft, unless an unknown one has its key. `isKnown`: whether that text may be replaced. */
  async put(draft: Draft, isKnown: (stamp: string) => boolean): Promise<'kept' | 'another'> {
    const key = draftKey(draft)
    const transaction = (await this.#open()).transaction(['drafts', 'stamps'], 'readwrite')
    const [drafts, stamps] = [transaction.objectStore('drafts'), transaction.objectStore('stamps')]
    const isFree = async (): Promise<boolean> =>
      (await drafts.getKey(key)) === undefined || isKnown((await stamps.get(key)) ?? '')
    const write = async (): Promise<'kept' | 'another'> => {
      if (!(await isFree())) return 'another'
      await Promise.all([drafts.put(draft, key), stamps.put(draft.stamp ?? '', key)])
      return 'kept'
    }
    const [outcome] = await Promise.all([write(), transaction.done])
    return outcome
  }

  async delete(key: string, isKnown: (stamp: string) => boolean): Promise<'gone' | 'another'> {
    const transaction = (await this.#open()).transaction(['drafts', 'stamps'], 'readwrite')
    const [drafts, stamps] = [transaction.objectStore('drafts'), transaction.objectStore('stamps')]
    const remove = async (): Promise<'gone' | 'another'> => {
      if (!isKnown((await stamps.get(key)) ?? '')) return 'another'
      await Promise.all([drafts.delete(key), stamps.delete(key)])
      return 'gone'
    }
    const [outcome] = await Promise.all([remove(), transaction.done])
    return outcome
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    this.#opening ??= openDB<Schema>(NAME, VERSION, {
      upgrade: (database, oldVersion) => {
        if (oldVersion < 1) database.createObjectStore('drafts')
        database.createObjectStore('stamps')
      },
      // Another tab with a newer version of the page needs to change the database.
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
