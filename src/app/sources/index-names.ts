import { parseSourceId, type SourceId } from '../../capture/client/state.ts'
import type { IndexingFeed } from '../../feeds/indexing/data/feed.ts'

const NONE: readonly string[] = []

/**
 * Names of the indexes in a file, from the indexing feed, for I/O files, which contain only folder names. Returns the
 * same array until they change. For a database the server has the names.
 */
export function indexNamesOf(indexing: IndexingFeed): (source: SourceId) => readonly string[] {
  const held = new Map<SourceId, readonly string[]>()
  let atVersion = -1
  return (source) => {
    const { store, facts } = indexing
    if (store.version !== atVersion) {
      atVersion = store.version
      const reported = new Map<SourceId, Set<string>>()
      const add = (of: { readonly source: SourceId; readonly name: string } | undefined): void => {
        if (of === undefined || parseSourceId(of.source)?.kind !== 'file') return
        const names = reported.get(of.source)
        if (names === undefined) reported.set(of.source, new Set([of.name]))
        else names.add(of.name)
      }
      for (const table of store.indexes.values()) add(table)
      for (const key of facts.keys()) add(facts.get(key))
      // Indexes are never removed here, so an equal number means equal names.
      for (const [of, names] of reported) if (held.get(of)?.length !== names.size) held.set(of, [...names])
    }
    return held.get(source) ?? NONE
  }
}
