import { itemsOf, kindOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'
import { errorWords, withoutUpdate } from '../../../base/rql/shape.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { QueryError } from '../../../ravendb/http/query.ts'
import type { DryRun, PatchPreview, QueryParams, QueryText } from '../contract.ts'
import { refusedBy, runQuery } from './run.ts'

/** Number of documents that are patched without being saved, to preview the patch. */
const MOST_DRY_RUNS = 10
const MB = 1024 * 1024

/**
 * Previews a patch: counts the documents that its query finds, and returns the first ones before and after the patch.
 * The server saves none of them. Errors: `RavenError`, except for what the outcome reports.
 */
export async function previewPatch(
  governor: Governor,
  query: QueryText & Pick<QueryParams, 'load'>,
  signal: AbortSignal,
): Promise<PatchPreview> {
  const selection = { ...query, text: withoutUpdate(query.text), start: 0, pageSize: MOST_DRY_RUNS }
  const outcome = await runQuery(governor, selection, signal)
  if (outcome.outcome !== 'results') return outcome
  const { page } = outcome
  const ids = page.rows.flatMap((row) => {
    const id = memberOf(memberOf(row, '@metadata') ?? '{}', '@id')
    return id === null ? [] : [plainText(id)]
  })
  const changes: DryRun[] = []
  // Dry runs are sent one after another: a script may take long.
  for (const id of ids) {
    const change = await dryRun(governor, query, id, signal)
    if ('outcome' in change) return change
    changes.push(change)
  }
  return {
    outcome: 'preview',
    total: page.total ?? page.rows.length,
    isMost: page.leavesOut,
    index: page.index,
    isStale: page.isStale,
    changes,
  }
}

/** Changes of documents, by the name in a dry run. */
const OF_DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['DeleteDocument', 'deletes'],
  ['PutDocument', 'stores'],
])
/** Changes of what belongs to documents, of which a dry run does not name the same things. */
const OF_PARTS: ReadonlyMap<string, string> = new Map([
  ['IncrementCounter', 'increments counters'],
  ['DeleteCounter', 'deletes counters'],
  ['AppendTimeSeries', 'appends to time series'],
  ['IncrementTimeSeries', 'increments time series'],
  ['DeleteTimeSeries', 'deletes from time series'],
])

/** Changes that the script of a dry run makes besides that of its document. */
function othersIn(response: string): readonly string[] {
  const actions = memberOf(memberOf(response, 'Debug') ?? '{}', 'Actions') ?? 'null'
  if (kindOf(actions) !== 'object') return []
  return membersOf(actions).flatMap(({ key, value }): readonly string[] => {
    const items = kindOf(value) === 'array' ? itemsOf(value) : []
    const [verb, words] = [OF_DOCUMENTS.get(key), OF_PARTS.get(key)]
    if (items.length === 0) return []
    if (verb === undefined) return words === undefined ? [] : [`${words} (${items.length})`]
    return items.map((item) => {
      const id = kindOf(item) === 'object' ? memberOf(item, 'Id') : item
      return `${verb} ${id === null || kindOf(id) !== 'string' ? 'a document' : plainText(id)}`
    })
  })
}

const NOTHING = { before: '', after: '', error: null, others: [], isGone: false } as const

/** Types of errors of a script that cannot be parsed, whatever the document. */
const UNPARSED = /(?:InvalidQuery|Parse)Exception$/u

async function dryRun(
  governor: Governor,
  query: QueryText,
  id: string,
  signal: AbortSignal,
): Promise<DryRun | ReturnType<typeof refusedBy>> {
  const { database, text, parameters } = query
  const values = parameters.trim() === '' ? '{}' : parameters
  try {
    const { text: response } = await governor.query(
      {
        method: 'PATCH',
        changes: true,
        database,
        path: `/databases/${encodeURIComponent(database)}/queries/test?id=${encodeURIComponent(id)}`,
        route: '/databases/{database}/queries/test',
        body: `{"Query":{"Query":${JSON.stringify(text)},"QueryParameters":${values}}}`,
        mayLoad: false,
        timeoutMs: 60_000,
        maxBytes: 64 * MB,
      },
      signal,
    )
    const before = memberOf(response, 'OriginalDocument') ?? 'null'
    const after = memberOf(response, 'ModifiedDocument')
    const patched = after === null || after === 'null' ? before : after
    return { ...NOTHING, id, before, after: patched, others: othersIn(response) }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    if (error.status === 404 && error.whole === '') return { ...NOTHING, id, isGone: true }
    if (UNPARSED.test(error.serverType ?? '')) return refusedBy(error, text)
    return { ...NOTHING, id, error: errorWords(error.whole) }
  }
}
