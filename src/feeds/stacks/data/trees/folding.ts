import { FOLDED } from '../frames.ts'
import type { FrameTable } from '../frames.ts'
import type { FrameId } from '../../contract/ids.ts'

/** Methods of the server that only pass on a call. */
const PASSING = new Set(['PoolOfThreads+PooledThread', 'TimeCountingEnumerable+Enumerator'])

/** Whether a frame belongs to the runtime or a pool, whose frames are joined into one. */
export const isFolded = (frames: FrameTable, frame: FrameId): boolean => {
  const category = frames.category(frame)
  return category === 'runtime' || category === 'web' || PASSING.has(frames.frame(frame).typeKey)
}

/** Visible frame for each frame: itself, or `FOLDED`. */
export class Folding {
  readonly #frames: FrameTable
  readonly #fold: boolean
  readonly #kept: FrameId | null
  #seen = new Int32Array(0)

  /** `kept`: the subject of the view, which is never folded. */
  constructor(frames: FrameTable, fold: boolean, kept: FrameId | null) {
    this.#frames = frames
    this.#fold = fold
    this.#kept = kept
  }

  /** Visible frames, by frame. */
  seen(): Int32Array {
    const known = this.#seen.length
    const { length } = this.#frames
    if (known >= length) return this.#seen
    const seen = new Int32Array(length)
    seen.set(this.#seen)
    for (let id = known; id < length; id++)
      seen[id] = this.#fold && id !== this.#kept && isFolded(this.#frames, id) ? FOLDED : id
    this.#seen = seen
    return seen
  }
}
