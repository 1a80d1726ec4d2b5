import { isFileSource, nodeFolderOf, type SourceId } from './state.ts'

/** Package and node of a source; null: not in a package of a cluster. */
function nodeOf(id: SourceId): string | null {
  const node = isFileSource(id) ? nodeFolderOf(id.slice('file:'.length)) : null
  return node === null ? null : `${node.tag} ${node.file}`
}

/** Whether two sources belong to two nodes of a package. */
export function areOfTwoNodes(a: SourceId, b: SourceId): boolean {
  const [ofA, ofB] = [nodeOf(a), nodeOf(b)]
  return ofA !== null && ofB !== null && ofA !== ofB
}

/** Order of sources: those of one node of a package stand together, at the place of the first of them. */
export function placesOf(sources: readonly SourceId[]): ReadonlyMap<SourceId, number> {
  const groups = new Map<string, SourceId[]>()
  for (const id of sources) {
    const key = nodeOf(id) ?? `source ${id}`
    groups.set(key, [...(groups.get(key) ?? []), id])
  }
  return new Map([...groups.values()].flat().map((id, at) => [id, at]))
}
