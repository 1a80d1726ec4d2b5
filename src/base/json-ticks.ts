import type { JsonBytes } from './json-bytes.ts'
import { parseTicks, TICKS_PER_SECOND } from './ticks.ts'

const QUOTE = 0x22
const ZERO = 0x30
/** Bytes of `2026-11-20T04:01:`. */
const PREFIX = 17
/** Bytes of `2026-11-20T04:01:30.6364827Z`. */
const WHOLE = 28

/**
 * Reads times of the wire from bytes. Rows come in order, so the minute of the last one is kept and only seconds and
 * their fraction are read anew.
 */
export class TickReader {
  readonly #prefix = new Uint8Array(PREFIX)
  #minuteTicks = Number.NaN

  /** Takes the next value; NaN when it is a text that is no time, or no text at all (which is skipped). */
  read(json: JsonBytes): number {
    if (json.peek() !== QUOTE) {
      json.skipSmall()
      return Number.NaN
    }
    const { bytes } = json
    const start = json.pos + 1
    const isWhole =
      start + WHOLE < json.end &&
      bytes[start + WHOLE] === QUOTE &&
      bytes[start + WHOLE - 1] === 0x5a &&
      bytes[start + 19] === 0x2e
    if (!isWhole) return parseTicks(json.text())
    const prefix = this.#prefix
    for (let i = PREFIX - 1; i >= 0; i--) if (bytes[start + i] !== prefix[i]) return this.#readSlowly(json, start)
    let ticks = 0
    for (let i = 20; i < 27; i++) {
      const digit = (bytes[start + i] as number) - ZERO
      if (!(digit >= 0 && digit <= 9)) return this.#readSlowly(json, start)
      ticks = ticks * 10 + digit
    }
    const tens = (bytes[start + 17] as number) - ZERO
    const ones = (bytes[start + 18] as number) - ZERO
    if (!(tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9)) return this.#readSlowly(json, start)
    json.pos = start + WHOLE + 1
    return this.#minuteTicks + (tens * 10 + ones) * TICKS_PER_SECOND + ticks
  }

  #readSlowly(json: JsonBytes, start: number): number {
    const { bytes } = json
    const text = json.text()
    const ticks = parseTicks(text)
    if (!Number.isNaN(ticks)) {
      this.#prefix.set(bytes.subarray(start, start + PREFIX))
      this.#minuteTicks = parseTicks(`${text.slice(0, PREFIX)}00Z`)
    }
    return ticks
  }
}
