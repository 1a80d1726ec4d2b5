import { tokensOf, type RqlToken } from './tokens.ts'

/** Which documents a query reads. */
export type RqlSource =
  { readonly kind: 'collection'; readonly name: string } | { readonly kind: 'index'; readonly name: string }

/** Facts that the text of a query shows without the server. */
export interface RqlShape {
  /** Collection or index after `from`; null: not in the text. */
  readonly source: RqlSource | null
  /** Name of a document in the text (`from Orders as o`); null: none. */
  readonly alias: string | null
  /** Fields by which the query filters, sorts or groups, without the alias. A dynamic query needs an index for them. */
  readonly indexed: readonly string[]
  /** Whether a clause needs an index. */
  readonly needsIndex: boolean
  /** Names of parameters, without `$`; each once. */
  readonly parameters: readonly string[]
  /** `select { … }` or a declared function: the server computes it in JavaScript, whose numbers are doubles. */
  readonly isComputed: boolean
  /** `update { … }`: a patch, not a query. */
  readonly isUpdate: boolean
  readonly hasTimings: boolean
}

/** Words that begin a clause. */
const CLAUSES: ReadonlySet<string> = new Set([
  'where',
  'order',
  'group',
  'select',
  'include',
  'load',
  'limit',
  'offset',
  'filter',
  'update',
  'with',
])
/** Clauses for whose fields an index is needed. */
const INDEXED: ReadonlySet<string> = new Set(['where', 'order', 'group'])
/** Whether the condition uses `id()` or `startsWith(id(), …)`, which read documents by id without an index. */
const isById = (body: readonly RqlToken[], at: number): boolean => {
  const name = body[at]?.text.toLowerCase()
  return name === 'id' || (name === 'startswith' && body[at + 2]?.text.toLowerCase() === 'id')
}

const isWord = (token: RqlToken | undefined, word: string): boolean =>
  token?.kind === 'keyword' && token.text.toLowerCase() === word

/** Quotes a name so that RQL accepts any character in it. */
export const quoted = (name: string): string => `'${name.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`

/** Removes the quotes of a name, if it has any. */
export function nameOf({ kind, text }: RqlToken): string {
  if (kind !== 'string') return text
  const quote = text[0] ?? ''
  const inner = text.endsWith(quote) && text.length > 1 ? text.slice(1, -1) : text.slice(1)
  return inner.replaceAll(quote + quote, quote).replaceAll(/\\([^])/g, '$1')
}

export function shapeOf(text: string): RqlShape {
  const tokens = withoutFunctions(tokensOf(text).filter(({ kind }) => kind !== 'comment'))
  const from = tokens.findIndex((token) => isWord(token, 'from'))
  const { source, alias } = sourceAfter(tokens, from)
  const indexed = new Set<string>()
  let needsIndex = false
  for (const { clause, body } of clausesOf(tokens)) {
    if (!INDEXED.has(clause)) continue
    const fields = fieldsOf(body, alias)
    for (const field of fields) indexed.add(field)
    if (fields.length > 0 || body.some((token, at) => token.kind === 'function' && !isById(body, at))) needsIndex = true
  }
  const select = tokens.findIndex((token) => isWord(token, 'select'))
  return {
    source,
    alias,
    indexed: [...indexed],
    needsIndex,
    parameters: [
      ...new Set(tokensOf(text).flatMap(({ kind, text: name }) => (kind === 'parameter' ? [name.slice(1)] : []))),
    ],
    isComputed: (select >= 0 && tokens[select + 1]?.text === '{') || tokens.some((token) => isWord(token, 'declare')),
    isUpdate: tokens.some((token, at) => isWord(token, 'update') && tokens[at + 1]?.text === '{'),
    hasTimings: tokens.some((token, at) => isWord(token, 'include') && tokens.slice(at + 1).some(isTimings)),
  }
}

const isTimings = ({ text }: RqlToken): boolean => text.toLowerCase() === 'timings'

/** Whether a declared JavaScript function returns each result: an object, or a list of results. */
export function selectsCall(text: string): boolean {
  const tokens = withoutFunctions(tokensOf(text).filter(({ kind }) => kind !== 'comment'))
  const declared = new Set(
    tokens.flatMap((token, at) =>
      isWord(token, 'declare') && isWord(tokens[at + 1], 'function') ? [tokens[at + 2]?.text] : [],
    ),
  )
  const select = tokens.findIndex((token) => isWord(token, 'select'))
  const at = isWord(tokens[select + 1], 'distinct') ? select + 2 : select + 1
  return select >= 0 && declared.has(tokens[at]?.text) && tokens[at + 1]?.text === '('
}

/** Query of a patch: the text before `update { … }`. */
export function withoutUpdate(text: string): string {
  const tokens = withoutFunctions(tokensOf(text).filter(({ kind }) => kind !== 'comment'))
  const update = tokens.find((token, at) => isWord(token, 'update') && tokens[at + 1]?.text === '{')
  return update === undefined ? text : text.slice(0, update.from).trimEnd()
}

/** The query without its `include` clause: it has the same results. */
export function withoutIncludes(text: string): string {
  const tokens = withoutFunctions(tokensOf(text).filter(({ kind }) => kind !== 'comment'))
  const at = tokens.findIndex((token) => isWord(token, 'include'))
  const include = tokens[at]
  if (include === undefined) return text
  const next = tokens
    .slice(at + 1)
    .find(({ kind, text: word }) => kind === 'keyword' && CLAUSES.has(word.toLowerCase()))
  return text.slice(0, include.from) + (next === undefined ? '' : text.slice(next.from))
}

/** Removes bodies in braces, which are JavaScript; names in them are not part of the query. */
function withoutFunctions(tokens: readonly RqlToken[]): RqlToken[] {
  const kept: RqlToken[] = []
  let depth = 0
  for (const token of tokens) {
    if (token.text === '}' && depth > 0) depth--
    if (depth === 0) kept.push(token)
    if (token.text === '{') depth++
  }
  return kept
}

function sourceAfter(tokens: readonly RqlToken[], from: number): Pick<RqlShape, 'source' | 'alias'> {
  if (from < 0) return { source: null, alias: null }
  const isIndex = isWord(tokens[from + 1], 'index')
  const at = from + (isIndex ? 2 : 1)
  const name = tokens[at]
  if (name === undefined || name.kind === 'keyword' || name.kind === 'operator') return { source: null, alias: null }
  const next = tokens[at + 1]
  const named = isWord(next, 'as') ? tokens[at + 2] : next
  return {
    source: { kind: isIndex ? 'index' : 'collection', name: nameOf(name) },
    alias: named?.kind === 'name' ? named.text : null,
  }
}

function clausesOf(tokens: readonly RqlToken[]): { readonly clause: string; readonly body: RqlToken[] }[] {
  const clauses: { readonly clause: string; readonly body: RqlToken[] }[] = []
  for (const token of tokens) {
    const word = token.kind === 'keyword' ? token.text.toLowerCase() : ''
    if (CLAUSES.has(word)) clauses.push({ clause: word, body: [] })
    else clauses.at(-1)?.body.push(token)
  }
  return clauses
}

/** Paths such as `ShipTo.City`, without alias, values and functions. */
function fieldsOf(body: readonly RqlToken[], alias: string | null): string[] {
  const fields: string[] = []
  for (let at = 0; at < body.length; at++) {
    const first = body[at]
    // A name after `as` is the type of an order or the alias of a group.
    if (first?.kind !== 'name' || body[at - 1]?.text === '.' || isWord(body[at - 1], 'as')) continue
    const parts = [first.text]
    while (body[at + 1]?.text === '.' && body[at + 2]?.kind === 'name') {
      parts.push(body[at + 2]?.text ?? '')
      at += 2
    }
    const path = parts[0] === alias && parts.length > 1 ? parts.slice(1) : parts
    fields.push(path.join('.'))
  }
  return fields
}

/** Converts `line:column`, both from 1 as the server counts, to an offset within the text. */
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf('\n', at)
    if (end < 0) return text.length
    at = end + 1
  }
  return Math.min(text.length, at + Math.max(0, column - 1))
}

/** Token at the place that a server error names; null: the error names no place. */
export function placeOf(text: string, message: string): { readonly from: number; readonly to: number } | null {
  const place = /^(\d+):(\d+) /.exec(message)
  if (place !== null) {
    const at = offsetOf(text, Number(place[1]), Number(place[2]))
    const token = tokensOf(text).find(({ from, to }) => at >= from && at < to)
    if (token !== undefined) return { from: Math.max(token.from, at), to: token.to }
    // An error at the end of the text means that something is missing after the last token.
    const last = tokensOf(text.slice(0, at)).at(-1)
    return last === undefined ? { from: 0, to: text.length } : { from: last.from, to: last.to }
  }
  const name = /^The field '([^']+)' is not indexed/.exec(message)?.[1]
  const token = name === undefined ? undefined : tokenOfPath(text, name)
  return token === undefined ? null : { from: token.from, to: token.from + (name?.length ?? 0) }
}

const tokenOfPath = (text: string, path: string): RqlToken | undefined =>
  tokensOf(text).find(({ kind, from }) => kind === 'name' && text.startsWith(path, from))

/** First line of a server error, without the place and without the query that the server repeats. */
export const errorWords = (message: string): string =>
  message
    .replace(/^\d+:\d+ /, '')
    .split(/\r?\n/)[0]
    ?.trim() ?? ''
