import type { JsonBytes } from './json-bytes.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, JsonSkip, MORE_BYTES, OPEN_ARRAY, OPEN_OBJECT, keyHash } from './json-bytes.ts'

/**
 * Rule for a value of a document. Rules are made once and hold no place of their own, so that one tree of them
 * reads any number of documents.
 */
export type Rule =
  | {
      readonly kind: 'object'
      readonly keys: Keys
      readonly begin?: () => void
      readonly end?: () => void
    }
  | { readonly kind: 'list'; readonly item: Rule; readonly begin?: () => void; readonly end?: () => void }
  /**
   * A list of small objects, each read whole by `read`, which takes it from its `{` to behind its `}`; it may continue with
   * those that follow, commas included, and then returns how many it took. `any`: of small values of whatever kind.
   */
  | { readonly kind: 'records'; readonly any?: true; readonly read: (json: JsonBytes, index: number) => number | void }
  /** A small value: a text, a number, true, false or null. */
  | { readonly kind: 'value'; readonly take: (value: string | number | boolean | null) => void }
  /** Either of two rules: the first for an object, the other for a list. */
  | { readonly kind: 'either'; readonly object: Rule; readonly list: Rule }
  | { readonly kind: 'skip' }

export interface Keys {
  /** Rule by hash of its key; two keys of one table never share a hash (checked when it is made). `bit`: of its key alone. */
  readonly rules: ReadonlyMap<number, { readonly rule: Rule; readonly bit: number }>
  /** Bits of what is handed on while it is read. */
  readonly lasting: number
}

/** As many as an integer has bits. */
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

/** A value that is not of the kind that its rule expects: skipped, and reported with its place in bytes. */
export type OnMismatch = (at: number, expected: string) => void

type Level =
  | {
      readonly close: typeof CLOSE_OBJECT
      readonly rule: Extract<Rule, { kind: 'object' }>
      fresh: boolean
      /** Bits of the keys that it had so far. */
      met: number
    }
  | {
      readonly close: typeof CLOSE_ARRAY
      readonly rule: Extract<Rule, { kind: 'list' | 'records' }>
      fresh: boolean
      index: number
    }

/**
 * Walks documents by a rule as their bytes arrive, one after the other when several follow (newline-delimited JSON).
 * Memory: the open levels, and the longest single token or record.
 */
export class JsonWalk {
  readonly #json: JsonBytes
  readonly #root: Rule
  readonly #mismatch: OnMismatch
  readonly #levels: Level[] = []
  #skip: JsonSkip | null = null
  /** Whole documents walked. */
  documents = 0

  constructor(json: JsonBytes, root: Rule, mismatch: OnMismatch) {
    this.#json = json
    this.#root = root
    this.#mismatch = mismatch
  }

  /** Uses up the bytes at hand. Throws `JsonBytesError` where they are no JSON. */
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
        // A list of records has put back its own record, and keeps those before it.
        if (this.#levels.at(-1)?.rule.kind !== 'records') this.#json.pos = start
        return
      }
    }
  }

  /** Leaves white space behind for good, so that any amount of it costs nothing. False: no bytes are left. */
  #blanks(): boolean {
    try {
      this.#json.peek()
      return true
    } catch (signal) {
      if (signal !== MORE_BYTES) throw signal
      return false
    }
  }

  /** The document was cut off: true when a level is still open. */
  get isOpen(): boolean {
    return this.#levels.length > 0 || this.#skip !== null
  }

  /** False: no bytes are left. */
  #step(): boolean {
    const level = this.#levels.at(-1)
    if (level === undefined) {
      if (this.#json.peek() === -1) return false
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
   * Handles a key of an object with its value. Where a key comes again the last value counts, as for any reader of JSON; where
   * the first, or what depends on it, is handed on already, the later one is left out, and that is reported.
   */
  #member(level: Extract<Level, { close: typeof CLOSE_OBJECT }>, { rules, lasting }: Keys): void {
    const { at } = this.#json
    const found = rules.get(this.#json.keyHash())
    const bit = found === undefined || this.#json.peek() === NULL ? 0 : found.bit
    const isAgain = found !== undefined && (level.met & found.bit) !== 0
    const isLate = isAgain && (level.met & lasting) !== 0 && found.rule.kind !== 'skip'
    this.#value(found === undefined || isLate ? SKIP : found.rule, () => {
      level.fresh = false
      level.met |= bit
      if (isLate) this.#mismatch(at, 'a key that its object does not have already')
    })
  }

  /** `begun` runs once nothing can send us back any more. */
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
      // Null where a list or an object could be is the server's way to say that there is none.
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
    if (this.#levels.length === 0) this.documents++
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
