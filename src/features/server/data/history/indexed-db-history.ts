import type { HistoryStore, KeptMeta } from './kept.ts'
import type { StoredSeries } from '../series.ts'

const DATABASE = 'rookery-server'
const VERSION = 1
const BLOCKS = 'blocks'
const META = 'meta'
/** Each holds at most some 75 MB (series.ts). */
const MOST_SERVERS = 8

/** Blocks by [server, series, tier, block], meta by server. The database is opened at the first use. */
export class IndexedDbHistory implements HistoryStore {
  readonly #factory: IDBFactory
  #opening: Promise<IDBDatabase> | null = null

  constructor(factory: IDBFactory) {
    this.#factory = factory
  }

  readonly load: HistoryStore['load'] = async (serverId) => {
    const transaction = (await this.#open()).transaction([BLOCKS, META], 'readonly')
    const meta = (await done(transaction.objectStore(META).get(serverId))) as KeptMeta | undefined
    if (meta?.version !== 1) return null
    const blocks = transaction.objectStore(BLOCKS)
    const [keys, values] = await Promise.all([
      done(blocks.getAllKeys(ofServer(serverId))),
      done(blocks.getAll(ofServer(serverId))),
    ])
    const series = keys.flatMap((key, row): StoredSeries[] => {
      const bytes: unknown = values[row]
      if (!Array.isArray(key) || !(bytes instanceof ArrayBuffer)) return []
      const [, name, tier, block] = key
      if (typeof name !== 'string' || typeof tier !== 'number' || typeof block !== 'number') return []
      return [{ key: name, tier, block, bytes }]
    })
    return { meta, series }
  }

  readonly save: HistoryStore['save'] = async (serverId, meta, series) => {
    const transaction = (await this.#open()).transaction([BLOCKS, META], 'readwrite')
    const ended = complete(transaction)
    const blocks = transaction.objectStore(BLOCKS)
    for (const { key, tier, block, bytes } of series) blocks.put(bytes, [serverId, key, tier, block])
    const metas = transaction.objectStore(META)
    metas.put(meta, serverId)
    const [servers, all] = await Promise.all([done(metas.getAllKeys()), done(metas.getAll())])
    const byAge = servers
      .flatMap((server, row) =>
        typeof server === 'string' ? [{ server, savedMs: (all[row] as KeptMeta).savedMs }] : [],
      )
      .toSorted((a, b) => b.savedMs - a.savedMs)
    for (const { server } of byAge.slice(MOST_SERVERS)) {
      metas.delete(server)
      blocks.delete(ofServer(server))
    }
    await ended
  }

  #open(): Promise<IDBDatabase> {
    this.#opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = this.#factory.open(DATABASE, VERSION)
      request.addEventListener('upgradeneeded', () => {
        // An unknown version is discarded: no history is better than a wrong one.
        for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name)
        request.result.createObjectStore(BLOCKS)
        request.result.createObjectStore(META)
      })
      request.addEventListener('success', () => {
        // Another tab with a newer Rookery wants to change it.
        request.result.addEventListener('versionchange', () => {
          request.result.close()
          this.#opening = null
        })
        resolve(request.result)
      })
      request.addEventListener('error', () => reject(failed(request.error)))
      request.addEventListener('blocked', () => reject(new Error('Another tab holds an older version of it open.')))
    })
    // The caller gets the error; the next one opens it again.
    this.#opening.catch(() => {
      this.#opening = null
    })
    return this.#opening
  }
}

/** Every key that begins with the server: an array sorts behind every text and number. */
const ofServer = (serverId: string): IDBKeyRange => IDBKeyRange.bound([serverId], [serverId, []])

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(failed(request.error)))
  })

const complete = (transaction: IDBTransaction): Promise<void> => {
  const ended = new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(failed(transaction.error)))
    transaction.addEventListener('error', () => reject(failed(transaction.error)))
  })
  // It is awaited after the requests of the transaction, one of which throws first.
  ended.catch(() => {})
  return ended
}

const failed = (error: DOMException | null): Error =>
  new Error(error === null ? 'The browser’s storage gave up.' : `The browser’s storage: ${error.message}`)
