const EMPTY = Number.NaN
const LEAST_SLOTS = 16

/** A set of numbers (not NaN) in 11 to 32 bytes each; a `Set` takes several times as much. */
export class NumberSet {
  #slots = new Float64Array(0)
  size = 0

  has(value: number): boolean {
    return this.#slots.length > 0 && !Number.isNaN(this.#slots[this.#slotOf(value)])
  }

  /** Returns false if the value was in the set. */
  add(value: number): boolean {
    if ((this.size + 1) * 4 > this.#slots.length * 3) this.#grow()
    const slot = this.#slotOf(value)
    if (!Number.isNaN(this.#slots[slot])) return false
    this.#slots[slot] = value
    this.size++
    return true
  }

  get byteLength(): number {
    return this.#slots.byteLength
  }

  /** Slot that holds the value, or the free slot where it would be stored. */
  #slotOf(value: number): number {
    const mask = this.#slots.length - 1
    let slot = (Math.imul(value % 0x1_0000_0000, 0x9e37_79b1) >>> 8) & mask
    while (!Number.isNaN(this.#slots[slot]) && this.#slots[slot] !== value) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Float64Array(Math.max(LEAST_SLOTS, before.length * 2)).fill(EMPTY)
    for (const value of before) if (!Number.isNaN(value)) this.#slots[this.#slotOf(value)] = value
  }
}
