import { jsonWithoutSecrets, withoutSecrets } from '../../base/text/secrets.ts'
import { isFileSource, parseSourceId, type SourceId } from '../../capture/client/state.ts'
import { NO_FILTER as ALL_BATCHES } from '../../feeds/indexing/contract/batches.ts'
import { performanceList } from '../../feeds/indexing/data/exports/exporters.ts'
import { countParts as countBatches, exportParts as batchParts } from '../../feeds/indexing/data/exports/scope.ts'
import type { IndexingFeed } from '../../feeds/indexing/data/feed.ts'
import { NO_FILTER as ALL_EVENTS } from '../../feeds/io/contract/rows.ts'
import { endpointJson } from '../../feeds/io/data/exports/endpoint-json.ts'
import { exportParts as eventParts } from '../../feeds/io/data/exports/scope.ts'
import type { IoFeed } from '../../feeds/io/data/feed.ts'
import { countParts as countEvents } from '../../feeds/io/data/responses/parts.ts'
import type { CollectedEntries, CollectedEntry } from '../../feeds/server/data/package-export.ts'

/** Package entries for the I/O and the index batches that were collected from the live server. */
export const collectedEntriesOf =
  (io: Pick<IoFeed, 'store' | 'names'>, indexing: Pick<IndexingFeed, 'store'>): CollectedEntries =>
  (gaps) => [
    ...liveSources(io.store.lanes.values()).map((source): CollectedEntry => {
      const database = databaseOf(source)
      const own = gaps.filter((gap) => gap.source === source)
      const params = { sources: [source], rows: null, range: null, filter: ALL_EVENTS, gaps: own.map(withoutSecretsIn) }
      const parts = eventParts(io.store, io.names, params)
      return {
        entry: database === null ? 'admin.io-metrics' : 'io-metrics',
        database,
        events: countEvents(parts),
        batches: 0,
        steps: (out, head) => endpointJson(io.store, parts, { ...params, head, clean: withoutSecrets }, out),
      }
    }),
    ...liveSources(indexing.store.indexes.values()).map((source): CollectedEntry => {
      const parts = batchParts(indexing.store, { sources: [source], indexes: null, range: null, filter: ALL_BATCHES })
      return {
        entry: 'indexes.performance',
        database: databaseOf(source),
        events: 0,
        batches: countBatches(parts),
        steps: (out, head) => {
          const form = { head: `{${head}"Results":[`, tail: ']}', clean: jsonWithoutSecrets }
          return performanceList(indexing.store, parts, out, form)
        },
      }
    }),
  ]

const liveSources = (all: Iterable<{ readonly source: SourceId }>): readonly SourceId[] => [
  ...new Set(Array.from(all, ({ source }) => source).filter((source) => !isFileSource(source))),
]

/** Database of a live source; null: the server itself. */
function databaseOf(source: SourceId): string | null {
  const ref = parseSourceId(source)
  return ref?.kind === 'database' ? ref.name : null
}

const withoutSecretsIn = <Described extends { readonly detail: string }>(gap: Described): Described => ({
  ...gap,
  detail: withoutSecrets(gap.detail),
})
