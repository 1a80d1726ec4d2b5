import { concatBytes } from '../../base/concat-bytes.ts'
import { Checkpoints } from './checkpoints.ts'
import type { RawBytes } from './raw-bytes.ts'

/** Maximum length of a text row, bytes: a document is often one line of gigabytes. */
export const ROW_BYTES = 200
const EVERY_BYTES = 32 << 10
const NEWLINE = 0x0a

/**
 * End of the row that begins at `from`: after a newline, or before the character that would make it longer than
 * `ROW_BYTES`. Depends only on the bytes from there on, so that rows can be found from any row start. −1: more bytes
 * are needed.
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

/** A row as a half-open range, its newline included. */
export interface RowSpan {
  readonly at: number
  readonly end: number
}

/** Finds rows by number and by byte. All bytes must be fed once, in order. */
export class RowIndex {
  /** Number of complete rows so far. */
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

  /** No more bytes will come: the rest is the last row. */
  finish(): void {
    this.#run(new Uint8Array(0), true)
  }

  #run(piece: Uint8Array<ArrayBuffer>, isLast: boolean): void {
    const bytes = this.#left.length === 0 ? piece : concatBytes([this.#left, piece])
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

  /** Rows `first` to `first + count`; fewer at the end. */
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

  /** Row that contains the byte `at`; the last one for a byte after it. */
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
