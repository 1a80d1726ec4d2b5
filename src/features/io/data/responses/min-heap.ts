/** Numbers of which the least is at hand. O(log n) per change. */
export class MinHeap {
  readonly #items: number[] = []

  get size(): number {
    return this.#items.length
  }

  /** Infinity: there is none. */
  get least(): number {
    return this.#items[0] ?? Number.POSITIVE_INFINITY
  }

  push(value: number): void {
    const items = this.#items
    let at = items.length
    items.push(value)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = items[above] as number
      if (parent <= value) break
      items[at] = parent
      at = above
    }
    items[at] = value
  }

  /** Takes the least away. Does nothing where there is none. */
  pop(): void {
    const items = this.#items
    const last = items.pop()
    if (last === undefined || items.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= items.length) break
      if (below + 1 < items.length && (items[below + 1] as number) < (items[below] as number)) below++
      const child = items[below] as number
      if (child >= last) break
      items[at] = child
      at = below
    }
    items[at] = last
  }
}
