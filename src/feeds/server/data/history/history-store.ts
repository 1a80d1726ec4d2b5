import type { HistoryStore } from './kept.ts'

/** A browser that offers no IndexedDB (private windows of some) has none: null. Its code comes with the first use. */
export function browserHistoryStore(): HistoryStore | null {
  if ((globalThis as { indexedDB?: IDBFactory }).indexedDB === undefined) return null
  let opening: Promise<HistoryStore> | null = null
  const open = (): Promise<HistoryStore> =>
    (opening ??= import('./indexed-db-history.ts').then(({ IndexedDbHistory }) => new IndexedDbHistory()))
  return {
    load: async (serverId) => (await open()).load(serverId),
    save: async (serverId, meta, series) => (await open()).save(serverId, meta, series),
  }
}
