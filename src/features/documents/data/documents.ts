import { asNumber, asObject } from '../../../base/json/check.ts'
import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import { Pace } from '../../../capture/worker/turns.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { LIST_SEPARATOR, type EndpointKey, type Params } from '../../../ravendb/endpoints.ts'
import type { RequestOptions } from '../../../ravendb/http/requests.ts'
import { orMissing } from '../../../ravendb/governor/or-missing.ts'
import type { Collections, DocumentsRequests } from '../contract.ts'
import { attachmentExporters, attachmentGone, isNotFound } from './attachment-export.ts'
import { attachmentVersion } from './attachment-version.ts'
import { readDocument, readingDocument } from './document-text.ts'
import type { Steps } from './indent-json.ts'
import { readCounters, readRevisions, readSeries, readSeriesPage } from './extras.ts'
import { ReferenceSearches } from './references.ts'
import { readPage } from './rows.ts'
import { seriesGroups } from './series-groups.ts'

/** Handlers of the requests about documents, which are returned as the text that the server wrote. */
export const documentResponses = (known: () => Governor, searches = new ReferenceSearches()): LaterPart => ({
  exporters: attachmentExporters(known),
  responses: {
    'documents.collections': ({ database, mayLoad }, governor, signal) =>
      readCollections(governor, database, signal, mayLoad === true ? { allowLoad: true } : {}),
    'documents.page': async ({ database, collection, start, pageSize, fields, isFresh }, governor, signal) => {
      const page = await governor.bytes(
        'collectionPreview',
        {
          database,
          ...(collection === null ? {} : { collection }),
          start: String(start),
          pageSize: String(pageSize),
          ...(fields === null ? {} : { binding: fields.join(LIST_SEPARATOR) }),
        },
        { signal, ...freshly(isFresh) },
      )
      return readPage(page)
    },
    'documents.byPrefix': async ({ database, prefix, start, pageSize, isFresh }, governor, signal) => {
      const params = { database, startsWith: prefix, start: String(start), pageSize: String(pageSize) }
      const page = readPage(await governor.bytes('documentsByPrefix', params, { signal, ...freshly(isFresh) }))
      return { ...page, total: start + page.rows.length }
    },
    'documents.open': ({ database, id, isFresh }, governor, signal) =>
      orNone(async () => {
        const response = governor.bytes('document', { database, id }, { signal, ...freshly(isFresh) })
        const bytes = await response.catch(async (error: unknown) => {
          throw await orMissing(governor, database, error, signal)
        })
        return paced(readingDocument(bytes), signal)
      }),
    'documents.version': ({ database, id }, governor, signal) =>
      orNone(async () => {
        const found = readDocument(
          await governor.bytes('documentMetadata', { database, id }, { signal, priority: 'poll' }),
        )
        return found === null ? null : { changeVector: found.changeVector, modified: found.modified }
      }),
    'documents.references': ({ collections, ...search }, governor, signal) =>
      searches.run(governor, search, collections, signal),
    'documents.referencesSoFar': ({ search }) => searches.soFar(search),
    'documents.size': async (params, governor, signal) => {
      const size = asObject(await governor.json('documentSize', { ...params }, { signal }), '$')
      return {
        actual: asNumber(size['ActualSize'], '$.ActualSize'),
        allocated: asNumber(size['AllocatedSize'], '$.AllocatedSize'),
      }
    },
    'documents.revisions': async ({ database, id, start, pageSize }, governor, signal) =>
      readRevisions(
        await governor.bytes(
          'revisionsOf',
          { database, id, start: String(start), pageSize: String(pageSize) },
          { signal },
        ),
      ),
    'documents.revision': ({ database, changeVector }, governor, signal) =>
      orNone(async () =>
        paced(readingDocument(await governor.bytes('revision', { database, changeVector }, { signal })), signal),
      ),
    'documents.attachment': async (params, governor, signal) => {
      const bytes = await orNone(() => governor.bytes('attachment', { ...params }, { signal }))
      if (bytes !== null) return bytes
      throw attachmentGone()
    },
    'documents.attachmentVersion': (params, governor, signal) => attachmentVersion(governor, params, signal),
    'documents.counters': async ({ database, id }, governor, signal) =>
      readCounters(await ofDocument(governor, 'counters', database, id, signal)),
    'documents.series': async ({ database, id }, governor, signal) =>
      readSeries(await ofDocument(governor, 'timeSeriesStats', database, id, signal)),
    'documents.seriesGroups': (params, governor, signal) => seriesGroups(governor, params, signal),
    'documents.seriesPage': async ({ database, id, name, start, pageSize }, governor, signal) =>
      readSeriesPage(
        await ofDocument(governor, 'timeSeries', database, id, signal, {
          name,
          start: String(start),
          pageSize: String(pageSize),
        }),
      ),
  } satisfies Handlers<keyof DocumentsRequests>,
})

/** Lets other work of the worker run between the steps. */
async function paced<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> {
  const pace = new Pace(signal)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await pace.step()
  }
}

const freshly = (isFresh: boolean | undefined): RequestOptions => (isFresh === true ? { isFresh } : {})

const ofDocument = (
  governor: Governor,
  key: EndpointKey,
  database: string,
  id: string,
  signal: AbortSignal,
  rest: Params = {},
): Promise<Uint8Array<ArrayBuffer>> => governor.bytes(key, { database, docId: id, ...rest }, { signal })

/** Returns null for an empty 404: no such document. The 404 of a deleted database stays an error. */
async function orNone<Found extends object>(read: () => Promise<Found | null>): Promise<Found | null> {
  try {
    return await read()
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

async function readCollections(
  governor: Governor,
  database: string,
  signal: AbortSignal,
  options: RequestOptions,
): Promise<Collections> {
  const response = governor.json('collectionsStats', { database }, { signal, ...options })
  const stats = asObject(
    await response.catch(async (error: unknown) => {
      throw await orMissing(governor, database, error, signal)
    }),
    '$',
  )
  const counts = Object.entries(asObject(stats['Collections'], '$.Collections'))
  return {
    collections: counts
      .map(([name, count]) => ({ name, documents: asNumber(count, `$.Collections.${name}`) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    documents: asNumber(stats['CountOfDocuments'], '$.CountOfDocuments'),
    atMs: governor.readMs('collectionsStats', { database }) ?? governor.env.now(),
  }
}
