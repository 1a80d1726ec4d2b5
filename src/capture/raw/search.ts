import type { Checkpoint } from './checkpoints.ts'
import { Checkpoints } from './checkpoints.ts'
import { Matcher } from './matcher.ts'
import type { RawBytes } from './raw-bytes.ts'
import { concatBytes } from '../../base/concat-bytes.ts'

const EVERY_BYTES = 64 << 10

export interface Hit {
  readonly number: number
  readonly at: number
}

/**
 * Counts the hits of a text in a pass over the bytes, and finds any of them again. Hits do not overlap, as with
 * repeated `indexOf`.
 */
export class Search {
  readonly find: string
  readonly matcher: Matcher
  count = 0
  /** Number of bytes searched. */
  readBytes = 0
  isWhole = false
  readonly #marks = new Checkpoints(EVERY_BYTES)
  #left = new Uint8Array(0)

  constructor(find: string) {
    this.find = find
    this.matcher = new Matcher(find)
  }

  feed(piece: Uint8Array<ArrayBuffer>): void {
    const bytes = this.#left.length === 0 ? piece : concatBytes([this.#left, piece])
    const base = this.readBytes - this.#left.length
    let from = 0
    for (;;) {
      const at = this.matcher.next(bytes, from)
      if (at < 0) break
      this.#marks.add(this.count++, base + at)
      from = at + this.matcher.length
    }
    this.readBytes += piece.length
    // A hit may begin here and end in the next piece.
    this.#left = bytes.slice(Math.max(from, bytes.length - this.matcher.length + 1, 0))
  }

  async hit(bytes: RawBytes, number: number): Promise<Hit | null> {
    if (number < 0 || number >= this.count) return null
    for await (const hit of this.#walk(bytes, this.#marks.beforeNumber(number))) if (hit.number === number) return hit
    return null
  }

  /** The first hit that begins at or after `from`. */
  async hitFrom(bytes: RawBytes, from: number): Promise<Hit | null> {
    for await (const hit of this.#walk(bytes, this.#marks.beforeOffset(from))) if (hit.at >= from) return hit
    return null
  }

  /** Starts of the hits that overlap the bytes from `from` to `to`. */
  async hitsIn(bytes: RawBytes, from: number, to: number): Promise<number[]> {
    const found: number[] = []
    const start = Math.max(0, from - this.matcher.length)
    for await (const hit of this.#walk(bytes, this.#marks.beforeOffset(start))) {
      if (hit.at >= to) break
      if (hit.at + this.matcher.length > from) found.push(hit.at)
    }
    return found
  }

  /**
   * All counted hits from a remembered one on. Others lie within `EVERY_BYTES` after a remembered one, so that bytes
   * between hits are not read again.
   */
  async *#walk(bytes: RawBytes, from: Checkpoint | null): AsyncGenerator<Hit> {
    for (let mark = from ?? this.#marks.get(0); mark !== null; mark = this.#marks.get(mark.index + 1)) {
      const window = await bytes.read(mark.offset, mark.offset + EVERY_BYTES + this.matcher.length - 1)
      let { number } = mark
      let at = 0
      while (number < this.count) {
        at = this.matcher.next(window, at)
        if (at < 0 || at >= EVERY_BYTES) break
        yield { number: number++, at: mark.offset + at }
        at += this.matcher.length
      }
    }
  }
}
