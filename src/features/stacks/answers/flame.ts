import type { FlameAnswer, FlameAsk, FlameMarks, FrameId, NodeId } from '../queries.ts'
import type { StackStore } from '../table.ts'
import type { Pictures, TreePicture } from '../trees/picture.ts'
import { childrenOf, widthOf } from '../trees/picture.ts'
import type { FrameSearch } from '../trees/search.ts'
import { searchTree } from '../trees/search.ts'

/** Narrower than this, CSS pixels, and neighbours are joined. */
const MIN_PX = 1
/** A tree that is wider and deeper than any screen is cut here. */
const MAX_MARKS = 100_000

/** O(marks): what lies beside the view, or is narrower than a pixel, is not walked. */
export function answerFlame(store: StackStore, pictures: Pictures, search: FrameSearch, ask: FlameAsk): FlameAnswer {
  const picture = pictures.of(ask.view)
  const zoom = ask.zoom < picture.length && widthOf(picture, ask.zoom) > 0 ? ask.zoom : 0
  const found = ask.search === null || ask.search.text === '' ? null : search.matched(store.frames, ask.search)
  const searched = found === null ? null : searchTree(picture, found.matched, found.error)
  const marks = layOut(picture, zoom, ask, found?.matched ?? null, searched?.below ?? null)
  const ids = new Set<FrameId>(marks.frame.filter((id) => id !== -1))
  return {
    version: store.version,
    marks,
    names: Array.from(ids, (id) => store.frames.name(id)),
    total: {
      weight: picture.weight[0] ?? 0,
      against: picture.against[0] ?? 0,
      samples: picture.samples,
    },
    zoomed: {
      weight: picture.weight[zoom] ?? 0,
      against: picture.against[zoom] ?? 0,
      depth: picture.trie.depth(zoom),
    },
    depth: picture.height[zoom] ?? 0,
    unknownCpu: picture.unknownCpu,
    search: searched?.result ?? null,
  }
}

/** A node with its place; or (`rest`) what is left of a parent's children, all of them narrow. */
interface Waiting {
  readonly node: NodeId
  readonly rest: Uint32Array | null
  readonly depth: number
  readonly startShare: number
}

function layOut(
  picture: TreePicture,
  zoom: NodeId,
  ask: FlameAsk,
  matched: Uint8Array | null,
  below: Uint8Array | null,
): FlameMarks {
  const whole = widthOf(picture, zoom)
  const build = new MarksBuilder()
  const pxPerShare = ask.widthPx / Math.max(1e-12, ask.endShare - ask.startShare)
  const waiting: Waiting[] = whole > 0 ? [{ node: zoom, rest: null, depth: 0, startShare: 0 }] : []
  for (let at = waiting.pop(); at !== undefined && build.length < MAX_MARKS; at = waiting.pop()) {
    const { node, rest, depth, startShare } = at
    if (rest !== null) {
      addRest(picture, build, rest, depth, startShare, whole, ask, below)
      continue
    }
    const width = widthOf(picture, node) / whole
    if (depth >= ask.firstDepth)
      build.add(
        depth,
        startShare,
        startShare + width,
        node,
        picture.trie.frame(node),
        1,
        picture.weight[node] as number,
        picture.against[node] as number,
        picture.self[node] as number,
        matched?.[picture.trie.frame(node)] ?? 0,
      )
    if (depth + 1 >= ask.endDepth) continue
    const shown: Waiting[] = []
    let childStart = startShare
    const children = childrenOf(picture, node)
    for (let i = 0; i < children.length; i++) {
      const child = children[i] as NodeId
      const childWidth = widthOf(picture, child) / whole
      if (childWidth * pxPerShare < MIN_PX) {
        shown.push({ node: -1, rest: children.subarray(i), depth: depth + 1, startShare: childStart })
        break
      }
      const childEnd = childStart + childWidth
      if (childEnd > ask.startShare && childStart < ask.endShare)
        shown.push({ node: child, rest: null, depth: depth + 1, startShare: childStart })
      childStart = childEnd
    }
    waiting.push(...shown.toReversed())
  }
  return build.result()
}

/** Children come heaviest first: from the first narrow one on all are narrow. */
function addRest(
  picture: TreePicture,
  build: MarksBuilder,
  rest: Uint32Array,
  depth: number,
  startShare: number,
  whole: number,
  ask: FlameAsk,
  below: Uint8Array | null,
): void {
  let weight = 0
  let against = 0
  let self = 0
  let isMatch = 0
  for (const node of rest) {
    weight += picture.weight[node] as number
    against += picture.against[node] as number
    self += picture.self[node] as number
    if (below?.[node] === 1) isMatch = 1
  }
  const endShare = startShare + (weight + against) / whole
  if (depth < ask.firstDepth || endShare <= ask.startShare || startShare >= ask.endShare) return
  const only = rest.length === 1 ? (rest[0] as NodeId) : -1
  const frame = only === -1 ? -1 : picture.trie.frame(only)
  build.add(depth, startShare, endShare, only, frame, rest.length, weight, against, self, isMatch)
}

class MarksBuilder {
  readonly #columns: number[][] = Array.from({ length: 10 }, () => [])

  get length(): number {
    return this.#columns[0]?.length ?? 0
  }

  /** In the order of `FlameMarks`. */
  add(...mark: readonly number[]): void {
    mark.forEach((value, i) => this.#columns[i]?.push(value))
  }

  /** By depth, then from left to right: as they are drawn and looked up. */
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
