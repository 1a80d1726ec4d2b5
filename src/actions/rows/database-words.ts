import { formatBytes, formatPlural } from '../../base/text/format.ts'
import type { ActionCall, ActionFacts } from '../model.ts'

/* How sentences name a database and say how much it holds. */

export const nameOf = ({ target }: ActionCall): string => target.database ?? ''
export const named = (call: ActionCall): string => `“${nameOf(call)}”`

/** ` (12,000 documents, 3.4 MiB on disk)`; empty: neither is known. */
export function howMuch({ documents, sizeBytes }: ActionFacts): string {
  const parts = [
    ...(documents === undefined ? [] : [formatPlural(documents, 'document')]),
    ...(sizeBytes === undefined ? [] : [`${formatBytes(sizeBytes)} on disk`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
