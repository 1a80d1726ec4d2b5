import { bisectRight } from '../../base/columns/bisect.ts'

export interface Checkpoint {
  readonly index: number
  readonly number: number
  readonly offset: number
}

/**
 * Items in the order of their offsets, of which one in each `everyBytes` is remembered; others are found by reading on
 * from the one before. 16 bytes each, so at 64 KiB a four-thousandth of the data.
 */
export class Checkpoints {
  readonly #everyBytes: number
  #numbers = new Float64Array(4)
  #offsets = new Float64Array(4)
  #count = 0
  #last = Number.NEGATIVE_INFINITY

  constructor(everyBytes: number) {
    this.#everyBytes = everyBytes
  }

  get byteLength(): number {
    return this.#numbers.byteLength + this.#offsets.byteLength
  }

  /** Adds item `number` at `offset`, both increasing; remembered if far enough from the last one. */
  add(number: number, offset: number): void {
    if (offset - this.#last < this.#everyBytes) return
    if (this.#count === this.#numbers.length) {
      this.#numbers = grown(this.#numbers)
      this.#offsets = grown(this.#offsets)
    }
    this.#numbers[this.#count] = number
    this.#offsets[this.#count] = offset
    this.#count++
    this.#last = offset
  }

  /** The last remembered item with a number of at most `number`; null: none. */
  beforeNumber(number: number): Checkpoint | null {
    return this.get(bisect(this.#numbers, this.#count, number))
  }

  /** The last remembered item at or before `offset`; null: none. */
  beforeOffset(offset: number): Checkpoint | null {
    return this.get(bisect(this.#offsets, this.#count, offset))
  }

  /** By index from 0, in the order in which they were remembered. */
  get(index: number): Checkpoint | null {
    if (index < 0 || index >= this.#count) return null
    return { index, number: this.#numbers[index] as number, offset: this.#offsets[index] as number }
  }
}

/** Index of the last of the first `count` values that is at most `wanted`; −1: none. */
const bisect = (column: Float64Array, count: number, wanted: number): number => bisectRight(column, wanted, count) - 1

function grown(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const next = new Float64Array(column.length * 2)
  next.set(column)
  return next
}
