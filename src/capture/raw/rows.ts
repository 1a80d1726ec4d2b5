import { Checkpoints } from './checkpoints.ts'
import type { RawBytes } from './raw-bytes.ts'

/** Longest row of text, bytes: a document is often one line of gigabytes. */
export const ROW_BYTES = 200
const EVERY_BYTES = 32 << 10
const NEWLINE = 0x0a

/**
 * Where the row that begins at `from` ends: behind a newline, or before the character that would make it longer than
 * `ROW_BYTES`. It depends on nothing but the bytes from there on, so that any row start is as good as the first.
 * −1: `bytes` ends first, and more will come.
 */
export function rowEnd(bytes: Uint8Array, from: number, end: number, isLast: boolean): number {
  const limit = Math.min(from + ROW_BYTES + 1, end)
  for (let at = from; at < limit; at++) if (bytes[at] === NEWLINE) return at + 1
  if (end - from <= ROW_BYTES) return isLast ? end : -1
  const longest = from + ROW_BYTES
  let cut = longest
  while (cut > longest - 4 && isContinuation(bytes[cut])) cut--
  return isContinuation(bytes[cut]) ? longest : cut
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** A row: half open, the newline included. */
export interface RowSpan {
  readonly at: number
  readonly end: number
}

/** Finds rows by number and by byte. Fed once with all bytes in order. */
export class RowIndex {
  /** Whole rows so far. */
  count = 0
  readonly #marks = new Checkpoints(EVERY_BYTES)
  #left = new Uint8Array(0)
  #at = 0

  get byteLength(): number {
    return this.#marks.byteLength
  }

  feed(piece: Uint8Array<ArrayBuffer>): void {
    this.#run(piece, false)
  }

  /** No more comes: what is left is the last row. */
  finish(): void {
    this.#run(new Uint8Array(0), true)
  }

  #run(piece: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const bytes = this.#left.length === 0 ? piece : joined(this.#left, piece)
    let from = 0
    while (from < bytes.length) {
      const end = rowEnd(bytes, from, bytes.length, isLast)
      if (end < 0) break
      this.#marks.add(this.count++, this.#at + from)
      from = end
    }
    this.#at += from
    this.#left = bytes.slice(from)
  }

  /** Rows `first` to `first + count`, fewer at the end. */
  async rows(bytes: RawBytes, first: number, count: number): Promise<RowSpan[]> {
    const found: RowSpan[] = []
    if (first >= this.count) return found
    const mark = this.#marks.beforeNumber(first) ?? { number: 0, offset: 0 }
    const end = Math.min(first + count, this.count)
    for await (const row of this.#walk(bytes, mark)) {
      if (row.number >= end) break
      if (row.number >= first) found.push({ at: row.at, end: row.end })
    }
    return found
  }

  /** The row that holds the byte `at`; the last one for what lies behind. */
  async rowOf(bytes: RawBytes, at: number): Promise<number> {
    const mark = this.#marks.beforeOffset(at) ?? { number: 0, offset: 0 }
    let last = mark.number
    for await (const row of this.#walk(bytes, mark)) {
      if (row.number >= this.count) break
      last = row.number
      if (row.end > at) break
    }
    return last
  }

  async *#walk(
    bytes: RawBytes,
    from: { readonly number: number; readonly offset: number },
  ): AsyncGenerator<RowSpan & { readonly number: number }> {
    let { number, offset } = from
    while (offset < bytes.size) {
      const window = await bytes.read(offset, offset + EVERY_BYTES)
      const isLast = offset + window.length >= bytes.size
      let start = 0
      while (start < window.length) {
        const end = rowEnd(window, start, window.length, isLast)
        if (end < 0) break
        yield { number: number++, at: offset + start, end: offset + end }
        start = end
      }
      offset += start
    }
  }
}

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
