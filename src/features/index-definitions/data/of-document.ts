import { itemsOf, kindOf, memberOf, plainText } from '../../../base/json/exact.ts'
import { quoted } from '../../../base/rql/shape.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { MOST_ENTRIES, type ReduceNode, type ReduceTree } from '../contract.ts'

const MB = 1024 * 1024

/** Reads the entries of a map index for a document, as the server stores them. Errors: `RavenError`. */
export async function entriesOf(
  governor: Governor,
  database: string,
  index: string,
  id: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = `from index ${quoted(index)} where id() = $id`
  const { text } = await governor.query(
    {
      database,
      path: `/databases/${encodeURIComponent(database)}/queries?disableAutoIndexCreation=true&debug=entries`,
      route: '/databases/{database}/queries?debug=entries',
      body: `{"Query":${JSON.stringify(query)},"QueryParameters":{"id":${JSON.stringify(id)}},"Start":0,"PageSize":${MOST_ENTRIES}}`,
      mayLoad: false,
      timeoutMs: 60_000,
      maxBytes: 64 * MB,
    },
    signal,
  )
  return itemsOf(memberOf(text, 'Results') ?? '[]')
}

/** Reads the trees of the reduce keys to which a document contributes. Errors: `RavenError`, `ExactError`. */
export async function treesOf(
  governor: Governor,
  database: string,
  name: string,
  docId: string,
  signal: AbortSignal,
): Promise<readonly ReduceTree[]> {
  const bytes = await governor.bytes('indexTree', { database, name, docId }, { signal, isFresh: true })
  return readTrees(new TextDecoder().decode(bytes))
}

/** Reads `indexes/debug?op=map-reduce-tree`. Values are not converted to numbers. Errors: `ExactError`. */
export const readTrees = (text: string): readonly ReduceTree[] =>
  itemsOf(memberOf(text, 'Results') ?? '[]').map((tree): ReduceTree => {
    const of = (key: string): string => plainText(memberOf(tree, key) ?? '""')
    const root = memberOf(tree, 'Root') ?? 'null'
    return {
      key: of('DisplayName'),
      depth: of('Depth'),
      pages: of('PageCount'),
      entries: of('NumberOfEntries'),
      root: root === 'null' ? null : nodeOf(root),
    }
  })

function nodeOf(node: string): ReduceNode {
  const listOf = (key: string): readonly string[] => {
    const list = memberOf(node, key) ?? 'null'
    return kindOf(list) === 'array' ? itemsOf(list) : []
  }
  const result = memberOf(node, 'AggregationResult') ?? 'null'
  return {
    page: memberOf(node, 'PageNumber') ?? '',
    result: result === 'null' ? null : result,
    children: listOf('Children').map(nodeOf),
    entries: listOf('Entries').map((entry) => {
      const source = memberOf(entry, 'Source') ?? 'null'
      return { data: memberOf(entry, 'Data') ?? 'null', source: source === 'null' ? null : plainText(source) }
    }),
  }
}
