import { memberOf, plainText } from '../../base/json/exact.ts'
import type { SavedDefinition } from './contract.ts'
import { wholeText } from './definition-text.ts'

/**
 * Why a definition must not be sent, in a sentence; null: it may. The server replaces any index of that name without a
 * condition. `read`: the definition that the change began from, null for a new index; `now`: the one that the server has.
 */
export function refusalBeforeSave(
  name: string,
  read: SavedDefinition | null,
  now: SavedDefinition | null,
): string | null {
  if (now === null) return read === null ? null : `The index “${name}” was deleted. Nothing was saved.`
  if (read === null) return `There is an index “${name}” already: open it to change it. Nothing was saved.`
  const lock = plainText(memberOf(now.json, 'LockMode') ?? '')
  if (lock === 'LockedIgnore' || lock === 'LockedError')
    return `The lock mode of the index is ${lock}: the server keeps its definition. Unlock it first. Nothing was saved.`
  return wholeText(read) === wholeText(now)
    ? null
    : 'The server has another definition than when it was read: look at the changes again. Nothing was saved.'
}
