import { isFileSource, nodeFolderOf, type SourceId } from './state.ts'

/** The package and the node in it that a source is of; null: it is of no package of a cluster. */
function nodeOf(id: SourceId): string | null {
  const node = isFileSource(id) ? nodeFolderOf(id.slice('file:'.length)) : null
  return node === null ? null : `${node.tag} ${node.file}`
}

/** Sources are known to be of two servers: of two nodes of a package. */
export function areOfTwoNodes(a: SourceId, b: SourceId): boolean {
  const [ofA, ofB] = [nodeOf(a), nodeOf(b)]
  return ofA !== null && ofB !== null && ofA !== ofB
}

/** Places of sources, in their order, but that those of one node of a package stand together, where the first of them does. */
export function placesOf(sources: readonly SourceId[]): ReadonlyMap<SourceId, number> {
  const groups = new Map<string, SourceId[]>()
  for (const id of sources) {
    const key = nodeOf(id) ?? `source ${id}`
    groups.set(key, [...(groups.get(key) ?? []), id])
  }
  return new Map([...groups.values()].flat().map((id, at) => [id, at]))
}
