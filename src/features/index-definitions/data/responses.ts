import { itemsOf, membersOf } from '../../../base/json/exact.ts'
import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/governor/governor.ts'
import { RavenError } from '../../../ravendb/errors/errors.ts'
import { QueryError } from '../../../ravendb/http/query.ts'
import { offers } from '../../../ravendb/versions.ts'
import { ofLoaded } from '../../../ravendb/databases/of-loaded.ts'
import type { DefinitionRequests, DefinitionText, ProbeOutcome, TestOutcome } from '../contract.ts'
import { definitionJson, faultsOf } from '../definition-text.ts'
import { probedFields, probesOf } from '../probe.ts'
import { entriesOf, treesOf } from './of-document.ts'
import { convert, readDefinition, readHistory } from './read.ts'

const NAME = 'Test'
const MB = 1024 * 1024
const WAIT_SECONDS = 15
/** Maximum number of documents that the server reads to find the requested one. */
const PROBED = 10_000

/** Handlers of the requests of the Indexes panel. Their code is loaded at the first request. */
export const definitionResponses = (): LaterPart => ({
  responses: {
    'definitions.read': ({ database, index }, governor, signal) =>
      ofLoaded(governor, async () => ({ definition: await readDefinition(governor, database, index, signal) })),
    'definitions.history': ({ database, index }, governor, signal) =>
      ofLoaded(governor, async () => ({ past: await readHistory(governor, database, index, signal) })),
    'definitions.convert': ({ database, index }, governor, signal) => convert(governor, database, index, signal),
    'definitions.ofDocument': async ({ database, index, id, isReduce }, governor, signal) =>
      isReduce
        ? { kind: 'trees', trees: await treesOf(governor, database, index, id, signal) }
        : { kind: 'entries', entries: await entriesOf(governor, database, index, id, signal) },
    'definitions.probe': (params, governor, signal) => probe(governor, params, signal),
    'definitions.test': (params, governor, signal) => test(governor, params, signal),
  } satisfies Handlers<keyof DefinitionRequests>,
})

interface TestParams {
  readonly database: string
  readonly definition: DefinitionText
  readonly documents: number
}

async function test(
  governor: Governor,
  { database, definition, documents }: TestParams,
  signal: AbortSignal,
): Promise<TestOutcome> {
  if (!offers(await governor.version(signal), [6, 2]))
    throw new RavenError({
      kind: 'route-missing',
      endpoint: 'indexes/test',
      message: 'This server cannot test an index without saving it: that came with 6.2.',
      hint: 'Save it under another name, and delete it afterwards.',
    })
  try {
    const { text } = await governor.query(
      {
        method: 'POST',
        changes: true,
        database,
        path: `/databases/${encodeURIComponent(database)}/indexes/test`,
        route: '/databases/{database}/indexes/test',
        body: `{"IndexDefinition":${definitionJson(NAME, definition)},"Query":"from index '${NAME}'","QueryParameters":{},"MaxDocumentsToProcess":${documents},"WaitForNonStaleResultsTimeoutInSeconds":${WAIT_SECONDS}}`,
        mayLoad: false,
        timeoutMs: 60_000,
        maxBytes: 64 * MB,
      },
      signal,
    )
    const members = new Map(membersOf(text).map(({ key, value }) => [key, value]))
    const listOf = (name: string): readonly string[] => {
      const list = members.get(name)
      return list === undefined || list === 'null' ? [] : itemsOf(list)
    }
    return {
      outcome: 'tested',
      entries: listOf('IndexEntries'),
      mapped: listOf('MapResults'),
      reduced: listOf('ReduceResults'),
      isStale: members.get('IsStale') === 'true',
    }
  } catch (error) {
    if (error instanceof QueryError && error.status === 500)
      return { outcome: 'faults', faults: faultsOf(error.whole, definition) }
    throw error
  }
}

async function probe(
  governor: Governor,
  { database, definition, map, id }: DefinitionRequests['definitions.probe']['params'],
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const probes = probesOf(definition, map, id)
  if (probes === null)
    throw new RavenError({
      kind: 'bad-request',
      endpoint: 'indexes/test',
      message: 'The fields of this map cannot be told apart, so they cannot be tried one by one.',
      hint: 'Test the map after each change.',
    })
  const tried = await test(governor, { database, definition: probes.fields, documents: PROBED }, signal)
  if (tried.outcome === 'faults') return tried
  const [result] = tried.mapped
  if (result !== undefined) return { outcome: 'probed', fields: probedFields(definition, map, result) }
  const reached = await test(governor, { database, definition: probes.reached, documents: PROBED }, signal)
  if (reached.outcome === 'faults') return reached
  return { outcome: reached.mapped.length === 0 ? 'not-reached' : 'before' }
}
