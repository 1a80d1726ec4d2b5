import { bisectLeft } from '../../base/columns/bisect.ts'
import { Checkpoints } from './checkpoints.ts'
import { RAW_ROOT } from './queries.ts'

/** Minimum length of an object or list that is remembered; a shorter one is read again at each request. */
const LARGE_BYTES = 64 << 10
/** Maximum depth of remembered ones: real documents are not deeper, and hostile ones must not fill the memory. */
const MAX_KEPT_DEPTH = 64
const MAX_DEPTH = 1_000_000

/** An object, a list, or (`at` −1) the documents of the file. */
export interface Container {
  readonly at: number
  readonly isObject: boolean
  /** Position after its bracket; null: not reached yet, or cut off. */
  end: number | null
  /** Number of children that have begun. */
  count: number
  /** Positions of some children, for an object those of their keys. Null: none yet. */
  marks: Checkpoints | null
  /** Position of the last mark; infinite: too deep for marks. */
  markedAt: number
}

/** Position where a text stops being JSON. */
export interface Break {
  readonly at: number
  readonly message: string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Classes of a byte outside of a text. */
const BLANK = 0
const WORD = 1
const OPEN = 2
const CLOSE = 3
const SEPARATOR = 4
const TEXT = 5
const COLON = 6
const NONE = 7
/** Begins a number, `true`, `false` or `null`. */
const WORD_START = 8

const CLASSES = new Uint8Array(256).fill(NONE)
for (const char of ' \t\r\n') CLASSES[char.charCodeAt(0)] = BLANK
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdeghijklmopqrsuvwxyz+.') CLASSES[char.charCodeAt(0)] = WORD
for (const char of '-0123456789tfn') CLASSES[char.charCodeAt(0)] = WORD_START
for (const char of '{[') CLASSES[char.charCodeAt(0)] = OPEN
for (const char of '}]') CLASSES[char.charCodeAt(0)] = CLOSE
CLASSES[0x2c] = SEPARATOR
CLASSES[QUOTE] = TEXT
CLASSES[0x3a] = COLON

/**
 * Finds the objects and lists of a document in one pass over its bytes, in pieces of any size. Checks only brackets,
 * quotes and first characters, and stops where they are invalid. Memory: the open brackets, and those of `LARGE_BYTES`
 * or more, with a mark at regular distances.
 */
export class StructureScan {
  /** By their start; complete and open ones. */
  readonly large = new Map<number, Container>()
  readonly root: Container
  /** Position of the next byte. */
  at: number
  notJson: Break | null = null
  readonly #open: Container[]
  /** Whether a value must, or at the root may, begin here. */
  #isFresh = true
  #inWord = false
  #inText = false
  #isEscaped = false
  readonly #onlyOne: boolean

  /** `at` ≥ 0 and `onlyOne`: starts at one value and ends after it. */
  constructor(at = 0, onlyOne = false) {
    this.at = at
    this.#onlyOne = onlyOne
    this.root = { at: RAW_ROOT, isObject: false, end: null, count: 0, marks: null, markedAt: at }
    this.#open = [this.root]
    this.large.set(RAW_ROOT, this.root)
  }

  /** Whether the one value has ended. */
  get isDone(): boolean {
    return this.root.end !== null || this.notJson !== null
  }

  /** Object or list of `onlyOne`; null: none. */
  first: Container | null = null

  get byteLength(): number {
    let bytes = 0
    for (const { marks } of this.large.values()) bytes += 100 + (marks?.byteLength ?? 0)
    return bytes
  }

  /** An object or list that is remembered or open. */
  find(at: number): Container | null {
    const kept = this.large.get(at)
    if (kept !== undefined) return kept
    const open = this.#open[bisectLeft(this.#open, at, (container) => container.at)]
    return open?.at === at ? open : null
  }

  feed(bytes: Uint8Array): void {
    if (this.isDone) return
    const base = this.at
    let pos = 0
    // A byte order mark is not part of the document.
    if (base === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) pos = 3
    const end = bytes.length
    while (pos < end) {
      if (this.#inText) {
        pos = this.#skipText(bytes, pos)
        continue
      }
      const byte = bytes[pos] as number
      const kind = CLASSES[byte] as number
      if (kind === BLANK) this.#inWord = false
      else if (kind === TEXT) {
        if (!this.#begin(base + pos)) return
        this.#inText = true
      } else if (kind === WORD || kind === WORD_START) {
        if (!this.#inWord) {
          if (kind === WORD) return this.#fail(base + pos, 'a value', byte)
          if (!this.#begin(base + pos)) return
          this.#inWord = true
        }
      } else if (kind === OPEN) {
        if (!this.#begin(base + pos)) return
        if (this.#open.length > MAX_DEPTH) return this.#fail(base + pos, `at most ${MAX_DEPTH} levels`, byte)
        this.#push(base + pos, byte === 0x7b)
      } else if (kind === CLOSE) {
        if (!this.#close(base + pos, byte)) return
        if (this.#onlyOne && this.#open.length === 1) {
          this.root.end = base + pos + 1
          this.at = base + pos + 1
          return
        }
      } else if (kind === SEPARATOR) {
        if (this.#open.length === 1 || this.#isFresh) return this.#fail(base + pos, 'a value', byte)
        this.#isFresh = true
        this.#inWord = false
      } else if (kind === COLON) {
        if (this.#open.at(-1)?.isObject !== true) return this.#fail(base + pos, '"," or "]"', byte)
        this.#inWord = false
      } else return this.#fail(base + pos, 'a value', byte)
      pos++
    }
    this.at = base + pos
  }

  /** No more bytes will come. */
  finish(): void {
    if (this.notJson === null && (this.#open.length > 1 || this.#inText))
      this.notJson = {
        at: this.at,
        message: `byte ${grouped(this.at)}: expected the rest of the document, got the end`,
      }
    this.root.end ??= this.at
  }

  #skipText(bytes: Uint8Array, from: number): number {
    let pos = from
    const end = bytes.length
    if (this.#isEscaped) {
      this.#isEscaped = false
      pos++
    }
    while (pos < end) {
      const byte = bytes[pos] as number
      if (byte === QUOTE) {
        this.#inText = false
        return pos + 1
      }
      pos += byte === BACKSLASH ? 2 : 1
    }
    this.#isEscaped = pos > end
    return end
  }

  /** A token begins: a child if expected, else the value of a key. Returns false if none is allowed. */
  #begin(at: number): boolean {
    const { length } = this.#open
    const parent = this.#open[length - 1] as Container
    this.#inWord = false
    if (this.#isFresh || length === 1) {
      if (at - parent.markedAt >= LARGE_BYTES) {
        parent.marks ??= new Checkpoints(LARGE_BYTES)
        parent.marks.add(parent.count, at)
        parent.markedAt = at
      }
      parent.count++
      this.#isFresh = false
    } else if (!parent.isObject) {
      this.notJson = { at, message: `byte ${grouped(at)}: expected "," or "]", got another value` }
      return false
    }
    return true
  }

  #push(at: number, isObject: boolean): void {
    const markedAt = this.#open.length <= MAX_KEPT_DEPTH ? at : Number.POSITIVE_INFINITY
    const container: Container = { at, isObject, end: null, count: 0, marks: null, markedAt }
    this.#open.push(container)
    if (this.#onlyOne) this.first ??= container
    this.#isFresh = true
  }

  #close(at: number, byte: number): boolean {
    const { length } = this.#open
    const last = this.#open[length - 1] as Container
    if (length === 1 || last.isObject !== (byte === 0x7d)) {
      const expected = length === 1 ? 'a value' : last.isObject ? '"}"' : '"]"'
      this.#fail(at, expected, byte)
      return false
    }
    this.#open.pop()
    last.end = at + 1
    if (at - last.at >= LARGE_BYTES && length <= MAX_KEPT_DEPTH + 1) this.large.set(last.at, last)
    this.#isFresh = false
    this.#inWord = false
    return true
  }

  #fail(at: number, expected: string, byte: number): void {
    const got = byte >= 0x20 && byte < 0x7f ? JSON.stringify(String.fromCharCode(byte)) : `byte ${byte}`
    this.notJson = { at, message: `byte ${grouped(at)}: expected ${expected}, got ${got}` }
    this.at = at
  }
}

const grouped = (count: number): string => count.toLocaleString('en-US')
