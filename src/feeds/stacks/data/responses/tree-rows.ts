import type { TreeResponse, TreeParams, TreeRow } from '../../contract/trees.ts'
import type { StackStore } from '../table.ts'
import type { TreeNode } from '../trees/node.ts'
import type { Pictures } from '../trees/picture.ts'
import type { FrameSearch } from '../trees/search.ts'

/** Maximum number of rows, more than anyone opens. */
const MAX_ROWS = 200_000

/** The tree as a table: open nodes in drawing order. */
export function treeResponse(
  store: StackStore,
  pictures: Pictures,
  search: FrameSearch,
  params: TreeParams,
): TreeResponse {
  const picture = pictures.of(params.view)
  const zoom = picture.at(params.zoom) ?? picture.root
  const matched =
    params.search === null || params.search.text === '' ? null : search.matched(store.frames, params.search).matched
  const open = new Set(params.open)
  const whole = zoom.width
  const rows: TreeRow[] = []
  let total = 0
  const waiting: { node: TreeNode; depth: number; isOnly: boolean }[] = []
  const push = (parent: TreeNode, depth: number): void => {
    const children = picture.childrenOf(parent)
    for (const node of children.toReversed()) waiting.push({ node, depth, isOnly: children.length === 1 })
  }
  if (zoom === picture.root) push(zoom, 0)
  else waiting.push({ node: zoom, depth: 0, isOnly: true })
  for (let at = waiting.pop(); at !== undefined && total < MAX_ROWS; at = waiting.pop()) {
    const { node, depth } = at
    const isOpen = open.has(node.id) || at.isOnly
    if (total >= params.offset && rows.length < params.limit) {
      rows.push({
        node: node.id,
        depth,
        name: store.frames.name(node.frame),
        weight: node.weight,
        self: node.self,
        against: node.against,
        share: whole > 0 ? node.width / whole : 0,
        children: picture.childrenOf(node).length,
        isOpen,
        matched: matched?.[node.frame] === 1,
      })
    }
    total++
    if (isOpen) push(node, depth + 1)
  }
  return {
    total,
    rows,
    weight: zoom.weight,
    against: zoom.against,
  }
}
