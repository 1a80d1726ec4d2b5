import type { JsonBytes } from '../../../../base/json/json-bytes.ts'
import type { FrameTable } from '../frames.ts'
import type { FrameId } from '../../contract/ids.ts'

const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Maximum size of the frames that are found by their bytes; further ones are found by their text, which is slower. */
const MAX_POOL_BYTES = 32 << 20
const MAX_KNOWN = 200_000
/** Maximum number of probes; colliding frames beyond it are found by their text, so that lookups stay short. */
const MAX_TRIES = 64

/** Finds frames by their bytes, so that a text is created only for a new one. */
export class ByteFrames {
  readonly #frames: FrameTable
  #pool = new Uint8Array(1 << 16)
  #poolView = new DataView(this.#pool.buffer)
  #used = 0
  #starts: number[] = []
  #lengths: number[] = []
  #ids: FrameId[] = []
  #hashes: number[] = []
  #slots = new Int32Array(1024).fill(-1)
  /** The frame that last followed a frame, and the frame before this one; −1: none. A frame has few callers. */
  #behind = new Int32Array(512).fill(-1)
  #before = -1

  constructor(frames: FrameTable) {
    this.#frames = frames
  }

  /** Reads the next text. Throws as `JsonBytes.text` does. */
  read(json: JsonBytes): FrameId {
    const known = this.#known(json, json.pos + 1)
    return known === -1 ? this.#learn(json) : (this.#ids[known] as FrameId)
  }

  /**
   * Reads the following texts of a list, each with its comma, while they are known and complete, and passes them to
   * `take`. `json` is after a text. Never throws. Returns their number.
   */
  readOn(json: JsonBytes, take: (frame: FrameId) => void): number {
    const { bytes, end } = json
    let taken = 0
    while (json.pos + 1 < end && bytes[json.pos] === COMMA && bytes[json.pos + 1] === QUOTE) {
      const known = this.#known(json, json.pos + 2)
      if (known === -1) break
      take(this.#ids[known] as FrameId)
      taken++
    }
    return taken
  }

  /** Index of the known frame whose text begins at `start`, and consumes it; −1: unknown, nothing is consumed. */
  #known(json: JsonBytes, start: number): number {
    const { bytes, view } = json
    const guess = this.#before === -1 ? -1 : (this.#behind[this.#before] as number)
    if (guess !== -1) {
      const end = start + (this.#lengths[guess] as number)
      if (end < json.end && bytes[end] === QUOTE && this.#isSame(guess, view, start)) {
        json.pos = end + 1
        this.#before = guess
        return guess
      }
    }
    // The engine's own search is many times faster than a loop.
    const end = bytes.indexOf(QUOTE, start)
    if (end === -1 || end >= json.end) return -1
    const known = this.#find(hashOf(view, start, end), view, start, end - start)
    if (known === -1) return -1
    json.pos = end + 1
    this.#follow(known)
    return known
  }

  /** Reads a text that is not known. */
  #learn(json: JsonBytes): FrameId {
    const start = json.pos + 1
    const id = this.#frames.intern(json.text())
    const end = json.pos - 1
    this.#follow(this.#ids.length < MAX_KNOWN ? this.#add(json, start, end, id) : -1)
    return id
  }

  #follow(index: number): void {
    if (this.#before !== -1) this.#behind[this.#before] = index
    this.#before = index
  }

  /** Index of a frame; −1: unknown. */
  #find(hash: number, view: DataView, start: number, length: number): number {
    const mask = this.#slots.length - 1
    for (let slot = spread(hash) & mask, tries = 0; tries < MAX_TRIES; slot = (slot + 1) & mask, tries++) {
      const index = this.#slots[slot] as number
      if (index === -1) return -1
      if (this.#hashes[index] === hash && this.#lengths[index] === length && this.#isSame(index, view, start))
        return index
    }
    return -1
  }

  /** Compares four bytes at a time; the last four overlap those before them. */
  #isSame(index: number, view: DataView, start: number): boolean {
    const from = this.#starts[index] as number
    const length = this.#lengths[index] as number
    const pool = this.#poolView
    if (length < 4) {
      for (let at = 0; at < length; at++) if (view.getUint8(start + at) !== pool.getUint8(from + at)) return false
      return true
    }
    const last = length - 4
    if (view.getInt32(start + last, true) !== pool.getInt32(from + last, true)) return false
    for (let at = 0; at < last; at += 4)
      if (view.getInt32(start + at, true) !== pool.getInt32(from + at, true)) return false
    return true
  }

  /**
   * Adds a frame and returns its index; −1: not possible. Added frames have no escapes, so that their text equals their
   * bytes.
   */
  #add({ bytes, view }: JsonBytes, start: number, end: number, id: FrameId): number {
    const length = end - start
    const text = bytes.subarray(start, end)
    if (text.includes(BACKSLASH) || this.#used + length > MAX_POOL_BYTES) return -1
    if (this.#used + length > this.#pool.length) {
      const larger = new Uint8Array(Math.max(this.#pool.length * 2, this.#used + length))
      larger.set(this.#pool)
      this.#pool = larger
      this.#poolView = new DataView(larger.buffer)
    }
    this.#pool.set(text, this.#used)
    const index = this.#ids.length
    this.#starts.push(this.#used)
    this.#lengths.push(length)
    this.#used += length
    this.#ids.push(id)
    this.#hashes.push(hashOf(view, start, end))
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

/** Hashes four bytes at a time; the last four overlap those before them. */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = end - start
  if (hash < 4) {
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x85ebca6b)
    return hash | 0
  }
  const last = end - 4
  for (let at = start; at < last; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x85ebca6b)
    hash ^= hash >>> 13
  }
  return Math.imul(hash ^ view.getInt32(last, true), 0x85ebca6b) | 0
}

const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 8
