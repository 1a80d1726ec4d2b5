import type { JsonBytes } from './json-bytes.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, JsonSkip, MORE_BYTES, OPEN_ARRAY, OPEN_OBJECT, keyHash } from './json-bytes.ts'

/** How a value of a document is read. Stateless, so that one tree of rules reads any number of documents. */
export type Rule =
  | {
      readonly kind: 'object'
      readonly keys: Keys
      readonly begin?: () => void
      readonly end?: () => void
    }
  | { readonly kind: 'list'; readonly item: Rule; readonly begin?: () => void; readonly end?: () => void }
  /**
   * A list of small objects. `read` reads each as a whole, from its `{` to after its `}`. It may go on to the objects
   * that follow, commas included, and then returns how many it read. `any`: items may be small values of any kind.
   */
  | { readonly kind: 'records'; readonly any?: true; readonly read: (json: JsonBytes, index: number) => number | void }
  /** A small value: a text, a number, true, false or null. */
  | { readonly kind: 'value'; readonly take: (value: string | number | boolean | null) => void }
  /** Two rules: one for an object, the other for a list. */
  | { readonly kind: 'either'; readonly object: Rule; readonly list: Rule }
  | { readonly kind: 'skip' }

export interface Keys {
  /** Rule by the hash of its key; hashes of a table differ (checked on creation). `bit` is that of its key. */
  readonly rules: ReadonlyMap<number, { readonly rule: Rule; readonly bit: number }>
  /** Bits of the keys whose values are handed on while they are read. */
  readonly lasting: number
}

/** Maximum number of keys: the bits of an integer. */
const MOST_KEYS = 32

export const SKIP: Rule = { kind: 'skip' }

export function keys(table: Readonly<Record<string, Rule>>): Keys {
  const rules = new Map<number, { readonly rule: Rule; readonly bit: number }>()
  let lasting = 0
  for (const [name, rule] of Object.entries(table)) {
    const hash = keyHash(name)
    if (rules.has(hash)) throw new Error(`Two keys with one hash, one of them ${name}.`)
    if (rules.size === MOST_KEYS) throw new Error(`More than ${MOST_KEYS} keys, one of them ${name}.`)
    const bit = 1 << rules.size
    rules.set(hash, { rule, bit })
    if (rule.kind !== 'value' && rule.kind !== 'skip') lasting |= bit
  }
  return { rules, lasting }
}

/** Reports a value of an unexpected kind, which is skipped, with its position in bytes. */
export type OnMismatch = (at: number, expected: string) => void

type Level =
  | {
      readonly close: typeof CLOSE_OBJECT
      readonly rule: Extract<Rule, { kind: 'object' }>
      fresh: boolean
      /** Bits of the keys that were met so far. */
      met: number
    }
  | {
      readonly close: typeof CLOSE_ARRAY
      readonly rule: Extract<Rule, { kind: 'list' | 'records' }>
      fresh: boolean
      index: number
    }

/**
 * Applies a rule to documents as their bytes arrive. Several documents may follow each other (newline-delimited JSON).
 * Memory: the open levels, and the longest single token or record.
 */
export class JsonWalk {
  readonly #json: JsonBytes
  readonly #root: Rule
  readonly #mismatch: OnMismatch
  readonly #levels: Level[] = []
  #skip: JsonSkip | null = null
  /** Number of complete documents. */
  documents = 0
  /** Byte where the first further document begins that has keys, none of which the rule knows; null: there is none. */
  foreignAt: number | null = null
  #documentAt = 0
  /** Keys of the current document: some of them known to the rule, only others, or none so far. */
  #keys: 'known' | 'others' | 'none' = 'none'

  constructor(json: JsonBytes, root: Rule, mismatch: OnMismatch) {
    this.#json = json
    this.#root = root
    this.#mismatch = mismatch
  }

  /** Consumes the available bytes. Throws `JsonBytesError` if they are not JSON. */
  run(): void {
    for (;;) {
      if (!this.#blanks()) return
      const start = this.#json.pos
      try {
        if (this.#skip !== null) {
          if (!this.#skip.run(this.#json)) return
          this.#skip = null
          this.#ended()
        } else if (!this.#step()) return
      } catch (signal) {
        if (signal !== MORE_BYTES) throw signal
        // A list of records has restored the position of its incomplete record; the records before it are consumed.
        if (this.#levels.at(-1)?.rule.kind !== 'records') this.#json.pos = start
        return
      }
    }
  }

  /** Consumes white space at once, so that any amount of it takes no memory. Returns false if no bytes are left. */
  #blanks(): boolean {
    try {
      this.#json.peek()
      return true
    } catch (signal) {
      if (signal !== MORE_BYTES) throw signal
      return false
    }
  }

  /** Whether a level is still open: the document was cut off. */
  get isOpen(): boolean {
    return this.#levels.length > 0 || this.#skip !== null
  }

  /** Returns false if no bytes are left. */
  #step(): boolean {
    const level = this.#levels.at(-1)
    if (level === undefined) {
      if (this.#json.peek() === -1) return false
      this.#documentAt = this.#json.at
      this.#value(this.#root)
      return true
    }
    if (level.rule.kind === 'records') {
      this.#records(level as Extract<Level, { close: typeof CLOSE_ARRAY }>, level.rule)
      return true
    }
    const { fresh } = level
    if (fresh ? this.#json.take(level.close) : !this.#json.next(level.close)) {
      this.#close(level)
      return true
    }
    if (level.rule.kind === 'list') {
      const { item } = level.rule
      this.#value(item, () => (level.fresh = false))
      return true
    }
    this.#member(level as Extract<Level, { close: typeof CLOSE_OBJECT }>, level.rule.keys)
    return true
  }

  /**
   * Reads a key of an object with its value. If a key is repeated the last value counts, as in other JSON parsers; but
   * if the first value, or something that depends on it, was handed on, the later value is skipped and reported.
   */
  #member(level: Extract<Level, { close: typeof CLOSE_OBJECT }>, { rules, lasting }: Keys): void {
    const { at } = this.#json
    const found = rules.get(this.#json.keyHash())
    if (found !== undefined) this.#keys = 'known'
    else if (this.#keys === 'none') this.#keys = 'others'
    const bit = found === undefined || this.#json.peek() === NULL ? 0 : found.bit
    const isAgain = found !== undefined && (level.met & found.bit) !== 0
    const isLate = isAgain && (level.met & lasting) !== 0 && found.rule.kind !== 'skip'
    this.#value(found === undefined || isLate ? SKIP : found.rule, () => {
      level.fresh = false
      level.met |= bit
      if (isLate) this.#mismatch(at, 'a key that its object does not have already')
    })
  }

  /** `begun` runs when no missing byte can make the reader start over. */
  #value(given: Rule, begun?: () => void): void {
    const byte = this.#json.peek()
    const rule = given.kind === 'either' ? (byte === OPEN_ARRAY ? given.list : given.object) : given
    const wanted =
      rule.kind === 'object' ? OPEN_OBJECT : rule.kind === 'list' || rule.kind === 'records' ? OPEN_ARRAY : 0
    if (rule.kind === 'value' && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) {
      const value = this.#json.atText ? this.#json.text() : this.#json.word()
      begun?.()
      rule.take(value)
      this.#ended()
    } else if (wanted !== 0 && byte === wanted) {
      this.#json.pos++
      begun?.()
      if (rule.kind !== 'records') (rule as { begin?: () => void }).begin?.()
      this.#levels.push(
        rule.kind === 'object'
          ? { close: CLOSE_OBJECT, rule, fresh: true, met: 0 }
          : { close: CLOSE_ARRAY, rule: rule as Extract<Rule, { kind: 'list' }>, fresh: true, index: 0 },
      )
    } else {
      begun?.()
      // The server writes null for an empty list or object.
      if (rule.kind !== 'skip' && byte !== NULL) this.#mismatch(this.#json.at, EXPECTED[rule.kind])
      this.#skip = new JsonSkip()
    }
  }

  #records(level: Extract<Level, { close: typeof CLOSE_ARRAY }>, rule: Extract<Rule, { kind: 'records' }>): void {
    const json = this.#json
    for (;;) {
      const start = json.pos
      try {
        if (level.fresh ? json.take(CLOSE_ARRAY) : !json.next(CLOSE_ARRAY)) {
          this.#close(level)
          return
        }
        let taken: number | void = 1
        if (rule.any === true || json.peek() === OPEN_OBJECT) taken = rule.read(json, level.index)
        else {
          const { at } = json
          json.skipSmall()
          this.#mismatch(at, 'an object')
        }
        level.fresh = false
        level.index += taken ?? 1
      } catch (signal) {
        if (signal === MORE_BYTES) json.pos = start
        throw signal
      }
    }
  }

  #close(level: Level): void {
    this.#levels.pop()
    if (level.rule.kind !== 'records') level.rule.end?.()
    this.#ended()
  }

  #ended(): void {
    if (this.#levels.length > 0) return
    if (this.documents++ > 0 && this.#keys === 'others') this.foreignAt ??= this.#documentAt
    this.#keys = 'none'
  }
}

const NULL = 0x6e

const EXPECTED = {
  object: 'an object',
  list: 'a list',
  records: 'a list',
  value: 'a text or a number',
  either: 'an object or a list',
} as const
