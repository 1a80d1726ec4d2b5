import { OPEN_ARRAY, OPEN_OBJECT, type JsonBytes } from '../../../../base/json/json-bytes.ts'
import { ENTRY_BYTES, TEXT_BYTES } from '../../../../base/assembly/entry-layout.ts'
import { ScanInput, writeEntry } from '../../../../base/json/scan-memory.ts'
import { parseTicks } from '../../../../base/ticks.ts'
import {
  COLUMNS,
  FIELD,
  FOLLOWER,
  FOLLOWERS,
  MOST_FOLLOWERS,
  MOST_KEYS,
  MOST_KINDS,
  ROWS,
  STAGED_ROWS,
} from '../../assembly/event-layout.ts'
import eventScan from '../../assembly/event-scan.ts?wasm'
import type { EventColumns } from './event-columns.ts'

/** Field numbers of the keys, as the scan defines them; a key that is not needed has 0. */
const FIELDS = new Map([
  ['Start', 1],
  ['Size', 2],
  ['OriginalSize', 3],
  ['FileSize', 4],
  ['CompressedSize', 5],
  ['Acceleration', 6],
  ['Duration', 7],
  ['Type', 8],
])
const OTHER = 0
const FIRST_KEY = 0

/** Reasons why the scan stopped, as defined in `event-scan.ts`. */
const AT_MINUTE = 1
const AT_END = 3

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
/** Shortest text of an entry: `"":`. */
const LEAST_TEXT_BYTES = 3
/** Bytes of `"2026-11-20T04:01:`. */
const MINUTE_BYTES = 18

const decoder = new TextDecoder()

/** Target of events of one kind. */
export interface KindTarget {
  /** Name of the kind as bytes, with quotes. */
  readonly raw: Uint8Array
  readonly events: EventColumns
}

interface Scan {
  readonly memory: WebAssembly.Memory
  readonly kindCount: WebAssembly.Global<'i32'>
  readonly minuteTicks: WebAssembly.Global<'f64'>
  readonly readCount: WebAssembly.Global<'i32'>
  readonly readUntil: WebAssembly.Global<'i32'>
  readonly eventAt: WebAssembly.Global<'i32'>
  readonly timeAt: WebAssembly.Global<'i32'>
  readonly keysAt: WebAssembly.Global<'i32'>
  readonly kindsAt: WebAssembly.Global<'i32'>
  readonly minuteAt: WebAssembly.Global<'i32'>
  readonly stagedAt: WebAssembly.Global<'i32'>
  readonly inputAt: WebAssembly.Global<'i32'>
  readonly run: (from: number, end: number) => number
}

/**
 * Reads runs of events in the server's format: no white space, plain numbers, keys in an order that was seen before.
 * Several times as fast as reading token by token, which takes over where this stops: at anything in another format, at
 * invalid values, and near the end of the window. So it never decides whether something is an error. One instance
 * serves all readers in turn: what it keeps between runs (the order of keys, the last minute) is valid for every
 * document.
 */
export class EventRuns {
  readonly #scan: Scan
  readonly #bytes: Uint8Array
  readonly #input: ScanInput
  /** Staged columns by kind. */
  readonly #staged: readonly (readonly Float64Array[])[]
  readonly #keys = new Map<string, number>()
  #kinds: readonly KindTarget[] = []
  #kindCount = 0

  /** Creates a scanner of event runs; null: this browser does not support WebAssembly with SIMD, or must not run it. */
  static create(): EventRuns | null {
    try {
      return new EventRuns(new WebAssembly.Instance(eventScan()).exports as unknown as Scan)
    } catch {
      return null
    }
  }

  private constructor(scan: Scan) {
    this.#scan = scan
    this.#bytes = new Uint8Array(scan.memory.buffer)
    this.#input = new ScanInput(this.#bytes, scan.inputAt.value)
    this.#staged = Array.from({ length: MOST_KINDS }, (_, kind) =>
      Array.from({ length: COLUMNS }, (_, column) => {
        const at = scan.stagedAt.value + (kind * COLUMNS + column) * ROWS * 8
        return new Float64Array(scan.memory.buffer, at, ROWS)
      }),
    )
    this.#forgetKeys()
  }

  /**
   * Learns from the flat object in [from, to) of `bytes`, which was read and is valid: the next ones may have the same
   * format.
   */
  learn(bytes: Uint8Array, from: number, to: number): void {
    let before = FIRST_KEY
    let keyAt = from + 1
    let inText = false
    for (let at = keyAt; at < to; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) inText = !inText
      else if (inText) at += byte === BACKSLASH ? 1 : 0
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return
      else if (byte === COMMA) keyAt = at + 1
      else if (byte === COLON) {
        const key = this.#key(bytes.subarray(keyAt, at + 1))
        if (key === null) return
        this.#follow(before, key)
        before = key
      }
    }
  }

  /**
   * Reads events from the `{` of the first one; `json.pos` is afterwards behind the `}` of the last one read. Returns
   * their number: at most `ROWS` per kind.
   */
  run(json: JsonBytes, kinds: readonly KindTarget[]): number {
    const scan = this.#scan
    const input = this.#input
    if (kinds !== this.#kinds || kinds.length !== this.#kindCount) this.#takeKinds(kinds)
    let place = input.hold(json, json.pos)
    let count = 0
    for (;;) {
      const stop = scan.run(place, input.end)
      if (scan.readCount.value > 0) {
        count += scan.readCount.value
        json.pos = input.posOf(scan.readUntil.value)
      }
      place = scan.eventAt.value
      if (stop === AT_MINUTE && this.#takeMinute(scan.timeAt.value)) continue
      const at = input.posOf(place)
      if (stop !== AT_END || !input.hasMore(json, at)) break
      input.load(json, at)
      place = input.placeOf(at)
    }
    if (count > 0) this.#unstage(kinds)
    return count
  }

  /** Stores the minute of the time at `at` in memory; false: it does not begin with a minute. */
  #takeMinute(at: number): boolean {
    const minute = this.#bytes.subarray(at, at + MINUTE_BYTES)
    const ticks = parseTicks(`${decoder.decode(minute.subarray(1))}00Z`)
    if (Number.isNaN(ticks)) return false
    this.#bytes.set(minute, this.#scan.minuteAt.value)
    this.#scan.minuteTicks.value = ticks
    return true
  }

  #unstage(kinds: readonly KindTarget[]): void {
    const { memory, kindsAt } = this.#scan
    const view = new DataView(memory.buffer, kindsAt.value)
    const count = Math.min(kinds.length, MOST_KINDS)
    for (let i = 0; i < count; i++) {
      const rows = view.getUint32(i * ENTRY_BYTES + STAGED_ROWS, true)
      if (rows === 0) continue
      kinds[i]?.events.addRows(this.#staged[i] as readonly Float64Array[], rows)
      view.setUint32(i * ENTRY_BYTES + STAGED_ROWS, 0, true)
    }
  }

  #takeKinds(kinds: readonly KindTarget[]): void {
    this.#kinds = kinds
    this.#kindCount = kinds.length
    const { kindsAt, kindCount } = this.#scan
    kindCount.value = Math.min(kinds.length, MOST_KINDS)
    for (const [i, { raw }] of kinds.slice(0, MOST_KINDS).entries())
      writeEntry(this.#bytes, kindsAt.value + i * ENTRY_BYTES, raw)
  }

  /** Entry of the key; null: not in the expected format (white space, escapes), or too long. */
  #key(raw: Uint8Array): number | null {
    const isPlain = raw[0] === QUOTE && raw.at(-2) === QUOTE && raw.length <= TEXT_BYTES && !raw.includes(BACKSLASH)
    if (!isPlain || raw.length < LEAST_TEXT_BYTES) return null
    const name = decoder.decode(raw.subarray(1, -2))
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    if (this.#keys.size + 1 >= MOST_KEYS) {
      this.#forgetKeys()
      return null
    }
    const key = this.#keys.size + 1
    this.#keys.set(name, key)
    const entry = this.#scan.keysAt.value + key * ENTRY_BYTES
    writeEntry(this.#bytes, entry, raw)
    this.#bytes[entry + FIELD] = FIELDS.get(name) ?? OTHER
    return key
  }

  /** Expects `key` after `before` from now on; drops the oldest expectation if there are too many. */
  #follow(before: number, key: number): void {
    const entry = this.#scan.keysAt.value + before * ENTRY_BYTES
    const count = this.#bytes[entry + FOLLOWERS] as number
    const followers = this.#bytes.subarray(entry + FOLLOWER, entry + FOLLOWER + MOST_FOLLOWERS)
    if (followers.subarray(0, count).includes(key)) return
    if (count === MOST_FOLLOWERS) followers.copyWithin(0, 1)
    followers[Math.min(count, MOST_FOLLOWERS - 1)] = key
    this.#bytes[entry + FOLLOWERS] = Math.min(count + 1, MOST_FOLLOWERS)
  }

  #forgetKeys(): void {
    this.#keys.clear()
    const { value } = this.#scan.keysAt
    this.#bytes.fill(0, value, value + MOST_KEYS * ENTRY_BYTES)
  }
}
