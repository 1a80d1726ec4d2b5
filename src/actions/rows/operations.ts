import { formatCount } from '../../base/text/format.ts'
import { faultOf, progressWords, shareOf } from '../../ravendb/operations-wire.ts'
import { AS_IT_WAS, type Action, type ActionCall, type CheckContext, type CheckResult } from '../model.ts'
import { MEASURE_OPERATION, SERVER_CPU } from './measures.ts'
import { checkReading } from './index-reading.ts'
import { readOperation } from './operation-reading.ts'

/* Actions on a long operation that runs, started by any client. */

const words = ({ target, facts }: ActionCall): string => {
  const of = target.database === null ? 'of the server' : `of “${target.database}”`
  return `Operation ${target.name ?? ''} ${of}${facts.task === undefined ? '' : ` (${facts.task})`}`
}

const howFar = ({ processed, total }: ActionCall['facts']): string =>
  processed === undefined
    ? ''
    : ` It has processed ${formatCount(processed)}${total === undefined ? '' : ` of ${formatCount(total)}`}.`

const FORGOTTEN: CheckResult = {
  state: 'gone',
  text: 'The server does not know the operation any more: it ended, as does each where the server is restarted or the database unloaded.',
}
const UNLOADED: CheckResult = { state: 'gone', text: 'The database is not loaded: its operations have ended.' }

const check = (context: CheckContext): Promise<CheckResult> =>
  context.call.target.database === null
    ? checkOperation(context)
    : checkReading(context, () => checkOperation(context), UNLOADED)

/** Killing is a request to the operation, which ends at its next step. */
async function checkOperation(context: CheckContext): Promise<CheckResult> {
  const { target } = context.call
  const state = await readOperation(context, target.database, Number(target.name))
  if (state === null) return FORGOTTEN
  switch (state.status) {
    case 'Canceled':
      return { state: 'done', text: 'The operation is cancelled.' }
    case 'Faulted':
      return { state: 'done', text: `The operation has ended as failed: ${faultOf(state)}` }
    case 'Completed':
      return { state: 'gone', text: 'The operation had completed before it could be cancelled.' }
    default: {
      const share = shareOf(state)
      return {
        state: context.accepted === null ? 'unchanged' : 'running',
        text: `It still runs. ${progressWords(state)}`,
        ...(share === null ? {} : { progress: share }),
      }
    }
  }
}

export const OPERATION_ACTIONS: readonly Action[] = [
  {
    id: 'operation.kill',
    target: 'operation',
    title: 'Cancel operation',
    done: 'Cancelled',
    removes: true,
    right: 'DatabaseWrite',
    serverRight: 'Operator',
    confirm: 'confirm',
    dismiss: 'Keep it running',
    applies: ({ status }) => status === undefined || status === 'InProgress',
    request: ({ target }) => ({
      method: 'POST',
      path:
        target.database === null
          ? ['admin', 'operations', 'kill']
          : ['databases', target.database, 'operations', 'kill'],
      query: { id: target.name ?? '' },
    }),
    consequence: (call) =>
      `${words(call)} ends, and its client gets an error.${howFar(call.facts)} What it has committed stays; the batch in progress is rolled back.`,
    loss: () => 'The work that the operation has not committed. A backup, an export or a restore stays incomplete.',
    read: 'the state of the operation, in `operations/state`',
    isLong: true,
    measure: MEASURE_OPERATION,
    recorded: SERVER_CPU,
    onFailure: AS_IT_WAS,
    check,
  },
]
