import type { FrameTable } from '../frames.ts'
import { tryMatch } from '../pattern.ts'
import type { SearchResult, TextMatch } from '../../contract/search.ts'
import type { TreePicture } from './picture.ts'

/** Frames that match a search; cached while the search is the same. */
export class FrameSearch {
  #key = ''
  #frames: FrameTable | null = null
  #matched = new Uint8Array(0)
  #error: string | null = null

  /** 1 for frames whose full text matches. With an error none does. */
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

export function searchResult(picture: TreePicture, matched: Uint8Array, error: string | null): SearchResult {
  const { weight, against, frames } = picture.search(matched)
  const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
  return {
    error,
    frames,
    weight,
    share: share(weight, picture.root.weight),
    againstShare: share(against, picture.root.against),
  }
}
