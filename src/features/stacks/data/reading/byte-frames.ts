import type { JsonBytes } from '../../../../base/json/json-bytes.ts'
import type { FrameTable } from '../frames.ts'
import type { FrameId } from '../../contract/ids.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Bytes of frames that are known by their bytes; frames beyond are known by their text, which is slower. */
const MAX_POOL_BYTES = 32 << 20
const MAX_KNOWN = 200_000
/** Texts made to collide are distinguished by their text as well, so that lookups stay short. */
const MAX_TRIES = 64

/** Knows frames by their bytes, so that a text is made only of one that was never seen. */
export class ByteFrames {
  readonly #frames: FrameTable
  #pool = new Uint8Array(1 << 16)
  #used = 0
  #starts: number[] = []
  #ends: number[] = []
  #ids: FrameId[] = []
  #hashes: number[] = []
  #slots = new Int32Array(1024).fill(-1)
  /** Which frame followed a frame the last time, and the frame before this one; −1: none. Callers are few. */
  #behind = new Int32Array(512).fill(-1)
  #before = -1

  constructor(frames: FrameTable) {
    this.#frames = frames
  }

  /** Takes the next text. Throws as `JsonBytes.text` does. */
  read(json: JsonBytes): FrameId {
    const { bytes } = json
    const start = json.pos + 1
    const guess = this.#before === -1 ? -1 : (this.#behind[this.#before] as number)
    if (guess !== -1) {
      const end = start + (this.#ends[guess] as number) - (this.#starts[guess] as number)
      if (end < json.end && bytes[end] === QUOTE && this.#isSame(guess, bytes, start, end)) {
        json.pos = end + 1
        this.#before = guess
        return this.#ids[guess] as FrameId
      }
    }
    // The engine's own search is many times as fast as a loop.
    const end = bytes.indexOf(QUOTE, start)
    if (end === -1 || end >= json.end) return this.#frames.intern(json.text())
    const hash = hashOf(bytes, start, end)
    if (Number.isNaN(hash)) return this.#frames.intern(json.text())
    const known = this.#find(hash, bytes, start, end)
    if (known !== -1) {
      json.pos = end + 1
      this.#follow(known)
      return this.#ids[known] as FrameId
    }
    const id = this.#frames.intern(json.text())
    this.#follow(this.#ids.length < MAX_KNOWN ? this.#add(hash, bytes, start, end, id) : -1)
    return id
  }

  #follow(index: number): void {
    if (this.#before !== -1) this.#behind[this.#before] = index
    this.#before = index
  }

  /** Index of a frame; −1: not known. */
  #find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1
    for (let slot = spread(hash) & mask, tries = 0; tries < MAX_TRIES; slot = (slot + 1) & mask, tries++) {
      const index = this.#slots[slot] as number
      if (index === -1) return -1
      if (this.#hashes[index] === hash && this.#isSame(index, bytes, start, end)) return index
    }
    return -1
  }

  #isSame(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[index] as number
    if ((this.#ends[index] as number) - from !== end - start) return false
    for (let at = start, own = from; at < end; at++, own++) if (bytes[at] !== this.#pool[own]) return false
    return true
  }

  #add(hash: number, bytes: Uint8Array, start: number, end: number, id: FrameId): number {
    const length = end - start
    if (this.#used + length > MAX_POOL_BYTES) return -1
    if (this.#used + length > this.#pool.length) {
      const larger = new Uint8Array(Math.max(this.#pool.length * 2, this.#used + length))
      larger.set(this.#pool)
      this.#pool = larger
    }
    this.#pool.set(bytes.subarray(start, end), this.#used)
    const index = this.#ids.length
    this.#starts.push(this.#used)
    this.#used += length
    this.#ends.push(this.#used)
    this.#ids.push(id)
    this.#hashes.push(hash)
    if (this.#ids.length * 2 > this.#slots.length) this.#rehash()
    else this.#place(index)
    return index
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    const behind = new Int32Array(this.#slots.length / 2).fill(-1)
    behind.set(this.#behind)
    this.#behind = behind
    for (let index = 0; index < this.#ids.length; index++) this.#place(index)
  }

  #place(index: number): void {
    const mask = this.#slots.length - 1
    let slot = spread(this.#hashes[index] as number) & mask
    for (let tries = 0; tries < MAX_TRIES; slot = (slot + 1) & mask, tries++) {
      if (this.#slots[slot] !== -1) continue
      this.#slots[slot] = index
      return
    }
  }
}

/** There is a backslash: the text is not what the bytes are, and the quote may be part of it. */
const ESCAPED = Number.NaN
const FOUR_BACKSLASHES = 0x5c5c5c5c

/** Of every byte, four at a time. `ESCAPED` where any is a backslash. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start
  let at = start
  for (; at + 4 <= end; at += 4) {
    const four =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    const rest = four ^ FOUR_BACKSLASHES
    // A byte of it is zero (Mycroft 1987).
    if (((rest - 0x01010101) & ~rest & 0x80808080) !== 0) return ESCAPED
    hash = Math.imul(hash ^ four, 0x85ebca6b)
    hash ^= hash >>> 13
  }
  for (; at < end; at++) {
    if (bytes[at] === BACKSLASH) return ESCAPED
    hash = Math.imul(hash ^ (bytes[at] as number), 0x85ebca6b)
  }
  return hash | 0
}

const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 8
