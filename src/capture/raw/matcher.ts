/** Maximum length of the searched text, bytes. */
export const MAX_NEEDLE_BYTES = 256

/** Finds a text in bytes; ignores the case of ASCII letters. Algorithm of Horspool (1980), which skips most bytes. */
export class Matcher {
  readonly length: number
  readonly #needle: Uint8Array
  /** Distance to skip, by the byte at the position of the needle's last byte. */
  readonly #steps: Int32Array

  constructor(text: string) {
    const needle = new TextEncoder().encode(text).slice(0, MAX_NEEDLE_BYTES)
    for (let i = 0; i < needle.length; i++) needle[i] = LOWER[needle[i] as number] as number
    this.#needle = needle
    this.length = needle.length
    this.#steps = new Int32Array(256).fill(needle.length)
    for (let i = 0; i < needle.length - 1; i++)
      for (let byte = 0; byte < 256; byte++) if (LOWER[byte] === needle[i]) this.#steps[byte] = needle.length - 1 - i
  }

  /** Position of the first hit at or after `from` in `bytes`; −1: no complete hit. */
  next(bytes: Uint8Array, from: number): number {
    const last = this.length - 1
    if (last < 0) return -1
    const needle = this.#needle
    const steps = this.#steps
    const limit = bytes.length - last
    let at = from
    while (at < limit) {
      let i = last
      while (i >= 0 && LOWER[bytes[at + i] as number] === needle[i]) i--
      if (i < 0) return at
      at += steps[bytes[at + last] as number] as number
    }
    return -1
  }
}

/** ASCII letters in lower case; other bytes unchanged. */
const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte))
