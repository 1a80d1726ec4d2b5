import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IndexedDbHistory } from './indexed-db-history.ts'
import { browserHistoryStore } from './history-store.ts'
import type { KeptMeta } from './kept.ts'
import type { StoredSeries } from '../series.ts'

type Key = string | readonly (string | number)[]

class Emitter {
  readonly #listeners = new Map<string, () => void>()
  addEventListener(type: string, listener: () => void): void {
    this.#listeners.set(type, listener)
  }
  emit(type: string): void {
    this.#listeners.get(type)?.()
  }
}

class FakeRequest extends Emitter {
  result: unknown
  error: { message: string } | null = null
}

/** As much of IndexedDB as is used: values are cloned, requests and transactions end a moment later. */
class FakeIndexedDb {
  readonly stores = new Map<string, Map<string, unknown>>()
  fails = false
  version = 0

  open = (_: string, version: number): FakeRequest => {
    const request = new FakeRequest()
    const database = Object.assign(new Emitter(), {
      objectStoreNames: [] as string[],
      createObjectStore: (name: string) => this.stores.set(name, new Map()),
      close: () => {},
      transaction: (): object => {
        const transaction = Object.assign(new Emitter(), { objectStore: (name: string) => this.#store(name) })
        setTimeout(() => transaction.emit('complete'), 5)
        return transaction
      },
    })
    request.result = database
    setTimeout(() => {
      if (this.fails) {
        request.error = { message: 'QuotaExceededError' }
        request.emit('error')
        return
      }
      database.objectStoreNames = [...this.stores.keys()]
      if (this.version < version) request.emit('upgradeneeded')
      this.version = version
      request.emit('success')
    }, 0)
    return request
  }

  #store(name: string): object {
    const rows = this.stores.get(name)!
    const response = (value: unknown): FakeRequest => {
      const request = new FakeRequest()
      request.result = value
      setTimeout(() => request.emit('success'), 0)
      return request
    }
    const of = (range?: { server: string }): string[] =>
      [...rows.keys()].filter((key) => range === undefined || (JSON.parse(key) as Key)[0] === range.server).toSorted()
    return {
      put: (value: unknown, key: Key) => response(rows.set(JSON.stringify(key), structuredClone(value))),
      get: (key: Key) => response(rows.get(JSON.stringify(key))),
      getAll: (range?: { server: string }) => response(of(range).map((key) => rows.get(key))),
      getAllKeys: (range?: { server: string }) => response(of(range).map((key) => JSON.parse(key) as Key)),
      delete: (what: Key | { server: string }) => {
        if (typeof what === 'object' && 'server' in what) for (const key of of(what)) rows.delete(key)
        else rows.delete(JSON.stringify(what))
        return response(undefined)
      },
    }
  }
}

const meta = (savedMs: number): KeptMeta => ({ version: 1, savedMs, spans: [], restarts: [] })
const block = (key: string, value: number): StoredSeries => ({
  key,
  tier: 1,
  block: 2,
  bytes: new Uint8Array([value]).buffer,
})

describe('IndexedDbKeep', () => {
  beforeEach(() => {
    vi.stubGlobal('IDBKeyRange', { bound: ([server]: [string]) => ({ server }) })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const setup = () => {
    const fake = new FakeIndexedDb()
    return { fake, store: new IndexedDbHistory(fake as never) }
  }

  it('gives back what was kept of a server, the newest of each block, and nothing of another', async () => {
    const { store } = setup()
    expect(await store.load('one')).toBeNull()
    await store.save('one', meta(1), [block('cpu.process', 1), block('cpu.machine', 2)])
    await store.save('one', meta(2), [block('cpu.process', 3)])
    await store.save('two', meta(3), [block('cpu.process', 9)])
    const kept = await store.load('one')
    expect(kept!.meta.savedMs).toBe(2)
    expect(kept!.series.map(({ key, tier, block: at, bytes }) => [key, tier, at, new Uint8Array(bytes)[0]])).toEqual([
      ['cpu.machine', 1, 2, 2],
      ['cpu.process', 1, 2, 3],
    ])
  })

  it('keeps the eight servers that were seen last', async () => {
    const { store, fake } = setup()
    for (let server = 0; server < 10; server++)
      await store.save(`s${server}`, meta(server), [block('cpu.process', server)])
    expect(await store.load('s0')).toBeNull()
    expect(await store.load('s2')).not.toBeNull()
    expect(fake.stores.get('blocks')!.size).toBe(8)
  })

  it('does not read a shape that it does not know', async () => {
    const { store } = setup()
    await store.save('one', { ...meta(1), version: 2 as never }, [])
    expect(await store.load('one')).toBeNull()
  })

  it('says why it cannot, and tries again the next time', async () => {
    const { store, fake } = setup()
    fake.fails = true
    await expect(store.load('one')).rejects.toThrow('The browser’s storage: QuotaExceededError')
    fake.fails = false
    expect(await store.load('one')).toBeNull()
  })

  it('is absent where the browser has none', () => {
    expect(browserHistoryStore()).toBeNull()
  })
})
