import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { errorText } from '../../../../base/text/error-text.ts'
import type { HistoryStore, KeptMeta } from './kept.ts'

const DATABASE = 'rookery-server'
const VERSION = 1
/** Maximum number of servers. Each takes at most some 75 MB (series.ts). */
const MOST_SERVERS = 8

interface Schema extends DBSchema {
  /** Blocks of buckets by server, series, tier and block number. */
  blocks: { key: [string, string, number, number]; value: ArrayBuffer }
  /** Metadata by server. */
  meta: { key: string; value: KeptMeta }
}

/** History in IndexedDB. The database is opened at first use. */
export class IndexedDbHistory implements HistoryStore {
  #opening: Promise<IDBPDatabase<Schema>> | null = null

  readonly load: HistoryStore['load'] = (serverId) =>
    inWords(async () => {
      const transaction = await this.#begin('readonly')
      const meta = await transaction.objectStore('meta').get(serverId)
      if (meta?.version !== 1) return null
      const blocks = transaction.objectStore('blocks')
      const [keys, values] = await Promise.all([
        blocks.getAllKeys(ofServer(serverId)),
        blocks.getAll(ofServer(serverId)),
      ])
      const series = keys.map(([, key, tier, block], row) => ({ key, tier, block, bytes: values[row] as ArrayBuffer }))
      return { meta, series }
    })

  readonly save: HistoryStore['save'] = (serverId, meta, series) =>
    inWords(async () => {
      const transaction = await this.#begin('readwrite')
      const blocks = transaction.objectStore('blocks')
      const metas = transaction.objectStore('meta')
      const puts = series.map(({ key, tier, block, bytes }) => blocks.put(bytes, [serverId, key, tier, block]))
      await Promise.all([...puts, metas.put(meta, serverId)])
      const [servers, all] = await Promise.all([metas.getAllKeys(), metas.getAll()])
      const oldest = servers
        .map((server, row) => ({ server, savedMs: all[row]?.savedMs ?? 0 }))
        .toSorted((a, b) => b.savedMs - a.savedMs)
        .slice(MOST_SERVERS)
      await Promise.all(oldest.flatMap(({ server }) => [metas.delete(server), blocks.delete(ofServer(server))]))
      await transaction.done
    })

  async #begin<Mode extends 'readonly' | 'readwrite'>(mode: Mode) {
    this.#opening ??= this.#open()
    // The caller receives the error, and the next call opens the database again.
    this.#opening.catch(() => {
      this.#opening = null
    })
    const transaction = (await this.#opening).transaction(['blocks', 'meta'], mode)
    // Prevents an unhandled rejection: a request of the transaction throws first.
    transaction.done.catch(() => {})
    return transaction
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    return openDB<Schema>(DATABASE, VERSION, {
      upgrade: (database) => {
        // An unknown version is discarded: no history is better than a wrong one.
        for (const name of database.objectStoreNames) database.deleteObjectStore(name)
        database.createObjectStore('blocks')
        database.createObjectStore('meta')
      },
      // Another tab with a newer Rookery is about to upgrade the database.
      blocking: (_from, _to, event) => {
        ;(event.target as IDBDatabase).close()
        this.#opening = null
      },
    })
  }
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const why = errorText(error)
    throw new Error(`The browser’s storage: ${why}`, { cause: error })
  }
}

/** Range of all keys that begin with the server: in IndexedDB, an array sorts after every string and number. */
const ofServer = (serverId: string): IDBKeyRange => IDBKeyRange.bound([serverId], [serverId, []])
