import { itemsOf, memberOf, membersOf, plainText } from '../../../base/json/exact.ts'
import { quoted } from '../../../base/rql/shape.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import type { DocumentsRequests, SeriesGroup } from '../contract.ts'

/** Target number of groups: about one for every second pixel of a chart. */
const GROUPS = 500
const TIMEOUT_MS = 60_000
const MOST_BYTES = 16 * 1024 * 1024

type Groups = DocumentsRequests['documents.seriesGroups']

/** Whole milliseconds, or seconds, which reach over ten thousand years. */
function spanOf(from: string, to: string): { readonly spanMs: number; readonly words: string } {
  const ms = Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / GROUPS))
  if (ms < 1000) return { spanMs: ms, words: `${String(ms)} milliseconds` }
  const seconds = Math.ceil(ms / 1000)
  return { spanMs: seconds * 1000, words: `${String(seconds)} seconds` }
}

/** Query of the groups. It reads one document by its id, so it needs no index. */
export function groupsQuery({ id, name, from, to }: Omit<Groups['params'], 'database'>): string {
  const series = `timeseries(from ${quoted(name)} group by '${spanOf(from, to).words}' select min(), max())`
  return JSON.stringify({
    Query: `from @all_docs where id() = $id select ${series}`,
    QueryParameters: { id },
    PageSize: 1,
  })
}

/** Reads the response to the query. */
export function readGroups(text: string): readonly SeriesGroup[] {
  const [result] = itemsOf(memberOf(text, 'Results') ?? '[]')
  return itemsOf(result === undefined ? '[]' : (memberOf(result, 'Results') ?? '[]')).map((group) => {
    const members = new Map(membersOf(group).map(({ key, value }) => [key, value]))
    const values = (key: string): readonly string[] => itemsOf(members.get(key) ?? '[]')
    return { at: plainText(members.get('From') ?? '""'), lowest: values('Min'), highest: values('Max') }
  })
}

export async function seriesGroups(
  governor: Governor,
  { database, ...series }: Groups['params'],
  signal: AbortSignal,
): Promise<Groups['response']> {
  const parameter = 'disableAutoIndexCreation=true'
  const { text } = await governor.query(
    {
      database,
      path: `/databases/${encodeURIComponent(database)}/queries?${parameter}`,
      route: `/databases/{database}/queries?${parameter}`,
      body: groupsQuery(series),
      mayLoad: false,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
    },
    signal,
  )
  return { spanMs: spanOf(series.from, series.to).spanMs, groups: readGroups(text) }
}
