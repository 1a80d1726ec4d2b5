import { concatBytes } from '../../../../base/concat-bytes.ts'
import { asArray, asNumber, asObject, asString } from '../../../../base/json/check.ts'
import { shapeOf, withoutIncludes } from '../../../../base/rql/shape.ts'
import { tokensOf } from '../../../../base/rql/tokens.ts'
import { exactText } from '../../../../base/text/exact-text.ts'
import type { Governor } from '../../../../ravendb/governor/governor.ts'
import { QueryError, type QueryStream } from '../../../../ravendb/http/query.ts'
import type { QueryPage, QueryText } from '../../contract.ts'
import { readPage } from '../answer.ts'
import { hasLists, openStream, sendPage } from '../run.ts'

/** Target size of a page, bytes. An export of any size keeps about one page in memory. */
const PAGE_BYTES = 4 * 1024 * 1024
const FIRST_ROWS = 256
const MOST_ROWS = 8192
/** Minimum size of what a stream gives at once, bytes: a group of rows of Parquet. */
const PART_BYTES = 512 * 1024

/** Page size with which the server returns all results at once, which `sendPage` limits in bytes. */
const ALL_ROWS = 2 ** 31 - 1
const LATE_LISTS =
  'The function of this query returns lists after other results, so pages cannot be followed. Allow changes on the server to export them as a stream.'

const LINE_FEED = 0x0a
/** Maximum length of what the server wrote in place of results, UTF-16 units. */
const MOST_WORDS = 300

/** Words with which a stream has other results, or a number of them that is not known in advance. */
const UNSTREAMED: ReadonlySet<string> = new Set([
  'distinct',
  'facet',
  'filter',
  'morelikethis',
  'suggest',
  // Without `Count`, of a declared one without any entry, or refused after the statistics.
  'timeseries',
])

/** Begin of a line with a result; a brace ends it. */
const ITEM = '{"Item":'

/** Begin of the first line of a stream, with the number of results of its snapshot. */
const STATED = /^\{"Stats":\{.*?"TotalResults":(\d+)/

/** Rows as the server sent them, some at a time. Returns whether the results changed between two pages. */
type Rows = AsyncGenerator<readonly string[], boolean, undefined>

/**
 * All results of a query, as many as the server has. As a stream where the query cannot create an index: it takes half
 * of the server's time, and is a snapshot. Otherwise page by page through the endpoint that also serves the screen.
 * `first`: the first page of the query. Errors: `RavenError`, and an `Error` if the number of results changed meanwhile.
 */
export async function rowsOf(
  governor: Governor,
  query: QueryText,
  first: QueryPage,
  signal: AbortSignal,
): Promise<Rows> {
  if (first.total === null || !(await canStream(governor, query, first, signal)))
    return pagesOf(governor, query, signal)
  try {
    // A stream refuses most includes, some of them only after its statistics. Rows have none.
    const stream = await openStream(governor, { ...query, text: withoutIncludes(query.text) }, signal)
    return linesOf(stream, countedBy(governor, query, first.total, signal))
  } catch (error) {
    if (error instanceof QueryError) return pagesOf(governor, query, signal)
    throw error
  }
}

/**
 * Whether a query can neither create an index nor have results that the server skips, which a stream does not count: it
 * reads a collection, as its text says and the server did, or an index by name with one entry per document. A query that
 * the server answers by an automatic index is read by page: another client may delete the index meanwhile.
 */
async function canStream(
  governor: Governor,
  { database, text }: QueryText,
  first: QueryPage,
  signal: AbortSignal,
): Promise<boolean> {
  const { source, needsIndex } = shapeOf(text)
  const isPlain = !tokensOf(withoutIncludes(text)).some(({ text: word }) => UNSTREAMED.has(word.toLowerCase()))
  if (governor.isViewOnly || source === null || !isPlain || first.scanned > 0) return false
  const index = first.index.toLowerCase()
  if (source.kind === 'collection') return !needsIndex && index.startsWith('collection/')
  if (index !== source.name.toLowerCase()) return false
  const stats = asObject(await governor.json('indexesStats', { database }, { signal }), '$')
  return asArray(stats['Results'], '$.Results').some((item, i) => {
    const entry = asObject(item, `$.Results[${i}]`)
    return (
      asString(entry['Name'], `$.Results[${i}].Name`).toLowerCase() === index &&
      asNumber(entry['MaxNumberOfOutputsPerDocument'] ?? 0, `$.Results[${i}].MaxNumberOfOutputsPerDocument`) <= 1
    )
  })
}

const changed = (written: number, total: number): Error =>
  new Error(`${written} results came, and the server counted ${total}: they changed meanwhile. Export them again.`)

/** Clauses with which the statistics of a stream count more than its results. */
const NARROWING = ['where', 'limit', 'offset'] as const

/** Checks a number of results against `stated`, the number in the statistics of their stream. Errors: `changed`. */
type Check = (written: number, stated: number) => Promise<void> | void

/**
 * How the number of results of a stream is checked. Its end shows by its form: the server writes an error in place of the
 * rest. Only of a whole collection do the statistics state the number of results. With `limit` or conditions on ids they
 * count the collection; of an index in Corax without conditions they state less. Such a number lies between that of the
 * first page, `total`, and that of a page after the stream. Of a function that returns lists no number is known.
 */
function countedBy(governor: Governor, query: QueryText, total: number, signal: AbortSignal): Check {
  const words = new Set(tokensOf(query.text).map(({ text }) => text.toLowerCase()))
  if (words.has('declare')) return () => undefined
  const isWhole = shapeOf(query.text).source?.kind === 'collection' && NARROWING.every((word) => !words.has(word))
  return async (written, stated) => {
    if (isWhole && written !== stated) throw changed(written, stated)
    if (isWhole || written === total) return
    const later = readPage(await sendPage(governor, { ...query, start: 0, pageSize: 1 }, signal), 0).total ?? total
    if (written < Math.min(total, later) || written > Math.max(total, later)) throw changed(written, later)
  }
}

/** Results of a stream, a line each after a line with statistics. */
async function* linesOf({ parts }: QueryStream, check: Check): Rows {
  let written = 0
  let stated: number | null = null
  for await (const text of linesIn(parts)) {
    const lines = text.split('\n')
    stated ??= totalIn(lines.shift() ?? '')
    const rows = lines.map(rowIn)
    written += rows.length
    yield rows
  }
  // Without a first line not even the statistics came.
  if (stated === null) throw endedEarly('')
  await check(written, stated)
  return false
}

/** Number of results that the first line of a stream states. */
function totalIn(line: string): number {
  const total = STATED.exec(line)?.[1]
  if (total === undefined) throw endedEarly(line)
  return Number(total)
}

const endedEarly = (line: string): Error =>
  new Error(`The server ended the results early: ${line.trim().slice(0, MOST_WORDS)}`)

/** Row of a line, an object. The server reports an error in place of the rest, also within a row. */
function rowIn(line: string): string {
  const end = line.endsWith('\r') ? -3 : -2
  if (line.startsWith(ITEM) && line.slice(end).startsWith('}}')) return line.slice(ITEM.length, end + 1)
  throw endedEarly(line)
}

/** Texts of whole lines, without the last line feed. */
async function* linesIn(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    const end = size + part.length < PART_BYTES ? -1 : part.lastIndexOf(LINE_FEED)
    held.push(end < 0 ? part : part.subarray(0, end))
    size += part.length
    if (end < 0) continue
    yield exactText(concatBytes(held))
    held = [part.subarray(end + 1)]
    size = part.length - end - 1
  }
  const rest = exactText(concatBytes(held)).replace(/\n$/, '')
  if (rest !== '') yield rest
}

async function* pagesOf(governor: Governor, query: QueryText, signal: AbortSignal): Rows {
  let written = 0
  let position = 0
  let pageSize = FIRST_ROWS
  const send = (): ReturnType<typeof sendPage> => {
    const sent = sendPage(governor, { ...query, start: position, pageSize }, signal)
    // Errors are thrown where the promise is awaited. An export that ends earlier does not await it.
    sent.catch(() => undefined)
    return sent
  }
  let coming = send()
  let version: string | null = null
  let isChanged = false
  for (;;) {
    const response = await coming
    const page = readPage(response, position)
    const { rows, total, skipped, scanned, etag } = page
    if (hasLists(page, { ...query, pageSize })) {
      if (position > 0) throw new Error(LATE_LISTS)
      yield readPage(await sendPage(governor, { ...query, start: 0, pageSize: ALL_ROWS }, signal), 0).rows
      return false
    }
    // Equal numbers prove nothing: where one row is deleted and another one is added, a row between two pages is missing.
    isChanged ||= version !== null && etag !== version
    version = etag
    written += rows.length
    position += rows.length + skipped
    // The number of results of a query with a filter is not known in advance.
    const end = scanned > 0 ? null : total
    if (rows.length === 0 || (end === null ? rows.length < pageSize : position >= end)) {
      if (end !== null && position !== end) throw changed(written, end)
      yield rows
      return isChanged
    }
    pageSize = Math.min(MOST_ROWS, Math.max(1, Math.floor((PAGE_BYTES * rows.length) / response.bytes)))
    // The server prepares the next page while this one is written.
    coming = send()
    yield rows
  }
}
