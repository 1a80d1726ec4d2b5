import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { isServerMetadata } from './document-text.ts'
import { isDeep, propertiesOf, rawText } from './json-text.ts'

/** A finding, in the shape of `EditorDiagnostic`, which `data` does not import. */
export interface Finding {
  readonly from: number
  readonly to: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/**
 * Maximum length of a text that is checked during typing, UTF-16 units. A longer text is checked only by the server,
 * when it is saved.
 */
export const CHECKED_LENGTH = 4_000_000
/** Maximum number of findings: more than a user reads. */
const MOST = 200

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no value of JSON.',
  InvalidNumberFormat: 'This is no number of JSON.',
  PropertyNameExpected: 'A property name in double quotes is expected.',
  ValueExpected: 'A value is expected.',
  ColonExpected: 'A colon is expected.',
  CommaExpected: 'A comma is expected.',
  CloseBraceExpected: 'A closing brace is expected.',
  CloseBracketExpected: 'A closing bracket is expected.',
  EndOfFileExpected: 'The document ends before this.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfString: 'The string has no end.',
  InvalidUnicode: 'This is no escape of a character.',
  InvalidEscapeCharacter: 'This is no escape of a string.',
  InvalidCharacter: 'Control characters are escaped in strings.',
}

const OPTIONS = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

/**
 * Finds errors in the text of a document, and values that the server would not store as written. In text order. A text
 * that is too deep to be parsed is checked only by the server.
 */
export function findingsOf(text: string): readonly Finding[] {
  if (isDeep(text)) return []
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, OPTIONS)
  const found: Finding[] = errors.map(({ error, offset, length }) => ({
    from: offset,
    to: offset + Math.max(1, length),
    severity: 'error',
    message: WORDS[printParseErrorCode(error)] ?? 'This is no JSON.',
  }))
  if (tree !== undefined) {
    if (tree.type !== 'object' && errors.length === 0)
      found.push({ ...placeOf(tree), severity: 'error', message: 'A document is an object: { … }.' })
    warn(text, tree, found)
    warnOfMetadata(text, findNodeAtLocation(tree, ['@metadata']), found)
  }
  return found.toSorted((a, b) => a.from - b.from).slice(0, MOST)
}

const placeOf = ({ offset, length }: Node): Pick<Finding, 'from' | 'to'> => ({ from: offset, to: offset + length })

/** Half a surrogate pair, written as an escape. */
const LONE_ESCAPE =
  /(?<!\\)(?:\\\\)*\\u(?:d[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})|(?<!\\ud[89ab][\da-f]{2}\\u)d[c-f][\da-f]{2})/i

function warn(text: string, root: Node, found: Finding[]): void {
  const nodes: Node[] = [root]
  for (let node = nodes.pop(); node !== undefined && found.length < MOST; node = nodes.pop()) {
    if (node.type === 'number') warnOfNumber(rawText(text, node), node, found)
    if (node.type === 'string' && LONE_ESCAPE.test(rawText(text, node)))
      found.push({
        ...placeOf(node),
        severity: 'warning',
        message: 'The server replaces half a surrogate pair by U+FFFD.',
      })
    if (node.type === 'object') warnOfRepeated(node, found)
    nodes.push(...(node.children ?? []))
  }
}

/** Keys of metadata whose value is a time. */
const TIMES: ReadonlySet<string> = new Set(['@expires', '@refresh', '@archive-at'])
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function warnOfMetadata(text: string, metadata: Node | undefined, found: Finding[]): void {
  if (metadata !== undefined && metadata.type !== 'object')
    found.push({ ...placeOf(metadata), severity: 'error', message: '“@metadata” is an object: { … }.' })
  for (const { key, value } of propertiesOf(text, metadata)) {
    const warn = (message: string): void => void found.push({ ...placeOf(value), severity: 'warning', message })
    if (isServerMetadata(key)) warn(`The server writes “${key}” itself.`)
    else if (key === '@collection' && value.type !== 'string') warn('The name of a collection is a string.')
    else if (TIMES.has(key) && !TIME.test(value.type === 'string' ? String(value.value) : ''))
      warn(`The server takes a time for “${key}”, such as 2026-11-27T02:00:00.0000000Z.`)
  }
}

function warnOfNumber(digits: string, node: Node, found: Finding[]): void {
  if (/^-0$/.test(digits)) found.push({ ...placeOf(node), severity: 'warning', message: 'The server stores −0 as 0.' })
  else if (/[.eE]/.test(digits) && !Number.isFinite(Number(digits)))
    found.push({ ...placeOf(node), severity: 'warning', message: 'The server refuses a number beyond ±1.8e308.' })
}

function warnOfRepeated(object: Node, found: Finding[]): void {
  const seen = new Set<string>()
  for (const { children: [key] = [] } of object.children ?? []) {
    if (key === undefined) continue
    const name = String(key.value)
    if (seen.has(name))
      found.push({
        ...placeOf(key),
        severity: 'warning',
        message: `“${name}” is there twice: the server keeps the last one.`,
      })
    seen.add(name)
  }
}

/** Position that an error of the server names, as `(line,column)` from 1; null: it names none. */
export function placeInError(message: string, text: string): number | null {
  const place = /\((\d+),(\d+)\)/.exec(message)
  if (place === null) return null
  let at = 0
  for (let line = 1; line < Number(place[1]); line++) {
    const end = text.indexOf('\n', at)
    if (end < 0) return null
    at = end + 1
  }
  return Math.min(text.length, at + Number(place[2]) - 1)
}
