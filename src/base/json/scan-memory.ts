import { ENTRY_BYTES, INPUT_BYTES, LENGTH, MASK, TEXT_BYTES } from '../assembly/entry-layout.ts'
import type { JsonBytes } from './json-bytes.ts'

/** Memory of a scan (`../assembly/json-scan.ts`) as its host writes it: the entries and the window's part. */

const MASK_BYTES = 16

/** Shortest text of an entry: `"":`. */
const LEAST_TEXT_BYTES = 3
/** Bytes that never occur in JSON. */
const NOWHERE = new Uint8Array(4).fill(0xff)

/** Overwrites the entry at `at`. A text that is too long or too short gets an entry that never matches. */
export function writeEntry(memory: Uint8Array, at: number, raw: Uint8Array): void {
  const text = raw.length < LEAST_TEXT_BYTES || raw.length > TEXT_BYTES ? NOWHERE : raw
  memory.fill(0, at, at + ENTRY_BYTES)
  memory.set(text, at)
  memory.fill(0xff, at + MASK, at + MASK + Math.min(text.length, MASK_BYTES))
  memory[at + LENGTH] = text.length
}

/** The part of a reader's window that is copied to the input of a scan. */
export class ScanInput {
  readonly #memory: Uint8Array
  readonly #at: number
  #window: Uint8Array | null = null
  #from = 0
  #end = 0

  /** `at` is the address of the input, which has `INPUT_BYTES`. */
  constructor(memory: Uint8Array, at: number) {
    this.#memory = memory
    this.#at = at
  }

  /** Address of the byte at `pos` of the window; copies it first if necessary. */
  hold(json: JsonBytes, pos: number): number {
    if (json.bytes !== this.#window || pos < this.#from || pos > this.#end) this.load(json, pos)
    return this.placeOf(pos)
  }

  /** Copies as many bytes of the window, from `pos` on, as fit. */
  load(json: JsonBytes, pos: number): void {
    this.#window = json.bytes
    this.#from = pos
    this.#end = Math.min(json.end, pos + INPUT_BYTES)
    this.#memory.set(json.bytes.subarray(pos, this.#end), this.#at)
  }

  /** Whether loading from `pos` on would add bytes. */
  hasMore(json: JsonBytes, pos: number): boolean {
    return this.#end < json.end && pos > this.#from
  }

  placeOf(pos: number): number {
    return pos - this.#from + this.#at
  }

  posOf(place: number): number {
    return place - this.#at + this.#from
  }

  /** Address after the last byte of the input. */
  get end(): number {
    return this.placeOf(this.#end)
  }
}
