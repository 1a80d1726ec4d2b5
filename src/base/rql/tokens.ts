/** Splits RQL into tokens, for colours, completion and places. Accepts any text: errors are found by the server. */

export type RqlTokenKind =
  'keyword' | 'name' | 'function' | 'string' | 'number' | 'parameter' | 'comment' | 'operator' | 'other'

export interface RqlToken {
  readonly kind: RqlTokenKind
  readonly text: string
  /** UTF-16 units from the start of the text. */
  readonly from: number
  readonly to: number
}

/** Keywords, in lower case. */
export const RQL_KEYWORDS: readonly string[] = [
  'all',
  'and',
  'as',
  'asc',
  'between',
  'by',
  'declare',
  'desc',
  'distinct',
  'explanations',
  'facet',
  'false',
  'filter',
  'filter_limit',
  'from',
  'function',
  'group',
  'highlight',
  'in',
  'include',
  'index',
  'limit',
  'load',
  'match',
  'not',
  'null',
  'offset',
  'or',
  'order',
  'select',
  'timeseries',
  'timings',
  'true',
  'update',
  'where',
  'with',
]

/** Built-in functions, as they are written. */
export const RQL_FUNCTIONS: readonly string[] = [
  'id()',
  'count()',
  'sum()',
  'avg()',
  'min()',
  'max()',
  'exact()',
  'exists()',
  'search()',
  'startsWith()',
  'endsWith()',
  'regex()',
  'fuzzy()',
  'proximity()',
  'boost()',
  'lucene()',
  'intersect()',
  'moreLikeThis()',
  'facet()',
  'suggest()',
  'score()',
  'random()',
  'key()',
  'array()',
  'metadata()',
  'lastModified()',
  'timings()',
  'explanations()',
  'highlight()',
  'counters()',
  'timeseries()',
  'revisions()',
  'cmpxchg()',
  'spatial.within()',
  'spatial.contains()',
  'spatial.intersects()',
  'spatial.disjoint()',
  'spatial.circle()',
  'spatial.wkt()',
  'spatial.point()',
  'spatial.distance()',
]

const KEYWORDS: ReadonlySet<string> = new Set(RQL_KEYWORDS)

/** Tried in this order. A string may lack its closing quote. */
const PARTS: readonly (readonly [RqlTokenKind, RegExp])[] = [
  ['comment', /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/y],
  ['string', /'(?:\\[^]|''|[^'\\])*(?:'|$)|"(?:\\[^]|""|[^"\\])*(?:"|$)/y],
  ['parameter', /\$[\p{L}_][\p{L}\p{N}_]*/uy],
  ['number', /\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['name', /@?[\p{L}_][\p{L}\p{N}_]*/uy],
  ['operator', /[<>!=]=?|[+\-*/%&|?:.,;()[\]{}]/y],
]

const SPACE = /\s+/y

/** Token that begins at `at`; null at white space and at the end. */
export function tokenAt(text: string, at: number): RqlToken | null {
  SPACE.lastIndex = at
  if (at >= text.length || SPACE.test(text)) return null
  for (const [kind, pattern] of PARTS) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined && found !== '')
      return { kind: kind === 'name' ? nameKind(text, found, at) : kind, text: found, from: at, to: at + found.length }
  }
  const unit = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { kind: 'other', text: unit, from: at, to: at + unit.length }
}

function nameKind(text: string, name: string, at: number): RqlTokenKind {
  if (text[at - 1] !== '.' && KEYWORDS.has(name.toLowerCase())) return 'keyword'
  return text[at + name.length] === '(' ? 'function' : 'name'
}

export function tokensOf(text: string): RqlToken[] {
  const tokens: RqlToken[] = []
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at)
    if (token !== null) tokens.push(token)
    at = token?.to ?? spaceEnd(text, at)
  }
  return tokens
}

function spaceEnd(text: string, at: number): number {
  SPACE.lastIndex = at
  return SPACE.test(text) ? SPACE.lastIndex : at + 1
}
