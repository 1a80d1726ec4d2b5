import type { ActionCall } from '../../../actions/model.ts'
import type { QueryText } from '../contract.ts'

/** Inputs of an action on the documents that a query finds. `isMost`: `count` is at most their number. */
export const byQueryInputs = (
  { text, parameters }: Pick<QueryText, 'text' | 'parameters'>,
  count: number,
  isMost: boolean,
): ActionCall['inputs'] => ({ query: text, parameters, count: String(count), ...(isMost ? { isMost: 'yes' } : {}) })
