/**
 * Reads JSON as text and never as numbers: a value is a part of the text, so that `9007199254740993`, `1.10` and
 * repeated keys stay as they came. Text that is not JSON throws `ExactError`.
 */

export class ExactError extends Error {
  override readonly name = 'ExactError'
  /** UTF-16 units from the start of the text. */
  readonly at: number

  constructor(at: number, expected: string) {
    super(`Expected ${expected} at character ${at}.`)
    this.at = at
  }
}

/** Member of an object: its key, and its value as written. */
export interface Member {
  readonly key: string
  readonly value: string
}

export type ExactKind = 'object' | 'array' | 'string' | 'number' | 'word'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Kind of a JSON value, from its text. */
export function kindOf(value: string): ExactKind {
  switch (value[0]) {
    case '{':
      return 'object'
    case '[':
      return 'array'
    case '"':
      return 'string'
    case 't':
    case 'f':
    case 'n':
      return 'word'
    default:
      return 'number'
  }
}

/** Members of an object in their order, repeated keys included. */
export function membersOf(text: string): Member[] {
  const members: Member[] = []
  walk(text, skipSpace(text, 0), (key, start, end) => {
    members.push({ key: key ?? '', value: text.slice(start, end) })
  })
  return members
}

/** Items of a list. */
export function itemsOf(text: string): string[] {
  const items: string[] = []
  walk(text, skipSpace(text, 0), (_, start, end) => {
    items.push(text.slice(start, end))
  })
  return items
}

/** Items before the place where a list is cut off. A number at the cut may lack digits. */
export function itemsBeforeCut(text: string): string[] {
  const items: string[] = []
  try {
    walk(text, skipSpace(text, 0), (_, start, end) => {
      items.push(text.slice(start, end))
    })
  } catch (error) {
    if (!(error instanceof ExactError)) throw error
  }
  return items
}

/** Value of the last member with that key, as JSON parsers choose; null: there is none. */
export function memberOf(text: string, key: string): string | null {
  if (kindOf(text) !== 'object') return null
  let found: string | null = null
  walk(text, skipSpace(text, 0), (each, start, end) => {
    if (each === key) found = text.slice(start, end)
  })
  return found
}

/** Decodes a string; other values stay as written. */
export function plainText(value: string): string {
  const end = value.length - 1
  if (value.charCodeAt(0) !== QUOTE) return value
  // Fast path: most strings have no escape, and an export has millions of them.
  const isPlain = value.indexOf('"', 1) === end && end > 0 && !ESCAPED.test(value)
  return isPlain ? value.slice(1, end) : (JSON.parse(value) as string)
}

/** Matches characters that need the JSON parser to decode or to refuse them. */
const ESCAPED = /[\\\p{Cc}]/u

/** Calls `each` for each member (with its key) or item (null) of the object or list at `at`. Returns its end. */
function walk(text: string, at: number, each: (key: string | null, start: number, end: number) => void): number {
  const isObject = text[at] === '{'
  if (!isObject && text[at] !== '[') throw new ExactError(at, 'an object or a list')
  const close = isObject ? '}' : ']'
  let next = skipSpace(text, at + 1)
  if (text[next] === close) return next + 1
  for (;;) {
    let key: string | null = null
    if (isObject) {
      const keyEnd = skipString(text, next)
      key = plainText(text.slice(next, keyEnd))
      next = skipSpace(text, keyEnd)
      if (text[next] !== ':') throw new ExactError(next, 'a colon')
      next = skipSpace(text, next + 1)
    }
    const end = skipValue(text, next)
    each(key, next, end)
    next = skipSpace(text, end)
    if (text[next] === close) return next + 1
    if (text[next] !== ',') throw new ExactError(next, `a comma or ${close}`)
    next = skipSpace(text, next + 1)
  }
}

function skipSpace(text: string, at: number): number {
  let next = at
  for (;;) {
    const unit = text.charCodeAt(next)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return next
    next++
  }
}

function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw new ExactError(at, 'a string')
  let next = at + 1
  for (;;) {
    next = text.indexOf('"', next)
    if (next < 0) throw new ExactError(text.length, 'the end of a string')
    let slashes = 0
    while (text.charCodeAt(next - 1 - slashes) === BACKSLASH) slashes++
    next++
    if (slashes % 2 === 0) return next
  }
}

/** End of the value at `at`. Counts open brackets only, so that any depth works. */
function skipValue(text: string, at: number): number {
  const first = text[at]
  if (first === '"') return skipString(text, at)
  if (first !== '{' && first !== '[') return skipScalar(text, at)
  let depth = 0
  let next = at
  for (;;) {
    const unit = text.charCodeAt(next)
    if (Number.isNaN(unit)) throw new ExactError(next, 'the end of an object or a list')
    if (unit === QUOTE) {
      next = skipString(text, next)
      continue
    }
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--
    next++
    if (depth === 0) return next
  }
}

const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y

function skipScalar(text: string, at: number): number {
  SCALAR.lastIndex = at
  if (!SCALAR.test(text)) throw new ExactError(at, 'a value')
  return SCALAR.lastIndex
}

/** Deepest level that is indented further than the one above it. */
const DEEPEST = 32

/** Number of levels by which a line is indented: that of any level would make a text as long as the square of its depth. */
export const levelsAt = (depth: number): number => Math.min(depth, DEEPEST)

/** Line break with indentation. */
export const lineBreak = (depth: number, indent: string): string => `\n${indent.repeat(levelsAt(depth))}`

/** Adds line breaks and two spaces for each level. Only white space between tokens changes. */
export function indented(text: string): string {
  const parts: string[] = []
  let depth = 0
  let at = skipSpace(text, 0)
  const line = (): void => {
    parts.push(lineBreak(depth, '  '))
  }
  while (at < text.length) {
    const unit = text[at] ?? ''
    if (unit === '{' || unit === '[') {
      const inside = skipSpace(text, at + 1)
      const close = text[inside]
      if (close === '}' || close === ']') {
        parts.push(unit, close)
        at = inside + 1
      } else {
        parts.push(unit)
        depth++
        line()
        at++
      }
    } else if (unit === '}' || unit === ']') {
      depth--
      line()
      parts.push(unit)
      at++
    } else if (unit === ',') {
      parts.push(unit)
      line()
      at++
    } else if (unit === ':') {
      parts.push(': ')
      at++
    } else {
      const end = skipValue(text, at)
      parts.push(text.slice(at, end))
      at = end
    }
    at = skipSpace(text, at)
  }
  return parts.join('')
}

/** JSON that is sent as written. Code that does not know the class sees the value. */
export class ExactJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

/** Serialises a value; `ExactJson` as written. */
export const jsonTextOf = (value: unknown): string => (value instanceof ExactJson ? value.text : JSON.stringify(value))
