import { ENTRY_BYTES, INPUT_BYTES, LENGTH, MASK, TEXT_BYTES } from '../assembly/entry-layout.ts'
import type { JsonBytes } from './json-bytes.ts'

/**
 * The memory of a scan (`../assembly/json-scan.ts`), as its host writes it: entries, and the part of a reader's window that
 * is scanned.
 */

const MASK_BYTES = 16

/** Shortest text of an entry: `"":`. */
const LEAST_TEXT_BYTES = 3
/** Bytes that no JSON has. */
const NOWHERE = new Uint8Array(4).fill(0xff)

/** Overwrites the entry at `at`. A text that is too long or too short never matches. */
export function writeEntry(memory: Uint8Array, at: number, raw: Uint8Array): void {
  const text = raw.length < LEAST_TEXT_BYTES || raw.length > TEXT_BYTES ? NOWHERE : raw
  memory.fill(0, at, at + ENTRY_BYTES)
  memory.set(text, at)
  memory.fill(0xff, at + MASK, at + MASK + Math.min(text.length, MASK_BYTES))
  memory[at + LENGTH] = text.length
}

/** The part of a reader's window that lies in the input of a scan. */
export class ScanInput {
  readonly #memory: Uint8Array
  readonly #at: number
  #window: Uint8Array | null = null
  #from = 0
  #end = 0

  /** `at`: of the input in the memory, `INPUT_BYTES` long. */
  constructor(memory: Uint8Array, at: number) {
    this.#memory = memory
    this.#at = at
  }

  /** Where the byte of the window at `pos` is in the memory; it is put there if need be. */
  hold(json: JsonBytes, pos: number): number {
    if (json.bytes !== this.#window || pos < this.#from || pos > this.#end) this.load(json, pos)
    return this.placeOf(pos)
  }

  /** Copies bytes of the window from `pos` on, as many as fit. */
  load(json: JsonBytes, pos: number): void {
    this.#window = json.bytes
    this.#from = pos
    this.#end = Math.min(json.end, pos + INPUT_BYTES)
    this.#memory.set(json.bytes.subarray(pos, this.#end), this.#at)
  }

  /** Whether loading from `pos` on would bring bytes that are not there yet. */
  hasMore(json: JsonBytes, pos: number): boolean {
    return this.#end < json.end && pos > this.#from
  }

  placeOf(pos: number): number {
    return pos - this.#from + this.#at
  }

  posOf(place: number): number {
    return place - this.#at + this.#from
  }

  /** Behind the last byte that is there, in the memory. */
  get end(): number {
    return this.placeOf(this.#end)
  }
}
