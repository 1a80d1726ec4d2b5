/** Binary heap: the first item in order is read in O(1); a change is O(log n). */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  /** The first item; undefined if the heap is empty. */
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

  /** Removes the first item. Does nothing if the heap is empty. */
  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.sink()
  }

  /** Restores the order after the first item's key has increased. Does nothing if the heap is empty. */
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
