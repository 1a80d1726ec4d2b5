import type { TextMatch } from '../contract/search.ts'

/** Says whether it occurs anywhere in a text. */
export type Matches = (text: string) => boolean

/** Why an expression is not taken: a sentence, and where in it (UTF-16 units). */
export class PatternError extends Error {
  override readonly name = 'PatternError'
  readonly at: number
  constructor(at: number, message: string) {
    super(`${message} (character ${at + 1})`)
    this.at = at
  }
}

const MAX_PATTERN_UNITS = 500
const MAX_STATES = 2000
const MAX_REPEAT = 100
/** States of the deterministic automaton that are remembered; full, it restarts. */
const MAX_KNOWN = 2000
const ASCII = 128

/**
 * What a text is looked for with. Empty: everything matches. An expression is compiled to an automaton that takes one
 * step a character, whatever the expression: none can hang (Thompson 1968, Cox 2007). Throws `PatternError`.
 *
 * Taken: `.` `[a-z]` `[^…]` `\d \w \s \D \W \S`, `|` `( )` `(?: )` `* + ? {n} {n,} {n,m}` (lazy ones
 * mean the same here), `^` `$` at the ends of the whole text. Refused: back references, lookaround, `\b`.
 */
export function compileMatch({ text, isRegex }: TextMatch): Matches {
  if (text === '') return () => true
  if (!isRegex) {
    const wanted = text.toLowerCase()
    return (candidate) => candidate.toLowerCase().includes(wanted)
  }
  return new Automaton(parse(text)).matches
}

/** `compileMatch`, with the error as a sentence. `matches` lets all through then. */
export function tryMatch(match: TextMatch): { readonly matches: Matches; readonly error: string | null } {
  try {
    return { matches: compileMatch(match), error: null }
  } catch (error) {
    if (error instanceof PatternError) return { matches: () => true, error: error.message }
    throw error
  }
}

/** Characters from `ranges` (pairs, inclusive), or all but those. */
interface CharSet {
  readonly ranges: readonly (readonly [number, number])[]
  readonly negated: boolean
}

type Tree =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number }

const DIGIT: CharSet['ranges'] = [[0x30, 0x39]]
const WORD: CharSet['ranges'] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
const SPACE: CharSet['ranges'] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
]
const CLASSES: Readonly<Record<string, CharSet['ranges']>> = { d: DIGIT, w: WORD, s: SPACE }
const CONTROLS: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09 }

function parse(pattern: string): Tree {
  if (pattern.length > MAX_PATTERN_UNITS)
    throw new PatternError(MAX_PATTERN_UNITS, `At most ${MAX_PATTERN_UNITS} characters are taken.`)
  const parser = new Parser(pattern)
  const tree = parser.choice()
  if (parser.at < pattern.length) throw new PatternError(parser.at, 'This bracket was never opened.')
  return tree
}

class Parser {
  readonly #text: string
  at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  choice(): Tree {
    if (++this.#depth > 50) throw new PatternError(this.at, 'Too many brackets inside each other.')
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    this.#depth--
    return parts.length === 1 ? (parts[0] as Tree) : { kind: 'choice', parts }
  }

  #sequence(): Tree {
    const parts: Tree[] = []
    while (this.at < this.#text.length && !'|)'.includes(this.#peek())) parts.push(this.#repeated())
    return { kind: 'sequence', parts }
  }

  #repeated(): Tree {
    let part = this.#atom()
    for (;;) {
      const start = this.at
      const bounds = this.#bounds()
      if (bounds === null) return part
      this.#take('?')
      const [min, max] = bounds
      if (max < min) throw new PatternError(start, 'The second number is smaller than the first.')
      if (min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT))
        throw new PatternError(start, `At most ${MAX_REPEAT} repetitions can be counted.`)
      part = { kind: 'repeat', part, min, max }
    }
  }

  #bounds(): readonly [number, number] | null {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const counted = /^\{(\d{1,6})(,(\d{0,6}))?\}/.exec(this.#text.slice(this.at, this.at + 20))
    if (counted === null) return null
    this.at += counted[0].length
    const min = Number(counted[1])
    if (counted[2] === undefined) return [min, min]
    return [min, counted[3] === '' || counted[3] === undefined ? Number.POSITIVE_INFINITY : Number(counted[3])]
  }

  #atom(): Tree {
    const start = this.at
    const char = this.#next()
    if (char === '.') return chars([], true)
    if (char === '^') return { kind: 'start' }
    if (char === '$') return { kind: 'end' }
    if (char === '[') return this.#set(start)
    if (char === '(') return this.#group(start)
    if (char === '\\') return this.#escape(start)
    if ('*+?'.includes(char)) throw new PatternError(start, 'There is nothing before it to repeat.')
    const code = char.codePointAt(0) ?? 0
    return chars([[code, code]])
  }

  #group(start: number): Tree {
    if (this.#take('?') && !this.#take(':'))
      throw new PatternError(start, 'Lookaround and named groups are not supported, since they can hang.')
    const tree = this.choice()
    if (!this.#take(')')) throw new PatternError(start, 'This bracket is never closed.')
    return tree
  }

  #escape(start: number): Tree {
    const { ranges, negated } = this.#escaped(start)
    return chars(ranges, negated)
  }

  #escaped(start: number): CharSet {
    if (this.at >= this.#text.length) throw new PatternError(start, 'Nothing follows the backslash.')
    const char = this.#next()
    const known = CLASSES[char.toLowerCase()]
    if (known !== undefined) return { ranges: known, negated: char !== char.toLowerCase() }
    if (/[1-9]/.test(char)) throw new PatternError(start, 'References back are not taken, since they can hang.')
    const control = CONTROLS[char]
    if (control === undefined && /[A-Za-z0-9]/.test(char)) throw new PatternError(start, `\\${char} is not taken.`)
    const code = control ?? char.codePointAt(0) ?? 0
    return { ranges: [[code, code]], negated: false }
  }

  #set(start: number): Tree {
    const negated = this.#take('^')
    const ranges: (readonly [number, number])[] = []
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.at >= this.#text.length) throw new PatternError(start, 'This bracket is never closed.')
      const low = this.#member(ranges)
      if (low === null || this.#peek() !== '-' || this.#text[this.at + 1] === ']') {
        if (low !== null) ranges.push([low, low])
        continue
      }
      const dash = this.at++
      const high = this.#member(ranges)
      if (high === null || high < low) throw new PatternError(dash, 'This range has no end, or ends before it begins.')
      ranges.push([low, high])
    }
    this.at++
    return chars(ranges, negated)
  }

  /** One character of a set; null: a class, added as a whole. */
  #member(ranges: (readonly [number, number])[]): number | null {
    const start = this.at
    const char = this.#next()
    if (char !== '\\') return char.codePointAt(0) ?? 0
    const set = this.#escaped(start)
    if (set.negated) throw new PatternError(start, 'The opposite of a class is not taken inside [ ].')
    const [only] = set.ranges
    if (set.ranges.length === 1 && only !== undefined && only[0] === only[1]) return only[0]
    ranges.push(...set.ranges)
    return null
  }

  #peek(): string {
    return this.#text[this.at] ?? ''
  }

  #next(): string {
    const char = String.fromCodePoint(this.#text.codePointAt(this.at) ?? 0)
    this.at += char.length
    return char
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.at++
    return true
  }
}

const chars = (ranges: CharSet['ranges'], negated = false): Tree => ({ kind: 'chars', set: { ranges, negated } })

/** Both cases count, so each character is tried in both. */
function has({ ranges, negated }: CharSet, code: number): boolean {
  const inside = (at: number): boolean => ranges.some(([low, high]) => at >= low && at <= high)
  if (inside(code)) return !negated
  const char = String.fromCodePoint(code)
  const other = [char.toLowerCase(), char.toUpperCase()].some(
    (form) => form !== char && form.length === char.length && inside(form.codePointAt(0) ?? -1),
  )
  return other !== negated
}

/** One state of the non-deterministic automaton: a set of characters that leads on, a split, an assertion, or the end. */
interface State {
  readonly set: CharSet | null
  readonly assertion: 'start' | 'end' | null
  next: number[]
}

interface Known {
  readonly states: readonly number[]
  readonly isMatch: boolean
  /** Where each ASCII character leads; undefined: not known yet. */
  readonly next: (Known | undefined)[]
}

class Automaton {
  readonly #states: State[] = []
  readonly #first: number
  readonly #known = new Map<string, Known>()

  constructor(tree: Tree) {
    const end = this.#add(null, null, [])
    this.#first = this.#build(tree, end)
  }

  readonly matches: Matches = (text) => {
    let now = this.#start()
    for (let at = 0; at < text.length; at++) {
      if (now.isMatch) return true
      let code = text.charCodeAt(at)
      if (code >= 0xd800 && code < 0xdc00 && at + 1 < text.length) code = text.codePointAt(at++) ?? code
      now = (code < ASCII ? now.next[code] : undefined) ?? this.#step(now, code)
    }
    return now.isMatch || this.#closure(now.states, text === '', true).includes(0)
  }

  #start(): Known {
    return this.#remember(this.#closure([this.#first], true, false))
  }

  #step(now: Known, code: number): Known {
    const reached: number[] = [this.#first]
    for (const state of now.states) {
      const { set, next } = this.#states[state] as State
      if (set !== null && has(set, code)) reached.push(...next)
    }
    const known = this.#remember(this.#closure(reached, false, false))
    if (code < ASCII) now.next[code] = known
    return known
  }

  #remember(states: readonly number[]): Known {
    const key = states.join()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    const fresh: Known = { states, isMatch: states.includes(0), next: [] }
    this.#known.set(key, fresh)
    return fresh
  }

  /** Everything that is reached without a character, ascending. `end`: nothing follows. */
  #closure(from: readonly number[], isStart: boolean, isEnd: boolean): number[] {
    const seen = new Set<number>()
    const waiting = [...from]
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (seen.has(state)) continue
      seen.add(state)
      const { set, assertion, next } = this.#states[state] as State
      const passes = assertion === null || (assertion === 'start' ? isStart : isEnd)
      if (set === null && passes) waiting.push(...next)
    }
    return [...seen].toSorted((a, b) => a - b)
  }

  #add(set: CharSet | null, assertion: State['assertion'], next: number[]): number {
    if (this.#states.length >= MAX_STATES) throw new PatternError(0, 'The expression is too large.')
    return this.#states.push({ set, assertion, next }) - 1
  }

  /** The state from which `tree` leads to `end`. */
  #build(tree: Tree, end: number): number {
    switch (tree.kind) {
      case 'chars':
        return this.#add(tree.set, null, [end])
      case 'start':
      case 'end':
        return this.#add(null, tree.kind, [end])
      case 'sequence':
        return tree.parts.reduceRight((next, part) => this.#build(part, next), end)
      case 'choice':
        return this.#add(
          null,
          null,
          tree.parts.map((part) => this.#build(part, end)),
        )
      case 'repeat':
        return this.#repeat(tree, end)
    }
  }

  #repeat({ part, min, max }: Extract<Tree, { kind: 'repeat' }>, end: number): number {
    let next = end
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.#add(null, null, [end])
      ;(this.#states[loop] as State).next = [this.#build(part, loop), end]
      next = loop
    } else for (let i = min; i < max; i++) next = this.#add(null, null, [this.#build(part, next), end])
    for (let i = 0; i < min; i++) next = this.#build(part, next)
    return next
  }
}
