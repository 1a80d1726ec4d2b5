import { BytePattern } from './byte-pattern.ts'
import type { JsonBytes } from './json-bytes.ts'
import { parseTicks, TICKS_PER_SECOND } from '../ticks.ts'

const QUOTE = 0x22
const ZERO = 0x30
const DOT = 0x2e
/** `Z"`, little endian. */
const Z_QUOTE = 0x225a
/** Bytes of `2026-11-20T04:01:`. */
const PREFIX = 17
/** Bytes of `2026-11-20T04:01:30.6364827Z`. */
const WHOLE = 28
/** Bytes of such a time with its quotes. */
export const TICK_TEXT_BYTES = WHOLE + 2

/**
 * Reads the server's times from bytes. Rows come in order, so the minute of the last one is kept and only seconds and
 * their fraction are parsed again.
 */
export class TickReader {
  /** Opening quote, and the text up to the minute. */
  #minute = new BytePattern(new Uint8Array(PREFIX + 1))
  #minuteTicks = Number.NaN

  /** Consumes the next value; NaN if it is not a text (which is skipped) or not a time. */
  read(json: JsonBytes): number {
    if (json.peek() !== QUOTE) {
      json.skipSmall()
      return Number.NaN
    }
    if (json.pos + TICK_TEXT_BYTES <= json.end) {
      const ticks = this.readPlain(json.view, json.pos)
      if (!Number.isNaN(ticks)) {
        json.pos += TICK_TEXT_BYTES
        return ticks
      }
    }
    // Another format, or cut off at the end of the bytes.
    return parseTicks(json.text())
  }

  /**
   * Time in quotes at `at`, if written as the server writes it, with seven digits and a Z; otherwise NaN. The caller
   * guarantees `TICK_TEXT_BYTES` bytes.
   */
  readPlain(view: DataView, at: number): number {
    if (view.getUint16(at + WHOLE, true) !== Z_QUOTE || view.getUint8(at + 20) !== DOT) return Number.NaN
    if (!this.#minute.standsAt(view, at) && !this.#beginMinute(view, at)) return Number.NaN
    let ticks = 0
    for (let i = at + 21; i < at + WHOLE; i++) {
      const digit = view.getUint8(i) - ZERO
      if (!(digit >= 0 && digit <= 9)) return Number.NaN
      ticks = ticks * 10 + digit
    }
    const tens = view.getUint8(at + 18) - ZERO
    const ones = view.getUint8(at + 19) - ZERO
    if (!(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9)) return Number.NaN
    return this.#minuteTicks + (tens * 10 + ones) * TICKS_PER_SECOND + ticks
  }

  /** Parses and keeps the minute at `at`; false: there is none. */
  #beginMinute(view: DataView, at: number): boolean {
    let text = ''
    for (let i = at + 1; i <= at + PREFIX; i++) text += String.fromCharCode(view.getUint8(i))
    const minuteTicks = parseTicks(`${text}00Z`)
    if (view.getUint8(at) !== QUOTE || Number.isNaN(minuteTicks)) return false
    this.#minute = new BytePattern(new Uint8Array(view.buffer, view.byteOffset + at, PREFIX + 1))
    this.#minuteTicks = minuteTicks
    return true
  }
}
