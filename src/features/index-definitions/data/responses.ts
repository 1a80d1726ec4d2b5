import { asArray, asObject, asString, orNull } from '../../../base/json/check.ts'
import { itemsOf, membersOf } from '../../../base/json/exact.ts'
import type { LaterPart } from '../../../capture/worker/feed.ts'
import type { Handlers } from '../../../capture/worker/handlers.ts'
import type { Governor } from '../../../ravendb/budget/governor.ts'
import { RavenError } from '../../../ravendb/http/errors.ts'
import { QueryError } from '../../../ravendb/http/query.ts'
import { offers } from '../../../ravendb/versions.ts'
import type { DefinitionRequests, DefinitionText, SavedDefinition, TestOutcome } from '../contract.ts'
import { definitionJson, definitionText, faultsOf } from '../definition-text.ts'

const NAME = 'Test'
const MB = 1024 * 1024
const WAIT_SECONDS = 15

/** Handlers of the requests of the panel Indexes; their code is loaded at the first request. */
export const definitionResponses = (): LaterPart => ({
  responses: {
    'definitions.read': async ({ database, index }, governor, signal) => {
      try {
        return { loaded: true, atMs: governor.env.now(), definition: await read(governor, database, index, signal) }
      } catch (error) {
        if (error instanceof RavenError && error.kind === 'database-unloaded') return { loaded: false }
        throw error
      }
    },
    'definitions.test': (params, governor, signal) => test(governor, params, signal),
  } satisfies Handlers<keyof DefinitionRequests>,
})

/** Reads a definition; null: no index has that name. */
async function read(
  governor: Governor,
  database: string,
  name: string,
  signal: AbortSignal,
): Promise<SavedDefinition | null> {
  const bytes = await governor
    .bytes('indexDefinition', { database, name }, { signal, isFresh: true })
    .catch((error: unknown) => {
      if (error instanceof RavenError && error.status === 404 && error.kind !== 'database-missing') return null
      throw error
    })
  if (bytes === null) return null
  const text = new TextDecoder().decode(bytes)
  const results = membersOf(text).find(({ key }) => key === 'Results')?.value ?? '[]'
  const [json] = itemsOf(results)
  if (json === undefined) return null
  // Staleness is optional: the definition is shown without it.
  const staleness = asObject(
    await governor.json('indexStaleness', { database, name }, { signal, isFresh: true }).catch(() => ({})),
    '$',
  )
  const { IsStale: isStale, StalenessReasons: reasons } = staleness
  return {
    ...definitionText(json),
    json,
    isStale: typeof isStale === 'boolean' ? isStale : null,
    reasons: (orNull(asArray, reasons, '$.StalenessReasons') ?? []).map((reason) => asString(reason, '$')),
  }
}

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
