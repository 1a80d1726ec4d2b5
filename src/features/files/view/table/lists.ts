import type { RawChild, RawRequests } from '../../../../capture/raw/queries.ts'
import { RAW_ROOT } from '../../../../capture/raw/queries.ts'
import { formatPath } from '../raw/raw-path.ts'

/** A list of objects in a document. */
export interface RecordList {
  /** Name among several lists, such as `$.Results`. */
  readonly path: string
  /** Position of its first byte. */
  readonly at: number
  readonly count: number
}

type Children = (at: number, first: number, count: number) => Promise<RawRequests['raw.children']['response']>

/** Maximum number of members of an object that are examined: one that wraps a list has few. */
const MOST_MEMBERS = 200
/** Maximum number of objects that are examined, and of lists that are offered. */
const MOST_INSIDE = 20
const MOST_LISTS = 30

/**
 * Lists whose first item is an object: the document itself, its members, and members of those. The server writes none
 * deeper; the tree shows others.
 */
export async function findLists(children: Children): Promise<readonly RecordList[]> {
  const roots = await children(RAW_ROOT, 0, 2)
  const [root] = roots.children
  if (root === undefined || roots.count !== 1) return []
  const found: RecordList[] = []
  const add = async (list: RawChild, path: string): Promise<void> => {
    if (found.length >= MOST_LISTS || (list.count ?? 0) === 0) return
    const { children: items } = await children(list.at, 0, 1)
    if (items[0]?.kind === 'object') found.push({ path, at: list.at, count: list.count ?? 0 })
  }
  if (root.kind === 'list') await add(root, '$')
  if (root.kind !== 'object') return found
  let inside = 0
  const { children: members } = await children(root.at, 0, MOST_MEMBERS)
  for (const member of members) {
    const steps = [
      { parent: RAW_ROOT, child: root },
      { parent: root.at, child: member },
    ]
    if (member.kind === 'list') await add(member, formatPath(steps, true))
    else if (member.kind === 'object' && inside++ < MOST_INSIDE) {
      const { children: deeper } = await children(member.at, 0, MOST_MEMBERS)
      for (const child of deeper)
        if (child.kind === 'list') await add(child, formatPath([...steps, { parent: member.at, child }], true))
    }
  }
  return found
}
