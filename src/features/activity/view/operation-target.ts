import type { ActionFacts, ActionTarget } from '../../../actions/model.ts'
import { taskWords } from '../../../ravendb/operations-wire.ts'
import type { Operation } from '../contract.ts'

/* A long operation as what actions apply to. */

export const targetOf = ({ database, id }: Operation): ActionTarget => ({
  kind: 'operation',
  database,
  name: String(id),
})

export const factsOf = ({ task, status, processed, total }: Operation): ActionFacts => ({
  task: taskWords(task),
  status,
  ...(processed === null ? {} : { processed }),
  ...(total === null ? {} : { total }),
})
