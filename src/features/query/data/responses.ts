import { asArray, asNumber, asObject, orNull, unlessNegative } from '../../../base/json/check.ts'
import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { ofLoaded } from '../../../ravendb/databases/of-loaded.ts'
import type { QueryNames, QueryRequests, StillRunning } from '../contract.ts'
import { readIndexFields } from './answer.ts'
import { queryExporters } from './exports/exporters.ts'
import { previewPatch } from './preview.ts'
import { runQuery } from './run.ts'

/** Handlers of the requests of the Query panel. Their code is loaded at the first request. */
export const queryResponses = (governor: () => Governor): LaterPart => ({
  exporters: queryExporters(governor),
  responses: {
    'query.run': (params, governor, signal) => runQuery(governor, params, signal),
    'query.preview': (params, governor, signal) => previewPatch(governor, params, signal),
    'query.names': ({ database }, governor, signal) => ofLoaded(governor, () => readNames(governor, database, signal)),
    'query.fields': ({ database, kind, name }, governor, signal) =>
      ofLoaded(governor, async () => ({
        fields:
          kind === 'collection'
            ? Object.keys(
                asObject(await governor.json('collectionFields', { database, collection: name }, { signal }), '$'),
              ).filter((field) => field !== '@metadata')
            : readIndexFields(await governor.json('indexFields', { database, name }, { signal })),
      })),
    'query.running': async ({ database, text }, governor, signal) =>
      readRunning(await governor.json('databaseQueries', { database }, { signal, isFresh: true }), text),
  } satisfies Handlers<keyof QueryRequests>,
})

async function readNames(governor: Governor, database: string, signal: AbortSignal): Promise<QueryNames> {
  const [stats, names] = await Promise.all([
    governor.json('collectionsStats', { database }, { signal }),
    governor.json('indexesNames', { database }, { signal }),
  ])
  const collections = asObject(asObject(stats, '$')['Collections'], '$.Collections')
  return {
    collections: Object.entries(collections).map(([name, documents]) => ({
      name,
      documents: asNumber(documents, '$.Collections'),
    })),
    indexes: asArray(asObject(names, '$')['Results'], '$.Results').map(String),
  }
}

/** Reads the running queries, which the response lists by index beside `@metadata`. Errors: `ParseError`. */
export const readRunning = (response: unknown, text: string): readonly StillRunning[] =>
  Object.entries(asObject(response, '$')).flatMap(([index, queries]) =>
    index === '@metadata'
      ? []
      : (orNull(asArray, queries, '$.queries') ?? []).flatMap((item, i): StillRunning[] => {
          const query = asObject(item, `$[${i}]`)
          const info = orNull(asObject, query['QueryInfo'], `$[${i}].QueryInfo`)
          const shown = info?.['Query'] ?? query['Query']
          if (typeof shown !== 'string' || shown.trim() !== text.trim()) return []
          return [
            {
              id: asNumber(query['QueryId'], `$[${i}].QueryId`),
              index,
              runningMs: unlessNegative(query['DurationInMs'], `$[${i}].DurationInMs`),
            },
          ]
        }),
  )
