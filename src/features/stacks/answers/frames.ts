import { tryMatch } from '../pattern.ts'
import type { FrameId, FrameRow, FramesAnswer, FramesAsk, NodeId } from '../queries.ts'
import type { StackStore } from '../table.ts'
import type { Pictures, TreePicture } from '../trees/picture.ts'
import { childrenOf } from '../trees/picture.ts'

interface Sums {
  self: number
  total: number
  selfAgainst: number
  totalAgainst: number
}

/** Every function once. In `total` a frame that calls itself counts once a sample: at its outermost place. */
export function answerFrames(store: StackStore, pictures: Pictures, ask: FramesAsk): FramesAnswer {
  const picture = pictures.of({ ...ask.view, direction: 'top-down', focus: null })
  const { matches, error } = tryMatch(ask.match)
  const rows: FrameRow[] = []
  for (const [frame, sums] of sumFrames(picture)) {
    if (!matches(store.frames.text(frame))) continue
    rows.push({ name: store.frames.name(frame), ...sums, change: changeOf(sums, ask.view.against !== null) })
  }
  const key = KEYS[ask.sort]
  const sign = ask.descending ? -1 : 1
  rows.sort((a, b) => sign * compare(key(a), key(b)) || compare(a.name.full, b.name.full))
  return {
    version: store.version,
    total: rows.length,
    matchError: error,
    rows: rows.slice(ask.offset, ask.offset + ask.limit),
    weight: picture.weight[0] ?? 0,
    against: picture.against[0] ?? 0,
  }
}

const KEYS: Readonly<Record<FramesAsk['sort'], (row: FrameRow) => number | string>> = {
  self: (row) => row.self + row.selfAgainst,
  total: (row) => row.total + row.totalAgainst,
  name: (row) => row.name.short,
  change: (row) => row.total - row.totalAgainst,
}

const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0)

function changeOf({ total, totalAgainst }: Sums, isCompared: boolean): FrameRow['change'] {
  if (!isCompared || total === totalAgainst) return 'same'
  if (totalAgainst === 0) return 'new'
  if (total === 0) return 'vanished'
  return total > totalAgainst ? 'grew' : 'shrank'
}

function sumFrames(picture: TreePicture): Map<FrameId, Sums> {
  const sums = new Map<FrameId, Sums>()
  const open = new Map<FrameId, number>()
  /** Negative: leave that node. */
  const waiting: NodeId[] = [...childrenOf(picture, 0)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const frame = picture.trie.frame(Math.abs(node))
    const above = open.get(frame) ?? 0
    if (node < 0) {
      open.set(frame, above - 1)
      continue
    }
    open.set(frame, above + 1)
    let sum = sums.get(frame)
    if (sum === undefined) sums.set(frame, (sum = { self: 0, total: 0, selfAgainst: 0, totalAgainst: 0 }))
    sum.self += picture.self[node] as number
    sum.selfAgainst += picture.selfAgainst[node] as number
    if (above === 0) {
      sum.total += picture.weight[node] as number
      sum.totalAgainst += picture.against[node] as number
    }
    waiting.push(-node)
    for (const child of childrenOf(picture, node)) waiting.push(child)
  }
  return sums
}
