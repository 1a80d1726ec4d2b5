import { asArray, asObject } from '../../base/json/check.ts'
import type { Action, CheckContext, ActionCall, CheckResult } from '../model.ts'
import { checkReading } from './index-reading.ts'

/* What runs: queries of any client. */

/** Of `queryName`. */
const partsOf = ({ target }: ActionCall): readonly [id: string, index: string] => {
  const name = target.name ?? ''
  const space = name.indexOf(' ')
  return [name.slice(0, space), name.slice(space + 1)]
}

/** Queries by index; the response has `@metadata` beside them. */
async function isRunning({ call, read }: CheckContext, database: string): Promise<boolean> {
  const [id, index] = partsOf(call)
  const queries = asObject(await read('databaseQueries', { database }), '$')[index]
  if (queries === undefined || queries === null) return false
  return asArray(queries, '$.queries').some((query, i) => String(asObject(query, `$[${i}]`)['QueryId']) === id)
}

export const QUERY_ACTIONS: readonly Action[] = [
  {
    id: 'query.kill',
    target: 'query',
    title: 'Kill query',
    done: 'Killed',
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
    check: (context): Promise<CheckResult> =>
      checkReading(context, async (database) =>
        (await isRunning(context, database))
          ? { state: 'unchanged', text: 'The query still runs.' }
          : { state: 'done', text: 'The query does not run any more.' },
      ),
  },
]
