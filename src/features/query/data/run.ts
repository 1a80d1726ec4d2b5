import { errorText } from '../../../base/text/error-text.ts'
import { asObject, unlessNegative } from '../../../base/json/check.ts'
import { kindOf, memberOf, membersOf } from '../../../base/json/exact.ts'
import { errorWords, placeOf, selectsCall, shapeOf } from '../../../base/rql/shape.ts'
import { tokensOf } from '../../../base/rql/tokens.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { orMissing } from '../../../ravendb/governor/or-missing.ts'
import { QueryError, type QueryRequest, type QueryResponse, type QueryStream } from '../../../ravendb/http/query.ts'
import type { QueryOutcome, QueryPage, QueryParams, QueryText } from '../contract.ts'
import { readConsidered, readPage } from './answer.ts'

/** Timeout of a query, ms. The server itself ends a query after 300 s. */
const TIMEOUT_MS = 330_000
const MOST_BYTES = 128 * 1024 * 1024

/** Message with which 7.1.5, 6.2.4 and 5.4.207 refuse a query that would need a new automatic index. */
const NO_INDEX = 'Creation of Auto Indexes was disabled'

export type QueryPart = QueryText & Pick<QueryParams, 'load'> & { readonly start: number; readonly pageSize: number }

/** Body of a query. The text of the parameters is sent as typed, so that no number is rounded. */
export const bodyOf = ({ text, parameters, start, pageSize }: Omit<QueryPart, 'database'>): string =>
  `{"Query":${JSON.stringify(text)},"QueryParameters":${parametersOf({ parameters })},"Start":${start},"PageSize":${pageSize}}`

const parametersOf = ({ parameters }: Pick<QueryText, 'parameters'>): string =>
  parameters.trim() === '' ? '{}' : parameters

/** Reason why the parameters cannot be sent; null if they can. */
export function parametersProblem(parameters: string): string | null {
  if (parameters.trim() === '') return null
  try {
    JSON.parse(parameters)
  } catch (error) {
    return `Parameters are no JSON: ${errorText(error)}`
  }
  if (kindOf(parameters.trim()) !== 'object') return 'Parameters are an object: { "name": value }.'
  return null
}

/** Names without a value in the parameters. `parameters`: text that passed `parametersProblem`. */
export function missingParameters(names: readonly string[], parameters: string): readonly string[] {
  const given = new Set(parameters.trim() === '' ? [] : membersOf(parameters).map(({ key }) => key))
  return names.filter((name) => !given.has(name))
}

const requestOf = (query: QueryPart, parameter: 'disableAutoIndexCreation=true' | 'debug=explain'): QueryRequest => ({
  database: query.database,
  path: `/databases/${encodeURIComponent(query.database)}/queries?${parameter}`,
  route: `/databases/{database}/queries?${parameter}`,
  body: bodyOf(query),
  mayLoad: query.load === true,
  timeoutMs: TIMEOUT_MS,
  maxBytes: MOST_BYTES,
})

/** Requests a page and returns the raw response. The server creates nothing for it. Errors: `RavenError`. */
export const sendPage = (governor: Governor, query: QueryPart, signal: AbortSignal): Promise<QueryResponse> =>
  governor.query(requestOf(query, 'disableAutoIndexCreation=true'), signal)

/** Requests all results as lines of JSON. The server ignores `disableAutoIndexCreation` there. Errors: `RavenError`. */
export const openStream = (governor: Governor, query: QueryText, signal: AbortSignal): Promise<QueryStream> =>
  governor.streamQuery(
    {
      ...requestOf({ ...query, start: 0, pageSize: 0 }, 'disableAutoIndexCreation=true'),
      path: `/databases/${encodeURIComponent(query.database)}/streams/queries?format=jsonl`,
      route: '/databases/{database}/streams/queries?format=jsonl',
      body: `{"Query":${JSON.stringify(query.text)},"QueryParameters":${parametersOf(query)}}`,
    },
    signal,
  )

/** Runs a query. Errors: `RavenError`, except for what the outcome reports. */
export async function runQuery(governor: Governor, query: QueryParams, signal: AbortSignal): Promise<QueryOutcome> {
  try {
    const page = readPage(await sendPage(governor, query, signal), query.start)
    return { outcome: 'results', page: counted(page, query) }
  } catch (error) {
    if (error instanceof RavenError && error.kind === 'database-unloaded' && query.load !== true) {
      const found = await orMissing(governor, query.database, error, signal)
      if (found === error) return { outcome: 'unloaded' }
      throw found
    }
    if (!(error instanceof QueryError)) throw error
    if (error.whole.includes(NO_INDEX)) return whatIsNeeded(governor, query, signal)
    return refusedBy(error, query.text)
  }
}

const isDistinct = (text: string): boolean =>
  tokensOf(text).some(({ kind, text: word }) => kind === 'keyword' && word.toLowerCase() === 'distinct')

/**
 * Whether a function of the query returned lists. Their items are not counted: of a collection the server returns
 * `pageSize` items at most, of an index those of `pageSize` entries, and pages begin at a document or entry. Of an index
 * of 5.4, not all lists are recognized.
 */
export function hasLists(
  { start, rows, skipped, total, index }: QueryPage,
  { text, pageSize }: Pick<QueryPart, 'text' | 'pageSize'>,
): boolean {
  if (!selectsCall(text)) return false
  if (rows.length > pageSize) return true
  if (rows.length < pageSize && start + rows.length + skipped < (total ?? 0)) return true
  if (!index.startsWith('collection/')) return false
  // Documents with an empty list count as skipped there.
  if (skipped > 0 && !isDistinct(text)) return true
  const ids = new Set(rows.map((row) => memberOf(memberOf(row, '@metadata') ?? '{}', '@id')))
  return ids.size < rows.length
}

/** The page with the number of results where the server counts more than it returns. With a `filter` it counts none. */
export function counted(page: QueryPage, query: Pick<QueryPart, 'text' | 'pageSize'>): QueryPage {
  const { start, rows, skipped, scanned, total, index } = page
  const { text, pageSize } = query
  if (total === null || scanned > 0) return page
  if (hasLists(page, query)) {
    const isWhole = start === 0 && (index.startsWith('collection/') ? rows.length < pageSize : total <= pageSize)
    return isWhole ? { ...page, total: rows.length } : { ...page, hasLists: true }
  }
  const isLast = start + rows.length + skipped >= total
  if (!isLast) return { ...page, leavesOut: skipped > 0 || isDistinct(text) }
  return start === 0 && skipped > 0 ? { ...page, total: rows.length } : page
}

/** First words of other languages, which the server reports only as unexpected. */
const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['delete', 'RQL does not delete. Run the query alone, from Orders where …, then choose “Delete by query”.'],
  ['update', 'In RQL the change follows the query: from Orders update { this.Note = 1 }.'],
  ['insert', 'RQL does not insert. Documents has “New document” and “Import”.'],
  ['select', 'In RQL select follows from: from Orders select Name.'],
  ['match', 'Graph queries are gone from the server since 6.0.'],
])

/** Hint on a text that begins as no query does; null: none is known. */
function statementHint(reported: string, text: string): string | null {
  if (!reported.includes('Expected FROM clause')) return null
  const first = tokensOf(text).find(({ kind }) => kind !== 'comment')
  return first === undefined ? null : (STATEMENTS.get(first.text.toLowerCase()) ?? null)
}

/** Outcome of a query that the server refused. */
export function refusedBy(error: QueryError, text: string): Extract<QueryOutcome, { readonly outcome: 'refused' }> {
  const { source } = shapeOf(text)
  // For an unknown index, the server sends an empty 404.
  const isNoIndex = error.status === 404 && error.whole === '' && source?.kind === 'index'
  if (isNoIndex) {
    const at = text.indexOf(source.name)
    return {
      outcome: 'refused',
      message: `There is no index “${source.name}”.`,
      place: at < 0 ? null : { from: at, to: at + source.name.length },
      error: error.toInfo(),
    }
  }
  return {
    outcome: 'refused',
    message: statementHint(error.whole, text) ?? (error.whole === '' ? error.message : errorWords(error.whole)),
    place: placeOf(text, error.whole),
    error: error.toInfo(),
  }
}

/**
 * Reads the required index with `debug=explain`, which creates nothing, and the document counts of collections. Leaves
 * out what cannot be read.
 */
async function whatIsNeeded(governor: Governor, query: QueryParams, signal: AbortSignal): Promise<QueryOutcome> {
  const { source, indexed } = shapeOf(query.text)
  const [considered, collections] = await Promise.all([
    governor.query(requestOf(query, 'debug=explain'), signal).then(
      ({ text }) => readConsidered(text),
      () => [],
    ),
    governor.json('collectionsStats', { database: query.database }, { signal }).catch(() => null),
  ])
  signal.throwIfAborted()
  return {
    outcome: 'needs-index',
    collection: source?.name ?? null,
    fields: indexed,
    documents: documentsOf(collections, source?.name ?? ''),
    considered,
  }
}

/** Number of documents of a collection, whose name is case-insensitive. Null: unknown. */
function documentsOf(response: unknown, collection: string): number | null {
  if (response === null) return null
  const stats = asObject(response, '$')
  if (collection.toLowerCase() === '@all_docs') return unlessNegative(stats['CountOfDocuments'], '$.CountOfDocuments')
  const entry = Object.entries(asObject(stats['Collections'], '$.Collections')).find(
    ([name]) => name.toLowerCase() === collection.toLowerCase(),
  )
  return entry === undefined ? 0 : unlessNegative(entry[1], '$.Collections')
}

/** Keys of the first rows, in order of first appearance, without `@metadata`. */
export function keysOf(rows: readonly string[]): string[] {
  const keys = new Set<string>()
  for (const row of rows)
    if (kindOf(row) === 'object') for (const { key } of membersOf(row)) if (key !== '@metadata') keys.add(key)
  return [...keys]
}
