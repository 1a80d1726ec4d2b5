import { asArray, asObject, orNull, type JsonObject } from '../../base/json/check.ts'
import { AS_IT_WAS, type Action, type CheckContext, type ActionCall, type CheckResult, type Measure } from '../model.ts'
import { SERVER_CPU } from './measures.ts'
import { checkReading } from './index-reading.ts'

/* Actions on queries that run, of any client. */

/** Parts of a `queryName`. */
const partsOf = ({ target }: ActionCall): readonly [id: string, index: string] => {
  const name = target.name ?? ''
  const space = name.indexOf(' ')
  return [name.slice(0, space), name.slice(space + 1)]
}

/** Whether the query is among the running ones; the response has `@metadata` beside the queries by index. */
function isRunning(all: JsonObject, call: ActionCall): boolean {
  const [id, index] = partsOf(call)
  const queries = all[index]
  if (queries === undefined || queries === null) return false
  return asArray(queries, '$.queries').some((query, i) => String(asObject(query, `$[${i}]`)['QueryId']) === id)
}

const readAll = async ({ read }: Pick<CheckContext, 'read'>, database: string): Promise<JsonObject> =>
  asObject(await read('databaseQueries', { database }), '$')

const MEASURE: Measure = {
  what: 'whether the query runs, and how many run in its database',
  read: async (context) => {
    const all = await readAll(context, context.call.target.database ?? '')
    const running = Object.entries(all)
      .filter(([index]) => index !== '@metadata')
      .reduce((sum, [, queries]) => sum + (orNull(asArray, queries, '$.queries')?.length ?? 0), 0)
    return [
      { label: 'This query', unit: 'text', value: isRunning(all, context.call) ? 'runs' : 'gone' },
      { label: 'Queries that run', unit: 'count', value: running, aim: 'less' },
    ]
  },
}

const UNLOADED: CheckResult = { state: 'gone', text: 'The database is not loaded: no query runs in it.' }

export const QUERY_ACTIONS: readonly Action[] = [
  {
    id: 'query.kill',
    target: 'query',
    title: 'Kill query',
    done: 'Killed',
    removes: true,
    right: 'DatabaseWrite',
    confirm: 'confirm',
    applies: () => true,
    request: (call) => {
      const [id, indexName] = partsOf(call)
      return {
        method: 'POST',
        path: ['databases', call.target.database ?? '', 'debug', 'queries', 'kill'],
        query: { indexName, id },
      }
    },
    consequence: (call) => {
      const [id, index] = partsOf(call)
      return `Query ${id} on “${index}” ends, and its client gets an error; one that waits for its index goes on until the wait ends. Clients that repeat it start it again, under another number.`
    },
    loss: () => null,
    read: 'that `debug/queries/running` has no such query',
    measure: MEASURE,
    recorded: SERVER_CPU,
    onFailure: AS_IT_WAS,
    check: (context): Promise<CheckResult> =>
      checkReading(
        context,
        async (database) =>
          isRunning(await readAll(context, database), context.call)
            ? { state: 'unchanged', text: 'The query still runs.' }
            : { state: 'done', text: 'The query does not run any more.' },
        UNLOADED,
      ),
  },
]
