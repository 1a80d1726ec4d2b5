import { memberOf, plainText } from '../../base/json/exact.ts'
import type { DefinitionText, PastDefinition, SavedDefinition } from './contract.ts'
import { wholeText } from './definition-text.ts'

const LOOK = 'Look at the changes again. Nothing was saved.'

/**
 * Reason why a definition must not be sent, as a sentence; null if it may. The server replaces any index of that name
 * unconditionally. `read`: the definition that the user has seen, null for a new index; `now`: the current definition
 * on the server.
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
  if (wholeText(read) !== wholeText(now)) return `The server has another definition than when it was read. ${LOOK}`
  return now.replacement !== null && !isSame(now.replacement, read.replacement)
    ? `Another definition is being built to take the place of this one. ${LOOK}`
    : null
}

const isSame = (a: DefinitionText | null, b: DefinitionText | null): boolean =>
  a === b || (a !== null && b !== null && wholeText(a) === wholeText(b))

/** Indexed code of a definition, without options: the server may format those differently than they were sent. */
const codeOf = ({ maps, reduce, sources }: DefinitionText): string =>
  JSON.stringify([maps, reduce.trim(), sources.map(({ name, text }) => [name, text])])

/** A definition that another client saved at the same time. */
export interface Crossed {
  readonly past: PastDefinition
  /** Whether it was saved first and replaced by our save; otherwise it replaced ours. */
  readonly wasFirst: boolean
}

/**
 * Finds a definition that another client saved between the last reading and our save. Compares the histories before and
 * after the save, newest first. The server cannot save conditionally, so such a conflict is only detected afterwards.
 */
export function crossedBy(
  before: readonly PastDefinition[],
  after: readonly PastDefinition[],
  sent: DefinitionText,
): Crossed | null {
  const known = new Set(before.map(({ at }) => at))
  const added = after.filter(({ at }) => !known.has(at))
  const ours = added.findIndex(({ definition }) => codeOf(definition) === codeOf(sent))
  const other = added.find((_, i) => i !== ours)
  return other === undefined || ours < 0 ? null : { past: other, wasFirst: added.indexOf(other) > ours }
}
