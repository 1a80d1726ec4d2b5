import type { FrameTable } from '../frames.ts'
import { tryMatch } from '../pattern.ts'
import type { SearchResult, TextMatch } from '../queries.ts'
import type { TreePicture } from './picture.ts'

/** Which frames match; remembered while the same is looked for. */
export class FrameSearch {
  #key = ''
  #frames: FrameTable | null = null
  #matched = new Uint8Array(0)
  #error: string | null = null

  /** 1 where the full text of a frame matches. With an error none does. */
  matched(frames: FrameTable, search: TextMatch): { readonly matched: Uint8Array; readonly error: string | null } {
    const key = JSON.stringify(search)
    if (key === this.#key && frames === this.#frames && this.#matched.length === frames.length)
      return { matched: this.#matched, error: this.#error }
    const { matches, error } = tryMatch(search)
    const matched = new Uint8Array(frames.length)
    if (error === null && search.text !== '')
      for (let id = 0; id < frames.length; id++) if (matches(frames.text(id))) matched[id] = 1
    this.#key = key
    this.#frames = frames
    this.#matched = matched
    this.#error = error
    return { matched, error }
  }
}

/** Nodes of a view with respect to a search. */
export interface SearchedTree {
  /** 1: its frame, or one below it, matches. */
  readonly below: Uint8Array
  readonly result: SearchResult
}

export function searchTree(picture: TreePicture, matched: Uint8Array, error: string | null): SearchedTree {
  const { trie, length, self, selfAgainst, weight, against } = picture
  const onPath = new Uint8Array(length)
  const below = new Uint8Array(length)
  const frames = new Set<number>()
  let hit = 0
  let hitAgainst = 0
  for (let node = 1; node < length; node++) {
    if ((weight[node] as number) + (against[node] as number) === 0) continue
    const frame = trie.frame(node)
    const isHit = matched[frame] === 1
    if (isHit) {
      frames.add(frame)
      below[node] = 1
    }
    if (!isHit && onPath[trie.parent(node)] !== 1) continue
    onPath[node] = 1
    hit += self[node] as number
    hitAgainst += selfAgainst[node] as number
  }
  for (let node = length - 1; node > 0; node--) if (below[node] === 1) below[trie.parent(node)] = 1
  const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
  return {
    below,
    result: {
      error,
      frames: frames.size,
      weight: hit,
      share: share(hit, weight[0] as number),
      againstShare: share(hitAgainst, against[0] as number),
    },
  }
}
