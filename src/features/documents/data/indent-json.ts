import { levelsAt, lineBreak } from '../../../base/json/exact.ts'
import { after, IN_STRING, SPACE, WORD } from './json-text.ts'
import { EDITED_LENGTH } from './windows.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Widths of a level, in spaces. A long text gets the first one with which it can be edited. */
const WIDTHS = [4, 2, 1, 0] as const
/** Width for a text that is too long with any: its parts are read, and each space takes memory. */
const READ_ONLY_WIDTH = 1
/** Shorter texts stay within `EDITED_LENGTH`, unless nearly all of them is brackets. */
const SHORT = 1_000_000
/** Length of the text that is handled in one step, UTF-16 units: some milliseconds. */
const STEP = 500_000

/** Levels of which each has its own line break. */
const LEVELS = 64

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Work in steps, between which the thread may do something else. */
export type Steps<Result> = Generator<undefined, Result, undefined>

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

interface Sink {
  /** Tokens from the text, without white space between them. */
  readonly tokens: (from: number, to: number) => void
  readonly space: () => void
  readonly line: (depth: number) => void
  /** Called at the end of each step. */
  readonly step: () => void
}

/** Reads tokens and the places of white space. Keeps the tokens of a text that is no JSON, too. */
function* layOut(text: string, { tokens, space, line, step }: Sink): Steps<void> {
  let depth = 0
  let isFirst = true
  let from = 0
  let next = STEP
  const until = (at: number): void => {
    if (at > from) tokens(from, at)
    from = at
  }
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      until(at)
      at = after(SPACE, text, at)
      from = at
      continue
    }
    const isEnd = code === CLOSE_OBJECT || code === CLOSE_ARRAY
    if (isEnd) depth = Math.max(0, depth - 1)
    if (isEnd ? !isFirst : isFirst && depth > 0) {
      until(at)
      line(depth)
    }
    if (isEnd || depth > 0) isFirst = false
    if (code === QUOTE) at = after(IN_STRING, text, at + 1)
    else if (isEnd || code === COMMA || code === COLON || code === OPEN_OBJECT || code === OPEN_ARRAY) at++
    else at = Math.max(at + 1, after(WORD, text, at))
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth++
      isFirst = true
    } else if (code === COMMA) {
      until(at)
      line(depth)
    } else if (code === COLON) {
      until(at)
      space()
    }
    if (at < next) continue
    until(at)
    step()
    next = at + STEP
    yield
  }
  until(text.length)
  step()
}

/** The widest indentation with which a text can be edited. */
function* widthFor(text: string): Steps<number> {
  if (text.length < SHORT) return WIDTHS[0]
  if (text.length > EDITED_LENGTH) return READ_ONLY_WIDTH
  let fixed = 0
  let levels = 0
  yield* layOut(text, {
    tokens: (from, to) => {
      fixed += to - from
    },
    space: () => {
      fixed++
    },
    line: (depth) => {
      fixed++
      levels += levelsAt(depth)
    },
    step: () => undefined,
  })
  return WIDTHS.find((width) => fixed + width * levels <= EDITED_LENGTH) ?? READ_ONLY_WIDTH
}

/** Indents JSON: keeps all tokens and replaces the white space between them. */
export function* indentingJson(text: string): Steps<string> {
  const indent = ' '.repeat(yield* widthFor(text))
  const breaks = Array.from({ length: LEVELS }, (_, depth) => lineBreak(depth, indent))
  const done: string[] = []
  let parts: string[] = []
  yield* layOut(text, {
    tokens: (from, to) => parts.push(text.slice(from, to)),
    space: () => parts.push(' '),
    line: (depth) => parts.push(breaks[Math.min(depth, LEVELS - 1)] ?? ''),
    step: () => {
      done.push(parts.join(''))
      parts = []
    },
  })
  return done.join('')
}

export const indentJson = (text: string): string => atOnce(indentingJson(text))
