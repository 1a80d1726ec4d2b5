import { ExactJson } from '../../base/json/exact.ts'
import { shapeOf } from '../../base/rql/shape.ts'
import { formatPlural } from '../../base/text/format.ts'
import type { OperationState } from '../../ravendb/operations-wire.ts'
import { AS_IT_WAS, type Action, type ActionCall, type BegunOfDatabase, type CheckResult } from '../model.ts'
import { checkReading, readIndexes, REPLACEMENT_OF } from './index-reading.ts'
import { checkOperation } from './lost-operation.ts'
import { numberOf } from './operation-reading.ts'

/* Actions of a user's query on a database. The panel Query brings its text; no menu offers it. */

const databaseOf = ({ target }: ActionCall): string => target.database ?? ''
const queryOf = ({ inputs }: ActionCall): string => inputs['query'] ?? ''
const hasQuery = (inputs: ActionCall['inputs']): boolean => (inputs['query'] ?? '') !== ''
const path = (call: ActionCall): readonly string[] => ['databases', databaseOf(call), 'queries']

/** Values of the parameters as typed. If they are not JSON, the server refuses them, as it does a lack of values. */
function valuesOf({ inputs: { parameters = '' } }: ActionCall): string {
  try {
    JSON.parse(parameters)
    return parameters
  } catch {
    return '{}'
  }
}

/** The query with its values as typed: a rounded value would find other documents than were counted. */
const queryText = (call: ActionCall): string =>
  `"Query":${JSON.stringify(queryOf(call))},"QueryParameters":${valuesOf(call)}`

/** Index that answered the query, by the server's name; null: not reported. */
function indexOf(accepted: unknown): string | null {
  const name = typeof accepted === 'object' && accepted !== null && 'IndexName' in accepted ? accepted.IndexName : null
  return typeof name === 'string' && name.startsWith('Auto/') ? name : null
}

/** Description of the operation by the server, on 7.1.5, 6.2.4 and 5.4.207. */
function describe(call: ActionCall): string {
  const { source, needsIndex } = shapeOf(queryOf(call))
  if (source === null) return ''
  return source.kind === 'index' ? source.name : `${needsIndex ? 'dynamic' : 'collection'}/${source.name}`
}

const STOPPED = 'What was changed before it stopped stays changed; the batch that ran is rolled back.'

const PATCH: BegunOfDatabase = { of: 'database', task: 'UpdateByQuery', describe, leaves: STOPPED }
const DELETION: BegunOfDatabase = { of: 'database', task: 'DeleteByQuery', describe, leaves: STOPPED }

const processed = ({ result }: OperationState, verb: string): string => {
  const total = numberOf(result, 'Total')
  return total === null ? `The documents were ${verb}.` : `${formatPlural(total, 'document')} ${verb}.`
}

function countOf({ inputs: { count, isMost } }: ActionCall): string {
  if (count === undefined) return 'Each document'
  return `${isMost === undefined ? '' : 'At most '}${formatPlural(Number(count), 'document')}`
}

/** Options with which the server refuses a stale index and creates no index for the query. */
const OPTIONS = { disableAutoIndexCreation: 'true', allowStale: 'false' }

const BY_QUERY = {
  target: 'database',
  right: 'DatabaseWrite',
  confirm: 'type-name',
  isLong: true,
  applies: (_, inputs) => hasQuery(inputs),
  onFailure: { leaves: `${STOPPED} Where the index is stale, or there is none, nothing is changed.` },
} satisfies Partial<Action>

/** Common parts of a patch and a deletion, which run as an operation. */
const asOperation = (operation: BegunOfDatabase, verb: string, how: string) =>
  ({
    consequence: (call) =>
      `${countOf(call)} that the query finds: ${how}, batch by batch. The server counts again when it begins: documents that are written meanwhile may be among them.`,
    read: 'the state of the operation',
    operation,
    check: (context) => checkOperation(context, operation, (state) => processed(state, verb)),
  }) satisfies Partial<Action>

export const BY_QUERY_ACTIONS: readonly Action[] = [
  {
    id: 'database.create-auto-index',
    target: 'database',
    title: 'Create automatic index',
    done: 'Automatic index created',
    right: 'Database',
    confirm: 'confirm',
    isLong: true,
    applies: (_, inputs) => hasQuery(inputs),
    request: (call) => ({
      method: 'POST',
      path: path(call),
      body: new ExactJson(`{${queryText(call)},"Start":0,"PageSize":0}`),
    }),
    consequence: (call) =>
      `The server creates the index that this query needs, or extends an automatic one, on all nodes${call.facts.documents === undefined ? '' : `: it reads ${formatPlural(call.facts.documents, 'document')}`}. It is updated with every change of its documents, and deleted by the server when no query has used it for 72 hours.`,
    loss: () => null,
    read: 'the index that the server names in its response, in `indexes/stats`',
    onFailure: AS_IT_WAS,
    check: (context): Promise<CheckResult> =>
      checkReading(context, async (database) => {
        const name = indexOf(context.accepted)
        if (name === null)
          return {
            state: 'unknown',
            text: 'The server did not say by which index it answered: look at the list of indexes.',
            isLast: true,
          }
        const all = readIndexes(await context.read('indexesStats', { database }))
        const index = all.get(name.toLowerCase()) ?? all.get(REPLACEMENT_OF.toLowerCase() + name.toLowerCase())
        if (index === undefined) return { state: 'gone', text: `“${name}” does not exist any more.` }
        const entries = formatPlural(index.entries ?? 0, 'entry', 'entries')
        return index.isStale
          ? { state: 'running', text: `“${name}” has ${entries} so far.`, ...madeOf(index.createdAt) }
          : { state: 'done', text: `“${name}” is up to date, with ${entries}.` }
      }),
  },
  {
    ...BY_QUERY,
    id: 'database.patch-by-query',
    title: 'Patch by query',
    done: 'Patched by query',
    request: (call) => ({
      method: 'PATCH',
      path: path(call),
      query: OPTIONS,
      body: new ExactJson(`{"Query":{${queryText(call)}}}`),
    }),
    loss: () => 'The present content of those documents, unless revisions keep it.',
    ...asOperation(PATCH, 'patched', 'the script of the patch changes them'),
  },
  {
    ...BY_QUERY,
    id: 'database.delete-by-query',
    title: 'Delete by query',
    done: 'Deleted by query',
    request: (call) => ({
      method: 'DELETE',
      path: path(call),
      query: OPTIONS,
      body: new ExactJson(`{${queryText(call)}}`),
    }),
    loss: () => 'Those documents, with their attachments, counters and time series, unless revisions keep them.',
    ...asOperation(DELETION, 'deleted', 'deleted'),
  },
]

const madeOf = (createdAt: string | null): { readonly made?: string } => (createdAt === null ? {} : { made: createdAt })
