import type { RawBytes } from './raw-bytes.ts'
import { PIECE_BYTES } from './raw-bytes.ts'

const BACKSLASH = 0x5c
export const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_OBJECT = 0x7b
export const OPEN_LIST = 0x5b

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Whether a byte ends a number or a word. */
const isEnd = (byte: number): boolean =>
  isBlank(byte) ||
  byte === COMMA ||
  byte === COLON ||
  byte === QUOTE ||
  byte === OPEN_OBJECT ||
  byte === OPEN_LIST ||
  byte === 0x7d ||
  byte === 0x5d

/**
 * Reads JSON values from any position. Only the bytes between two values are read one by one; within the current piece
 * everything is in memory.
 */
export class Cursor {
  readonly #raw: RawBytes
  readonly #signal: AbortSignal
  #bytes = new Uint8Array(0)
  #base: number
  #pos = 0

  constructor(raw: RawBytes, at: number, signal: AbortSignal) {
    this.#raw = raw
    this.#base = at
    this.#signal = signal
  }

  get at(): number {
    return this.#base + this.#pos
  }

  jump(at: number): void {
    const pos = at - this.#base
    if (pos >= 0 && pos <= this.#bytes.length) this.#pos = pos
    else {
      this.#base = at
      this.#pos = 0
      this.#bytes = new Uint8Array(0)
    }
  }

  /** The next byte that is not white space, without consuming it; −1 at the end. */
  async peek(): Promise<number> {
    for (;;) {
      while (this.#pos < this.#bytes.length) {
        const byte = this.#bytes[this.#pos] as number
        if (!isBlank(byte)) return byte
        this.#pos++
      }
      if (!(await this.#slide())) return -1
    }
  }

  skip(bytes: number): void {
    this.#pos += bytes
  }

  /** Skips the text at the cursor; false: it has no end. */
  async skipText(): Promise<boolean> {
    this.#pos++
    for (;;) {
      const bytes = this.#bytes
      let pos = this.#pos
      while (pos < bytes.length) {
        const byte = bytes[pos] as number
        if (byte === QUOTE) {
          this.#pos = pos + 1
          return true
        }
        pos += byte === BACKSLASH ? 2 : 1
      }
      // If the piece ends within an escape, its second half is skipped in the next piece.
      const over = pos - bytes.length
      this.#pos = bytes.length
      if (!(await this.#slide())) return false
      this.#pos += over
    }
  }

  /** Skips the number or word at the cursor. */
  async skipWord(): Promise<void> {
    for (;;) {
      while (this.#pos < this.#bytes.length) {
        if (isEnd(this.#bytes[this.#pos] as number)) return
        this.#pos++
      }
      if (!(await this.#slide())) return
    }
  }

  /** Skips the object or list at the cursor and returns its number of children; null: it has no end. */
  async skipNested(): Promise<number | null> {
    let depth = 0
    let count = 0
    let isFresh = false
    for (;;) {
      const byte = await this.peek()
      if (byte === -1) return null
      if (depth === 1 && isFresh && byte !== 0x5d && byte !== 0x7d) {
        count++
        isFresh = false
      }
      if (byte === QUOTE) {
        if (!(await this.skipText())) return null
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#pos++
        if (depth++ === 0) isFresh = true
      } else if (byte === 0x5d || byte === 0x7d) {
        this.#pos++
        if (--depth === 0) return count
      } else if (byte === COMMA || byte === COLON) {
        this.#pos++
        if (byte === COMMA && depth === 1) isFresh = true
      } else {
        const before = this.at
        await this.skipWord()
        // A byte that begins no value must not cause an endless loop.
        if (this.at === before) this.#pos++
      }
    }
  }

  async #slide(): Promise<boolean> {
    this.#signal.throwIfAborted()
    const at = this.at
    const next = await this.#raw.read(at, at + PIECE_BYTES - (at % PIECE_BYTES))
    if (next.length === 0) return false
    this.#base = at
    this.#pos = 0
    this.#bytes = next
    return true
  }
}

/** Beginning of the text from `at` to `end`, at most `maxBytes`, with the white space of objects and lists folded. */
export async function preview(raw: RawBytes, at: number, end: number, maxBytes: number): Promise<string> {
  const bytes = await raw.read(at, Math.min(end, at + maxBytes))
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  // White space between values is meaningless; within a text it is part of the text.
  return text.startsWith('"') ? text : text.replace(/\s+/g, ' ')
}
