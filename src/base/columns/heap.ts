/** Items of which the first in order is at hand. O(log n) per change. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  /** The first; undefined: there is none. */
  get top(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = items[above] as T
      if (!this.#isBefore(item, parent)) break
      items[at] = parent
      at = above
    }
    items[at] = item
  }

  /** Takes the first away. Does nothing where there is none. */
  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.sink()
  }

  /** Finds the place of the first, which has changed to come later. Does nothing where there is none. */
  sink(): void {
    const items = this.#items
    const moving = items[0]
    if (moving === undefined) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= items.length) break
      if (below + 1 < items.length && this.#isBefore(items[below + 1] as T, items[below] as T)) below++
      const child = items[below] as T
      if (!this.#isBefore(child, moving)) break
      items[at] = child
      at = below
    }
    items[at] = moving
  }
}
