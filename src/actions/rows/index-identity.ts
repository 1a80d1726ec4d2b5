import { formatPlural } from '../../base/text/format.ts'
import type { Action, CheckContext, CheckResult } from '../model.ts'
import { checkIndex, isBeingReplaced, NO_INDEX, readIndexes, stateWords } from './index-reading.ts'

/* Identity of an index: a name stands for several over time, distinguished by their time of creation. */

/** Refuses an index that was created after the call was chosen. */
export const NOT_ANOTHER: NonNullable<Action['refuses']> = {
  where: 'the index was created again or reset since it was chosen',
  read: async ({ call, read }) => {
    const { createdAt } = call.facts
    const { database, name } = call.target
    if (createdAt === undefined || database === null || name === null) return null
    const now = readIndexes(await read('indexesStats', { database })).get(name.toLowerCase())?.createdAt ?? null
    return now === null || now === createdAt
      ? null
      : `“${name}” was created again, or reset, since it was chosen: look at it, then choose again.`
  },
}

/**
 * Follows the replacement of an index by its creation time, which the index takes over when it is swapped in. A
 * replacement that is being built may belong to a later reset. Measured on 7.1.5 and 6.2.4.
 */
export const checkReplacement = (context: CheckContext): Promise<CheckResult> =>
  checkIndex(context, ({ index, replacement }) => {
    const seen = context.made
    const isOwn = replacement !== null && (seen === undefined || replacement.createdAt === seen)
    if (isOwn) {
      const { createdAt, entries, state } = replacement
      const text = `The replacement has ${formatPlural(entries ?? 0, 'entry', 'entries')}${state === 'Error' ? ', and is in error' : ''}.`
      return { state: 'running', text, ...(createdAt === null ? {} : { made: createdAt }) }
    }
    if (index === null) return NO_INDEX
    if (isBeingReplaced(index)) return { state: 'running', text: 'The replacement takes its place.' }
    const { createdAt } = context.call.facts
    if (seen !== undefined && index.createdAt === seen) return DONE(index.entries)
    if (index.createdAt === createdAt || (seen !== undefined && replacement !== null))
      return {
        state: 'unchanged',
        text:
          replacement === null
            ? 'No replacement is being built (any more), and the index is the old one. A change of the database’s indexes or settings discards one.'
            : 'Its replacement was discarded. Another one is being built, which a later reset began.',
        isLast: replacement !== null,
      }
    if (createdAt === undefined)
      return { state: 'unknown', text: `No replacement is being built. ${stateWords(index)}` }
    // Without this, the next index of that name would count as a replacement that was never seen.
    return seen === undefined
      ? DONE(index.entries)
      : {
          state: 'unknown',
          text: 'The index is neither the old one nor its replacement: another client has reset it.',
          isLast: true,
        }
  })

const DONE = (entries: number | null): CheckResult => ({
  state: 'done',
  text: `It was replaced, and has ${formatPlural(entries ?? 0, 'entry', 'entries')}.`,
})
