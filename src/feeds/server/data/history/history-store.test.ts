import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IndexedDbHistory } from './indexed-db-history.ts'
import { browserHistoryStore } from './history-store.ts'
import type { KeptMeta } from './kept.ts'
import type { StoredSeries } from '../series.ts'

const meta = (savedMs: number): KeptMeta => ({ version: 1, savedMs, spans: [], restarts: [] })
const block = (key: string, value: number): StoredSeries => ({
  key,
  tier: 1,
  block: 2,
  bytes: new Uint8Array([value]).buffer,
})

describe('IndexedDbHistory', () => {
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory())
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('gives back what was kept of a server, the newest of each block, and nothing of another', async () => {
    const store = new IndexedDbHistory()
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
    const store = new IndexedDbHistory()
    for (let server = 0; server < 10; server++)
      await store.save(`s${server}`, meta(server), [block('cpu.process', server)])
    const kept = await Promise.all(Array.from({ length: 10 }, (_, server) => store.load(`s${server}`)))
    expect(kept.map((each) => each?.series.length ?? 0)).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('does not read a shape that it does not know', async () => {
    const store = new IndexedDbHistory()
    await store.save('one', { ...meta(1), version: 2 as never }, [])
    expect(await store.load('one')).toBeNull()
  })

  it('says why it cannot, and tries again the next time', async () => {
    const store = new IndexedDbHistory()
    vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
      throw new Error('QuotaExceededError')
    })
    await expect(store.load('one')).rejects.toThrow('The browser’s storage: QuotaExceededError')
    expect(await store.load('one')).toBeNull()
  })

  it('is absent where the browser has none', () => {
    vi.stubGlobal('indexedDB', undefined)
    expect(browserHistoryStore()).toBeNull()
  })
})
