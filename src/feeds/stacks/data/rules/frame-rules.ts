import type { FrameTable } from '../frames.ts'
import type { FrameId } from '../../contract/ids.ts'

/** Finds the rule for a frame by `Type.Method` or `Type.*`; cached for each frame. */
export class FrameRules<Rule extends { readonly frames: readonly string[] }> {
  readonly #byKey = new Map<string, number>()
  readonly #rules: readonly Rule[]
  #frames: FrameTable | null = null
  #known = new Int16Array(0)

  /** Compiles rules; the first of several for the same frames is used. */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules
    rules.forEach(({ frames }, index) => {
      for (const frame of frames) if (!this.#byKey.has(frame)) this.#byKey.set(frame, index)
    })
  }

  rule(index: number): Rule | undefined {
    return this.#rules[index]
  }

  /** Index of the rule; −1: none. */
  of(frames: FrameTable, id: FrameId): number {
    if (frames !== this.#frames || id >= this.#known.length) this.#reserve(frames, id)
    const at = this.#known[id] as number
    if (at !== UNMATCHED) return at
    const { key, typeKey } = frames.frame(id)
    const found = this.#byKey.get(key) ?? (typeKey === '' ? undefined : this.#byKey.get(`${typeKey}.*`)) ?? -1
    this.#known[id] = found
    return found
  }

  /** The cache belongs to one table of frames; another one resets it. */
  #reserve(frames: FrameTable, id: FrameId): void {
    const larger = new Int16Array(Math.max(1024, id + 1, frames.length) * 2).fill(UNMATCHED)
    if (frames === this.#frames) larger.set(this.#known)
    this.#frames = frames
    this.#known = larger
  }
}

const UNMATCHED = -2
