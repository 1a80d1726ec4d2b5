import { BytePattern } from './byte-pattern.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b

/** Longest key that is learned, with its quotes and colon, bytes. */
export const MOST_KEY_BYTES = 64
const MOST_FOLLOWERS = 6

/** A key, and those that were seen to come after it. */
export class KeyLink {
  /** What the key means to the reader. */
  readonly field: number
  /** As it is in the bytes: `"Size":`. */
  readonly pattern: BytePattern
  readonly followers: KeyLink[] = []

  constructor(field: number, pattern: BytePattern) {
    this.field = field
    this.pattern = pattern
  }

  /** The follower that is at `at`; null: none of those that are known. */
  followerAt(view: DataView, at: number): KeyLink | null {
    const { followers } = this
    for (let i = 0; i < followers.length; i++) {
      const follower = followers[i] as KeyLink
      if (follower.pattern.standsAt(view, at)) return follower
    }
    return null
  }
}

const decoder = new TextDecoder()

/**
 * Which key comes after which, learned from objects that were read key by key. Rows of one list are written by one
 * piece of code, so that the next key is nearly always one that has come there before, and to recognise it is cheaper
 * than to find out which one it is.
 */
export class KeyChain {
  readonly #fieldOf: (name: string) => number
  readonly #links = new Map<string, KeyLink>()
  /** Precedes an object's first key. */
  readonly start = new KeyLink(-1, new BytePattern(new Uint8Array(4)))

  constructor(fieldOf: (name: string) => number) {
    this.#fieldOf = fieldOf
  }

  /** Learns from the flat object in [from, to) of `bytes`, which was read and is sound JSON. Other forms teach nothing. */
  learn(bytes: Uint8Array, from: number, to: number): void {
    let before = this.start
    let keyAt = from + 1
    let inText = false
    for (let at = keyAt; at < to; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) inText = !inText
      else if (inText) at += byte === BACKSLASH ? 1 : 0
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) return
      else if (byte === COMMA) keyAt = at + 1
      else if (byte === COLON) {
        const next = this.#link(bytes.subarray(keyAt, at + 1))
        if (next === null) return
        if (before.followers.length < MOST_FOLLOWERS && !before.followers.includes(next)) before.followers.push(next)
        before = next
      }
    }
  }

  /** Null: not written as expected (white space, escapes), or too long. */
  #link(raw: Uint8Array): KeyLink | null {
    const isPlain = raw[0] === QUOTE && raw.at(-2) === QUOTE && raw.length <= MOST_KEY_BYTES && !raw.includes(BACKSLASH)
    if (!isPlain || raw.length < 4) return null
    const name = decoder.decode(raw.subarray(1, -2))
    let link = this.#links.get(name)
    if (link === undefined) this.#links.set(name, (link = new KeyLink(this.#fieldOf(name), new BytePattern(raw))))
    return link
  }
}
