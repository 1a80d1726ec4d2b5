import { formatPlural } from '../../../base/text/format.ts'
import type { OperationsResponse } from '../contract.ts'

type Coverage = Pick<OperationsResponse, 'loaded' | 'answered' | 'resting'>

/**
 * Whether all databases that may have operations have reported them. A database with a running operation stays loaded
 * and is not idle.
 */
export const isComplete = ({ loaded, answered, resting }: Coverage): boolean =>
  loaded !== null && answered + resting >= loaded

/** Names the databases that were polled, and how to poll the others. */
export function coverageWords(response: Coverage): string {
  const { loaded, answered, resting } = response
  if (loaded === null) return 'Which databases are loaded is not known yet.'
  if (loaded === 0) return 'No database is loaded.'
  const read =
    answered >= loaded
      ? `Read: ${formatPlural(loaded, 'loaded database')} and the server.`
      : `Read${isComplete(response) ? '' : ' so far'}: ${answered} of ${formatPlural(loaded, 'loaded database')}, and the server.`
  if (resting > 0) {
    const unread = loaded - answered - resting
    const others =
      unread <= 0
        ? `the ${resting === 1 ? 'other' : `other ${resting}`}, which`
        : `${formatPlural(resting, 'other')}, which`
    const waiting = unread <= 0 ? '' : ` ${unread} ${unread === 1 ? 'is' : 'are'} not read yet.`
    return `${read} Nothing runs in ${others} no other client was seen to use: “Refresh” reads what ended there.${waiting}`
  }
  return `${read} Only “Refresh” reads databases without activity again, so that they are not kept loaded.`
}
