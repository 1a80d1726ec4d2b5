import type { NodeId, TreeAnswer, TreeAsk, TreeRow } from '../queries.ts'
import type { StackStore } from '../table.ts'
import type { Pictures } from '../trees/picture.ts'
import { childrenOf, widthOf } from '../trees/picture.ts'
import type { FrameSearch } from '../trees/search.ts'

/** Rows that are walked, open ones included: a person opens far fewer. */
const MAX_ROWS = 200_000

/** The tree as a table: what is open, in drawing order. */
export function answerTree(store: StackStore, pictures: Pictures, search: FrameSearch, ask: TreeAsk): TreeAnswer {
  const picture = pictures.of(ask.view)
  const zoom = ask.zoom < picture.length && widthOf(picture, ask.zoom) > 0 ? ask.zoom : 0
  const matched =
    ask.search === null || ask.search.text === '' ? null : search.matched(store.frames, ask.search).matched
  const open = new Set(ask.open)
  const whole = widthOf(picture, zoom)
  const rows: TreeRow[] = []
  let total = 0
  const waiting: { node: NodeId; depth: number; isOnly: boolean }[] = []
  const push = (parent: NodeId, depth: number): void => {
    const children = childrenOf(picture, parent)
    for (let i = children.length - 1; i >= 0; i--)
      waiting.push({ node: children[i] as NodeId, depth, isOnly: children.length === 1 })
  }
  if (zoom === 0) push(0, 0)
  else waiting.push({ node: zoom, depth: 0, isOnly: true })
  for (let at = waiting.pop(); at !== undefined && total < MAX_ROWS; at = waiting.pop()) {
    const { node, depth } = at
    const isOpen = open.has(node) || at.isOnly
    if (total >= ask.offset && rows.length < ask.limit) {
      const frame = picture.trie.frame(node)
      rows.push({
        node,
        depth,
        name: store.frames.name(frame),
        weight: picture.weight[node] ?? 0,
        self: picture.self[node] ?? 0,
        against: picture.against[node] ?? 0,
        share: whole > 0 ? widthOf(picture, node) / whole : 0,
        children: childrenOf(picture, node).length,
        isOpen,
        matched: matched?.[frame] === 1,
      })
    }
    total++
    if (isOpen) push(node, depth + 1)
  }
  return {
    version: store.version,
    total,
    rows,
    weight: picture.weight[zoom] ?? 0,
    against: picture.against[zoom] ?? 0,
  }
}
