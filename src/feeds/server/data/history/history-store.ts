import type { HistoryStore } from './kept.ts'

/**
 * Store of the browser; null: it has no IndexedDB, as in the private windows of some browsers. The code of the store is
 * loaded at first use.
 */
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
