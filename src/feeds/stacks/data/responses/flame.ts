import type { FrameId } from '../../contract/ids.ts'
import type { FlameResponse, FlameParams, FlameMarks } from '../../contract/trees.ts'
import type { StackStore } from '../table.ts'
import type { TreeNode } from '../trees/node.ts'
import type { Pictures, TreePicture } from '../trees/picture.ts'
import type { FrameSearch } from '../trees/search.ts'
import { searchResult } from '../trees/search.ts'

/** Width, CSS pixels, below which adjacent nodes are joined. */
const MIN_PX = 1
/** Maximum number of marks, for trees that are wider and deeper than any screen. */
const MAX_MARKS = 100_000

/** O(marks): skips what is out of view or narrower than a pixel. */
export function flameResponse(
  store: StackStore,
  pictures: Pictures,
  search: FrameSearch,
  params: FlameParams,
): FlameResponse {
  const picture = pictures.of(params.view)
  const { root } = picture
  const zoom = picture.at(params.zoom) ?? root
  const found = params.search === null || params.search.text === '' ? null : search.matched(store.frames, params.search)
  const marks = layOut(picture, zoom, params, found?.matched ?? null)
  const ids = new Set<FrameId>(marks.frame)
  ids.delete(-1)
  return {
    marks,
    names: Array.from(ids, (id) => store.frames.name(id)),
    total: { weight: root.weight, against: root.against, samples: picture.samples },
    depth: picture.heightOf(zoom),
    unknownCpu: picture.unknownCpu,
    search: found === null ? null : searchResult(picture, found.matched, found.error),
  }
}

/** A node with its place; or (`rest`) the remaining children of a parent, all of them narrow. */
interface Waiting {
  readonly node: TreeNode | null
  readonly rest: readonly TreeNode[]
  readonly depth: number
  readonly startShare: number
}

function layOut(picture: TreePicture, zoom: TreeNode, params: FlameParams, matched: Uint8Array | null): FlameMarks {
  const whole = zoom.width
  const build = new MarksBuilder()
  const pxPerShare = params.widthPx / Math.max(1e-12, params.endShare - params.startShare)
  const waiting: Waiting[] = whole > 0 ? [{ node: zoom, rest: [], depth: 0, startShare: 0 }] : []
  for (let at = waiting.pop(); at !== undefined && build.length < MAX_MARKS; at = waiting.pop()) {
    const { node, rest, depth, startShare } = at
    if (node === null) {
      addRest(picture, build, rest, depth, startShare, whole, params, matched)
      continue
    }
    if (depth >= params.firstDepth)
      build.add(
        depth,
        startShare,
        startShare + node.width / whole,
        node.id,
        node.frame,
        1,
        node.weight,
        node.against,
        node.self,
        matched?.[node.frame] ?? 0,
      )
    if (depth + 1 >= params.endDepth) continue
    const shown: Waiting[] = []
    let childStart = startShare
    const children = picture.childrenOf(node)
    for (const [i, child] of children.entries()) {
      const childWidth = child.width / whole
      if (childWidth * pxPerShare < MIN_PX) {
        shown.push({ node: null, rest: children.slice(i), depth: depth + 1, startShare: childStart })
        break
      }
      const childEnd = childStart + childWidth
      if (childEnd > params.startShare && childStart < params.endShare)
        shown.push({ node: child, rest: [], depth: depth + 1, startShare: childStart })
      childStart = childEnd
    }
    waiting.push(...shown.toReversed())
  }
  return build.result()
}

/** Children are sorted by weight: after the first narrow one all are narrow. */
function addRest(
  picture: TreePicture,
  build: MarksBuilder,
  rest: readonly TreeNode[],
  depth: number,
  startShare: number,
  whole: number,
  params: FlameParams,
  matched: Uint8Array | null,
): void {
  let weight = 0
  let against = 0
  let self = 0
  for (const node of rest) {
    weight += node.weight
    against += node.against
    self += node.self
  }
  const endShare = startShare + (weight + against) / whole
  if (depth < params.firstDepth || endShare <= params.startShare || startShare >= params.endShare) return
  const only = rest.length === 1 ? rest[0] : undefined
  const { matches } = matched === null ? { matches: () => false } : picture.search(matched)
  const isMatch = rest.some(matches) ? 1 : 0
  build.add(depth, startShare, endShare, only?.id ?? -1, only?.frame ?? -1, rest.length, weight, against, self, isMatch)
}

class MarksBuilder {
  readonly #columns: number[][] = Array.from({ length: 10 }, () => [])

  get length(): number {
    return this.#columns[0]?.length ?? 0
  }

  /** Adds a mark, with its values in the order of `FlameMarks`. */
  add(...mark: readonly number[]): void {
    mark.forEach((value, i) => this.#columns[i]?.push(value))
  }

  /** Marks by depth, then from left to right, as they are drawn and looked up. */
  result(): FlameMarks {
    const [depths = [], starts = []] = this.#columns
    // eslint-disable-next-line unicorn/no-array-sort -- a typed array of our own, sorted in place on purpose
    const order = Uint32Array.from(depths, (_, i) => i).sort(
      (a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || (starts[a] ?? 0) - (starts[b] ?? 0),
    )
    const column = (at: number): number[] => Array.from(order, (i) => this.#columns[at]?.[i] ?? 0)
    return {
      length: depths.length,
      depth: Uint16Array.from(column(0)),
      startShare: Float64Array.from(column(1)),
      endShare: Float64Array.from(column(2)),
      node: Int32Array.from(column(3)),
      frame: Int32Array.from(column(4)),
      joined: Uint32Array.from(column(5)),
      weight: Float64Array.from(column(6)),
      against: Float64Array.from(column(7)),
      self: Float64Array.from(column(8)),
      matched: Uint8Array.from(column(9)),
    }
  }
}
