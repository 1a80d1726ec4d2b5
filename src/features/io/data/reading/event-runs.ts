import type { BytePattern } from '../../../../base/json/byte-pattern.ts'
import { CLOSE_OBJECT, isNumberByte, OPEN_OBJECT, type JsonBytes } from '../../../../base/json/json-bytes.ts'
import type { TickReader } from '../../../../base/json/json-ticks.ts'
import { TICK_TEXT_BYTES } from '../../../../base/json/json-ticks.ts'
import { KeyChain, MOST_KEY_BYTES } from '../../../../base/json/key-chain.ts'
import { spanFromMs } from '../../../../base/ticks.ts'
import type { EventColumns } from './event-columns.ts'
import { MAX_SPAN_MS } from './wire.ts'

/** Fields of an event by number; one that is not wanted is `OTHER`. */
const OTHER = 0
const START = 1
const SIZE = 2
const ORIGINAL_SIZE = 3
const FILE_SIZE = 4
const COMPRESSED_SIZE = 5
const ACCELERATION = 6
const DURATION = 7
const TYPE = 8

const FIELDS = new Map([
  ['Start', START],
  ['Size', SIZE],
  ['OriginalSize', ORIGINAL_SIZE],
  ['FileSize', FILE_SIZE],
  ['CompressedSize', COMPRESSED_SIZE],
  ['Acceleration', ACCELERATION],
  ['Duration', DURATION],
  ['Type', TYPE],
])

const QUOTE = 0x22
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const BACKSLASH = 0x5c

/** Most bytes that are looked at between two looks at the end of the window: a key, a time, a number. */
const STRIDE_BYTES = MOST_KEY_BYTES + 64

/** Where events of one kind go. */
export interface KindTarget {
  /** The kind's name as the bytes have it, in quotes; of at most `MOST_KEY_BYTES`. */
  readonly pattern: BytePattern
  readonly events: EventColumns
}

/**
 * Reads runs of events that are written as the server writes them: no white space, plain numbers, keys in an order that
 * was seen before. Several times as fast as reading token by token, which continues where this stops: at whatever is
 * not so, at what makes no sense, and at the end of the window. So it never decides what is an error.
 */
export class EventRuns {
  readonly #ticks: TickReader
  readonly #keys = new KeyChain((name) => FIELDS.get(name) ?? OTHER)

  constructor(ticks: TickReader) {
    this.#ticks = ticks
  }

  /** An event that is in [from, to) of the bytes was read: the next ones may be written like it. */
  learn(bytes: Uint8Array, from: number, to: number): void {
    this.#keys.learn(bytes, from, to)
  }

  /**
   * Takes events from the `{` of the first to behind the `}` of the last that it could read; `json.pos` ends up there.
   * Returns how many. Stops when `mostRows` of a kind can be handed on.
   */
  run(json: JsonBytes, kinds: readonly KindTarget[], mostRows: number): number {
    const { bytes, view } = json
    const ticks = this.#ticks
    const { start: root } = this.#keys
    const last = json.end - STRIDE_BYTES
    let pos = json.pos
    let count = 0
    for (;;) {
      // One event, from `{` to behind `}`.
      if (pos >= last || bytes[pos] !== OPEN_OBJECT) return count
      let start = Number.NaN
      let size = Number.NaN
      let originalSize = Number.NaN
      let fileSize = -1
      let compressed = -1
      let acceleration = -1
      let duration = Number.NaN
      let kind: KindTarget | null = null
      let link = root
      for (;;) {
        pos++
        if (pos >= last) return count
        const next = link.followerAt(view, pos)
        if (next === null) return count
        link = next
        pos += next.pattern.length
        const { field } = next
        const byte = bytes[pos] as number
        if (byte === QUOTE) {
          if (field === START) {
            start = ticks.readPlain(view, pos)
            if (Number.isNaN(start)) return count
            pos += TICK_TEXT_BYTES
          } else if (field === TYPE) {
            kind = kindAt(kinds, view, pos)
            if (kind === null) return count
            pos += kind.pattern.length
          } else {
            if (field !== OTHER) return count
            for (pos++; ; pos++) {
              if (pos >= last) return count
              const letter = bytes[pos] as number
              if (letter === QUOTE) break
              if (letter === BACKSLASH) pos++
            }
            pos++
          }
        } else if (field === OTHER) {
          const numberAt = pos
          while (isNumberByte(bytes[pos] as number)) pos++
          if (pos === numberAt) return count
        } else {
          const wholeAt = pos
          let value = 0
          let digit = byte - ZERO
          while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit
            digit = (bytes[++pos] as number) - ZERO
          }
          const wholeDigits = pos - wholeAt
          if (wholeDigits === 0 || wholeDigits > 15) return count
          if (bytes[pos] === DOT) {
            const fractionAt = ++pos
            digit = (bytes[pos] as number) - ZERO
            while (digit >= 0 && digit <= 9) {
              value = value * 10 + digit
              digit = (bytes[++pos] as number) - ZERO
            }
            const digits = pos - fractionAt
            // Whole digits and a power of ten that a double holds exactly: the quotient is the double nearest to the text.
            if (digits === 0 || wholeDigits + digits > 15) return count
            value /= POWERS_OF_TEN[digits] as number
          }
          if (field === DURATION) duration = value
          else if (field === SIZE) size = value
          else if (field === FILE_SIZE) fileSize = value
          else if (field === ORIGINAL_SIZE) originalSize = value
          else if (field === COMPRESSED_SIZE) compressed = value
          else if (field === ACCELERATION) acceleration = value
          else return count
        }
        const after = bytes[pos] as number
        if (after === CLOSE_OBJECT) break
        if (after !== COMMA) return count
      }
      pos++
      const bytesMoved = size >= 0 ? size : originalSize
      const isSound: boolean =
        !Number.isNaN(start) &&
        duration >= 0 &&
        duration <= MAX_SPAN_MS &&
        bytesMoved >= 0 &&
        Number.isSafeInteger(bytesMoved)
      if (kind === null || !isSound) return count
      const { events } = kind
      events.add(
        start,
        spanFromMs(duration),
        bytesMoved,
        Number.isSafeInteger(fileSize) ? fileSize : -1,
        compressed >= 1 && Number.isSafeInteger(compressed) ? compressed : -1,
        acceleration >= 1 && Number.isSafeInteger(acceleration) ? acceleration : -1,
      )
      json.pos = pos
      count++
      if (events.ready >= mostRows || bytes[pos] !== COMMA) return count
      pos++
    }
  }
}

function kindAt(kinds: readonly KindTarget[], view: DataView, at: number): KindTarget | null {
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i] as KindTarget
    if (kind.pattern.standsAt(view, at)) return kind
  }
  return null
}

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, i) => 10 ** i)
