/**
 * Compile errors of an index and their places in the user's text. The server compiles source code that it generates
 * from the maps and reports lines of the generated code; the code around the error is searched for in the map.
 */

export interface CompileError {
  /** Number of the map, from 1, or `Reduce`; null: not reported. */
  readonly part: number | 'Reduce' | null
  /** `CS0103: The name 'Foo' does not exist in the current context`. */
  readonly message: string
  /** Text of the generated line before and after the place of the error. Both empty: not known. */
  readonly before: string
  readonly after: string
}

const ERROR = /^\((\d+),(\d+)\): error (\w+: .*)$/gmu
/** First line of the generated code. */
const USING = /^using [\w.]+;/mu
const METHOD = /\b(?:Map_(\d+)|(Reduce)_?\d*)\s*\(/u

/** Reads the message with which RavenDB refuses a C# index; empty if the message is of another kind. */
export function compileErrorsOf(message: string): readonly CompileError[] {
  if (!message.includes('Failed to compile index')) return []
  // Namespaces of additional sources come first, and are counted.
  const generated = message.slice(Math.max(0, message.search(USING)), Math.max(0, message.search(ERROR)))
  const source = generated.split(/\r?\n/u)
  return [...message.matchAll(ERROR)].map(([, line, column, text = '']): CompileError => {
    const at = Number(line) - 1
    const shown = source[at] ?? ''
    return {
      part: at < source.length ? partAt(source, at) : null,
      message: text.trim(),
      before: shown.slice(0, Number(column) - 1).trimStart(),
      after: shown.slice(Number(column) - 1).trimEnd(),
    }
  })
}

function partAt(source: readonly string[], line: number): CompileError['part'] {
  for (let at = line; at >= 0; at--) {
    const [, map, reduce] = METHOD.exec(source[at] ?? '') ?? []
    if (map !== undefined) return Number(map) + 1
    if (reduce !== undefined) return 'Reduce'
  }
  return null
}

const MARK = ' ▸'
const WORDS = /^(?:(Map) (\d+)|(Reduce)): (.*), at “(.*) ▸(.*)”$/u

/** An error without a part. */
const UNPLACED = /^CS\d+: /u

/** Writes one error a line; `compileErrorsIn` reads them back. */
export const compileErrorWords = (errors: readonly CompileError[]): string =>
  errors
    .map(({ part, message, before, after }) =>
      part === null
        ? message
        : `${part === 'Reduce' ? 'Reduce' : `Map ${part}`}: ${message}, at “${before}${MARK}${after}”`,
    )
    .join('\n')

export const compileErrorsIn = (words: string): readonly CompileError[] =>
  words.split('\n').flatMap((line): CompileError[] => {
    const [, map, number, reduce, message = '', before = '', after = ''] = WORDS.exec(line) ?? []
    if (map === undefined && reduce === undefined)
      return UNPLACED.test(line) ? [{ part: null, message: line, before, after }] : []
    return [{ part: reduce === undefined ? Number(number) : 'Reduce', message, before, after }]
  })

/** Errors that are reported at a name, which their message quotes. */
const AT_NAME: ReadonlySet<string> = new Set(['CS0103', 'CS0117', 'CS0122', 'CS0234', 'CS0246', 'CS1061', 'CS1501'])
/** Errors of syntax. Code that the server generates from maps has none. */
const SYNTAX = /^CS(?:100[1237]|1010|1022|1026|151[349]|1525|1528)$/u

/** Names that an error quotes. */
export const namesIn = ({ message }: Pick<CompileError, 'message'>): readonly string[] =>
  [...message.matchAll(/'([\p{L}_][\p{L}\p{N}_]*)'/gu)].map(([, name = '']) => name)

/**
 * Whether an error is not in the code that the server generates from maps. Errors of additional sources come without
 * their file, with a line of its own, which may be mistaken for a line of the generated code.
 */
export function isElsewhere(error: CompileError): boolean {
  const code = /^CS\d+/u.exec(error.message)?.[0] ?? ''
  if (error.part === null || SYNTAX.test(code)) return true
  return AT_NAME.has(code) && !namesIn(error).some((name) => error.after.startsWith(name))
}

/** Place in `Unexpected token ';' (<anonymous>:3:1)` (7.1) or `Line 1: …` (before), from 1; null: no place. */
export function scriptPlaceOf(message: string): { readonly line: number; readonly column: number } | null {
  const [, line, column] = /<anonymous>:(\d+):(\d+)\)/u.exec(message) ?? []
  if (line !== undefined) return { line: Number(line), column: Number(column) }
  const [, only] = /^Line (\d+): /u.exec(message) ?? []
  return only === undefined ? null : { line: Number(only), column: 1 }
}

interface Token {
  readonly text: string
  readonly from: number
}

const TOKEN = /[\p{L}_@][\p{L}\p{N}_]*|\d[\d.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s]/gu

/** Places of a name in a text. */
export const placesOfName = (text: string, name: string): readonly { readonly from: number; readonly to: number }[] =>
  tokensOf(text).flatMap(({ text: token, from }) => (token === name ? [{ from, to: from + name.length }] : []))

const tokensOf = (text: string): readonly Token[] =>
  [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({ text: token, from: index }))

/** Place of an error in the source of a map: where most tokens around it match the generated line; null: none. */
export function placeInSource(
  source: string,
  { before, after }: Pick<CompileError, 'before' | 'after'>,
): { readonly from: number; readonly to: number } | null {
  const tokens = tokensOf(source)
  const left = tokensOf(before)
  const right = tokensOf(after)
  let best = { score: 0, at: -1 }
  for (let at = 0; at <= tokens.length; at++) {
    let score = 0
    for (let i = 0; i < right.length && tokens[at + i]?.text === right[i]?.text; i++) score += 2
    for (let i = 1; i <= left.length && tokens[at - i]?.text === left[left.length - i]?.text; i++) score += 2
    if (tokens[at]?.text === right[0]?.text && right.length > 0) score++
    if (score > best.score) best = { score, at }
  }
  if (best.at < 0) return null
  // At the end of a line, the error is after the last token.
  const token = right.length === 0 ? (tokens[best.at - 1] ?? tokens[best.at]) : (tokens[best.at] ?? tokens[best.at - 1])
  return token === undefined ? null : { from: token.from, to: token.from + token.text.length }
}
