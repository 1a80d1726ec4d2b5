import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { Text, TransactionSpec } from '@codemirror/state'
import { quoted, shapeOf, type RqlSource } from '../../../base/rql/shape.ts'
import { RQL_FUNCTIONS, RQL_KEYWORDS, tokensOf, type RqlToken, type RqlTokenKind } from '../../../base/rql/tokens.ts'
import type { QueryNames } from '../contract.ts'

/** Source of names. Each list is requested once, at first use. */
export interface NameSource {
  readonly names: () => Promise<QueryNames | null>
  readonly fields: (source: RqlSource) => Promise<readonly string[]>
}

export interface Offer {
  readonly label: string
  readonly type: 'class' | 'constant' | 'property' | 'keyword' | 'function'
  readonly detail?: string
  /** Text to insert; default: the label. */
  readonly apply?: string
}

/** Kind of completion that fits after a text. */
export type Place = 'source' | 'index' | 'field' | 'keyword'

const FIELD_CLAUSES: ReadonlySet<string> = new Set([
  'where',
  'and',
  'or',
  'not',
  'by',
  'select',
  'include',
  'load',
  'filter',
  'group',
  'between',
  'distinct',
])

const isWord = (token: RqlToken | undefined, word: string): boolean =>
  token?.kind === 'keyword' && token.text.toLowerCase() === word

/** Kind of completion after `before`, the text up to the word that is being typed. */
export function placeAt(before: string): Place {
  const tokens = tokensOf(before).filter(({ kind }) => kind !== 'comment')
  const last = tokens.at(-1)
  if (last === undefined) return 'keyword'
  if (isWord(last, 'index') && isWord(tokens.at(-2), 'from')) return 'index'
  if (isWord(last, 'from')) return 'source'
  const clause = tokens.findLast(({ kind, text }) => kind === 'keyword' && FIELD_CLAUSES.has(text.toLowerCase()))
  const isAfterValue = last.kind === 'name' || last.kind === 'string' || last.kind === 'number' || last.text === ')'
  if (clause === undefined || isAfterValue) return 'keyword'
  return 'field'
}

/** A name, quoted if RQL requires it. */
export const quotedName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !RQL_KEYWORDS.includes(name.toLowerCase()) ? name : quoted(name)

/** `@all_docs` and `@empty` are not quoted. */
const collectionName = (name: string): string => (name.startsWith('@') ? name : quotedName(name))

export const fromCollection = (name: string): string => `from ${collectionName(name)}`
export const fromIndex = (name: string): string => `from index ${quoted(name)}`

const KEYWORD_OFFERS: readonly Offer[] = RQL_KEYWORDS.map((label) => ({ label, type: 'keyword' }))
const FUNCTION_OFFERS: readonly Offer[] = RQL_FUNCTIONS.map((label) => ({ label, type: 'function' }))

export async function offersAt(before: string, whole: string, names: NameSource): Promise<readonly Offer[]> {
  switch (placeAt(before)) {
    case 'index': {
      const known = await names.names()
      return (known?.indexes ?? []).map((label) => ({ label, type: 'constant', apply: quoted(label) }))
    }
    case 'source': {
      const known = await names.names()
      return [
        ...(known?.collections ?? []).map(({ name, documents }): Offer => ({
          label: name,
          type: 'class',
          detail: String(documents),
          apply: collectionName(name),
        })),
        { label: '@all_docs', type: 'class' },
        { label: 'index', type: 'keyword' },
      ]
    }
    case 'field': {
      const { source, alias } = shapeOf(whole)
      const fields = source === null ? [] : await names.fields(source)
      const prefix = alias === null || source?.kind === 'index' ? '' : `${alias}.`
      return [
        ...fields.map((name): Offer => ({ label: name, type: 'property', apply: prefix + quotedName(name) })),
        ...FUNCTION_OFFERS,
        ...KEYWORD_OFFERS,
      ]
    }
    case 'keyword':
      return [...KEYWORD_OFFERS, ...FUNCTION_OFFERS]
  }
}

const WORD: ReadonlySet<RqlTokenKind> = new Set(['name', 'keyword', 'function'])

/**
 * Start of the word or the unterminated string at the end of a text; the length of the text if there is none, or if the
 * text ends in a comment.
 */
export function wordStart(before: string): number {
  const last = tokensOf(before).at(-1)
  if (last === undefined || last.to !== before.length) return before.length
  const isOpen = last.kind === 'string' && (last.text.length === 1 || !last.text.endsWith(last.text.charAt(0)))
  return isOpen || WORD.has(last.kind) ? last.from : before.length
}

/** Completion inside an opened quotation mark, which its label includes for the comparison. */
function inQuotes({ label, type, detail }: Offer, quote: string): Completion {
  const name = label.includes(quote) || label.includes('\\') ? quoted(label) : quote + label + quote
  return {
    label: quote + label,
    displayLabel: label,
    type,
    apply: (view, _, from, to) => view.dispatch(nameChange(view.state.doc, name, from, to)),
    ...(detail === undefined ? {} : { detail }),
  }
}

/** Replaces the typed prefix, and the closing mark that the editor inserted after the cursor, by the quoted name. */
function nameChange(doc: Text, name: string, from: number, to: number): TransactionSpec {
  const isClosed = doc.sliceString(to, to + 1) === doc.sliceString(from, from + 1)
  return {
    changes: { from, to: isClosed ? to + 1 : to, insert: name },
    selection: { anchor: from + name.length },
    userEvent: 'input.complete',
  }
}

/**
 * Completes the word or the unterminated string before the cursor. Without a word, completes only on request or if a
 * name must follow.
 */
export const completeRql =
  (names: NameSource): CompletionSource =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString()
    const before = text.slice(0, context.pos)
    const from = wordStart(before)
    const lead = before.slice(0, from)
    const place = placeAt(lead)
    if (from === context.pos && !context.explicit && place !== 'source' && place !== 'index') return null
    const quote = before[from]
    // In an unterminated string, only names of collections and indexes can be completed; other strings are values of
    // the user.
    const isOpen = quote === "'" || quote === '"'
    if (isOpen && place !== 'source' && place !== 'index') return null
    const { alias } = shapeOf(text)
    const path = /([\p{L}_][\p{L}\p{N}_]*)\.$/u.exec(lead)?.[1] ?? ''
    const isAfterAlias = path !== '' && path === alias
    const options = await offersAt(isAfterAlias ? lead.slice(0, -path.length - 1) : lead, text, names)
    return {
      from,
      options: isOpen
        ? options.filter(({ type }) => type === 'class' || type === 'constant').map((offer) => inQuotes(offer, quote))
        : isAfterAlias
          ? options.filter(({ type }) => type === 'property').map(({ label, type }) => ({ label, type }))
          : [...options],
      filter: true,
      validFor: /^(?:'[^']*|"[^"]*|@?[\p{L}_][\p{L}\p{N}_/]*)$/u,
    }
  }
