import { formatPlural } from '../../base/text/format.ts'
import { AS_IT_WAS, type Action, type ActionCall, type CheckResult } from '../model.ts'
import { checkReading, readIndexes, REPLACEMENT_OF } from './index-reading.ts'

/* What a query of the user's leads to. The panel Query brings its text; no menu offers it. */

const databaseOf = ({ target }: ActionCall): string => target.database ?? ''
const queryOf = ({ inputs }: ActionCall): string => inputs['query'] ?? ''
const hasQuery = (inputs: ActionCall['inputs']): boolean => (inputs['query'] ?? '') !== ''
const path = (call: ActionCall): readonly string[] => ['databases', databaseOf(call), 'queries']

/** Values of the parameters. What is no JSON the server refuses as a query without values. */
function valuesOf({ inputs }: ActionCall): unknown {
  try {
    return JSON.parse(inputs['parameters'] ?? '{}')
  } catch {
    return {}
  }
}

/** As the server names the index by which it was answered; null: it did not say. */
function indexOf(accepted: unknown): string | null {
  const name = typeof accepted === 'object' && accepted !== null && 'IndexName' in accepted ? accepted.IndexName : null
  return typeof name === 'string' && name.startsWith('Auto/') ? name : null
}

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
      body: { Query: queryOf(call), QueryParameters: valuesOf(call), Start: 0, PageSize: 0 },
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
]

const madeOf = (createdAt: string | null): { readonly made?: string } => (createdAt === null ? {} : { made: createdAt })
