import { quotedNumber } from './quoted-number.ts'

// eslint-disable-next-line no-control-regex -- control characters are exactly what is meant
const CONTROLS = /[\u0000-\u001f]/g
const escapeControl = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Thrown if the bytes end inside a token; the caller retries with more. One shared object: throwing is cheap. */
export const MORE_BYTES: unique symbol = Symbol('more bytes')

/** Describes the bytes found where something else was expected. `at` counts bytes from the start of the document. */
export class JsonBytesError extends Error {
  override readonly name = 'JsonBytesError'
  readonly at: number
  readonly expected: string
  readonly got: string

  constructor(at: number, expected: string, got: string) {
    super(`byte ${at.toLocaleString('en-US')}: expected ${expected}, got ${got}`)
    this.at = at
    this.expected = expected
    this.got = got
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39

export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d

/** Maximum length of a text that may be a number in quotes. */
const MOST_QUOTED_BYTES = 48

/** Maximum length of a text or number. Names and ids are far shorter; a longer one must not fill the memory. */
export const MAX_TOKEN_BYTES = 1 << 20

/** Maximum number of bytes kept while the rest of a token or record is missing. */
const MAX_KEPT_BYTES = 8 << 20

const decoder = new TextDecoder('utf-8')

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * A position in JSON that arrives in pieces. Reads tokens from bytes; the caller saves `pos` before a token (or a whole
 * small record) and restores it when `MORE_BYTES` is thrown. `bytes[pos, end)` is available; `offset` is the position
 * of `bytes[0]` in the document.
 */
export class JsonBytes {
  bytes: Uint8Array = new Uint8Array(0)
  /** View of the same bytes. */
  view: DataView = new DataView(new ArrayBuffer(0))
  pos = 0
  end = 0
  offset = 0
  /** No more bytes will follow. */
  isLast = false

  /** Adds a piece after the bytes that were not read yet. If there are none, the piece is used without a copy. */
  feed(piece: Uint8Array): void {
    const left = this.end - this.pos
    if (left > MAX_KEPT_BYTES) this.fail(`a value of at most ${MAX_KEPT_BYTES} bytes`)
    this.offset += this.pos
    if (left === 0) this.bytes = piece
    else {
      const joined = new Uint8Array(left + piece.length)
      joined.set(this.bytes.subarray(this.pos, this.end))
      joined.set(piece, left)
      this.bytes = joined
    }
    this.view = viewOf(this.bytes)
    this.pos = 0
    this.end = this.bytes.length
  }

  /** Continues in another window, which begins with the unread bytes. Used without a copy until the next call. */
  look(window: Uint8Array): void {
    if (this.end - this.pos > MAX_KEPT_BYTES) this.fail(`a value of at most ${MAX_KEPT_BYTES} bytes`)
    this.offset += this.pos
    this.bytes = window
    this.view = viewOf(window)
    this.pos = 0
    this.end = window.length
  }

  /** Position from the start of the document, in bytes. */
  get at(): number {
    return this.offset + this.pos
  }

  fail(expected: string): never {
    throw new JsonBytesError(this.at, expected, this.#glimpse())
  }

  #glimpse(): string {
    if (this.pos >= this.end) return 'the end'
    const text = decoder.decode(this.bytes.subarray(this.pos, Math.min(this.end, this.pos + 24)))
    return JSON.stringify(text.slice(0, 16))
  }

  #more(): never {
    // eslint-disable-next-line typescript/only-throw-error -- a signal and not an error: see MORE_BYTES
    if (!this.isLast) throw MORE_BYTES
    return this.fail('more')
  }

  /** Skips white space and returns the next byte without consuming it; −1 at the end of the last piece. */
  peek(): number {
    const { bytes, end } = this
    let { pos } = this
    while (pos < end) {
      const byte = bytes[pos] as number
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        this.pos = pos
        return byte
      }
      pos++
    }
    this.pos = pos
    if (this.isLast) return -1
    return this.#more()
  }

  /** Consumes the next byte if it is `byte`. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.pos++
    return true
  }

  expect(byte: number): void {
    if (!this.take(byte)) this.fail(`"${String.fromCharCode(byte)}"`)
  }

  /** After an item: true at a comma, false at `close`; consumes either. */
  next(close: number): boolean {
    const byte = this.peek()
    if (byte === COMMA || byte === close) {
      this.pos++
      return byte === COMMA
    }
    return this.fail(`"," or "${String.fromCharCode(close)}"`)
  }

  /** Text between quotes, with escapes decoded. Invalid UTF-8 becomes U+FFFD. */
  text(): string {
    const start = this.#skipText()
    const raw = this.bytes.subarray(start, this.pos - 1)
    if (raw.length < 32) {
      let text = ''
      for (let i = 0; i < raw.length; i++) {
        const byte = raw[i] as number
        if (byte >= 0x80 || byte === BACKSLASH) return this.#slowText(raw)
        text += String.fromCharCode(byte)
      }
      return text
    }
    return this.#slowText(raw)
  }

  #slowText(raw: Uint8Array): string {
    const text = decoder.decode(raw)
    if (!text.includes('\\')) return text
    try {
      // Raw control characters are not valid JSON, and the server writes none; here they are accepted, since they do no
      // harm.
      return JSON.parse(`"${text.replaceAll(CONTROLS, escapeControl)}"`) as string
    } catch {
      return this.fail('a text with escapes that JSON knows')
    }
  }

  /** Skips a text and returns the position of its first byte in `bytes`; `pos` is after the closing quote. */
  #skipText(): number {
    this.expect(QUOTE)
    const { bytes, end } = this
    const start = this.pos
    let pos = start
    while (pos < end) {
      const byte = bytes[pos] as number
      if (byte === QUOTE) {
        this.pos = pos + 1
        return start
      }
      pos += byte === BACKSLASH ? 2 : 1
    }
    if (end - start > MAX_TOKEN_BYTES) this.fail(`a text of at most ${MAX_TOKEN_BYTES} bytes`)
    this.pos = end
    return this.#more()
  }

  /** Hash of the key's bytes, equal to `keyHash` of its text. Consumes the colon as well. */
  keyHash(): number {
    const { bytes, end } = this
    if (this.peek() !== QUOTE) this.fail('a name in quotes')
    let pos = this.pos + 1
    let hash = 0
    while (pos < end) {
      const byte = bytes[pos] as number
      if (byte === QUOTE) {
        this.pos = pos + 1
        if (pos + 1 < end && bytes[pos + 1] === COLON) this.pos = pos + 2
        else this.expect(COLON)
        return hash
      }
      if (byte === BACKSLASH) return this.#escapedKeyHash()
      hash = (Math.imul(hash, 31) + byte) | 0
      pos++
    }
    if (pos - this.pos > MAX_TOKEN_BYTES) this.fail(`a name of at most ${MAX_TOKEN_BYTES} bytes`)
    return this.#more()
  }

  #escapedKeyHash(): number {
    const hash = keyHash(this.text())
    this.expect(COLON)
    return hash
  }

  /**
   * Consumes the next value and returns it if it is a number, or a text of which `quoted` knows the number; else NaN.
   */
  takeNumber(quoted: (text: string) => number = quotedNumber): number {
    const value = this.number()
    if (!Number.isNaN(value)) return value
    const start = this.pos
    const isText = this.atText
    this.skipSmall()
    return isText && this.pos - start <= MOST_QUOTED_BYTES
      ? quoted(decoder.decode(this.bytes.subarray(start + 1, this.pos - 1)))
      : Number.NaN
  }

  /** Reads a number; NaN if the next value is not one, which is then not consumed. */
  number(): number {
    const first = this.peek()
    if (first !== MINUS && !(first >= ZERO && first <= NINE)) return Number.NaN
    const { bytes, end } = this
    let pos = this.pos
    const negative = first === MINUS
    if (negative) pos++
    let value = 0
    const wholeStart = pos
    while (pos < end) {
      const digit = (bytes[pos] as number) - ZERO
      if (!(digit >= 0 && digit <= 9)) break
      value = value * 10 + digit
      pos++
    }
    const plain = pos < end && pos > wholeStart && pos - wholeStart <= 15
    const stop = pos < end ? (bytes[pos] as number) : -1
    if (plain && stop === DOT) {
      const fractionStart = ++pos
      while (pos < end) {
        const digit = (bytes[pos] as number) - ZERO
        if (!(digit >= 0 && digit <= 9)) break
        value = value * 10 + digit
        pos++
      }
      const digits = pos - fractionStart
      // Dividing whole digits by a power of ten, both exact in a double, gives the double nearest to the text.
      if (pos < end && digits > 0 && pos - wholeStart <= 16 && isNumberEnd(bytes[pos] as number)) {
        this.pos = pos
        value /= POWERS_OF_TEN[digits] as number
        return negative ? -value : value
      }
    } else if (plain && isNumberEnd(stop)) {
      this.pos = pos
      return negative ? -value : value
    }
    return this.#slowNumber()
  }

  #slowNumber(): number {
    const { bytes, end } = this
    let pos = this.pos
    while (pos < end && !isNumberEnd(bytes[pos] as number)) pos++
    if (pos - this.pos > 1024) this.fail('a number of at most 1024 digits')
    if (pos === end && !this.isLast) this.#more()
    const text = decoder.decode(bytes.subarray(this.pos, pos))
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) this.fail('a number')
    this.pos = pos
    return Number(text)
  }

  /** Skips a small value, such as an unused field of a record. `JsonSkip` is for deep ones. */
  skipSmall(): void {
    const byte = this.peek()
    if (byte === QUOTE) this.#skipText()
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#skipNested()
    else if (!this.#skipNumber(byte)) this.word()
  }

  /** Skips a number without computing its value. Returns false if there is no number or it is cut off. */
  #skipNumber(first: number): boolean {
    if (first !== MINUS && !(first >= ZERO && first <= NINE)) return false
    const { bytes, end } = this
    let { pos } = this
    while (pos < end && isNumberByte(bytes[pos] as number)) pos++
    if (pos === end || !isNumberEnd(bytes[pos] as number)) return false
    this.pos = pos
    return true
  }

  #skipNested(): void {
    const skip = new JsonSkip()
    const start = this.pos
    while (!skip.run(this)) {
      if (this.pos - start > MAX_TOKEN_BYTES) this.fail(`a field of at most ${MAX_TOKEN_BYTES} bytes`)
      this.#more()
    }
  }

  /** Reads a number, `true`, `false` or `null`. */
  word(): number | boolean | null {
    const { bytes, end } = this
    const first = this.peek()
    if (first === MINUS || (first >= ZERO && first <= NINE)) return this.number()
    let { pos } = this
    if (first === 0x6e && pos + 4 < end && this.view.getUint32(pos) === NULL && isNumberEnd(bytes[pos + 4] as number)) {
      this.pos = pos + 4
      return null
    }
    while (pos < end && pos - this.pos < 6 && (bytes[pos] as number) >= 0x61 && (bytes[pos] as number) <= 0x7a) pos++
    if (pos === end && !this.isLast && pos - this.pos < 6) this.#more()
    const text = decoder.decode(bytes.subarray(this.pos, pos))
    if (text !== 'true' && text !== 'false' && text !== 'null') this.fail('a value')
    this.pos = pos
    return text === 'null' ? null : text === 'true'
  }

  get atText(): boolean {
    return this.peek() === QUOTE
  }
}

/** `null`. */
const NULL = 0x6e756c6c

const POWERS_OF_TEN = Array.from({ length: 17 }, (_, i) => 10 ** i)

/** Characters of a number: digits, `+`, `-`, `.`, `e` and `E`. */
export const isNumberByte = (byte: number): boolean =>
  (byte >= ZERO && byte <= NINE) || byte === DOT || byte === MINUS || byte === 0x2b || byte === 0x65 || byte === 0x45

const isNumberEnd = (byte: number): boolean =>
  byte === COMMA ||
  byte === CLOSE_OBJECT ||
  byte === CLOSE_ARRAY ||
  byte === 0x20 ||
  byte === 0x0a ||
  byte === 0x0d ||
  byte === 0x09

/** Hash of a key, equal to that of `JsonBytes.keyHash` for its UTF-8 bytes. */
export function keyHash(key: string): number {
  let hash = 0
  for (const byte of new TextEncoder().encode(key)) hash = (Math.imul(hash, 31) + byte) | 0
  return hash
}

/** Skips one value of any size across pieces. Keeps only the number of open brackets; checks them and quotes. */
export class JsonSkip {
  #depth = 0
  #started = false

  /** Returns true when the value has ended and `pos` is after it; false when all available bytes are consumed. */
  run(json: JsonBytes): boolean {
    for (;;) {
      if (this.#started && this.#depth === 0) return true
      let byte: number
      const start = json.pos
      try {
        byte = json.peek()
      } catch (signal) {
        if (signal === MORE_BYTES) return false
        throw signal
      }
      if (byte === -1) json.fail('more')
      try {
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
          json.pos++
          this.#depth++
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
          if (this.#depth === 0) json.fail('a value')
          json.pos++
          this.#depth--
        } else if (byte === COMMA || byte === COLON) {
          if (this.#depth === 0) json.fail('a value')
          json.pos++
        } else json.skipSmall()
        this.#started = true
      } catch (signal) {
        if (signal !== MORE_BYTES) throw signal
        json.pos = start
        return false
      }
    }
  }
}
